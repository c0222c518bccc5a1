//! Which playlists can be pinned.

use orgs::Role;
use serde_json::{Value, json};

use super::{playlist, test_app};

fn pins(ids: &[&Value]) -> Value {
    json!({ "organisation": { "pinnedPlaylists": ids } })
}

#[tokio::test]
async fn four_can_be_pinned_but_not_five_and_only_public_ones() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::SuperAdmin).await;
    let mut made = Vec::new();
    for title in ["a", "b", "c", "d", "e"] {
        made.push(playlist(&admin, org, title, json!({})).await["uid"].clone());
    }
    let hidden = playlist(&admin, org, "h", json!({ "privacy": "unlisted" })).await["uid"].clone();
    let path = format!("/v1/organizations/{}", org.uid);
    let all: Vec<&Value> = made.iter().collect();
    admin.patch(&path, pins(&all)).await.expect_error(400, "You cannot pin more than 4 playlists.");
    admin.patch(&path, pins(&[&hidden])).await.expect_error(400, "Only public playlists can be pinned.");
    let pinned = admin.patch(&path, pins(&all[1..])).await.expect(200);
    assert_eq!(pinned["pinnedPlaylists"], json!(all[1..]));
    let reordered = [all[4], all[1]];
    assert_eq!(admin.patch(&path, pins(&reordered)).await.expect(200)["pinnedPlaylists"], json!(reordered));
    app.settle().await;
}

#[tokio::test]
async fn one_that_turned_unlisted_stays_pinned_until_it_is_unpinned() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::SuperAdmin).await;
    let (first, second) = (
        playlist(&admin, org, "a", json!({})).await["uid"].clone(),
        playlist(&admin, org, "b", json!({})).await["uid"].clone(),
    );
    let path = format!("/v1/organizations/{}", org.uid);
    admin.patch(&path, pins(&[&first])).await.expect(200);
    let unlisted = json!({ "playlist": { "privacy": "unlisted" } });
    admin.patch(&format!("/v1/playlists/{}", first.as_str().unwrap()), unlisted).await.expect(200);
    admin.patch(&path, pins(&[&first, &second])).await.expect(200);
    admin.patch(&path, pins(&[&second])).await.expect(200);
    admin.patch(&path, pins(&[&first])).await.expect_error(400, "Only public playlists can be pinned.");
    app.settle().await;
}

#[tokio::test]
async fn a_playlist_of_another_organisation_cannot_be_pinned() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let foreign =
        playlist(&app.member(other, Role::SuperAdmin).await, other, "f", json!({})).await["uid"].clone();
    let admin = app.member(org, Role::SuperAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    admin.patch(&path, pins(&[&foreign])).await.expect_error(400, "Only public playlists can be pinned.");
    let default = json!({ "organisation": { "defaultPlaylist": foreign } });
    admin.patch(&path, default).await.expect_error(400, "Playlist not found");
    app.settle().await;
}
