//! Limits of what one person can add: what they refuse makes no view, and no view comes within an hour of another.

use kernel::{HOUR, SECOND};
use serde_json::Value;

use crate::{Player, test_app};

/// Returns a beat every ten seconds, the first one `ago` before the app's clock.
fn beats(player: &mut Player<'_>, ago: i64, count: i64) -> Vec<Value> {
    (0..=count).map(|n| player.beat(if n == 0 { 0 } else { 10 * SECOND }, (ago - n * 10) * SECOND)).collect()
}

#[tokio::test]
async fn what_was_watched_before_joining_makes_no_view() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let mut player = app.player(&ada);
    let mut before = beats(&mut player, 30, 2);
    let mut paused = player.beat(0, 9 * SECOND);
    paused["state"] = "paused".into();
    before.push(paused);
    before.push(player.beat(0, 0));
    app.send(&ada, before).await;
    assert_eq!(app.totals().await, (0, 0));
    // The first seconds after joining are not enough either.
    for (seconds, expected) in [(5, (0, 5_000)), (5, (1, 10_000))] {
        app.http.clock.advance(seconds * SECOND);
        let beat = player.beat(seconds * SECOND, 0);
        app.send(&ada, vec![beat]).await;
        assert_eq!(app.totals().await, expected);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn views_over_the_two_hours_of_an_hour_do_not_count() {
    let app = test_app().await;
    app.joined("ada@example.com", true).await;
    app.http.clock.advance(3 * HOUR);
    let ada = app.http.person("ada@example.com").await;
    // Twenty-six players at once report the same five minutes, as if of other items.
    for _ in 0..26 {
        app.execute("DELETE FROM counted_start").await;
        let mut player = app.player(&ada);
        let sent = (0..=10)
            .map(|n| player.beat(if n == 0 { 0 } else { 30 * SECOND }, (310 - n * 30) * SECOND))
            .collect();
        app.send(&ada, sent).await;
    }
    assert_eq!(app.totals().await, (24, 2 * HOUR));
    app.http.settle().await;
}

#[tokio::test]
async fn a_beat_that_arrives_late_moves_no_counted_view_towards_another() {
    let app = test_app().await;
    app.joined("ada@example.com", true).await;
    app.http.clock.advance(3 * HOUR);
    let ada = app.http.person("ada@example.com").await;
    // The second view begins an hour after the beats that arrive first, and less than that after the one that comes last.
    let mut first = app.player(&ada);
    let mut sent = beats(&mut first, 2 * 3_600, 3);
    let begin = sent.remove(0);
    app.send(&ada, sent).await;
    let mut second = app.player(&ada);
    let later = beats(&mut second, 3_600 - 10, 3);
    app.send(&ada, later).await;
    assert_eq!(app.totals().await.0, 2);
    app.send(&ada, vec![begin]).await;
    let gap = "SELECT MAX(began_at) - MIN(began_at) FROM viewing WHERE verdict = 'counted'";
    assert_eq!(app.count(gap).await, HOUR);
    app.http.settle().await;
}
