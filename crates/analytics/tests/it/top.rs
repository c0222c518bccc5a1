//! Lists of the most viewed, and the hours of the week, are those of all days and hours.

use std::collections::BTreeMap;

use kernel::{DAY, HOUR, Timestamp, Uid, iso};
use orgs::Role;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use sea_orm::{ConnectionTrait as _, Statement, Value};
use serde_json::json;

use crate::{TestApp, create_playlist, create_video, test_app};

/// Start of the first day with totals.
const FIRST: i64 = 1_764_547_200_000;

/// Makes the totals of periods the sums of what was written behind the server's back.
async fn derive_periods(app: &TestApp) {
    let found = app.analytics.verify().await.unwrap();
    let periods = found.iter().find(|one| one.check == "period_total").unwrap();
    app.analytics.repair(periods).await.unwrap().unwrap();
    assert!(app.analytics.verify().await.unwrap().iter().all(|one| one.check != "period_total"));
}

/// Writes totals of days, and lets the server derive the others.
async fn write_days(app: &TestApp, days: &[(&str, i64, Uid, i64)]) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    for (list, day, item, views) in days {
        let sql = "INSERT INTO watch_day (org, list, day, item, watch_ms, late_ms, views) \
             VALUES ($1, $2, $3, $4, $5, 0, $6)";
        let values: [Value; 6] = [
            app.org.uid.into(),
            (*list).into(),
            (FIRST + day * DAY).into(),
            (*item).into(),
            (views * 1_000 + day).into(),
            (*views).into(),
        ];
        let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
        tx.execute_raw(statement).await.unwrap();
    }
    let sql = "INSERT INTO watch_playlist_content (org, playlist, day, content, watch_ms, late_ms, views) \
         SELECT org, $1, day, item, watch_ms, late_ms, views FROM watch_day WHERE list = 'content'";
    let values: [Value; 1] = [app.playlist.into()];
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await.unwrap();
    tx.commit().await.unwrap();
    derive_periods(app).await;
}

