//! Totals can be rebuilt from the stored events, and what is old is removed.

use analytics::Recounted;
use kernel::{DAY, HOUR, MINUTE, SECOND};
use orgs::Role;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::json;

use crate::{TestApp, create_playlist, create_video, test_app};

/// A random history of four people: watching now and late, in and outside the consent, with deletions.
pub async fn live_through_a_history(app: &TestApp, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    let emails = ["ada@example.com", "bob@example.com", "cem@example.com", "dot@example.com"];
    for email in emails {
        app.joined(email, random.random_bool(0.5)).await;
    }
    let leader = app.staff(Role::TeamLeader).await;
    let other = create_video(&leader, app.org, "Another video", "public").await;
    let more = create_playlist(&leader, app.org, "More videos", &[other], "public").await;
    let mut is_deleted = false;
    for step in 0..24 {
        app.http.clock.advance(random.random_range(1..5) * HOUR + random.random_range(0..60) * MINUTE);
        let person = app.http.person(emails[random.random_range(0..emails.len())]).await;
        match random.random_range(0..10) {
            0 | 1 => {
                person.patch(&mine, testkit::answer(random.random_bool(0.5))).await.expect(200);
            }
            2 => app.send(&person, vec![app.interaction("visit"), app.interaction("download")]).await,
            3 => {
                // Recorded without a network and sent in the wrong order.
                let mut player = app.player(&person);
                let ago = random.random_range(10..3_000) * MINUTE;
                let mut beats: Vec<_> = (0..6)
                    .map(|n| player.beat(if n == 0 { 0 } else { 10 * SECOND }, ago - n * 10 * SECOND))
                    .collect();
                beats.shuffle(&mut random);
                app.post(&person, beats).await;
            }
            4 if step > 12 => {
                if !is_deleted {
                    is_deleted = true;
                    let leader = app.staff(Role::TeamLeader).await;
                    let none = json!({"playlist": {"items": []}});
                    leader.patch(&format!("/v1/playlists/{more}"), none).await.expect(200);
                    leader.delete(&format!("/v1/content/{other}")).await.expect(204);
                }
                let me = format!("/v1/organizations/{}/users/me", app.org.uid);
                person.delete(&me).await.expect(204);
                person.post(&app.link, testkit::answer(random.random_bool(0.5))).await.expect(201);
            }
            n => {
                let mut player = app.player(&person);
                if n > 7 && step < 12 {
                    // In the other playlist, so the view belongs to none.
                    player.content = other;
                }
                player.watch(random.random_range(5..40)).await;
            }
        }
    }
}

#[tokio::test]
async fn a_recount_finds_no_difference_after_any_history() {
    for seed in 1..=4 {
        let app = test_app().await;
        live_through_a_history(&app, seed).await;
        assert_eq!(app.analytics.verify().await.unwrap(), [], "history {seed}");
        let found = app.analytics.recount(app.org.uid).await.unwrap();
        assert!(found.requests > 10, "{found:?}");
        assert_eq!(found.differences, 0, "history {seed}: {found:?}");
        app.http.settle().await;
    }
}

/// Compares the numbers of the video, the playlist and the organisation in a range with the sums of their hours.
async fn compare_with_hours(app: &TestApp, (start, end): (&str, &str)) {
    let staff = app.staff(Role::TeamUser).await;
    let (org, range) = (app.org.uid, format!("startTime={start}&endTime={end}"));
    let ms = |time| kernel::from_iso(time).unwrap().ms();
    let (first, last) = (ms(start), ms(end));
    let conn = app.http.deps.db.read();
    let hours_between = async |column: &str, subject: kernel::Uid, (first, last): (i64, i64)| -> i64 {
        let sql = format!(
            "SELECT CAST(COALESCE(SUM({column}), 0) AS BIGINT) FROM watch_hour \
             WHERE subject = $1 AND hour >= {first} AND hour < {last}"
        );
        let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [subject.into()]);
        conn.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
    };
    let hours = async |column, subject| hours_between(column, subject, (first, last)).await;
    for (path, subject) in [
        (format!("/v1/analytics/content/{}?{range}", app.video), app.video.uid()),
        (format!("/v1/analytics/playlists/{}?{range}", app.playlist), app.playlist.uid()),
        (format!("/v1/analytics/overview?orgId={org}&{range}"), org.uid()),
    ] {
        let report = staff.get(&path).await.expect(200);
        let sums = json!([hours("views", subject).await, hours("watch_ms", subject).await]);
        assert_eq!(json!([report["views"], report["watchTimeMs"]]), sums, "{path}");
        let days = report["days"].as_array().unwrap();
        let sum = |name: &str| days.iter().map(|day| day[name].as_i64().unwrap()).sum::<i64>();
        assert_eq!(json!([sum("views"), sum("watchTimeMs")]), sums, "{path}");
        let before = (2 * first - last, first);
        let (views, watched) =
            (hours_between("views", subject, before).await, hours_between("watch_ms", subject, before).await);
        let previous = &report["previous"];
        assert_eq!(
            (&previous["views"], &previous["watchTimeMs"]),
            (&json!(views), &json!(watched)),
            "{path}"
        );
    }
    let series = staff.get(&format!("/v1/analytics/watch_time?orgId={org}&{range}")).await.expect(200);
    assert_eq!(series["total"], hours("watch_ms", org.uid()).await, "{range}");
}

