//! Entries of the audit log.

use orgs::Role;
use serde_json::json;

use super::{playlist, test_app};

#[tokio::test]
async fn playlists_that_are_created_changed_and_deleted_have_entries_but_new_orders_have_none() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let uid = playlist(&admin, org, "Films", json!({})).await["uid"].as_str().unwrap().to_owned();
    let path = format!("/v1/playlists/{uid}");
    admin.patch(&path, json!({ "playlist": { "title": "Movies", "privacy": "private" } })).await.expect(200);
    admin.patch(&path, json!({ "playlist": { "items": [] } })).await.expect(200);
    admin.delete(&path).await.expect(204);
    let log = admin.get(&format!("/v1/organizations/{}/audit?limit=3", org.uid)).await.expect(200);
    let told: Vec<_> = log["data"].as_array().unwrap().iter().map(|one| one["action"].clone()).collect();
    assert_eq!(told, ["playlist.deleted", "playlist.changed", "playlist.created"]);
    let changed = &log["data"][1];
    assert_eq!(changed["target"], json!({ "type": "playlist", "id": uid, "name": "Movies" }));
    assert_eq!(changed["before"], json!({ "title": "Films", "privacy": "public" }));
    assert_eq!(changed["after"], json!({ "title": "Movies", "privacy": "private" }));
    app.settle().await;
}
