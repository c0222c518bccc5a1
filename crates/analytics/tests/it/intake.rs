//! How beats add up.

use analytics::SignKind;
use kernel::{DAY, HOUR, MINUTE, SECOND};
use orgs::Role;
use serde_json::json;

use crate::stage;

#[tokio::test]
async fn sixty_five_seconds_are_one_view_and_sixty_five_seconds_everywhere() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.player(&ada).watch(65).await;
    let dashboard = stage.dashboard().await;
    assert_eq!(dashboard["totalStats"], json!({"views": 1, "watchTimeMs": 65_000}));
    assert_eq!(
        dashboard["popularContent"],
        json!([{"id": stage.film, "title": "A film", "previewUrl": "", "views": 1}])
    );
    let total = json!([{"id": stage.film, "viewCount": 1, "watchTimeMs": 65_000}]);
    assert_eq!(dashboard["content"], total);
    assert_eq!(dashboard["playlists"][0]["id"], stage.playlist.to_string());
    assert_eq!(
        (&dashboard["playlists"][0]["viewCount"], &dashboard["playlists"][0]["watchTimeMs"]),
        (&json!(1), &json!(65_000))
    );
    let leader = stage.staff(Role::TeamLeader).await;
    let content = leader.get(&format!("/v1/content/{}", stage.film)).await.expect(200);
    assert_eq!(content["stats"], json!({"views": 1, "watchTimeMs": 65_000}));
    let playlist = leader.get(&format!("/v1/playlists/{}", stage.playlist)).await.expect(200);
    assert_eq!(playlist["stats"]["watchTimeMs"], 65_000);
    for (what, person, total) in [
        ("watch_time", None, 65_000),
        ("watch_time", Some(&ada), 65_000),
        ("views", Some(&ada), 1),
        ("visits", Some(&ada), 1),
    ] {
        let series = stage.series(what, person).await;
        assert_eq!(series["total"], total, "{what}");
        assert_eq!(series["data"][2], json!({"time": "2026-11-20T00:00:00.000Z", "value": total}), "{what}");
    }
    stage.app.settle().await;
}

#[tokio::test]
async fn repeated_beats_and_requests_count_once() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    let mut player = stage.player(&ada);
    let mut sent = vec![player.beat(0, 0)];
    for _ in 0..3 {
        stage.app.clock.pass(10 * SECOND);
        sent.push(player.beat(10 * SECOND, 0));
    }
    stage.send(&ada, sent.clone()).await;
    stage.send(&ada, sent.clone()).await;
    sent.extend(sent.clone());
    stage.send(&ada, sent).await;
    assert_eq!(stage.totals().await, (1, 30_000));
    assert_eq!(stage.series("visits", Some(&ada)).await["total"], 1);
    stage.app.settle().await;
}

#[tokio::test]
async fn beats_that_come_late_and_out_of_order_are_booked_on_their_own_day() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    // Watched offline at eight in the morning; sent thirty hours later, the first half last.
    let mut player = stage.player(&ada);
    let mut queue = vec![player.beat(0, 0)];
    for _ in 0..6 {
        stage.app.clock.pass(10 * SECOND);
        queue.push(player.beat(10 * SECOND, 0));
    }
    stage.app.clock.pass(30 * HOUR);
    // Renews the token, as the app would.
    let ada = stage.app.person("ada@example.com").await;
    let late = queue.split_off(3);
    stage.send(&ada, late).await;
    assert_eq!(stage.totals().await, (1, 32_000), "the first of them finds two seconds in the watch budget");
    stage.send(&ada, queue).await;
    assert_eq!(stage.totals().await, (1, 52_000));
    let series = stage.series("watch_time", Some(&ada)).await;
    assert_eq!((&series["data"][2]["value"], &series["data"][3]["value"]), (&json!(52_000), &json!(0)));
    stage.app.settle().await;
}