#[tokio::test]
async fn whole_days_add_up_to_their_hours_also_after_a_change_of_the_zone() {
    let app = test_app().await;
    live_through_a_history(&app, 5).await;
    let ranges = [
        ("2026-11-15T00:00:00Z", "2026-11-25T00:00:00Z"),
        ("2026-11-15T00:00:00Z", "2026-11-21T15:00:00Z"),
        ("2026-11-20T15:00:00Z", "2026-11-22T15:00:00Z"),
        ("2026-11-21T05:00:00Z", "2026-11-22T05:00:00Z"),
        ("2026-11-21T11:00:00Z", "2026-11-21T16:00:00Z"),
        ("2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
        ("2026-11-22T00:00:00Z", "2026-11-24T00:00:00Z"),
        ("2026-11-22T00:00:00Z", "2026-11-23T12:00:00Z"),
        ("2026-11-22T05:00:00Z", "2026-11-24T05:00:00Z"),
    ];
    for range in ranges {
        compare_with_hours(&app, range).await;
    }
    // The days before keep their cut, at seven in the evening of this zone.
    let admin = app.staff(Role::AccountAdmin).await;
    let zone = json!({"organisation": {"timeZone": "America/New_York"}});
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), zone).await.expect(200);
    for range in ranges {
        compare_with_hours(&app, range).await;
    }
    // Days of the new cut, after a range of days of the old one.
    app.http.clock.advance(2 * DAY);
    let eva = app.joined("eva@example.com", true).await;
    app.player(&eva).watch(30).await;
    for first in 20..23 {
        let range = (format!("2026-11-{}T05:00:00Z", first + 4), format!("2026-11-{}T05:00:00Z", first + 8));
        compare_with_hours(&app, (&range.0, &range.1)).await;
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_playlist_of_one_item_has_the_audience_of_the_item() {
    let app = test_app().await;
    live_through_a_history(&app, 6).await;
    app.execute("UPDATE viewing SET device = 'tv', country = 'DE' WHERE credit_ms < 200000").await;
    app.execute("UPDATE viewing SET is_finished = true WHERE credit_ms > 100000").await;
    let staff = app.staff(Role::TeamUser).await;
    for (start, end) in [("15", "26"), ("21", "22"), ("25", "26")] {
        let range = format!("startTime=2026-11-{start}T00:00:00Z&endTime=2026-11-{end}T00:00:00Z");
        let content = staff.get(&format!("/v1/analytics/content/{}?{range}", app.video)).await.expect(200);
        let of_playlist = format!("/v1/analytics/playlists/{}?{range}", app.playlist);
        let playlist = staff.get(&of_playlist).await.expect(200);
        for name in ["views", "uniques", "finishRate", "devices", "countries"] {
            assert_eq!(playlist[name], content[name], "{name} {range}");
        }
        if start == "15" {
            assert!(content["devices"].as_array().is_some_and(|rows| !rows.is_empty()), "{content}");
            assert!(content["countries"].as_array().is_some_and(|rows| !rows.is_empty()), "{content}");
            assert_eq!(playlist["content"][0]["finishRate"], content["finishRate"]);
        }
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_recount_repairs_totals() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(65).await;
    let before = (app.dashboard().await, app.series("watch_time", Some(&ada)).await);
    for (sql, differences) in [
        ("UPDATE watch_hour SET watch_ms = watch_ms + 1", 3),
        ("DELETE FROM watch_person", 2),
        ("UPDATE watch_day SET views = views + 1", 3),
    ] {
        assert!(app.execute(sql).await > 0, "{sql}");
        let found = app.analytics.recount(app.org.uid).await.unwrap();
        assert_eq!(found, Recounted { requests: 8, differences }, "{sql}");
        assert_eq!(app.analytics.recount(app.org.uid).await.unwrap().differences, 0, "{sql}");
    }
    assert_eq!((app.dashboard().await, app.series("watch_time", Some(&ada)).await), before);
    assert!(app.execute("UPDATE content SET views = views + 1").await > 0);
    assert!(!app.analytics.verify().await.unwrap().is_empty());
    app.analytics.recount(app.org.uid).await.unwrap();
    assert_eq!(app.analytics.verify().await.unwrap(), [], "the counters follow");
    app.http.settle().await;
}

#[tokio::test]
async fn events_are_removed_after_the_time_that_is_set() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(20).await;
    let briefly = app.analytics.clone().with_history_kept(30 * DAY);
    app.http.clock.advance(29 * DAY);
    briefly.purge().await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM event_batch").await, 3);
    app.http.clock.advance(2 * DAY);
    briefly.purge().await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM event_batch").await, 0);
    assert_eq!(app.totals().await, (1, 20_000));
    app.http.settle().await;
}

#[tokio::test]
async fn events_are_removed_after_thirteen_months_and_totals_stay() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(20).await;
    app.http.clock.advance(10 * DAY);
    app.analytics.pack_views().await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM view_pack").await, 2);
    app.http.clock.advance(385 * DAY);
    app.analytics.purge().await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM event_batch").await, 3);
    assert_eq!(
        app.count("SELECT COUNT(*) FROM viewer_salt").await,
        0,
        "names of a day are kept for four days"
    );
    app.http.clock.advance(2 * DAY);
    app.analytics.purge().await.unwrap();
    for table in [
        "event_batch",
        "viewing",
        "view_pack",
        "activity",
        "interaction",
        "counted_start",
        "viewer_hour",
        "coverage",
    ] {
        let sql = Box::leak(format!("SELECT COUNT(*) FROM {table}").into_boxed_str());
        assert_eq!(app.count(sql).await, 0, "{table}");
    }
    let ada = app.http.person("ada@example.com").await;
    assert_eq!(app.totals().await, (1, 20_000));
    app.player(&ada).watch(20).await;
    let found = app.analytics.recount(app.org.uid).await.unwrap();
    assert_eq!(
        found,
        Recounted { requests: 3, differences: 0 },
        "what has no events any more is left as it is"
    );
    assert_eq!(app.totals().await, (2, 40_000));
    app.http.settle().await;
}