/// Returns the most viewed by adding up every day.
async fn expected(
    app: &TestApp,
    (list, table): (&str, &str),
    (start, end): (i64, i64),
    limit: usize,
) -> Vec<serde_json::Value> {
    let sql = format!(
        "SELECT d.item, CAST(SUM(d.views) AS BIGINT) AS views, CAST(SUM(d.watch_ms) AS BIGINT) FROM watch_day d \
         JOIN {table} t ON t.uid = d.item WHERE t.deleted_at IS NULL AND d.list = $1 AND d.day >= $2 AND d.day < $3 \
         GROUP BY d.item ORDER BY 2 DESC, 3 DESC, d.item LIMIT {limit}"
    );
    let conn = app.http.deps.db.read();
    let values: [Value; 3] = [list.into(), start.into(), end.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    let rows = conn.query_all_raw(statement).await.unwrap();
    rows.iter()
        .map(|row| {
            let item: Uid = row.try_get_by_index(0).unwrap();
            let sums: [i64; 2] = [row.try_get_by_index(1).unwrap(), row.try_get_by_index(2).unwrap()];
            json!([item.to_string(), sums])
        })
        .collect()
}

fn listed(list: &serde_json::Value) -> Vec<serde_json::Value> {
    let rows = list.as_array().unwrap().iter();
    rows.map(|row| json!([row["id"], [row["views"], row["watchTimeMs"]]])).collect()
}

#[tokio::test]
async fn the_most_viewed_of_any_range_are_those_of_all_days() {
    let app = test_app().await;
    let leader = app.staff(Role::TeamLeader).await;
    let (mut random, mut items, mut playlists) = (StdRng::seed_from_u64(7), Vec::new(), Vec::new());
    for n in 0..80 {
        items.push(create_video(&leader, app.org, &format!("Video {n}"), "public").await);
    }
    for n in 0..12 {
        playlists.push(create_playlist(&leader, app.org, &format!("List {n}"), &items[..2], "public").await);
    }
    // The popular ones change, as in a year of publishing.
    let mut days = Vec::new();
    for day in 0..366 {
        for (n, item) in (0_i64..).zip(&items) {
            let distance = (n * 5 - day).abs();
            if random.random_range(0..200) > distance {
                days.push(("content", day, item.uid(), random.random_range(0..9)));
            }
        }
        for playlist in playlists.iter().filter(|_| day % 3 == 0) {
            days.push(("playlist", day, playlist.uid(), random.random_range(0..4)));
        }
    }
    write_days(&app, &days).await;
    leader.delete(&format!("/v1/content/{}", items[20])).await.expect(204);
    leader.delete(&format!("/v1/playlists/{}", playlists[3])).await.expect(204);
    let staff = app.staff(Role::TeamUser).await;
    let ranges =
        [(0, 365), (1, 366), (10, 11), (40, 68), (100, 131), (200, 365), (300, 366), (17, 19), (28, 56)];
    for (from, to) in ranges {
        let (start, end) = (FIRST + from * DAY, FIRST + to * DAY + HOUR);
        let times = [start, end].map(|time| iso(Timestamp::from_ms(time)));
        let path = format!(
            "/v1/analytics/overview?orgId={}&startTime={}&endTime={}",
            app.org.uid, times[0], times[1]
        );
        let overview = staff.get(&path).await.expect(200);
        for (name, tables) in
            [("topContent", ("content", "content")), ("topPlaylists", ("playlist", "playlist"))]
        {
            assert_eq!(
                listed(&overview[name]),
                expected(&app, tables, (start, end), 10).await,
                "{name} {from} {to}"
            );
        }
        let path =
            format!("/v1/analytics/playlists/{}?startTime={}&endTime={}", app.playlist, times[0], times[1]);
        let items = listed(&staff.get(&path).await.expect(200)["content"]);
        assert_eq!(items, expected(&app, ("content", "content"), (start, end), 100).await, "{from} {to}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn items_that_lead_in_no_period_can_lead_in_a_range() {
    let app = test_app().await;
    let leader = app.staff(Role::TeamLeader).await;
    let mut days = Vec::new();
    for n in 0..112 {
        let item = create_video(&leader, app.org, &format!("Video {n}"), "public").await.uid();
        match n {
            // Ten views in two periods, but less than fifty others in each of them.
            0..12 => days.extend([("content", 20, item, 5), ("content", 50, item, 5)]),
            12..62 => days.push(("content", 20, item, 6)),
            _ => days.push(("content", 50, item, 7)),
        }
    }
    write_days(&app, &days).await;
    let staff = app.staff(Role::TeamUser).await;
    for (from, to) in [(17, 73), (19, 60), (0, 40), (45, 73)] {
        let (start, end) = (FIRST + from * DAY, FIRST + to * DAY);
        let times = [start, end].map(|time| iso(Timestamp::from_ms(time)));
        let path = format!(
            "/v1/analytics/overview?orgId={}&startTime={}&endTime={}",
            app.org.uid, times[0], times[1]
        );
        let found = listed(&staff.get(&path).await.expect(200)["topContent"]);
        let all = expected(&app, ("content", "content"), (start, end), 10).await;
        assert_eq!(found, all, "{from} {to}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn others_follow_if_all_that_lead_are_deleted() {
    let app = test_app().await;
    let leader = app.staff(Role::TeamLeader).await;
    let (mut days, mut deleted) = (Vec::new(), Vec::new());
    for n in 0..60 {
        let item = create_video(&leader, app.org, &format!("Video {n}"), "public").await;
        days.push(("content", 20, item.uid(), 100 - n));
        deleted.push(item);
    }
    write_days(&app, &days).await;
    deleted.truncate(50);
    for item in deleted {
        leader.delete(&format!("/v1/content/{item}")).await.expect(204);
    }
    let staff = app.staff(Role::TeamUser).await;
    let (start, end) = (FIRST + 17 * DAY, FIRST + 30 * DAY);
    let times = [start, end].map(|time| iso(Timestamp::from_ms(time)));
    let path =
        format!("/v1/analytics/overview?orgId={}&startTime={}&endTime={}", app.org.uid, times[0], times[1]);
    let found = listed(&staff.get(&path).await.expect(200)["topContent"]);
    assert_eq!(found.len(), 10);
    assert_eq!(found, expected(&app, ("content", "content"), (start, end), 10).await);
    app.http.settle().await;
}

#[tokio::test]
async fn the_hours_of_the_week_are_those_of_the_clock_in_summer_and_winter() {
    let app = test_app().await;
    let admin = app.staff(Role::AccountAdmin).await;
    let zone = json!({"organisation": {"timeZone": "Europe/Berlin"}});
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), zone).await.expect(200);
    let berlin = jiff::tz::TimeZone::get("Europe/Berlin").unwrap();
    let (mut expected, mut random) = (BTreeMap::new(), StdRng::seed_from_u64(3));
    let tx = app.http.deps.db.write_tx().await.unwrap();
    // From before the end of summer time until after its beginning.
    let start = FIRST - 60 * DAY;
    for n in 0..400 {
        let (hour, watch_ms) = (start + n * 11 * HOUR, random.random_range(1..1_000_i64));
        let local = jiff::Timestamp::from_millisecond(hour).unwrap().to_zoned(berlin.clone());
        *expected.entry((local.weekday().to_monday_zero_offset(), local.hour())).or_insert(0) += watch_ms;
        let sql = "INSERT INTO watch_hour (org, subject, hour, watch_ms, late_ms, views) VALUES ($1, $1, $2, $3, 0, 0)";
        let values: [Value; 3] = [app.org.uid.into(), hour.into(), watch_ms.into()];
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await.unwrap();
    }
    tx.commit().await.unwrap();
    derive_periods(&app).await;
    let staff = app.staff(Role::TeamUser).await;
    let times = [start, start + 200 * DAY].map(|time| iso(Timestamp::from_ms(time)));
    let path =
        format!("/v1/analytics/overview?orgId={}&startTime={}&endTime={}", app.org.uid, times[0], times[1]);
    let hours = staff.get(&path).await.expect(200)["hours"].clone();
    let cell = |((weekday, hour), watch_ms): (&(i8, i8), &i64)| json!({"weekday": weekday, "hour": hour, "watchTimeMs": watch_ms});
    assert_eq!(hours, json!(expected.iter().map(cell).collect::<Vec<_>>()));
    app.http.settle().await;
}
