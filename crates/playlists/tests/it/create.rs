//! Creating and deleting playlists.

use orgs::Role;
use serde_json::json;

use super::{leader, playlist, test_app, uid};

#[tokio::test]
async fn a_leader_creates_a_playlist_and_it_has_this_shape() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let fields =
        json!({ "description": "For all", "contact": { "email": "a@b.example", "phoneNumber": "1" } });
    let made = playlist(&leader, org, "First", fields).await;
    let id = made["uid"].as_str().unwrap();
    let mut shown = made.clone();
    for key in ["uid", "id", "orgId"] {
        shown[key] = json!("-");
    }
    insta::assert_json_snapshot!(shown, @r#"
    {
      "contact": {
        "email": "a@b.example",
        "phoneNumber": "1"
      },
      "description": "For all",
      "expireAt": null,
      "id": "-",
      "itemPreviews": [],
      "items": [],
      "orgId": "-",
      "previewUrl": "",
      "privacy": "public",
      "publishAt": null,
      "stats": {
        "contentCount": 0,
        "watchTimeMs": 0
      },
      "timeCreated": "2026-11-20T08:00:00.000Z",
      "timeModified": "2026-11-20T08:00:00.000Z",
      "title": "First",
      "uid": "-"
    }
    "#);
    assert_eq!(leader.get(&format!("/v1/playlists/{id}")).await.expect(200), made);
    let list = leader.get(&format!("/v1/playlists?orgId={}", org.uid)).await.expect(200);
    assert_eq!(list["data"][0], made);
    app.settle().await;
}

#[tokio::test]
async fn the_right_begins_at_team_leader() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let body = json!({ "playlist": { "title": "T" }, "orgId": org.uid });
    for role in Role::ALL {
        let status = if role >= Role::TeamLeader { 201 } else { 403 };
        app.member(org, role).await.post("/v1/playlists", body.clone()).await.expect(status);
    }
    app.person("eve@example.com").await.post("/v1/playlists", body.clone()).await.expect(404);
    app.anonymous().post("/v1/playlists", body).await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn wrong_values_name_their_field() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    for (field, message, fields) in [
        ("title", "Title is required", json!({ "title": " " })),
        ("title", "Title is required", json!({})),
        ("contact.email", "Invalid email!", json!({ "title": "T", "contact": { "email": "nobody" } })),
        (
            "previewUrl",
            "Please upload the image here first.",
            json!({ "title": "T", "previewUrl": "https://evil.example/a.png" }),
        ),
        (
            "items",
            "Some of the content was not found.",
            json!({ "title": "T", "items": ["018f0000-0000-7000-8000-000000000001"] }),
        ),
    ] {
        let refused = leader.post("/v1/playlists", json!({ "playlist": fields, "orgId": org.uid })).await;
        refused.expect_error(400, message);
        assert_eq!(refused.json()["fields"][field], message);
    }
    let odd = json!({ "playlist": { "title": "T", "privacy": "secret" }, "orgId": org.uid });
    leader.post("/v1/playlists", odd).await.expect(400);
    let list = leader.get(&format!("/v1/playlists?orgId={}", org.uid)).await.expect(200);
    assert_eq!(list, json!({ "data": [] }));
    app.settle().await;
}

#[tokio::test]
async fn what_the_server_decides_cannot_be_sent() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let leader = leader(&app, org).await;
    let made = playlist(
        &leader,
        org,
        "T",
        json!({ "uid": other.uid, "orgId": other.uid, "stats": { "watchTimeMs": 5 }, "timeCreated": "2000-01-01T00:00:00Z" }),
    )
    .await;
    assert_ne!(uid(&made).uid(), other.uid.uid());
    assert_eq!(
        (made["orgId"].as_str(), made["stats"]["watchTimeMs"].as_i64()),
        (Some(org.uid.to_string().as_str()), Some(0))
    );
    app.settle().await;
}

#[tokio::test]
async fn deleting_removes_the_pin_and_works_only_once() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::SuperAdmin).await;
    let made = playlist(&admin, org, "T", json!({})).await;
    let settings = format!("/v1/organizations/{}", org.uid);
    let pin = json!({ "organisation": { "pinnedPlaylists": [made["uid"]], "defaultPlaylist": made["uid"] } });
    admin.patch(&settings, pin).await.expect(200);
    let path = format!("/v1/playlists/{}", uid(&made));
    admin.delete(&path).await.expect(204);
    admin.delete(&path).await.expect_error(404, "Playlist not found");
    admin.get(&path).await.expect_error(404, "Playlist not found");
    let organisation = admin.get("/v1/organizations").await.expect(200)["data"][0].clone();
    assert_eq!(organisation["pinnedPlaylists"], json!([]));
    assert!(organisation["defaultPlaylist"].is_null());
    app.settle().await;
}