#[tokio::test]
async fn a_plan_bounds_what_is_shown_and_not_what_is_kept() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(20).await;
    app.http.clock.advance(70 * DAY);
    let ada = app.http.person("ada@example.com").await;
    app.player(&ada).watch(30).await;
    let staff = app.staff(Role::TeamUser).await;
    let range = "startTime=2026-11-01T00:00:00Z&endTime=2027-02-01T00:00:00Z";
    let org = app.org.uid;
    let paths = [
        format!("/v1/analytics/overview?orgId={org}&{range}"),
        format!("/v1/analytics/content/{}?{range}", app.video),
        format!("/v1/analytics/playlists/{}?{range}", app.playlist),
    ];
    for (months, limited, watched) in [(0, None, 50_000), (2, Some("2026-11-29T00:00:00.000Z"), 30_000)] {
        app.months.0.store(months, std::sync::atomic::Ordering::Relaxed);
        for path in &paths {
            let answer = staff.get(path).await.expect(200);
            assert_eq!(answer["watchTimeMs"], watched, "{path}");
            assert_eq!(answer.get("limitedFrom").and_then(|from| from.as_str()), limited, "{path}");
        }
        for what in ["watch_time", "views"] {
            let path = format!("/v1/analytics/{what}?orgId={org}&{range}&userId={}", ada.uid());
            let answer = staff.get(&path).await.expect(200);
            assert_eq!(answer.get("limitedFrom").and_then(|from| from.as_str()), limited, "{what}");
        }
        let path = format!("/v1/analytics/verdicts?orgId={org}&{range}");
        assert_eq!(staff.get(&path).await.expect(200)["counted"], if months == 0 { 2 } else { 1 });
        let dates = range.replace("startTime", "startDate").replace("endTime", "endDate");
        let person = format!("/v1/analytics/users/{}?orgId={org}&{dates}", ada.uid());
        assert_eq!(staff.get(&person).await.expect(200)["total"], watched);
        let times = range.replace("startTime", "timeStart").replace("endTime", "timeEnd");
        let history = format!("/v1/organizations/{org}/users/{}/history?{times}", ada.uid());
        let answer = staff.get(&history).await.expect(200);
        assert_eq!(answer.get("limitedFrom").and_then(|from| from.as_str()), limited, "history");
        let oldest = answer["data"].as_array().unwrap().last().unwrap()["time"].as_str().unwrap();
        assert_eq!(oldest < "2026-11-29", months == 0, "{oldest}");
    }
    app.http.settle().await;
}