#[tokio::test]
async fn a_view_that_was_cut_off_keeps_what_it_had() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    let mut player = stage.player(&ada);
    player.watch(20).await;
    // Five minutes offline; what was played during that time is never reported.
    stage.app.clock.pass(5 * MINUTE);
    player.at += 300_000;
    player.seq += 30;
    player.watch(10).await;
    assert_eq!(stage.totals().await, (1, 30_000));
    stage.app.settle().await;
}

#[tokio::test]
async fn nobody_is_credited_more_than_the_time_that_passed() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    let mut player = stage.player(&ada);
    let beats: Vec<_> = (0..20).map(|_| player.beat(30 * SECOND, 0)).collect();
    stage.send(&ada, beats).await;
    assert_eq!(stage.totals().await, (0, 2_000));
    stage.app.settle().await;
}

#[tokio::test]
async fn the_same_person_and_content_count_again_after_an_hour_but_watch_time_always() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.player(&ada).watch(20).await;
    stage.player(&ada).watch(20).await;
    assert_eq!(stage.totals().await, (1, 40_000));
    stage.app.clock.pass(HOUR);
    let ada = stage.app.person("ada@example.com").await;
    stage.player(&ada).watch(20).await;
    assert_eq!(stage.totals().await, (2, 60_000));
    stage.player(&ada).watch(9).await;
    assert_eq!(stage.totals().await, (2, 69_000));
    assert_eq!(stage.count("SELECT COUNT(*) FROM viewing WHERE verdict = 'duplicate'").await, 1);
    assert_eq!(stage.count("SELECT COUNT(*) FROM viewing WHERE verdict = 'too short'").await, 1);
    let bob = stage.joined("bob@example.com", true).await;
    stage.player(&bob).watch(20).await;
    assert_eq!(stage.totals().await, (3, 89_000));
    stage.app.settle().await;
}

#[tokio::test]
async fn events_of_staff_and_bots_are_kept_and_not_counted() {
    let stage = stage().await;
    let staff = stage.staff(Role::TeamUser).await;
    stage.player(&staff).watch(65).await;
    let ada = stage.joined("ada@example.com", true).await;
    let mut player = stage.player(&ada);
    let body =
        json!({"orgId": stage.org.uid, "events": [player.beat(0, 20_000), player.beat(15_000, 5_000)]});
    let request = ada
        .request(http::Method::POST, "/v1/events")
        .header("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1)")
        .body(axum::body::Body::from(body.to_string()))
        .unwrap();
    ada.send(request).await.expect(202);
    assert_eq!(stage.totals().await, (0, 0));
    assert_eq!(stage.count("SELECT credit_ms FROM viewing WHERE verdict = 'staff'").await, 65_000);
    assert_eq!(stage.count("SELECT COUNT(*) FROM viewing WHERE verdict = 'bot'").await, 1);
    assert!(stage.signs().is_empty());
    stage.app.settle().await;
}

