//! What a person watched is the same whether periods are packed or not.

use analytics::Recounted;
use kernel::{DAY, HOUR, MINUTE, PersonId, SECOND, Timestamp, Uid};
use orgs::Role;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use sea_orm::{ConnectionTrait as _, Statement, Value as Bound};
use serde_json::{Value, json};
use testkit::Client;

use crate::{TestApp, test_app};

fn time(text: &str) -> Timestamp {
    kernel::from_iso(text).unwrap()
}

/// Returns what is known about a person in a range.
async fn watched(app: &TestApp, person: PersonId, (start, end): (Timestamp, Timestamp)) -> Value {
    let staff = app.staff(Role::TeamUser).await;
    let (org, start, end) = (app.org.uid, kernel::iso(start), kernel::iso(end));
    staff
        .get(&format!("/v1/analytics/users/{person}?orgId={org}&startDate={start}&endDate={end}"))
        .await
        .expect(200)
}

async fn packs(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM person_pack").await
}

async fn wrong_packs(app: &TestApp) -> Vec<kernel::Finding> {
    let found = app.analytics.verify().await.unwrap();
    found.into_iter().filter(|one| one.check == "person_pack").collect()
}

/// Adds a total by hour behind the server's back.
async fn put(app: &TestApp, (person, since): (PersonId, Timestamp), values: [Bound; 6]) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let insert = "INSERT INTO watch_person (org, person, since, hour, content, playlist, watch_ms, views, visits) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING";
    let key: [Bound; 3] = [app.org.uid.into(), person.into(), since.into()];
    let values: Vec<Bound> = key.into_iter().chain(values).collect();
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), insert, values)).await.unwrap();
    tx.commit().await.unwrap();
}

/// Adds random totals of 250 days, with visits, and hours of zones that begin at half past.
async fn put_random(app: &TestApp, who: (PersonId, Timestamp), count: usize, random: &mut StdRng) {
    let now = app.http.deps.ambient.now();
    for _ in 0..count {
        let hour = now - random.random_range(0..250 * 48) * 30 * MINUTE;
        if random.random_bool(0.1) {
            let nil = Uid::nil();
            put(app, who, [hour.into(), nil.into(), nil.into(), 0_i64.into(), 0_i64.into(), 1_i64.into()])
                .await;
            continue;
        }
        let content = Uid::from_u128(1 << 100 | random.random_range(1..15));
        let playlist =
            if random.random_bool(0.3) { Uid::nil() } else { Uid::from_u128(random.random_range(1..13)) };
        let (watch_ms, views): (i64, i64) = (random.random_range(0..7_200_000), random.random_range(0..4));
        let values =
            [hour.into(), content.into(), playlist.into(), watch_ms.into(), views.into(), 0_i64.into()];
        put(app, who, values).await;
    }
}

/// Watches for ten seconds in each of so many hours.
async fn watch_hours(app: &TestApp, email: &str, hours: usize) {
    for _ in 0..hours {
        app.player(&app.http.person(email).await).watch(10).await;
        app.http.clock.advance(HOUR);
    }
}

