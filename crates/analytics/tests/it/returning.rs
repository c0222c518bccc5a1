//! Stored audiences of weeks name only those who came in several of them, and no one is counted twice.

use kernel::{DAY, HOUR, SECOND};
use orgs::Role;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};

use crate::packs::{audiences, packs, same_without_packs, unpacked};
use crate::{TestApp, test_app};

/// Returns the numbers of people of the video and the playlist over all time.
async fn people(app: &TestApp) -> [Value; 2] {
    let staff = app.staff(Role::TeamUser).await;
    let range = "startTime=2026-11-01T00:00:00Z&endTime=2027-03-01T00:00:00Z";
    let item = staff.get(&format!("/v1/analytics/content/{}?{range}", app.video)).await.expect(200);
    let playlist = staff.get(&format!("/v1/analytics/playlists/{}?{range}", app.playlist)).await.expect(200);
    [item, playlist].map(|report| report["uniques"].clone())
}

/// Returns the number of pairs of a person and an audience that names them.
async fn named(app: &TestApp) -> i64 {
    app.count(match app.http.deps.db.engine() {
        db::Engine::Sqlite => {
            "SELECT COUNT(*) FROM view_pack p JOIN viewer_key k ON instr(p.audience, substr(k.viewer, 9)) > 0"
        }
        db::Engine::Postgres => {
            "SELECT COUNT(*) FROM view_pack p JOIN viewer_key k \
             ON position(substring(uuid_send(k.viewer) FROM 9) IN p.audience) > 0"
        }
    })
    .await
}

