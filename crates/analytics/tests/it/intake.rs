//! How beats add up.

use analytics::SignalKind;
use kernel::{DAY, HOUR, MINUTE, SECOND, Uuid};
use orgs::Role;
use serde_json::json;

use crate::test_app;

#[tokio::test]
async fn sixty_five_seconds_are_one_view_and_sixty_five_seconds_everywhere() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(65).await;
    let dashboard = app.dashboard().await;
    assert_eq!(dashboard["totalStats"], json!({"views": 1, "watchTimeMs": 65_000}));
    assert_eq!(
        dashboard["popularContent"],
        json!([{
            "id": app.video, "title": "A video", "previewUrl": "", "kind": "embed", "durationMs": null,
            "waveformUrl": "", "views": 1,
        }])
    );
    let total = json!([{"id": app.video, "viewCount": 1, "watchTimeMs": 65_000}]);
    assert_eq!(dashboard["content"], total);
    assert_eq!(dashboard["playlists"][0]["id"], app.playlist.to_string());
    assert_eq!(
        (&dashboard["playlists"][0]["viewCount"], &dashboard["playlists"][0]["watchTimeMs"]),
        (&json!(1), &json!(65_000))
    );
    let leader = app.staff(Role::TeamLeader).await;
    let content = leader.get(&format!("/v1/content/{}", app.video)).await.expect(200);
    assert_eq!(content["stats"], json!({"views": 1, "watchTimeMs": 65_000}));
    let playlist = leader.get(&format!("/v1/playlists/{}", app.playlist)).await.expect(200);
    assert_eq!(playlist["stats"]["watchTimeMs"], 65_000);
    for (what, person, total) in [
        ("watch_time", None, 65_000),
        ("watch_time", Some(&ada), 65_000),
        ("views", Some(&ada), 1),
        ("visits", Some(&ada), 1),
    ] {
        let series = app.series(what, person).await;
        assert_eq!(series["total"], total, "{what}");
        assert_eq!(series["data"][2], json!({"time": "2026-11-20T00:00:00.000Z", "value": total}), "{what}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn repeated_beats_and_requests_count_once() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let mut player = app.player(&ada);
    let mut sent = vec![player.beat(0, 0)];
    for _ in 0..3 {
        app.http.clock.advance(10 * SECOND);
        sent.push(player.beat(10 * SECOND, 0));
    }
    app.send(&ada, sent.clone()).await;
    app.send(&ada, sent.clone()).await;
    sent.extend(sent.clone());
    app.send(&ada, sent).await;
    assert_eq!(app.totals().await, (1, 30_000));
    assert_eq!(app.series("visits", Some(&ada)).await["total"], 1);
    app.http.settle().await;
}

#[tokio::test]
async fn late_and_out_of_order_beats_count_on_their_own_day() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    // Watched offline at eight in the morning; sent thirty hours later, the first half last.
    let mut player = app.player(&ada);
    let mut queue = vec![player.beat(0, 0)];
    for _ in 0..6 {
        app.http.clock.advance(10 * SECOND);
        queue.push(player.beat(10 * SECOND, 0));
    }
    app.http.clock.advance(30 * HOUR);
    // Renews the token, as the app would.
    let ada = app.http.person("ada@example.com").await;
    let late = queue.split_off(3);
    app.send(&ada, late).await;
    assert_eq!(app.totals().await, (1, 32_000), "two seconds at the start and thirty between the beats");
    app.send(&ada, queue).await;
    assert_eq!(app.totals().await, (1, 60_000), "as if they had arrived in order");
    let series = app.series("watch_time", Some(&ada)).await;
    assert_eq!((&series["data"][2]["value"], &series["data"][3]["value"]), (&json!(60_000), &json!(0)));
    app.http.settle().await;
}

#[tokio::test]
async fn an_interrupted_view_keeps_its_credit() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let mut player = app.player(&ada);
    player.watch(20).await;
    // Five minutes offline; what was played during that time is never reported.
    app.http.clock.advance(5 * MINUTE);
    player.at += 300_000;
    player.seq += 30;
    player.watch(10).await;
    assert_eq!(app.totals().await, (1, 30_000));
    app.http.settle().await;
}

