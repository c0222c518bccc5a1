//! Days follow the organisation's time zone as far as events are stored, and a recount runs beside viewing.

use analytics::Counted;
use kernel::{DAY, HOUR, MINUTE};
use orgs::Role;
use serde_json::{Value, json};

use crate::recount::live_through_a_history;
use crate::{TestApp, test_app};

async fn change_zone(app: &TestApp, zone: &str) {
    let admin = app.staff(Role::AccountAdmin).await;
    let zone = json!({"organisation": {"timeZone": zone}});
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), zone).await.expect(200);
}

/// Returns the reports of a range, which all name the border between zones.
async fn reports(app: &TestApp, range: &str) -> Vec<Value> {
    let (staff, org) = (app.staff(Role::TeamUser).await, app.org.uid);
    let paths = [
        format!("/v1/analytics/overview?orgId={org}&{range}"),
        format!("/v1/analytics/content/{}?{range}", app.video),
        format!("/v1/analytics/playlists/{}?{range}", app.playlist),
        format!("/v1/analytics/verdicts?orgId={org}&{range}"),
        format!("/v1/analytics/watch_time?orgId={org}&{range}"),
    ];
    let mut reports = Vec::new();
    for path in paths {
        reports.push(staff.get(&path).await.expect(200));
    }
    reports
}

#[tokio::test]
async fn days_are_cut_anew_after_a_change_of_the_zone() {
    let app = test_app().await;
    live_through_a_history(&app, 7).await;
    app.analytics.recount_zones().await.unwrap();
    let days = "SELECT COUNT(*) FROM watch_day WHERE day % 86400000 = 0";
    let (all, before) = (app.count("SELECT COUNT(*) FROM watch_day").await, app.totals().await);
    assert!(all > 3 && app.count(days).await == all, "{all}");
    // Nine and a half hours before UTC, so hours are cut anew, too.
    change_zone(&app, "Pacific/Marquesas").await;
    app.analytics.recount_zones().await.unwrap();
    let of_zone = "SELECT COUNT(*) FROM watch_day WHERE day % 86400000 <> 34200000";
    assert_eq!(app.count(of_zone).await, 0);
    for table in ["watch_hour", "viewing"] {
        let of_utc = format!("SELECT COUNT(*) FROM {table} WHERE hour % 3600000 <> 1800000");
        assert_eq!(app.count(Box::leak(of_utc.into_boxed_str())).await, 0, "{table}");
    }
    assert_eq!(app.totals().await, before);
    assert_eq!(app.analytics.verify().await.unwrap(), []);
    for report in reports(&app, "startTime=2026-11-01T00:00:00Z&endTime=2026-12-01T00:00:00Z").await {
        assert_eq!(report["timeZone"], "Pacific/Marquesas");
        assert_eq!(report.get("timeZoneSince"), None, "all days are cut in the zone: {report}");
    }
    // Nothing is counted again until the next change.
    app.execute("UPDATE watch_hour SET watch_ms = watch_ms + 1").await;
    app.analytics.recount_zones().await.unwrap();
    assert!(app.analytics.recount(app.org.uid).await.unwrap().differences > 0);
    app.http.settle().await;
}

#[tokio::test]
async fn days_without_events_keep_their_cut_and_reports_name_the_border() {
    let app = test_app().await;
    app.analytics.recount_zones().await.unwrap();
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(20).await;
    app.execute("DELETE FROM event_batch").await;
    // Of the first day with events, some may be gone.
    for days in [10, 2] {
        app.http.clock.advance(days * DAY);
        let ada = app.http.person("ada@example.com").await;
        app.player(&ada).watch(20).await;
    }
    let old = "SELECT COUNT(*) FROM watch_day WHERE day % 86400000 = 0";
    let kept = app.count(old).await * 2 / 3;
    change_zone(&app, "America/New_York").await;
    app.analytics.recount_zones().await.unwrap();
    assert_eq!(app.count(old).await, kept);
    let first = app.count("SELECT MIN(hour) FROM watch_hour").await;
    let border = reports(&app, "startTime=2026-11-01T00:00:00Z&endTime=2027-01-01T00:00:00Z").await;
    let since = border[0]["timeZoneSince"].as_str().expect("a border").to_owned();
    let at = kernel::from_iso(&since).unwrap().ms();
    assert_eq!(at % DAY, 5 * HOUR, "a day of New York begins: {since}");
    assert!(at > first + 10 * DAY, "{since}");
    assert!(border.iter().all(|report| report["timeZoneSince"] == since), "{border:?}");
    for report in reports(&app, &format!("startTime={since}&endTime=2027-01-01T00:00:00Z")).await {
        assert_eq!(report.get("timeZoneSince"), None, "no day before the border is shown: {report}");
    }
    assert_eq!(app.totals().await, (3, 60_000));
    app.http.settle().await;
}

