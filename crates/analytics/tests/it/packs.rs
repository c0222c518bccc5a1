//! Reports about audiences say the same whether views are packed or not.

use kernel::{DAY, HOUR, SECOND};
use orgs::Role;
use serde_json::{Value, json};

use crate::recount::live_through_a_history;
use crate::{TestApp, test_app};

/// Returns what is known about the audiences of the video and the playlist, in whole weeks and parts of them.
pub async fn audiences(app: &TestApp) -> Vec<Value> {
    let staff = app.staff(Role::TeamUser).await;
    let mut all = Vec::new();
    let ranges = [
        ("11-01T00", "11-30T00"),
        ("11-19T00", "11-26T00"),
        ("11-21T07", "11-22T13"),
        ("11-22T00", "11-28T00"),
        ("11-25T00", "11-29T00"),
        ("11-01T00", "12-31T00"),
        ("12-01T05", "12-20T00"),
    ];
    for (start, end) in ranges {
        let range = format!("startTime=2026-{start}:00:00Z&endTime=2026-{end}:00:00Z");
        for path in [
            format!("/v1/analytics/content/{}?{range}", app.video),
            format!("/v1/analytics/playlists/{}?{range}", app.playlist),
        ] {
            all.push(staff.get(&path).await.expect(200));
        }
    }
    all
}

/// Returns what is read without packs, and fails unless it is the same as with them.
pub async fn same_without_packs(app: &TestApp, what: &str) {
    let packed = audiences(app).await;
    assert_eq!(app.analytics.verify().await.unwrap(), [], "{what}");
    let (packs, unpacked) =
        (app.execute("DELETE FROM view_pack").await, "SELECT COUNT(*) FROM view_unpacked");
    let before = app.count(unpacked).await;
    let found = app.analytics.verify().await.unwrap();
    assert_eq!(found.iter().any(|one| one.check == "view_pack"), packs > 0, "{what}: {found:?}");
    for finding in found.iter().filter(|one| one.check == "view_pack") {
        app.analytics.repair(finding).await.unwrap().unwrap();
    }
    assert_eq!(app.count(unpacked).await > before, packs > 0, "{what}");
    assert_eq!(app.analytics.verify().await.unwrap(), [], "{what}");
    assert_eq!(audiences(app).await, packed, "{what}");
    app.analytics.pack_views().await.unwrap();
    assert_eq!(audiences(app).await, packed, "{what}, packed again");
}

/// Returns how many days are read from their views.
pub async fn unpacked(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM view_unpacked").await
}

pub async fn packs(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM view_pack").await
}

#[tokio::test]
async fn audiences_are_the_same_after_any_history() {
    for seed in 11..=14 {
        let app = test_app().await;
        // With a length, so that there is a retention curve.
        app.set_content("duration_ms", 60_000.into()).await;
        live_through_a_history(&app, seed).await;
        app.execute("UPDATE viewing SET device = 'tv', country = 'DE' WHERE credit_ms < 20000").await;
        let before = audiences(&app).await;
        app.analytics.pack_views().await.unwrap();
        assert_eq!(audiences(&app).await, before, "{seed}, today is not packed");
        app.http.clock.advance(5 * DAY + 2 * HOUR);
        app.analytics.pack_views().await.unwrap();
        assert!(packs(&app).await > 1, "{seed}");
        assert_eq!(unpacked(&app).await, 0, "{seed}");
        assert_eq!(audiences(&app).await, before, "{seed}");
        same_without_packs(&app, &format!("history {seed}")).await;
        app.http.settle().await;
    }
}