async fn since_of(app: &TestApp, person: &Client) -> Timestamp {
    let conn = app.http.deps.db.read();
    let select = "SELECT since FROM consent_standing WHERE person = $1";
    let statement =
        Statement::from_sql_and_values(conn.get_database_backend(), select, [person.uid().into()]);
    conn.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn a_person_has_the_same_numbers_with_and_without_packs() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let bob = app.joined("bob@example.com", true).await;
    let mut random = StdRng::seed_from_u64(7);
    let since = since_of(&app, &ada).await;
    put_random(&app, (ada.uid(), since), 600, &mut random).await;
    // Under an earlier consent, which is never shown.
    put_random(&app, (ada.uid(), since - DAY), 400, &mut random).await;
    let of_bob = since_of(&app, &bob).await;
    put_random(&app, (bob.uid(), of_bob), 30, &mut random).await;
    // Enough for one pack.
    for n in 0..32_i64 {
        let hour = time("2026-09-25T00:00:00Z") + n * HOUR;
        let item = Uid::from_u128(77);
        let values = [hour.into(), item.into(), item.into(), 1_000_i64.into(), 1_i64.into(), 0_i64.into()];
        put(&app, (bob.uid(), of_bob), values).await;
    }
    let mut ranges = vec![
        (time("2026-01-01T00:00:00Z"), time("2026-12-31T00:00:00Z")),
        (time("2026-09-24T00:00:00Z"), time("2026-10-22T00:00:00Z")),
        (time("2026-10-21T23:00:00Z"), time("2026-10-22T01:00:00Z")),
    ];
    for _ in 0..12 {
        let start = time("2026-03-01T00:00:00Z") + random.random_range(0..265 * 24 * 60) * MINUTE;
        ranges.push((start, start + random.random_range(1..150 * 24 * 60) * MINUTE));
    }
    let all = async || {
        let mut all = Vec::new();
        for range in &ranges {
            all.push(watched(&app, ada.uid(), *range).await);
            all.push(watched(&app, bob.uid(), *range).await);
        }
        all
    };
    let before = all().await;
    let total = "SELECT CAST(SUM(watch_ms) AS BIGINT) FROM watch_person WHERE since = (SELECT MAX(since) FROM watch_person) \
                 AND person = (SELECT person FROM watch_person GROUP BY person ORDER BY COUNT(*) DESC LIMIT 1)";
    assert_eq!(before[0]["total"], app.count(total).await);
    assert_eq!(before[0]["longestWatchedPlaylists"].as_array().unwrap().len(), 10);
    app.analytics.pack_people().await.unwrap();
    // Ada has about thirty and twenty totals in each of 18 periods.
    assert!(packs(&app).await >= 30, "{}", packs(&app).await);
    let least = "SELECT MIN(number) FROM (SELECT COUNT(*) AS number FROM person_pack GROUP BY person) p";
    assert_eq!(app.count(least).await, 1, "of Bob only what is worth it");
    assert_eq!(app.count("SELECT COUNT(*) FROM person_pack WHERE period >= 1795046400000").await, 0);
    assert_eq!(all().await, before);
    assert_eq!(wrong_packs(&app).await, []);
    let done = app.count("SELECT COUNT(*) FROM person_packed").await;
    assert!(done >= 28, "the last thirteen months: {done}");
    app.analytics.pack_people().await.unwrap();
    // The packs are read: those of rows that are gone still count.
    let packed = "DELETE FROM watch_person WHERE hour < 1790208000000 AND (person, since) IN \
                  (SELECT person, since FROM watch_person GROUP BY person, since HAVING COUNT(*) > 300)";
    assert!(app.execute(packed).await > 500);
    assert_eq!(all().await, before);
    app.http.settle().await;
}

/// Ada watches in 34 hours, and the period is over. Returns the range of everything.
async fn one_pack(app: &TestApp) -> (Timestamp, Timestamp) {
    app.joined("ada@example.com", true).await;
    watch_hours(app, "ada@example.com", 34).await;
    app.analytics.pack_people().await.unwrap();
    assert_eq!(packs(app).await, 0, "the period is not over");
    app.http.clock.advance(time("2026-12-04T02:00:00Z") - app.http.deps.ambient.now());
    let everything = (time("2026-11-01T00:00:00Z"), time("2027-03-01T00:00:00Z"));
    let ada = app.http.person("ada@example.com").await;
    let before = watched(app, ada.uid(), everything).await;
    assert_eq!(before["total"], 340_000);
    app.analytics.pack_people().await.unwrap();
    assert_eq!(packs(app).await, 1);
    assert_eq!(watched(app, ada.uid(), everything).await, before);
    everything
}

