//! Numbers of single people: consent, visits and top lists.

use kernel::{HOUR, MINUTE};
use orgs::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::{TestApp, test_app};

async fn history(app: &TestApp, person: kernel::PersonId) -> Vec<Value> {
    let staff = app.staff(Role::TeamUser).await;
    let path = format!(
        "/v1/organizations/{}/users/{person}/history?timeStart=2026-11-18T00:00:00Z&timeEnd=2026-11-25T00:00:00Z",
        app.org.uid
    );
    staff.get(&path).await.expect(200)["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn without_consent_a_person_is_only_in_the_totals() {
    let app = test_app().await;
    let bob = app.joined("bob@example.com", false).await;
    app.player(&bob).watch(30).await;
    assert_eq!(app.totals().await, (1, 30_000));
    for what in ["watch_time", "views", "visits"] {
        assert_eq!(app.series(what, Some(&bob)).await["total"], 0, "{what}");
    }
    assert!(history(&app, bob.uid()).await.is_empty());
    assert!(app.signals().is_empty());
    app.player(&bob).watch(30).await;
    assert_eq!(app.totals().await, (1, 60_000), "the one-hour rule also applies to people without consent");
    for table in
        ["SELECT COUNT(*) FROM watch_person", "SELECT COUNT(*) FROM activity", "SELECT COUNT(*) FROM visitor"]
    {
        assert_eq!(app.count(table).await, 0, "{table}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn watch_time_before_the_consent_stays_anonymous() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(30).await;
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    app.http.clock.advance(2 * HOUR);
    let ada = app.http.person("ada@example.com").await;
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    assert_eq!(app.series("watch_time", Some(&ada)).await["total"], 0);
    assert!(history(&app, ada.uid()).await.is_empty());
    app.player(&ada).watch(30).await;
    app.http.clock.advance(2 * HOUR);
    let ada = app.http.person("ada@example.com").await;
    ada.patch(&mine, testkit::answer(true)).await.expect(200);
    assert_eq!(app.series("watch_time", Some(&ada)).await["total"], 0);
    app.player(&ada).watch(20).await;
    assert_eq!(app.series("watch_time", Some(&ada)).await["total"], 20_000);
    assert_eq!(app.series("visits", Some(&ada)).await["total"], 1);
    assert_eq!(history(&app, ada.uid()).await.len(), 2);
    assert_eq!(app.totals().await.1, 80_000);
    app.http.settle().await;
}

#[tokio::test]
async fn a_visit_starts_after_half_an_hour_of_inactivity() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("visit")]).await;
    app.http.clock.advance(29 * MINUTE);
    app.send(&ada, vec![app.interaction("visit")]).await;
    app.http.clock.advance(30 * MINUTE);
    app.player(&ada).watch(20).await;
    assert_eq!(app.series("visits", Some(&ada)).await["total"], 2);
    let entries = history(&app, ada.uid()).await;
    let kinds: Vec<&str> = entries.iter().map(|entry| entry["type"].as_str().unwrap()).collect();
    assert_eq!(kinds.len(), 3);
    assert_eq!(kinds.iter().filter(|kind| **kind == "visit").count(), 2);
    let view = entries.iter().find(|entry| entry["type"] == "view").unwrap();
    assert!(view["title"].is_string(), "{view}");
    assert_eq!(
        (&view["contentId"], &view["playlistId"], &view["watchTimeMs"]),
        (&json!(app.video), &json!(app.playlist), &json!(20_000))
    );
    assert_eq!(entries.last().unwrap()["time"], "2026-11-20T08:00:00.000Z", "newest first");
    app.http.settle().await;
}

#[tokio::test]
async fn people_are_listed_with_their_last_activity_under_the_current_consent() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let bob = app.joined("bob@example.com", false).await;
    let admin = app.staff(Role::AccountAdmin).await;
    let last_seen = async |person: &Client| {
        let page = admin.get(&format!("/v1/organizations/{}/users", app.org.uid)).await.expect(200);
        let uid = person.uid().to_string();
        let row = page["data"].as_array().unwrap().iter().find(|row| row["userId"] == uid).unwrap().clone();
        row.get("lastSeenAt").cloned()
    };
    assert_eq!(last_seen(&ada).await, None, "no activity yet");
    app.http.clock.advance(5 * MINUTE);
    for person in [&ada, &bob] {
        app.send(person, vec![app.interaction("visit")]).await;
    }
    assert_eq!(last_seen(&ada).await, Some(json!("2026-11-20T08:05:00.000Z")));
    assert_eq!(last_seen(&bob).await, None, "without consent it is unknown");
    app.http.clock.advance(MINUTE);
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    // A repeated answer does not begin a new consent.
    ada.patch(&mine, testkit::answer(true)).await.expect(200);
    assert_eq!(last_seen(&ada).await, Some(json!("2026-11-20T08:05:00.000Z")));
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    assert_eq!(last_seen(&ada).await, None);
    app.http.clock.advance(MINUTE);
    ada.patch(&mine, testkit::answer(true)).await.expect(200);
    assert_eq!(last_seen(&ada).await, None, "earlier activity stays anonymous");
    app.http.settle().await;
}

#[tokio::test]
async fn top_lists_name_content_and_playlists_of_the_range() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(30).await;
    let leader = app.staff(Role::TeamLeader).await;
    let other = crate::create_video(&leader, app.org, "Another video", "public").await;
    crate::create_playlist(&leader, app.org, "More", &[other], "public").await;
    let mut player = app.player(&ada);
    player.content = other;
    player.watch(60).await;
    let path = |start: &str| {
        format!(
            "/v1/analytics/users/{}?orgId={}&startDate={start}&endDate=2026-11-21T00:00:00Z",
            ada.uid(),
            app.org.uid
        )
    };
    let top = leader.get(&path("2026-11-01T00:00:00Z")).await.expect(200);
    assert_eq!(top["total"], 90_000);
    assert_eq!(
        top["longestWatchedContent"],
        json!([{"id": other, "watchTimeMs": 60_000}, {"id": app.video, "watchTimeMs": 30_000}])
    );
    assert_eq!(top["mostViewedContent"].as_array().unwrap().len(), 2);
    // The other video was not in the playlist that the player sent.
    assert_eq!(top["longestWatchedPlaylists"], json!([{"id": app.playlist, "watchTimeMs": 30_000}]));
    assert_eq!(top["mostViewedPlaylists"], json!([{"id": app.playlist, "viewCount": 1}]));
    let later = leader.get(&path("2026-11-20T12:00:00Z")).await.expect(200);
    assert_eq!((&later["total"], &later["mostViewedContent"]), (&json!(0), &json!([])));
    app.http.settle().await;
}
