//! Stored values that cannot be read.

use sea_orm::{ConnectionTrait as _, Statement, Value};
use serde_json::json;

use crate::captions::{SRT, TYPE, put};
use crate::{MP4, TestApp, TestOptions, mp4, test_app_with};

async fn store(app: &TestApp, table: &str, column: &str, value: &str, uid: &str) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let key = if table == "upload" { "content" } else { "uid" };
    let sql = format!("UPDATE {table} SET {column} = $1 WHERE {key} = $2");
    let values: [Value; 2] = [value.into(), uid.parse::<kernel::ContentId>().unwrap().into()];
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1, "{table}.{column}");
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_unreadable_value_is_an_internal_error_and_no_change_stores_its_loss() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    app.http.run_jobs().await;
    put(&leader, &uid, "en", TYPE, SRT.as_bytes()).await.expect(200);
    let path = format!("/v1/content/{uid}");
    let before = leader.get(&path).await.expect(200);
    let captions = {
        let sql = "SELECT captions FROM content WHERE uid = $1";
        let conn = app.http.deps.db.read();
        let value: Value = uid.parse::<kernel::ContentId>().unwrap().into();
        let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [value]);
        let row = conn.query_one_raw(statement).await.unwrap().unwrap();
        row.try_get_by_index::<String>(0).unwrap()
    };

    for (column, value, readable) in [
        ("captions", r#"{"first":1}"#, captions.as_str()),
        ("privacy", "hidden", before["privacy"].as_str().unwrap()),
        ("kind", "hologram", "video"),
        ("processing", "maybe", before["processing"].as_str().unwrap()),
    ] {
        store(&app, "content", column, value, &uid).await;
        for answer in [
            leader.get(&path).await,
            leader.patch(&path, json!({ "content": { "title": "New" } })).await,
            put(&leader, &uid, "de", TYPE, SRT.as_bytes()).await,
        ] {
            assert_eq!(answer.expect(500)["code"], "internal", "{column}");
        }
        store(&app, "content", column, readable, &uid).await;
    }
    let after = leader.get(&path).await.expect(200);
    assert_eq!((&after["title"], &after["captions"]), (&before["title"], &before["captions"]));

    store(&app, "upload", "status", "lost", &uid).await;
    assert_eq!(leader.get(&format!("{path}/upload")).await.expect(500)["code"], "internal");
    store(&app, "upload", "status", "available", &uid).await;
    app.http.settle().await;
}