#[tokio::test]
async fn a_late_view_unpacks_its_day_and_a_withdrawal_its_weeks() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.joined("bob@example.com", true).await;
    app.player(&ada).watch(40).await;
    // To the second day of the week after the next one, in which the first one may be packed.
    app.http.clock.advance(7 * DAY - 7 * HOUR);
    let bob = app.http.person("bob@example.com").await;
    app.player(&bob).watch(20).await;
    app.analytics.pack_views().await.unwrap();
    assert_eq!(packs(&app).await, 2, "the item and the playlist");
    let before = audiences(&app).await;
    assert_eq!(before[0]["uniques"], 2);
    // Of the day before yesterday, which is in the week that is packed.
    let mut player = app.player(&bob);
    let ago = 50 * HOUR;
    let beats =
        (0..4).map(|n| player.beat(if n == 0 { 0 } else { 10 * SECOND }, ago - n * 10 * SECOND)).collect();
    app.send(&bob, beats).await;
    assert_eq!((packs(&app).await, unpacked(&app).await), (2, 4), "today, and the day of the late view");
    let with_late = audiences(&app).await;
    assert_eq!(
        (&with_late[2]["uniques"], &with_late[2]["views"]),
        (&json!(2), &json!(2)),
        "{}",
        with_late[2]
    );
    app.analytics.pack_views().await.unwrap();
    assert_eq!((packs(&app).await, unpacked(&app).await), (2, 2), "only today");
    assert_eq!(audiences(&app).await, with_late);
    same_without_packs(&app, "a late view").await;
    let hex = match app.http.deps.db.engine() {
        db::Engine::Sqlite => {
            "SELECT COUNT(*) FROM view_pack p JOIN viewer_key k ON instr(p.data, substr(k.viewer, 9)) > 0"
        }
        db::Engine::Postgres => {
            "SELECT COUNT(*) FROM view_pack p JOIN viewer_key k ON position(substring(uuid_send(k.viewer) FROM 9) IN p.data) > 0"
        }
    };
    assert_eq!(app.count(hex).await, 4, "both people are in both packs");
    let names = "SELECT COUNT(*) FROM viewer_key";
    assert_eq!(app.count(names).await, 2);
    app.execute("CREATE TABLE cut AS SELECT viewer FROM viewer_key").await;
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    let ada = app.http.person("ada@example.com").await;
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    assert_eq!(packs(&app).await, 0, "her name is in the packs");
    app.analytics.pack_views().await.unwrap();
    let hex = hex.replace("viewer_key", "cut").leak();
    assert_eq!(app.count(hex).await, 2, "only the other one is in the packs");
    same_without_packs(&app, "a withdrawal").await;
    app.execute("DROP TABLE cut").await;
    app.http.settle().await;
}

#[tokio::test]
async fn a_clock_that_was_ahead_counts_no_view_twice() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(40).await;
    app.http.clock.advance(9 * DAY);
    app.analytics.pack_views().await.unwrap();
    assert_eq!(packs(&app).await, 2, "the item and the playlist");
    app.http.clock.advance(2 * HOUR - 9 * DAY);
    app.player(&app.http.person("ada@example.com").await).watch(20).await;
    assert_eq!((packs(&app).await, unpacked(&app).await), (2, 2), "the day is not over");
    let range = "startTime=2026-11-01T00:00:00Z&endTime=2026-12-30T00:00:00Z";
    let staff = app.staff(Role::TeamUser).await;
    let item = staff.get(&format!("/v1/analytics/content/{}?{range}", app.video)).await.expect(200);
    assert_eq!((&item["views"], &item["uniques"]), (&json!(2), &json!(1)), "{item}");
    app.http.clock.advance(9 * DAY);
    app.analytics.pack_views().await.unwrap();
    assert_eq!(packs(&app).await, 2);
    same_without_packs(&app, "a clock that was ahead").await;
    app.http.settle().await;
}

#[tokio::test]
async fn a_view_that_cannot_be_read_keeps_only_its_day_unpacked_and_a_damaged_pack_is_found() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(40).await;
    app.execute("UPDATE viewing SET device = 'fridge'").await;
    app.http.clock.advance(7 * DAY);
    app.player(&app.http.person("ada@example.com").await).watch(40).await;
    app.http.clock.advance(9 * DAY);
    app.analytics.pack_views().await.unwrap_err();
    assert_eq!(packs(&app).await, 2, "the other week is packed");
    assert_eq!(unpacked(&app).await, 2);
    assert_eq!(app.analytics.verify().await.unwrap(), []);
    app.execute("UPDATE view_pack SET data = substr(data, 1, 5)").await;
    let found = app.analytics.verify().await.unwrap();
    assert_eq!(found.iter().map(|one| one.check.as_str()).collect::<Vec<_>>(), ["view_pack"; 2]);
    for finding in &found {
        app.analytics.repair(finding).await.unwrap().unwrap();
    }
    assert_eq!((packs(&app).await, app.analytics.verify().await.unwrap()), (0, vec![]));
    app.http.settle().await;
}
