//! The range of a report and the one before it.

use kernel::{HOUR, SECOND};
use orgs::Role;
use serde_json::json;

use crate::test_app;

#[tokio::test]
async fn a_view_and_its_viewer_are_in_the_range_in_which_it_began() {
    let app = test_app().await;
    app.http.clock.advance(16 * HOUR - 5 * SECOND);
    let ada = app.joined("ada@example.com", true).await;
    // From five seconds before midnight.
    app.player(&ada).watch(30).await;
    let staff = app.staff(Role::TeamUser).await;
    for recounted in [false, true] {
        if recounted {
            assert_eq!(app.analytics.recount(app.org.uid).await.unwrap().differences, 0);
        }
        let (evening, morning) = ("2026-11-20", "2026-11-21");
        for (start, end, count) in [(evening, morning, 1), (morning, "2026-11-22", 0)] {
            let path = format!(
                "/v1/analytics/content/{}?startTime={start}T00:00:00Z&endTime={end}T00:00:00Z",
                app.video
            );
            let report = staff.get(&path).await.expect(200);
            assert_eq!((&report["views"], &report["uniques"]), (&json!(count), &json!(count)), "{start}");
        }
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_view_during_which_the_person_consents_is_named_from_then_on() {
    let app = test_app().await;
    app.http.clock.advance(16 * HOUR - 5 * SECOND);
    let ada = app.joined("ada@example.com", false).await;
    let mut player = app.player(&ada);
    player.watch(5).await;
    app.http.clock.advance(SECOND);
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    ada.patch(&mine, testkit::answer(true)).await.expect(200);
    player.watch(20).await;
    let staff = app.staff(Role::TeamUser).await;
    let views = async |start: &str, end: &str, of: &str| {
        let range = format!("startTime={start}T00:00:00Z&endTime={end}T00:00:00Z");
        staff.get(&format!("/v1/analytics/{of}{range}")).await.expect(200)
    };
    let (of_item, of_ada) =
        (format!("content/{}?", app.video), format!("views?orgId={}&userId={}&", app.org.uid, ada.uid()));
    for (start, end, count) in [("2026-11-20", "2026-11-21", 0), ("2026-11-21", "2026-11-22", 1)] {
        assert_eq!(views(start, end, &of_item).await["views"], count, "{start}");
        assert_eq!(views(start, end, &of_ada).await["total"], count, "{start}");
    }
    assert_eq!(app.analytics.recount(app.org.uid).await.unwrap().differences, 0);
    app.http.settle().await;
}

#[tokio::test]
async fn the_range_before_is_told_apart_wherever_the_range_begins() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    // At eight o'clock on the twentieth.
    app.player(&ada).watch(65).await;
    let admin = app.staff(Role::AccountAdmin).await;
    let (one, none) = (json!({"views": 1, "watchTimeMs": 65_000}), json!({"views": 0, "watchTimeMs": 0}));
    for zone in ["UTC", "Asia/Kolkata"] {
        let zone = json!({"organisation": {"timeZone": zone}});
        admin.patch(&format!("/v1/organizations/{}", app.org.uid), zone).await.expect(200);
        for (start, end, shown, before) in [
            ("2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z", &none, &one),
            ("2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z", &one, &none),
            ("2026-11-20T18:30:00Z", "2026-11-21T18:30:00Z", &none, &one),
            ("2026-11-20T12:00:00Z", "2026-11-21T12:00:00Z", &none, &one),
            ("2026-11-20T07:00:00Z", "2026-11-21T07:00:00Z", &one, &none),
            ("2026-11-20T09:00:00Z", "2026-11-20T10:00:00Z", &none, &one),
        ] {
            for path in [
                format!("/v1/analytics/overview?orgId={}&", app.org.uid),
                format!("/v1/analytics/content/{}?", app.video),
                format!("/v1/analytics/playlists/{}?", app.playlist),
            ] {
                let path = format!("{path}startTime={start}&endTime={end}");
                let report = admin.get(&path).await.expect(200);
                let sum = json!({"views": report["views"], "watchTimeMs": report["watchTimeMs"]});
                assert_eq!((&sum, &report["previous"]), (shown, before), "{path}");
            }
        }
    }
    app.http.settle().await;
}