#[tokio::test]
async fn credit_never_exceeds_the_time_that_passed() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let mut player = app.player(&ada);
    let beats: Vec<_> = (0..20).map(|_| player.beat(30 * SECOND, 0)).collect();
    app.send(&ada, beats).await;
    assert_eq!(app.totals().await, (0, 2_000));
    app.http.settle().await;
}

#[tokio::test]
async fn the_same_person_and_item_count_again_after_an_hour_but_watch_time_always() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(20).await;
    app.player(&ada).watch(20).await;
    assert_eq!(app.totals().await, (1, 40_000));
    app.http.clock.advance(HOUR);
    let ada = app.http.person("ada@example.com").await;
    app.player(&ada).watch(20).await;
    assert_eq!(app.totals().await, (2, 60_000));
    app.player(&ada).watch(9).await;
    assert_eq!(app.totals().await, (2, 69_000));
    assert_eq!(app.count("SELECT COUNT(*) FROM viewing WHERE verdict = 'duplicate'").await, 1);
    assert_eq!(app.count("SELECT COUNT(*) FROM viewing WHERE verdict = 'too short'").await, 1);
    let bob = app.joined("bob@example.com", true).await;
    app.player(&bob).watch(20).await;
    assert_eq!(app.totals().await, (3, 89_000));
    app.http.settle().await;
}

#[tokio::test]
async fn events_of_staff_and_bots_are_stored_and_not_counted() {
    let app = test_app().await;
    let staff = app.staff(Role::TeamUser).await;
    app.player(&staff).watch(65).await;
    let ada = app.joined("ada@example.com", true).await;
    let mut player = app.player(&ada);
    let body = json!({"orgId": app.org.uid, "events": [player.beat(0, 20_000), player.beat(15_000, 5_000)]});
    let request = ada
        .request(http::Method::POST, "/v1/events")
        .header("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1)")
        .body(axum::body::Body::from(body.to_string()))
        .unwrap();
    ada.send(request).await.expect(202);
    assert_eq!(app.totals().await, (0, 0));
    assert_eq!(app.count("SELECT credit_ms FROM viewing WHERE verdict = 'staff'").await, 65_000);
    assert_eq!(app.count("SELECT COUNT(*) FROM viewing WHERE verdict = 'bot'").await, 1);
    assert!(app.signals().is_empty());
    app.http.settle().await;
}

#[tokio::test]
async fn an_image_counts_after_ten_seconds_or_by_a_download() {
    let app = test_app().await;
    app.set_content("kind", "image".into()).await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(12).await;
    assert_eq!(app.totals().await, (1, 12_000));
    let bob = app.joined("bob@example.com", true).await;
    let download = app.interaction("download");
    app.send(&bob, vec![download.clone()]).await;
    app.send(&bob, vec![download]).await;
    assert_eq!(app.totals().await, (2, 12_000));
    let whole = SignalKind::Covered(app.video, 1.0);
    assert_eq!(app.signals().iter().filter(|signal| **signal == whole).count(), 2);
    assert_eq!(app.audience().await, json!([2, 2, 1.0]));
    app.http.settle().await;
}

#[tokio::test]
async fn pages_that_processing_counted_come_before_those_that_a_reader_reports() {
    let app = test_app().await;
    app.set_content("kind", "pdf".into()).await;
    app.set_content("pages", 4_i64.into()).await;
    let ada = app.joined("ada@example.com", true).await;
    let mut player = app.player(&ada);
    for pages in [0, 2, 0] {
        app.http.clock.advance(10 * SECOND);
        let mut beat = player.beat(pages, 0);
        beat["pages"] = json!(200);
        app.send(&ada, vec![beat]).await;
    }
    assert_eq!(app.totals().await, (1, 20_000));
    let covered =
        |signal: &&SignalKind| matches!(signal, SignalKind::Covered(_, share) if (share - 0.25).abs() < 1e-9);
    assert_eq!(app.signals().iter().filter(covered).count(), 1, "one of four pages: {:?}", app.signals());
    app.http.settle().await;
}

#[tokio::test]
async fn a_short_video_counts_at_half_its_length() {
    let app = test_app().await;
    app.set_content("duration", 8_000_i64.into()).await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(3).await;
    assert_eq!(app.totals().await, (0, 3_000));
    app.http.clock.advance(HOUR);
    let ada = app.http.person("ada@example.com").await;
    app.player(&ada).watch(4).await;
    assert_eq!(app.totals().await, (1, 7_000));
    app.http.settle().await;
}

