//! Stored values that cannot be read.

use kernel::{DAY, OrgId};
use sea_orm::{ConnectionTrait as _, Statement, Value};
use serde_json::json;

use crate::{TestApp, test_app};

async fn execute(app: &TestApp, sql: &str, values: Vec<Value>) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1, "{sql}");
    tx.commit().await.unwrap();
}

/// Returns the stored temperature and day of the organisation's only lead.
async fn stored(app: &TestApp, org: OrgId) -> (String, i64) {
    let conn = app.http.deps.db.read();
    let sql = "SELECT temperature, day FROM lead WHERE org = $1";
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [org.into()]);
    let row = conn.query_one_raw(statement).await.unwrap().unwrap();
    (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap())
}

#[tokio::test]
async fn an_unreadable_temperature_is_an_internal_error_and_not_cold() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("contact")]).await;
    let org = app.org.uid;
    let (_, day) = stored(&app, org).await;
    execute(&app, "UPDATE lead SET temperature = 'boiling' WHERE org = $1", vec![org.into()]).await;
    let staff = app.http.member(app.org, orgs::Role::TeamUser).await;
    let list = format!("/v1/analytics/leads?orgId={org}");
    assert_eq!(staff.get(&list).await.expect(500)["code"], "internal");
    let more = json!({ "orgId": org, "events": [app.interaction("download")] });
    ada.post("/v1/events", more).await.expect(500);

    let other = app.http.org("Other").await.uid;
    let copy = "INSERT INTO lead (org, person, since, points, day, score, temperature, modified_at, due_day) \
                SELECT $1, person, since, points, day, score, 'warm', modified_at, due_day FROM lead WHERE org = $2";
    execute(&app, copy, vec![other.into(), org.into()]).await;
    app.http.clock.advance(2 * DAY);
    assert!(app.leads.decay().await.is_err());
    assert_eq!(stored(&app, org).await, ("boiling".to_owned(), day));
    assert_eq!(stored(&app, other).await.1, day + 2, "other organisations are updated");
    execute(&app, "UPDATE lead SET temperature = 'warm' WHERE org = $1", vec![org.into()]).await;
    app.http.settle().await;
}