#[tokio::test]
async fn a_picture_counts_after_ten_seconds_or_by_a_download() {
    let stage = stage().await;
    stage.set_content("kind", "image".into()).await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.player(&ada).watch(12).await;
    assert_eq!(stage.totals().await, (1, 12_000));
    let bob = stage.joined("bob@example.com", true).await;
    let download = stage.touch("download");
    stage.send(&bob, vec![download.clone()]).await;
    stage.send(&bob, vec![download]).await;
    assert_eq!(stage.totals().await, (2, 12_000));
    let whole = SignKind::Covered(stage.film, 1.0);
    assert_eq!(stage.signs().iter().filter(|sign| **sign == whole).count(), 2);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_short_film_counts_at_half_its_length() {
    let stage = stage().await;
    stage.set_content("duration", 8_000_i64.into()).await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.player(&ada).watch(3).await;
    assert_eq!(stage.totals().await, (0, 3_000));
    stage.app.clock.pass(HOUR);
    let ada = stage.app.person("ada@example.com").await;
    stage.player(&ada).watch(4).await;
    assert_eq!(stage.totals().await, (1, 7_000));
    stage.app.settle().await;
}

#[tokio::test]
async fn leads_are_told_of_days_contents_and_new_coverage_once() {
    let stage = stage().await;
    stage.set_content("duration", 100_000_i64.into()).await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.player(&ada).watch(50).await;
    let told = stage.signs();
    assert_eq!(told.iter().filter(|sign| **sign == SignKind::ActiveDay).count(), 1);
    assert_eq!(told.iter().filter(|sign| **sign == SignKind::Seen(stage.film)).count(), 1);
    let covered = |signs: &[SignKind]| -> f64 {
        signs.iter().map(|sign| if let SignKind::Covered(_, share) = sign { *share } else { 0.0 }).sum()
    };
    assert!((covered(&told) - 0.5).abs() < 1e-9);
    stage.player(&ada).watch(60).await;
    assert!((covered(&stage.signs()) - 0.6).abs() < 1e-9, "only new coverage");
    stage.app.clock.pass(DAY);
    let ada = stage.app.person("ada@example.com").await;
    stage.player(&ada).watch(10).await;
    stage.send(&ada, vec![stage.touch("contact"), stage.touch("download")]).await;
    let told = stage.signs();
    assert_eq!(told.iter().filter(|sign| **sign == SignKind::ActiveDay).count(), 2);
    assert_eq!(told.iter().filter(|sign| **sign == SignKind::Seen(stage.film)).count(), 2);
    assert!(
        told.contains(&SignKind::Contact(stage.playlist)) && told.contains(&SignKind::Download(stage.film))
    );
    stage.app.settle().await;
}

#[tokio::test]
async fn many_requests_at_once_share_transactions_and_lose_nothing() {
    let stage = stage().await;
    let mut requests = Vec::new();
    for n in 0..10 {
        let person = stage.joined(&format!("person{n}@example.com"), n % 2 == 0).await;
        for _ in 0..12 {
            let mut player = stage.player(&person);
            let beats: Vec<_> = (0..7).rev().map(|ago| player.beat(10_000, ago * 10_000)).collect();
            let (client, body) = (person.clone(), json!({"orgId": stage.org.uid, "events": beats}));
            requests.push(tokio::spawn(async move { client.post("/v1/events", body).await.expect(202) }));
        }
    }
    for request in requests {
        assert_eq!(request.await.unwrap()["accepted"], 7);
    }
    // Each view: two seconds for the first beat, sixty for the others; one view per person counts.
    assert_eq!(stage.totals().await, (10, 120 * 62_000));
    assert_eq!(stage.count("SELECT COUNT(*) FROM event_batch").await, 120);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_request_that_cannot_be_written_spoils_no_other_one() {
    let stage = stage().await;
    let mut requests = Vec::new();
    let mut people = Vec::new();
    for n in 0..8 {
        people.push(stage.joined(&format!("person{n}@example.com"), true).await);
    }
    *stage.told.1.lock().unwrap() = Some(people[5].uid());
    for person in &people {
        let (client, body) =
            (person.clone(), json!({"orgId": stage.org.uid, "events": [stage.touch("visit")]}));
        requests.push(tokio::spawn(async move { client.post("/v1/events", body).await.status.as_u16() }));
    }
    let mut statuses = Vec::new();
    for request in requests {
        statuses.push(request.await.unwrap());
    }
    assert_eq!(statuses, [202, 202, 202, 202, 202, 500, 202, 202]);
    assert_eq!(
        stage.count("SELECT COUNT(*) FROM visitor").await,
        7,
        "the failed request leaves nothing behind"
    );
    *stage.told.1.lock().unwrap() = None;
    stage.send(&people[5], vec![stage.touch("visit")]).await;
    assert_eq!(stage.count("SELECT COUNT(*) FROM visitor").await, 8);
    stage.app.settle().await;
}