async fn columns_of_views(app: &TestApp) -> Vec<String> {
    let conn = app.http.deps.db.read();
    let sql = match app.http.deps.db.engine() {
        db::Engine::Sqlite => "SELECT name FROM pragma_table_info('viewing')",
        db::Engine::Postgres => {
            "SELECT CAST(column_name AS text) FROM information_schema.columns WHERE table_name = 'viewing'"
        }
    };
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

async fn watch(app: &TestApp, email: &str) {
    app.player(&app.http.person(email).await).watch(20).await;
}

/// Lets three people watch in the first week. Two weeks later, when the first one is packed, one of them is back.
async fn two_weeks() -> TestApp {
    let app = test_app().await;
    app.set_content("duration_ms", 60_000.into()).await;
    for email in ["ada@example.com", "bob@example.com", "cem@example.com"] {
        app.joined(email, true).await;
        watch(&app, email).await;
    }
    app.http.clock.advance(14 * DAY);
    app.analytics.pack_views().await.unwrap();
    assert_eq!((packs(&app).await, named(&app).await), (2, 0), "the item and the playlist, and only sums");
    watch(&app, "bob@example.com").await;
    app
}

/// Lets people watch, return, send late events and withdraw for five weeks, with packing between.
async fn live_for_weeks(app: &TestApp, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let emails =
        ["ada@example.com", "bob@example.com", "cem@example.com", "dot@example.com", "eva@example.com"];
    for email in emails {
        app.joined(email, true).await;
    }
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    for _ in 0..24 {
        app.http.clock.advance(random.random_range(1..70) * HOUR);
        let person = app.http.person(emails[random.random_range(0..emails.len())]).await;
        match random.random_range(0..12) {
            0 => {
                person.patch(&mine, json!({"consent": false})).await.expect(200);
                person.patch(&mine, testkit::answer(true)).await.expect(200);
            }
            1 | 2 => {
                let mut player = app.player(&person);
                let ago = random.random_range(1..60) * HOUR;
                let beats = (0..4)
                    .map(|n| player.beat(if n == 0 { 0 } else { 10 * SECOND }, ago - n * 10 * SECOND))
                    .collect();
                app.post(&person, beats).await;
            }
            3..=5 => {
                let before = audiences(app).await;
                app.analytics.pack_views().await.unwrap();
                assert_eq!(audiences(app).await, before, "{seed}");
                assert_eq!(app.analytics.verify().await.unwrap(), [], "{seed}");
            }
            _ => app.player(&person).watch(random.random_range(5..40)).await,
        }
    }
}

#[tokio::test]
async fn audiences_are_the_same_after_any_weeks() {
    for seed in 1..=6 {
        let app = test_app().await;
        app.set_content("duration_ms", 60_000.into()).await;
        live_for_weeks(&app, seed).await;
        app.execute("UPDATE viewing SET device = 'tv', country = 'DE' WHERE credit_ms < 20000").await;
        app.execute("DELETE FROM view_pack").await;
        for finding in app.analytics.verify().await.unwrap() {
            app.analytics.repair(&finding).await.unwrap().unwrap();
        }
        let before = audiences(&app).await;
        app.analytics.pack_views().await.unwrap();
        assert!(packs(&app).await > 4, "{seed}");
        assert_eq!(audiences(&app).await, before, "{seed}");
        same_without_packs(&app, &format!("weeks {seed}")).await;
        app.http.settle().await;
    }
}

#[tokio::test]
async fn a_viewer_who_comes_in_another_week_is_named_in_both() {
    let app = two_weeks().await;
    assert_eq!(people(&app).await, [json!(3), json!(3)], "today is not packed");
    app.http.clock.advance(2 * DAY);
    app.analytics.pack_views().await.unwrap();
    assert_eq!((packs(&app).await, unpacked(&app).await), (4, 0));
    assert_eq!(named(&app).await, 4, "only one of them, in all four");
    assert_eq!(people(&app).await, [json!(3), json!(3)]);
    for email in ["bob@example.com", "cem@example.com", "dot@example.com"] {
        if email.starts_with("dot") {
            app.joined(email, true).await;
        }
        watch(&app, email).await;
    }
    assert_eq!(people(&app).await, [json!(4), json!(4)], "a sum, someone named and someone new come today");
    same_without_packs(&app, "two weeks").await;
    app.http.settle().await;
}

#[tokio::test]
async fn a_late_view_of_a_week_takes_its_viewer_out_of_the_sums_of_another() {
    let app = two_weeks().await;
    app.http.clock.advance(8 * DAY);
    app.analytics.pack_views().await.unwrap();
    let ada = app.http.person("ada@example.com").await;
    let mut player = app.player(&ada);
    // Of a day on which no one was there, in the week of the other one.
    let ago = 8 * DAY - 2 * HOUR;
    let beats =
        (0..4).map(|n| player.beat(if n == 0 { 0 } else { 10 * SECOND }, ago - n * 10 * SECOND)).collect();
    app.post(&ada, beats).await;
    assert_eq!(people(&app).await, [json!(3), json!(3)]);
    app.analytics.pack_views().await.unwrap();
    assert_eq!((packs(&app).await, people(&app).await), (4, [json!(3), json!(3)]));
    same_without_packs(&app, "a late view").await;
    app.http.settle().await;
}

/// Copies views behind the server's back, up to `limit`, with what takes the place of some columns.
async fn copy_views(app: &TestApp, replaced: &[(&str, &str)], from: &str, limit: usize) -> u64 {
    let columns = columns_of_views(app).await;
    let random = match app.http.deps.db.engine() {
        db::Engine::Sqlite => "randomblob(16)",
        db::Engine::Postgres => "gen_random_uuid()",
    };
    let selected = columns.iter().map(|column| {
        let by = replaced.iter().find(|(name, _)| name == column).map(|(_, by)| *by);
        by.unwrap_or(if column == "uid" { "{random}" } else { column }).replace("{random}", random)
    });
    let selected = selected.collect::<Vec<_>>().join(", ");
    let columns = columns.join(", ");
    let copy = format!(
        "INSERT INTO viewing ({columns}) SELECT {selected} FROM {from} ORDER BY hour, viewer LIMIT {limit}"
    );
    app.execute(copy.leak()).await
}

#[tokio::test]
async fn many_viewers_of_a_day_that_is_not_packed_are_counted_from_the_packs_of_views() {
    let app = test_app().await;
    app.joined("ada@example.com", true).await;
    watch(&app, "ada@example.com").await;
    let ten = "(VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10))";
    let often = format!("viewing CROSS JOIN {ten} a CROSS JOIN {ten} b CROSS JOIN {ten} c");
    assert_eq!(copy_views(&app, &[("viewer", "{random}")], &often, 299).await, 299);
    app.http.clock.advance(14 * DAY);
    app.analytics.pack_views().await.unwrap();
    assert_eq!((packs(&app).await, unpacked(&app).await, named(&app).await), (2, 0, 0));
    app.joined("bob@example.com", true).await;
    watch(&app, "bob@example.com").await;
    let today = [("hour", "(SELECT MAX(hour) FROM viewing)")];
    for (people_of_first_week, viewers_of_today) in [(199, 200), (1, 201), (100, 301)] {
        let first = "(SELECT v.* FROM viewing v WHERE v.hour < (SELECT MAX(hour) FROM viewing) AND v.viewer NOT IN \
                     (SELECT viewer FROM viewing WHERE hour = (SELECT MAX(hour) FROM viewing))) first";
        assert_eq!(copy_views(&app, &today, first, people_of_first_week).await, people_of_first_week as u64);
        assert_eq!(people(&app).await, [json!(301), json!(301)], "{viewers_of_today} today");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_week_is_packed_although_another_pack_is_damaged() {
    let app = two_weeks().await;
    app.execute("UPDATE view_pack SET data = substr(data, 1, 5)").await;
    app.http.clock.advance(2 * DAY);
    app.analytics.pack_views().await.unwrap();
    assert_eq!((packs(&app).await, unpacked(&app).await), (2, 14), "the days of the damaged week");
    assert_eq!(people(&app).await, [json!(3), json!(3)]);
    app.analytics.pack_views().await.unwrap();
    assert_eq!((packs(&app).await, unpacked(&app).await, named(&app).await), (4, 0, 4));
    same_without_packs(&app, "a damaged pack").await;
    app.http.settle().await;
}

#[tokio::test]
async fn someone_who_is_a_sum_in_one_week_and_came_in_another_is_found() {
    let app = two_weeks().await;
    app.execute("CREATE TABLE kept AS SELECT * FROM view_pack").await;
    app.http.clock.advance(2 * DAY);
    app.analytics.pack_views().await.unwrap();
    let put_back = "UPDATE view_pack SET audience = (SELECT k.audience FROM kept k WHERE k.subject = view_pack.subject) \
                    WHERE week = (SELECT MIN(week) FROM kept)";
    assert_eq!(app.execute(put_back).await, 2);
    assert_eq!(people(&app).await, [json!(4), json!(4)], "someone is counted twice");
    let found = app.analytics.verify().await.unwrap();
    assert_eq!(found.iter().map(|one| one.check.as_str()).collect::<Vec<_>>(), ["view_pack"; 2]);
    for finding in &found {
        app.analytics.repair(finding).await.unwrap().unwrap();
    }
    assert_eq!(people(&app).await, [json!(3), json!(3)]);
    app.execute("DROP TABLE kept").await;
    app.analytics.pack_views().await.unwrap();
    same_without_packs(&app, "a sum that was put back").await;
    app.http.settle().await;
}