#[tokio::test]
async fn nothing_is_counted_twice_where_days_of_two_zones_meet() {
    let app = test_app().await;
    app.analytics.recount_zones().await.unwrap();
    for hour in 0..30 {
        if hour == 4 {
            // What was watched first has no events any more.
            assert!(app.execute("DELETE FROM event_batch").await > 0);
            app.http.clock.advance(6 * DAY);
        }
        app.http.clock.advance(5 * HOUR + 17 * MINUTE);
        let person = app.joined(&format!("person{hour}@example.com"), hour % 2 == 0).await;
        app.player(&person).watch(20).await;
    }
    let (before, range) = (app.totals().await, "startTime=2026-11-01T00:00:00Z&endTime=2027-01-01T00:00:00Z");
    assert_eq!(before, (30, 600_000));
    let sum =
        "SELECT CAST(SUM(h.views) AS BIGINT) FROM watch_hour h JOIN organisation o ON o.uid = h.subject";
    let mut since = String::new();
    // The last two are half an hour off, and one of them changes the clock by half an hour.
    for zone in ["America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"] {
        change_zone(&app, zone).await;
        app.analytics.recount_zones().await.unwrap();
        assert_eq!(app.totals().await, before, "{zone}");
        assert_eq!(app.count(sum).await, 30, "{zone}");
        assert_eq!(app.analytics.verify().await.unwrap(), [], "{zone}");
        assert_eq!(app.analytics.recount(app.org.uid).await.unwrap().differences, 0, "{zone}");
        let reports = reports(&app, range).await;
        let border = reports[0]["timeZoneSince"].as_str().expect("a border").to_owned();
        assert!(since < border, "days that were cut in a zone stay: {since} {border}");
        if zone == "Asia/Kolkata" {
            let at = kernel::from_iso(&border).unwrap().ms();
            let cut = format!("SELECT COUNT(*) FROM viewing WHERE began_at < {at} AND hour % 3600000 <> 0");
            assert_eq!(app.count(Box::leak(cut.into_boxed_str())).await, 0, "older views keep their hours");
        }
        since = border;
        for (first, last) in [("2026-11-01T00:00:00Z", since.as_str()), (&since, "2027-01-01T00:00:00Z")] {
            let [overview, item, ..] =
                &self::reports(&app, &format!("startTime={first}&endTime={last}")).await[..]
            else {
                panic!("no reports")
            };
            assert_eq!(overview["views"], item["views"], "{zone}");
            assert_eq!(
                item["uniques"], item["views"],
                "{zone}: as many people as views, on both sides of the border"
            );
        }
    }
    app.http.settle().await;
}

async fn finish(app: &TestApp, ahead: Counted) -> u64 {
    let tx = app.http.deps.db.write_tx_on(app.org.uid).await.unwrap();
    let recounted = app.analytics.recount_in(&tx, app.org.uid, ahead).await.unwrap();
    tx.commit().await.unwrap();
    assert!(recounted.requests > 10, "{recounted:?}");
    recounted.differences
}

#[tokio::test]
async fn what_happens_during_a_count_is_in_the_totals() {
    let app = test_app().await;
    live_through_a_history(&app, 8).await;
    let ada = app.joined("eva@example.com", true).await;
    app.player(&ada).watch(20).await;

    let ahead = app.analytics.count_ahead(app.org.uid).await.unwrap();
    let finn = app.joined("finn@example.com", true).await;
    app.player(&finn).watch(30).await;
    app.http.clock.advance(2 * HOUR);
    let ada = app.http.person("eva@example.com").await;
    app.player(&ada).watch(30).await;
    assert_eq!(finish(&app, ahead).await, 0, "later events");

    let ahead = app.analytics.count_ahead(app.org.uid).await.unwrap();
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    ada.patch(&mine, testkit::answer(false)).await.expect(200);
    assert_eq!(finish(&app, ahead).await, 0, "a withdrawal");

    let ahead = app.analytics.count_ahead(app.org.uid).await.unwrap();
    change_zone(&app, "Pacific/Marquesas").await;
    app.http.clock.advance(5 * MINUTE);
    assert!(finish(&app, ahead).await > 0, "another time zone");
    let days = "SELECT COUNT(*) FROM watch_day WHERE day % 86400000 <> 34200000";
    assert_eq!(app.count(days).await, 0);

    let ahead = app.analytics.count_ahead(app.org.uid).await.unwrap();
    app.execute("DELETE FROM event_batch WHERE number = (SELECT MIN(number) FROM event_batch)").await;
    finish(&app, ahead).await;
    assert_eq!(
        app.analytics.recount(app.org.uid).await.unwrap().differences,
        0,
        "removed events are not counted"
    );
    app.http.settle().await;
}
