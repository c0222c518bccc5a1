//! Events that are rejected.

use kernel::{HOUR, MINUTE, iso};
use orgs::Role;
use serde_json::json;

use crate::{film, shelf, stage};

#[tokio::test]
async fn only_members_with_a_living_session_send_events() {
    let stage = stage().await;
    let events = vec![stage.touch("visit")];
    let body = json!({"orgId": stage.org.uid, "events": events});
    stage
        .app
        .anonymous()
        .post("/v1/events", body.clone())
        .await
        .refuse(401, "Missing or invalid identity token");
    let stranger = stage.app.person("stranger@example.com").await;
    stranger.post("/v1/events", body.clone()).await.refuse(404, "Organisation not found");
    let ada = stage.joined("ada@example.com", true).await;
    ada.post("/v1/auth/sign-out", json!({})).await.expect(204);
    ada.post("/v1/events", body).await.expect(401);
    assert_eq!(stage.count("SELECT COUNT(*) FROM event_batch").await, 0);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_request_has_at_most_a_hundred_events_of_the_right_shape() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    let many = |count: usize| {
        let events: Vec<_> = (0..count).map(|_| stage.touch("visit")).collect();
        json!({"orgId": stage.org.uid, "events": events})
    };
    ada.post("/v1/events", many(100)).await.expect(202);
    ada.post("/v1/events", many(101)).await.refuse(400, "At most 100 events per request.");
    ada.post("/v1/events", json!({"orgId": stage.org.uid})).await.expect(400);
    let mut nonsense = stage.touch("visit");
    nonsense["time"] = json!("yesterday");
    ada.post("/v1/events", json!({"orgId": stage.org.uid, "events": [nonsense]})).await.expect(400);
    assert_eq!(stage.post(&ada, vec![]).await, json!({"accepted": 0, "rejected": []}));
    let request = ada.request(http::Method::POST, "/v1/events").body(axum::body::Body::from("{")).unwrap();
    ada.send(request).await.refuse(400, "The body is not valid JSON.");
    stage.app.settle().await;
}

#[tokio::test]
async fn times_from_the_future_and_from_long_ago_are_refused() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    let now = stage.app.kit.ambient.now();
    let at = |time| {
        let mut touch = stage.touch("visit");
        touch["time"] = json!(iso(time));
        touch
    };
    let (future, old) = (at(now + 2 * MINUTE), at(now - 73 * HOUR));
    let answer = stage.post(&ada, vec![future.clone(), old.clone(), at(now - HOUR)]).await;
    let rejected = json!([{"id": future["id"], "reason": "clock"}, {"id": old["id"], "reason": "clock"}]);
    assert_eq!(answer, json!({"accepted": 1, "rejected": rejected}));
    stage.app.settle().await;
}

#[tokio::test]
async fn content_that_the_person_may_not_see_is_not_watched() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    let leader = stage.staff(Role::TeamLeader).await;
    let private = film(&leader, stage.org, "Private", "private").await;
    let unshelved = film(&leader, stage.org, "In no playlist", "public").await;
    let hidden = film(&leader, stage.org, "In a private playlist", "public").await;
    let drawer = shelf(&leader, stage.org, "Drawer", &[private, hidden], "private").await;
    shelf(&leader, stage.org, "Window", &[private], "public").await;
    let other = stage.app.org("Other").await;
    let foreign_leader = stage.app.member(other, Role::TeamLeader).await;
    let foreign = film(&foreign_leader, other, "Foreign", "public").await;
    shelf(&foreign_leader, other, "Foreign", &[foreign], "public").await;
    for content in [private, unshelved, hidden, foreign, drawer] {
        let mut player = stage.player(&ada);
        player.content = content;
        let beat = player.beat(0, 0);
        let answer = stage.post(&ada, vec![beat.clone()]).await;
        assert_eq!(answer["rejected"], json!([{"id": beat["id"], "reason": "not_found"}]));
    }
    let mut contact = stage.touch("contact");
    contact["playlistId"] = json!(drawer);
    assert_eq!(stage.post(&ada, vec![contact]).await["rejected"][0]["reason"], "not_found");
    // Staff may see it, but are never counted.
    let mut player = stage.player(&leader);
    player.content = private;
    player.watch(20).await;
    assert_eq!(stage.totals().await, (0, 0));
    stage.app.settle().await;
}

#[tokio::test]
async fn nobody_adds_to_another_persons_view() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    let bob = stage.joined("bob@example.com", true).await;
    let mut player = stage.player(&ada);
    player.watch(20).await;
    let beat = player.beat(0, 0);
    assert_eq!(
        stage.post(&bob, vec![beat.clone()]).await["rejected"],
        json!([{"id": beat["id"], "reason": "foreign_view"}])
    );
    let mut nothing = stage.player(&ada).beat(0, 0);
    nothing["viewId"] = json!(null);
    assert_eq!(stage.post(&ada, vec![nothing]).await["rejected"][0]["reason"], "invalid");
    assert_eq!(stage.totals().await, (1, 20_000));
    stage.app.settle().await;
}

#[tokio::test]
async fn a_view_goes_on_when_the_consent_changes_in_its_middle() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    let mut player = stage.player(&ada);
    player.watch(20).await;
    let mine = format!("/v1/organizations/{}/users/me/consent", stage.org.uid);
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    stage.app.clock.pass(10_000);
    let beat = player.beat(10_000, 0);
    stage.send(&ada, vec![beat]).await;
    ada.patch(&mine, json!({"consent": true})).await.expect(200);
    stage.app.clock.pass(10_000);
    let beat = player.beat(10_000, 0);
    stage.send(&ada, vec![beat]).await;
    assert_eq!(stage.totals().await.1, 40_000);
    stage.app.settle().await;
}
