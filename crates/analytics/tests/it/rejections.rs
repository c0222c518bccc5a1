//! Events that are rejected.

use kernel::{HOUR, MINUTE, iso};
use orgs::Role;
use serde_json::json;

use crate::{create_playlist, create_video, test_app, uid};

#[tokio::test]
async fn only_members_with_a_valid_session_can_send_events() {
    let app = test_app().await;
    let events = vec![app.interaction("visit")];
    let body = json!({"orgId": app.org.uid, "events": events});
    app.http
        .anonymous()
        .post("/v1/events", body.clone())
        .await
        .expect_error(401, "Missing or invalid identity token");
    let stranger = app.http.person("stranger@example.com").await;
    stranger.post("/v1/events", body.clone()).await.expect_error(404, "Organisation not found");
    let ada = app.joined("ada@example.com", true).await;
    ada.post("/v1/auth/sign-out", json!({})).await.expect(204);
    ada.post("/v1/events", body).await.expect(401);
    assert_eq!(app.count("SELECT COUNT(*) FROM event_batch").await, 0);
    app.http.settle().await;
}

#[tokio::test]
async fn a_request_has_at_most_a_hundred_events_of_the_right_shape() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let many = |count: usize| {
        let events: Vec<_> = (0..count).map(|_| app.interaction("visit")).collect();
        json!({"orgId": app.org.uid, "events": events})
    };
    ada.post("/v1/events", many(100)).await.expect(202);
    ada.post("/v1/events", many(101)).await.expect_error(400, "At most 100 events per request.");
    ada.post("/v1/events", json!({"orgId": app.org.uid})).await.expect(400);
    let mut nonsense = app.interaction("visit");
    nonsense["time"] = json!("yesterday");
    let mut strange = app.interaction("visit");
    strange["kind"] = json!("reaction");
    let answer = app.post(&ada, vec![nonsense.clone(), app.interaction("visit"), strange.clone()]).await;
    let rejected = json!([
        {"id": nonsense["id"], "reason": "invalid"},
        {"id": strange["id"], "reason": "unknown"},
    ]);
    assert_eq!(answer, json!({"accepted": 1, "rejected": rejected}), "each event is judged on its own");
    assert_eq!(app.post(&ada, vec![]).await, json!({"accepted": 0, "rejected": []}));
    let request = ada.request(http::Method::POST, "/v1/events").body(axum::body::Body::from("{")).unwrap();
    ada.send(request).await.expect_error(400, "The body is not valid JSON.");
    app.http.settle().await;
}

#[tokio::test]
async fn times_in_the_future_and_long_ago_are_rejected() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let now = app.http.deps.ambient.now();
    let at = |time| {
        let mut interaction = app.interaction("visit");
        interaction["time"] = json!(iso(time));
        interaction
    };
    let (future, old) = (at(now + 2 * MINUTE), at(now - 73 * HOUR));
    let answer = app.post(&ada, vec![future.clone(), old.clone(), at(now - HOUR)]).await;
    let rejected = json!([{"id": future["id"], "reason": "clock"}, {"id": old["id"], "reason": "clock"}]);
    assert_eq!(answer, json!({"accepted": 1, "rejected": rejected}));
    app.http.settle().await;
}

#[tokio::test]
async fn items_the_person_cannot_see_get_no_watch_time() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let leader = app.staff(Role::TeamLeader).await;
    let private = create_video(&leader, app.org, "Private", "private").await;
    let without_playlist = create_video(&leader, app.org, "In no playlist", "public").await;
    let hidden = create_video(&leader, app.org, "In a private playlist", "public").await;
    let private_playlist = create_playlist(&leader, app.org, "Drawer", &[private, hidden], "private").await;
    create_playlist(&leader, app.org, "Window", &[private], "public").await;
    let other = app.http.org("Other").await;
    let foreign_leader = app.http.member(other, Role::TeamLeader).await;
    let foreign = create_video(&foreign_leader, other, "Foreign", "public").await;
    create_playlist(&foreign_leader, other, "Foreign", &[foreign], "public").await;
    let not_content = uid(&json!(private_playlist));
    for content in [private, without_playlist, hidden, foreign, not_content] {
        let mut player = app.player(&ada);
        player.content = content;
        let beat = player.beat(0, 0);
        let answer = app.post(&ada, vec![beat.clone()]).await;
        assert_eq!(answer["rejected"], json!([{"id": beat["id"], "reason": "not_found"}]));
    }
    let mut contact = app.interaction("contact");
    contact["playlistId"] = json!(private_playlist);
    assert_eq!(app.post(&ada, vec![contact]).await["rejected"][0]["reason"], "not_found");
    // Staff may see it, but are never counted.
    let mut player = app.player(&leader);
    player.content = private;
    player.watch(20).await;
    assert_eq!(app.totals().await, (0, 0));
    app.http.settle().await;
}

#[tokio::test]
async fn beats_of_another_persons_view_are_rejected() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let bob = app.joined("bob@example.com", true).await;
    let mut player = app.player(&ada);
    player.watch(20).await;
    let beat = player.beat(0, 0);
    assert_eq!(
        app.post(&bob, vec![beat.clone()]).await["rejected"],
        json!([{"id": beat["id"], "reason": "foreign_view"}])
    );
    let mut nothing = app.player(&ada).beat(0, 0);
    nothing["viewId"] = json!(null);
    assert_eq!(app.post(&ada, vec![nothing]).await["rejected"][0]["reason"], "invalid");
    assert_eq!(app.totals().await, (1, 20_000));
    app.http.settle().await;
}

#[tokio::test]
async fn a_view_continues_when_the_consent_changes() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let mut player = app.player(&ada);
    player.watch(20).await;
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    app.http.clock.advance(10_000);
    let beat = player.beat(10_000, 0);
    app.send(&ada, vec![beat]).await;
    ada.patch(&mine, testkit::answer(true)).await.expect(200);
    app.http.clock.advance(10_000);
    let beat = player.beat(10_000, 0);
    app.send(&ada, vec![beat]).await;
    assert_eq!(app.totals().await.1, 40_000);
    app.http.settle().await;
}

#[tokio::test]
async fn events_of_what_is_not_between_its_dates_are_rejected() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let leader = app.staff(Role::TeamLeader).await;
    let now = app.http.deps.ambient.now();
    let dates = json!({ "publishAt": iso(now + MINUTE), "expireAt": iso(now + 2 * MINUTE) });
    let content = format!("/v1/content/{}", app.video);
    leader.patch(&content, json!({ "content": dates })).await.expect(200);
    let accepted =
        async |kind| app.post(&ada, vec![app.interaction(kind)]).await["accepted"].as_u64().unwrap();
    for (advance, expected) in [(0, 0), (MINUTE, 1), (MINUTE, 0)] {
        app.http.clock.advance(advance);
        assert_eq!(accepted("download").await, expected);
    }
    leader.patch(&content, json!({ "content": { "publishAt": null, "expireAt": null } })).await.expect(200);
    assert_eq!((accepted("download").await, accepted("contact").await), (1, 1));
    let dates = json!({ "expireAt": iso(app.http.deps.ambient.now()) });
    leader.patch(&format!("/v1/playlists/{}", app.playlist), json!({ "playlist": dates })).await.expect(200);
    assert_eq!((accepted("download").await, accepted("contact").await), (0, 0), "of the playlist too");
    app.http.settle().await;
}
