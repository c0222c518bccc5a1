//! Field rules: lengths that are suggested but not enforced, contacts, privacy.

use orgs::Role;
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};

use super::{leader, playlist, test_app, titles, uid, video};

#[tokio::test]
async fn one_character_is_a_title_and_suggested_lengths_are_no_limits() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let long = json!({ "description": "d".repeat(1_001) });
    for title in ["A".to_owned(), "t".repeat(101)] {
        let made = playlist(&leader, org, &title, long.clone()).await;
        assert_eq!((&made["title"], &made["description"]), (&json!(title), &long["description"]));
        let path = format!("/v1/playlists/{}", uid(&made));
        let change = json!({ "playlist": { "title": "t".repeat(102), "description": "d".repeat(1_002) } });
        let changed = leader.patch(&path, change).await.expect(200);
        assert_eq!(changed["title"], "t".repeat(102));
        leader
            .patch(&path, json!({ "playlist": { "title": "" } }))
            .await
            .expect_error(400, "Title is required");
    }
    app.settle().await;
}

#[tokio::test]
async fn a_contact_is_an_address_or_nothing_and_a_phone_is_kept_as_typed() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let made = playlist(&leader, org, "T", json!({})).await;
    assert_eq!(made["contact"], json!({ "email": "", "phoneNumber": "" }));
    let path = format!("/v1/playlists/{}", uid(&made));
    let change =
        async |contact: Value| leader.patch(&path, json!({ "playlist": { "contact": contact } })).await;
    let both = json!({ "email": "a@b.example", "phoneNumber": "+44 20 7946" });
    assert_eq!(change(both).await.expect(200)["contact"]["phoneNumber"], "+44 20 7946");
    let kept = change(json!({ "email": "" })).await.expect(200);
    assert_eq!(kept["contact"], json!({ "email": "", "phoneNumber": "+44 20 7946" }));
    change(json!({ "email": "nobody" })).await.expect_error(400, "Invalid email!");
    app.settle().await;
}

#[tokio::test]
async fn the_address_of_a_thumbnail_must_be_one() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let made = playlist(&leader, org, "T", json!({ "previewUrl": "" })).await;
    let path = format!("/v1/playlists/{}", uid(&made));
    for (bad, sentence) in [
        ("picture.png", "URL is invalid."),
        ("javascript:alert(1)", "URL is invalid."),
        ("https://elsewhere.example/a.png", "Please upload the image here first."),
    ] {
        let refused = leader.patch(&path, json!({ "playlist": { "previewUrl": bad } })).await;
        refused.expect_error(400, sentence);
        assert_eq!(refused.json()["fields"]["previewUrl"], sentence);
    }
    app.settle().await;
}

#[tokio::test]
async fn only_the_three_privacy_values_are_accepted() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let path = format!("/v1/playlists/{}", uid(&playlist(&leader, org, "T", json!({})).await));
    for privacy in ["private", "unlisted", "public"] {
        let made = playlist(&leader, org, "T", json!({ "privacy": privacy })).await;
        let changed = leader.patch(&path, json!({ "playlist": { "privacy": privacy } })).await.expect(200);
        assert_eq!((&made["privacy"], &changed["privacy"]), (&json!(privacy), &json!(privacy)));
    }
    leader.patch(&path, json!({ "playlist": { "privacy": "Public" } })).await.expect(400);
    app.settle().await;
}

#[tokio::test]
async fn a_change_keeps_omitted_fields_and_ignores_read_only_ones() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let leader = leader(&app, org).await;
    let item = video(&leader, org, "A", "public").await;
    let fields = json!({ "description": "d", "privacy": "unlisted", "items": [item] });
    let made = playlist(&leader, org, "T", fields).await;
    let path = format!("/v1/playlists/{}", uid(&made));
    app.clock.advance(1_000);
    let sent = json!({ "playlist": {
        "title": "New", "uid": other.uid, "id": other.uid, "orgId": other.uid, "stats": { "watchTimeMs": 5 },
        "timeCreated": "2000-01-01T00:00:00.000Z",
    }});
    let mut expected = made.clone();
    expected["title"] = json!("New");
    expected["timeModified"] = json!("2026-11-20T08:00:01.000Z");
    assert_eq!(leader.patch(&path, sent).await.expect(200), expected);
    let cleared = leader.patch(&path, json!({ "playlist": { "description": null } })).await.expect(200);
    assert_eq!((&cleared["description"], &cleared["items"]), (&json!(""), &json!([item])));
    app.settle().await;
}

#[tokio::test]
async fn the_right_to_change_and_to_delete_begins_at_team_leader() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    for role in Role::ALL {
        let path = format!("/v1/playlists/{}", uid(&playlist(&leader, org, "T", json!({})).await));
        let client = app.member(org, role).await;
        let may = role >= Role::TeamLeader;
        let change = json!({ "playlist": { "title": "U" } });
        client.patch(&path, change).await.expect(if may { 200 } else { 403 });
        client.delete(&path).await.expect(if may { 204 } else { 403 });
    }
    app.settle().await;
}

#[tokio::test]
async fn a_deleted_item_is_not_listed() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let (gone, kept) = (video(&leader, org, "A", "public").await, video(&leader, org, "B", "public").await);
    let made = playlist(&leader, org, "T", json!({ "items": [gone, kept] })).await;
    let tx = app.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared("UPDATE content SET deleted_at = 1 WHERE title = 'A'").await.unwrap();
    tx.commit().await.unwrap();
    let shown = leader.get(&format!("/v1/playlists/{}/content", uid(&made))).await.expect(200);
    assert_eq!(titles(&shown), ["B"]);
    app.settle().await;
}
