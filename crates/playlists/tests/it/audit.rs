//! Entries of the audit log.

use orgs::{OrgPlaylists, Role};
use serde_json::json;

use super::{playlist, test_app, uid, video};

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
    assert_eq!(
        changed["target"],
        json!({ "type": "playlist", "id": uid, "name": "Movies", "exists": false })
    );
    assert_eq!(changed["before"], json!({ "title": "Films", "privacy": "public" }));
    assert_eq!(changed["after"], json!({ "title": "Movies", "privacy": "private" }));
    app.settle().await;
}

#[tokio::test]
async fn entries_say_what_is_still_there_and_how_the_pinned_playlists_are_called() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let admin = app.member(org, Role::AccountAdmin).await;
    let item = video(&admin, org, "Outlook", "public").await;
    let [kept, gone] =
        [playlist(&admin, org, "Kept", json!({})).await, playlist(&admin, org, "Gone", json!({})).await];
    let base = format!("/v1/organizations/{}", org.uid);
    let pins = json!({ "organisation": { "pinnedPlaylists": [uid(&gone), uid(&kept)] } });
    admin.patch(&base, pins).await.expect(200);
    admin.delete(&format!("/v1/playlists/{}", uid(&gone))).await.expect(204);

    let log = admin.get(&format!("{base}/audit?limit=5")).await.expect(200);
    let told =
        |entry: &serde_json::Value| json!([entry["action"], entry["target"]["exists"], entry["titles"]]);
    let told: Vec<_> = log["data"].as_array().unwrap().iter().map(told).collect();
    let expected = [
        json!(["playlist.deleted", false, {}]),
        json!(["organization.changed", true, { uid(&kept).to_string(): "Kept" }]),
        json!(["playlist.created", false, {}]),
        json!(["playlist.created", true, {}]),
        json!(["content.created", true, {}]),
    ];
    assert_eq!(told, expected);

    // Nothing of one organisation is known in the other one.
    let stranger = app.member(other, Role::AccountAdmin).await;
    let pins = json!({ "organisation": { "defaultPlaylist": uid(&kept) } });
    stranger.patch(&format!("/v1/organizations/{}", other.uid), pins).await.expect(400);
    let ids = [uid(&kept).uid(), item.uid()];
    let known = OrgPlaylists::titles(&playlists::Lookup, app.deps.db.read(), other.uid, &ids);
    assert!(known.await.unwrap().is_empty());
    app.settle().await;
}
