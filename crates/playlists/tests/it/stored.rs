//! Stored values that cannot be read.

use content::PlaylistLookup as _;
use kernel::PlaylistId;
use orgs::{OrgPlaylists as _, Role};
use playlists::Lookup;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::json;
use testkit::TestApp;

use super::{leader, playlist, test_app, uid, video};

/// Replaces a column of the playlist.
async fn store(app: &TestApp, playlist: PlaylistId, column: &str, value: &str) {
    let tx = app.deps.db.write_tx().await.unwrap();
    let sql = format!("UPDATE playlist SET {column} = '{value}' WHERE uid = $1");
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [playlist.into()]);
    assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1);
    tx.commit().await.unwrap();
}

async fn stored_items(app: &TestApp, playlist: PlaylistId) -> String {
    let conn = app.deps.db.read();
    let sql = "SELECT CAST(items AS TEXT) FROM playlist WHERE uid = $1";
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [playlist.into()]);
    conn.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn unreadable_items_are_an_internal_error_and_no_change_stores_their_loss() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let item = video(&leader, org, "a", "public").await;
    let made = playlist(&leader, org, "T", json!({ "items": [item] })).await;
    let path = format!("/v1/playlists/{}", uid(&made));
    let unreadable = r#"{"first":"a"}"#;
    store(&app, uid(&made), "items", unreadable).await;
    for answer in [
        leader.get(&path).await,
        leader.get(&format!("{path}/content")).await,
        leader.get(&format!("/v1/playlists?orgId={}", org.uid)).await,
        leader.patch(&path, json!({ "playlist": { "title": "New" } })).await,
        leader.patch(&path, json!({ "playlist": { "items": [item] } })).await,
    ] {
        assert_eq!(answer.expect(500)["code"], "internal");
    }
    let tx = app.deps.db.write_tx().await.unwrap();
    assert!(Lookup.remove_item(&tx, org.uid, item).await.is_err());
    assert!(Lookup.public_among(&tx, org.uid, &[uid(&made)]).await.is_err());
    drop(tx);
    assert_eq!(stored_items(&app, uid(&made)).await, unreadable);
    app.settle().await;
}

#[tokio::test]
async fn an_unreadable_privacy_is_an_internal_error_and_not_private() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (leader, user) = (leader(&app, org).await, app.member(org, Role::User).await);
    let item = video(&leader, org, "a", "public").await;
    let made = playlist(&leader, org, "T", json!({ "items": [item] })).await;
    let path = format!("/v1/playlists/{}", uid(&made));
    store(&app, uid(&made), "privacy", "secret").await;
    for client in [&leader, &user] {
        assert_eq!(client.get(&path).await.expect(500)["code"], "internal");
    }
    leader.get(&format!("/v1/playlists?orgId={}", org.uid)).await.expect(500);
    assert!(Lookup.access_of(app.deps.db.read(), org.uid, uid(&made), item).await.is_err());
    app.settle().await;
}