#[tokio::test]
async fn a_late_event_of_a_packed_period_counts_and_removes_the_pack() {
    let app = test_app().await;
    let everything = one_pack(&app).await;
    let ada = app.http.person("ada@example.com").await;
    app.player(&ada).watch(20).await;
    assert_eq!(packs(&app).await, 1, "events of the current period leave it");
    assert_eq!(watched(&app, ada.uid(), everything).await["total"], 360_000);
    let mut player = app.player(&ada);
    let beats =
        (0..3).map(|n| player.beat(if n == 0 { 0 } else { 10 * SECOND }, 50 * HOUR - n * 10 * SECOND));
    app.send(&ada, beats.collect()).await;
    assert_eq!(packs(&app).await, 0);
    assert_eq!(watched(&app, ada.uid(), everything).await["total"], 380_000);
    assert_eq!(app.analytics.verify().await.unwrap(), []);
    app.analytics.pack_people().await.unwrap();
    assert_eq!(packs(&app).await, 0, "the period was packed, and is not looked through again");
    app.http.settle().await;
}

#[tokio::test]
async fn a_recount_and_a_repair_make_packs_anew_and_a_withdrawal_leaves_none() {
    let app = test_app().await;
    let everything = one_pack(&app).await;
    let ada = app.http.person("ada@example.com").await;
    let before = watched(&app, ada.uid(), everything).await;
    let found = app.analytics.recount(app.org.uid).await.unwrap();
    assert_eq!(found, Recounted { requests: 68, differences: 0 });
    assert_eq!((packs(&app).await, watched(&app, ada.uid(), everything).await), (0, before.clone()));
    app.analytics.pack_people().await.unwrap();
    assert_eq!((packs(&app).await, watched(&app, ada.uid(), everything).await), (1, before.clone()));
    for damage in [
        "UPDATE person_pack SET data = substr(data, 1, 90)",
        "UPDATE watch_person SET views = views + 1 WHERE hour = (SELECT MIN(hour) FROM watch_person)",
        "DELETE FROM watch_person",
    ] {
        assert!(app.execute(damage).await > 0, "{damage}");
        let found = wrong_packs(&app).await;
        assert_eq!(found.len(), 1, "{damage}");
        app.analytics.repair(&found[0]).await.unwrap().unwrap();
        assert_eq!((packs(&app).await, wrong_packs(&app).await), (0, vec![]), "{damage}");
        app.analytics.recount(app.org.uid).await.unwrap();
        assert_eq!(watched(&app, ada.uid(), everything).await, before, "{damage}");
        app.analytics.pack_people().await.unwrap();
        assert_eq!(packs(&app).await, 1, "{damage}");
    }
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    assert_eq!(packs(&app).await, 0);
    app.http.settle().await;
}

#[tokio::test]
async fn what_is_packed_by_a_clock_that_was_ahead_is_not_read() {
    let app = test_app().await;
    app.joined("ada@example.com", true).await;
    watch_hours(&app, "ada@example.com", 34).await;
    app.http.clock.advance(40 * DAY);
    app.analytics.pack_people().await.unwrap();
    assert_eq!(packs(&app).await, 1);
    app.http.clock.advance(HOUR - 40 * DAY);
    let ada = app.http.person("ada@example.com").await;
    app.player(&ada).watch(20).await;
    let everything = (time("2026-11-01T00:00:00Z"), time("2027-03-01T00:00:00Z"));
    assert_eq!(watched(&app, ada.uid(), everything).await["total"], 360_000);
    app.analytics.pack_people().await.unwrap();
    assert_eq!(packs(&app).await, 0, "the period is not over");
    app.http.clock.advance(40 * DAY);
    app.analytics.pack_people().await.unwrap();
    assert_eq!((packs(&app).await, wrong_packs(&app).await), (1, vec![]));
    let ada = app.http.person("ada@example.com").await;
    assert_eq!(watched(&app, ada.uid(), everything).await["total"], 360_000);
    app.http.settle().await;
}
