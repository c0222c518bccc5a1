//! Numbers of single people: consent, visits and top lists.

use kernel::{HOUR, MINUTE};
use orgs::Role;
use serde_json::{Value, json};

use crate::{Stage, stage};

async fn history(stage: &Stage, person: kernel::Uid) -> Vec<Value> {
    let staff = stage.staff(Role::TeamUser).await;
    let path = format!(
        "/v1/organizations/{}/users/{person}/history?timeStart=2026-11-18T00:00:00Z&timeEnd=2026-11-25T00:00:00Z",
        stage.org.uid
    );
    staff.get(&path).await.expect(200)["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn without_consent_a_person_is_only_in_the_totals() {
    let stage = stage().await;
    let bob = stage.joined("bob@example.com", false).await;
    stage.player(&bob).watch(30).await;
    assert_eq!(stage.totals().await, (1, 30_000));
    for what in ["watch_time", "views", "visits"] {
        assert_eq!(stage.series(what, Some(&bob)).await["total"], 0, "{what}");
    }
    assert!(history(&stage, bob.uid()).await.is_empty());
    assert!(stage.signs().is_empty());
    stage.player(&bob).watch(30).await;
    assert_eq!(stage.totals().await, (1, 60_000), "the one-hour rule also applies to people without consent");
    let name = bob.uid().simple().to_string();
    for table in
        ["SELECT COUNT(*) FROM watch_person", "SELECT COUNT(*) FROM activity", "SELECT COUNT(*) FROM visitor"]
    {
        assert_eq!(stage.count(table).await, 0, "{name}");
    }
    stage.app.settle().await;
}

#[tokio::test]
async fn what_was_watched_before_the_consent_stays_anonymous() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.player(&ada).watch(30).await;
    let mine = format!("/v1/organizations/{}/users/me/consent", stage.org.uid);
    stage.app.clock.pass(2 * HOUR);
    let ada = stage.app.person("ada@example.com").await;
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    assert_eq!(stage.series("watch_time", Some(&ada)).await["total"], 0);
    assert!(history(&stage, ada.uid()).await.is_empty());
    stage.player(&ada).watch(30).await;
    stage.app.clock.pass(2 * HOUR);
    let ada = stage.app.person("ada@example.com").await;
    ada.patch(&mine, json!({"consent": true})).await.expect(200);
    assert_eq!(stage.series("watch_time", Some(&ada)).await["total"], 0);
    stage.player(&ada).watch(20).await;
    assert_eq!(stage.series("watch_time", Some(&ada)).await["total"], 20_000);
    assert_eq!(stage.series("visits", Some(&ada)).await["total"], 1);
    assert_eq!(history(&stage, ada.uid()).await.len(), 2);
    assert_eq!(stage.totals().await.1, 80_000);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_visit_begins_after_half_an_hour_of_silence() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.send(&ada, vec![stage.touch("visit")]).await;
    stage.app.clock.pass(29 * MINUTE);
    stage.send(&ada, vec![stage.touch("visit")]).await;
    stage.app.clock.pass(30 * MINUTE);
    stage.player(&ada).watch(20).await;
    assert_eq!(stage.series("visits", Some(&ada)).await["total"], 2);
    let deeds = history(&stage, ada.uid()).await;
    let kinds: Vec<&str> = deeds.iter().map(|deed| deed["type"].as_str().unwrap()).collect();
    assert_eq!(kinds.len(), 3);
    assert_eq!(kinds.iter().filter(|kind| **kind == "visit").count(), 2);
    let view = deeds.iter().find(|deed| deed["type"] == "view").unwrap();
    assert_eq!(
        (&view["contentId"], &view["playlistId"], &view["watchTimeMs"]),
        (&json!(stage.film), &json!(stage.playlist), &json!(20_000))
    );
    assert_eq!(deeds.last().unwrap()["time"], "2026-11-20T08:00:00.000Z", "newest first");
    stage.app.settle().await;
}

#[tokio::test]
async fn top_lists_name_content_and_playlists_of_the_range() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.player(&ada).watch(30).await;
    let leader = stage.staff(Role::TeamLeader).await;
    let other = crate::film(&leader, stage.org, "Another film", "public").await;
    crate::shelf(&leader, stage.org, "More", &[other], "public").await;
    let mut player = stage.player(&ada);
    player.content = other;
    player.watch(60).await;
    let path = |start: &str| {
        format!(
            "/v1/analytics/users/{}?orgId={}&startDate={start}&endDate=2026-11-21T00:00:00Z",
            ada.uid(),
            stage.org.uid
        )
    };
    let top = leader.get(&path("2026-11-01T00:00:00Z")).await.expect(200);
    assert_eq!(top["total"], 90_000);
    assert_eq!(
        top["longestWatchedContent"],
        json!([{"id": other, "watchTimeMs": 60_000}, {"id": stage.film, "watchTimeMs": 30_000}])
    );
    assert_eq!(top["mostViewedContent"].as_array().unwrap().len(), 2);
    // The other video was not in the playlist that the player sent.
    assert_eq!(top["longestWatchedPlaylists"], json!([{"id": stage.playlist, "watchTimeMs": 30_000}]));
    assert_eq!(top["mostViewedPlaylists"], json!([{"id": stage.playlist, "viewCount": 1}]));
    let later = leader.get(&path("2026-11-20T12:00:00Z")).await.expect(200);
    assert_eq!((&later["total"], &later["mostViewedContent"]), (&json!(0), &json!([])));
    stage.app.settle().await;
}
