//! Who can see which playlist.

use identity::Erasure as _;
use kernel::PersonId;
use orgs::Role;
use playlists::PlaylistTitles;
use serde_json::json;

use super::{leader, playlist, test_app, titles, uid, video};

#[tokio::test]
async fn app_users_list_public_ones_and_open_unlisted_ones_by_link() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let user = app.member(org, Role::User).await;
    for (privacy, status) in [("public", 200), ("unlisted", 200), ("private", 404)] {
        let made = playlist(&leader, org, privacy, json!({ "privacy": privacy })).await;
        let path = format!("/v1/playlists/{}", uid(&made));
        user.get(&path).await.expect(status);
        user.get(&format!("{path}/content")).await.expect(status);
        leader.get(&path).await.expect(200);
    }
    let list = format!("/v1/playlists?orgId={}", org.uid);
    assert_eq!(titles(&user.get(&list).await.expect(200)), ["public"]);
    assert_eq!(titles(&leader.get(&list).await.expect(200)).len(), 3);
    assert_eq!(titles(&leader.get(&format!("{list}&public=true")).await.expect(200)), ["public"]);
    app.settle().await;
}

#[tokio::test]
async fn a_change_of_privacy_counts_on_the_next_request() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (leader, user) = (leader(&app, org).await, app.member(org, Role::User).await);
    let path = format!("/v1/playlists/{}", uid(&playlist(&leader, org, "T", json!({})).await));
    user.get(&path).await.expect(200);
    leader.patch(&path, json!({ "playlist": { "privacy": "private" } })).await.expect(200);
    user.get(&path).await.expect_error(404, "Playlist not found");
    app.settle().await;
}

#[tokio::test]
async fn app_users_do_not_see_private_content_of_a_public_playlist() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (leader, user) = (leader(&app, org).await, app.member(org, Role::User).await);
    let items = [video(&leader, org, "open", "public").await, video(&leader, org, "closed", "private").await];
    let path = format!(
        "/v1/playlists/{}/content",
        uid(&playlist(&leader, org, "T", json!({ "items": items })).await)
    );
    assert_eq!(titles(&user.get(&path).await.expect(200)), ["open"]);
    assert_eq!(titles(&leader.get(&path).await.expect(200)), ["open", "closed"]);
    app.settle().await;
}

#[tokio::test]
async fn people_of_other_organisations_find_nothing() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let made = playlist(&leader(&app, org).await, org, "T", json!({})).await;
    let stranger = app.member(other, Role::SuperAdmin).await;
    let path = format!("/v1/playlists/{}", uid(&made));
    stranger.get(&path).await.expect_error(404, "Playlist not found");
    stranger.get(&format!("{path}/content")).await.expect_error(404, "Playlist not found");
    stranger
        .patch(&path, json!({ "playlist": { "title": "Mine" } }))
        .await
        .expect_error(404, "Playlist not found");
    stranger.delete(&path).await.expect_error(404, "Playlist not found");
    let list = stranger.get(&format!("/v1/playlists?orgId={}", org.uid)).await;
    list.expect_error(404, "Organisation not found");
    app.anonymous().get(&path).await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn the_export_of_a_person_names_the_playlists_that_the_person_may_open() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (leader, user) = (leader(&app, org).await, app.member(org, Role::User).await);
    let stranger = app.person("stranger@example.com").await;
    let mut ids = Vec::new();
    for (title, fields) in [
        ("public", json!({})),
        ("unlisted", json!({ "privacy": "unlisted" })),
        ("private", json!({ "privacy": "private" })),
        ("expired", json!({ "expireAt": "2020-01-01T00:00:00Z" })),
        ("to come", json!({ "publishAt": "2099-01-01T00:00:00Z" })),
        ("deleted", json!({})),
    ] {
        let mut all = json!({ "privacy": "public" });
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        ids.push(uid(&playlist(&leader, org, title, all).await).uid());
    }
    leader.delete(&format!("/v1/playlists/{}", ids[5])).await;
    let named = async |person: PersonId| {
        let export = PlaylistTitles::new(app.deps.ambient.clone());
        let named = export.titles(app.deps.db.read(), org.uid, person, &ids).await.unwrap();
        let mut named = titles(&json!({ "data": named }));
        named.sort();
        named
    };
    assert_eq!(named(user.uid()).await, ["public", "unlisted"]);
    assert_eq!(named(leader.uid()).await, ["expired", "private", "public", "to come", "unlisted"]);
    assert_eq!(named(stranger.uid()).await, Vec::<String>::new());
    app.settle().await;
}