#[tokio::test]
async fn leads_get_signals_of_active_days_items_and_new_coverage_once() {
    let app = test_app().await;
    app.set_content("duration", 100_000_i64.into()).await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(50).await;
    let signals = app.signals();
    assert_eq!(signals.iter().filter(|signal| **signal == SignalKind::ActiveDay).count(), 1);
    assert_eq!(signals.iter().filter(|signal| **signal == SignalKind::Watched(app.video)).count(), 1);
    let covered = |signals: &[SignalKind]| -> f64 {
        signals
            .iter()
            .map(|signal| if let SignalKind::Covered(_, share) = signal { *share } else { 0.0 })
            .sum()
    };
    assert!((covered(&signals) - 0.5).abs() < 1e-9);
    app.player(&ada).watch(60).await;
    assert!((covered(&app.signals()) - 0.6).abs() < 1e-9, "only new coverage");
    app.http.clock.advance(DAY);
    let ada = app.http.person("ada@example.com").await;
    app.player(&ada).watch(10).await;
    app.send(&ada, vec![app.interaction("contact"), app.interaction("download")]).await;
    let signals = app.signals();
    assert_eq!(signals.iter().filter(|signal| **signal == SignalKind::ActiveDay).count(), 2);
    assert_eq!(signals.iter().filter(|signal| **signal == SignalKind::Watched(app.video)).count(), 2);
    assert!(
        signals.contains(&SignalKind::Contact(app.playlist))
            && signals.contains(&SignalKind::Download(app.video))
    );
    app.http.settle().await;
}

#[tokio::test]
async fn a_nil_playlist_is_no_playlist() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let mut player = app.player(&ada);
    for played in [0, 10 * SECOND] {
        app.http.clock.advance(played);
        let mut beat = player.beat(played, 0);
        beat["playlistId"] = json!(Uuid::nil());
        app.send(&ada, vec![beat]).await;
    }
    assert_eq!(app.totals().await, (1, 10_000));
    assert_eq!(app.dashboard().await["playlists"], json!([]));
    app.http.settle().await;
}

#[tokio::test]
async fn many_requests_at_once_share_transactions_and_lose_nothing() {
    let app = test_app().await;
    let mut requests = Vec::new();
    let mut people = Vec::new();
    for n in 0..10 {
        people.push(app.joined(&format!("person{n}@example.com"), n % 2 == 0).await);
    }
    app.http.clock.advance(2 * MINUTE);
    for person in &people {
        for _ in 0..12 {
            let mut player = app.player(person);
            let beats: Vec<_> = (0..7).rev().map(|ago| player.beat(10_000, ago * 10_000)).collect();
            let (client, body) = (person.clone(), json!({"orgId": app.org.uid, "events": beats}));
            requests.push(tokio::spawn(async move { client.post("/v1/events", body).await.expect(202) }));
        }
    }
    for request in requests {
        assert_eq!(request.await.unwrap()["accepted"], 7);
    }
    // Each view: two seconds for the first beat, sixty for the others; one view per person counts.
    assert_eq!(app.totals().await, (10, 120 * 62_000));
    assert_eq!(app.count("SELECT COUNT(*) FROM event_batch").await, 120);
    app.http.settle().await;
}

#[tokio::test]
async fn a_request_that_cannot_be_written_does_not_fail_the_others() {
    let app = test_app().await;
    let mut requests = Vec::new();
    let mut people = Vec::new();
    for n in 0..8 {
        people.push(app.joined(&format!("person{n}@example.com"), true).await);
    }
    *app.recorder.1.lock().unwrap() = Some(people[5].uid());
    for person in &people {
        let (client, body) =
            (person.clone(), json!({"orgId": app.org.uid, "events": [app.interaction("visit")]}));
        requests.push(tokio::spawn(async move { client.post("/v1/events", body).await.status.as_u16() }));
    }
    let mut statuses = Vec::new();
    for request in requests {
        statuses.push(request.await.unwrap());
    }
    assert_eq!(statuses, [202, 202, 202, 202, 202, 500, 202, 202]);
    assert_eq!(
        app.count("SELECT COUNT(*) FROM visitor").await,
        7,
        "the failed request leaves nothing behind"
    );
    *app.recorder.1.lock().unwrap() = None;
    app.send(&people[5], vec![app.interaction("visit")]).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM visitor").await, 8);
    app.http.settle().await;
}
