//! Who may read the numbers, and with which parameters.

use kernel::{HOUR, MINUTE, SECOND};
use orgs::Role;
use serde_json::{Value, json};

use crate::test_app;

#[tokio::test]
async fn numbers_are_readable_by_the_staff_of_the_organisation() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let (org, person) = (app.org.uid, ada.uid());
    let range = "startTime=2026-11-01T00:00:00Z&endTime=2026-11-21T00:00:00Z";
    let paths = [
        format!("/v1/organizations/{org}/dashboard"),
        format!("/v1/analytics/watch_time?orgId={org}&{range}"),
        format!("/v1/analytics/views?orgId={org}&userId={person}&{range}"),
        format!("/v1/analytics/visits?orgId={org}&userId={person}&{range}"),
        format!(
            "/v1/analytics/users/{person}?orgId={org}&startDate=2026-11-01T00:00:00Z&endDate=2026-11-21T00:00:00Z"
        ),
        format!(
            "/v1/organizations/{org}/users/{person}/history?timeStart=2026-11-01T00:00:00Z&timeEnd=2026-11-21T00:00:00Z"
        ),
    ];
    let other = app.http.org("Other").await;
    let foreign = app.http.member(other, Role::SuperAdmin).await;
    for path in &paths {
        app.http.anonymous().get(path).await.expect(401);
        ada.get(path).await.expect_error(403, "You do not have permission to do this.");
        foreign.get(path).await.expect_error(404, "Organisation not found");
        for role in [Role::TeamUser, Role::TeamLeader, Role::Manager, Role::AccountAdmin, Role::SuperAdmin] {
            app.staff(role).await.get(path).await.expect(200);
        }
    }
    // A person of another organisation is unknown here.
    let staff = app.staff(Role::TeamUser).await;
    for path in &paths[2..] {
        let path = path.replace(&person.to_string(), &foreign.uid().to_string());
        staff.get(&path).await.expect_error(404, "User not found");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn invalid_parameters_name_their_field() {
    let app = test_app().await;
    let staff = app.staff(Role::TeamUser).await;
    let org = app.org.uid;
    let field = async |path: String| -> Value { staff.get(&path).await.expect(400)["fields"].clone() };
    let ok = format!("orgId={org}&startTime=2026-11-01T00:00:00Z&endTime=2026-11-21T00:00:00Z");
    for (path, name) in [
        ("/v1/analytics/watch_time?startTime=2026-11-01T00:00:00Z".to_owned(), "orgId"),
        (format!("/v1/analytics/watch_time?orgId={org}&endTime=2026-11-01T00:00:00Z"), "startTime"),
        (format!("/v1/analytics/watch_time?orgId={org}&startTime=2026-11-01T00:00:00Z&endTime=x"), "endTime"),
        (format!("/v1/analytics/watch_time?{ok}&userId=me"), "userId"),
        (format!("/v1/analytics/views?{ok}"), "userId"),
        (format!("/v1/analytics/visits?{ok}"), "userId"),
        (
            format!(
                "/v1/analytics/watch_time?orgId={org}&startTime=2025-11-01T00:00:00Z&endTime=2026-11-21T00:00:00Z"
            ),
            "endTime",
        ),
    ] {
        assert!(field(path.clone()).await.get(name).is_some(), "{path}");
    }
    staff.get(&format!("/v1/analytics/watch_time?{ok}&unit=decades")).await.expect(400);
    app.http.settle().await;
}

#[tokio::test]
async fn days_follow_the_time_zone_of_the_organisation() {
    let app = test_app().await;
    let admin = app.staff(Role::AccountAdmin).await;
    let zone = json!({"organisation": {"timeZone": "Asia/Kolkata"}});
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), zone).await.expect(200);
    app.joined("ada@example.com", true).await;
    // Twenty to midnight in London is past five in the morning in Kolkata.
    app.http.clock.advance(10 * HOUR + 40 * MINUTE);
    let ada = app.http.person("ada@example.com").await;
    app.player(&ada).watch(60).await;
    let staff = app.staff(Role::TeamUser).await;
    let read = async |tz: &str| {
        let (start, end) = ("2026-11-19T18:30:00Z", "2026-11-21T18:30:00Z");
        let path =
            format!("/v1/analytics/watch_time?orgId={}&startTime={start}&endTime={end}&tz={tz}", app.org.uid);
        staff.get(&path).await.expect(200)
    };
    let series = read("").await;
    assert_eq!(
        series["data"],
        json!([
            {"time": "2026-11-19T18:30:00.000Z", "value": 0},
            {"time": "2026-11-20T18:30:00.000Z", "value": 60_000},
        ])
    );
    assert_eq!(series["timeZone"], "Asia/Kolkata");
    assert_eq!(read("UTC").await, series, "a zone that the client names is ignored");
    app.http.settle().await;
}

/// Returns the path of a report over three days.
fn report(path: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}startTime=2026-11-19T00:00:00Z&endTime=2026-11-22T00:00:00Z")
}

#[tokio::test]
async fn an_overview_has_sums_days_and_what_was_watched_most() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(65).await;
    app.execute("UPDATE content SET preview = '/shot'").await;
    let staff = app.staff(Role::TeamUser).await;
    let overview =
        staff.get(&report(&format!("/v1/analytics/overview?orgId={}", app.org.uid))).await.expect(200);
    assert_eq!(overview["timeZone"], "UTC");
    assert_eq!((&overview["views"], &overview["watchTimeMs"]), (&json!(1), &json!(65_000)));
    assert_eq!(overview["previous"], json!({"views": 0, "watchTimeMs": 0}));
    assert_eq!(overview["lateWatchTimeMs"], 0);
    let day = |day: &str, views: i64, watch: i64| json!({"time": format!("2026-11-{day}T00:00:00.000Z"), "views": views, "watchTimeMs": watch});
    assert_eq!(overview["days"], json!([day("19", 0, 0), day("20", 1, 65_000), day("21", 0, 0)]));
    let image = "http://vitrine.test/shot";
    let item = json!({
        "id": app.video, "title": "A video", "previewUrl": image, "kind": "embed", "durationMs": null,
        "waveformUrl": "", "views": 1, "watchTimeMs": 65_000,
    });
    assert_eq!(overview["topContent"], json!([item]));
    let playlist = json!({
        "id": app.playlist, "title": "Videos", "previewUrl": "", "itemPreviews": [image], "views": 1,
        "watchTimeMs": 65_000,
    });
    assert_eq!(overview["topPlaylists"], json!([playlist]));
    // The twentieth is a Friday.
    assert_eq!(overview["hours"], json!([{"weekday": 4, "hour": 8, "watchTimeMs": 65_000}]));
    app.http.settle().await;
}

#[tokio::test]
async fn late_watch_time_counts_and_is_summed_apart() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let mut player = app.player(&ada);
    let first = player.beat(0, 0);
    app.http.clock.advance(10 * SECOND);
    let second = player.beat(10 * SECOND, 0);
    app.http.clock.advance(11 * MINUTE);
    app.send(&ada, vec![first, second]).await;
    app.player(&ada).watch(20).await;
    let staff = app.staff(Role::TeamUser).await;
    let overview =
        staff.get(&report(&format!("/v1/analytics/overview?orgId={}", app.org.uid))).await.expect(200);
    assert_eq!((&overview["watchTimeMs"], &overview["lateWatchTimeMs"]), (&json!(30_000), &json!(10_000)));
    app.http.settle().await;
}

#[tokio::test]
async fn views_that_do_not_count_are_listed_by_reason() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(20).await;
    app.player(&ada).watch(20).await;
    app.player(&ada).watch(5).await;
    let staff = app.staff(Role::TeamLeader).await;
    app.player(&staff).watch(20).await;
    let verdicts =
        staff.get(&report(&format!("/v1/analytics/verdicts?orgId={}", app.org.uid))).await.expect(200);
    assert_eq!(verdicts["counted"], 1);
    let one = |reason: &str| json!({"reason": reason, "views": 1});
    let mut reasons = verdicts["notCounted"].as_array().unwrap().clone();
    reasons.sort_by_key(|row| row["reason"].to_string());
    assert_eq!(reasons, [one("duplicate"), one("staff"), one("tooShort")]);
    app.http.settle().await;
}

#[tokio::test]
async fn a_person_has_at_most_two_hours_in_an_hour() {
    let app = test_app().await;
    app.joined("ada@example.com", true).await;
    app.http.clock.advance(2 * HOUR + 30 * MINUTE);
    let ada = app.http.person("ada@example.com").await;
    // Fifty players at once report the same five minutes.
    for _ in 0..50 {
        let mut player = app.player(&ada);
        let beats: Vec<_> = (0..=10)
            .map(|n| player.beat(if n == 0 { 0 } else { 30 * SECOND }, (10 - n) * 30 * SECOND))
            .collect();
        app.send(&ada, beats).await;
    }
    assert_eq!(app.totals().await.1, 2 * HOUR);
    let staff = app.staff(Role::TeamUser).await;
    let verdicts =
        staff.get(&report(&format!("/v1/analytics/verdicts?orgId={}", app.org.uid))).await.expect(200);
    let cap = verdicts["notCounted"].as_array().unwrap().iter().find(|row| row["reason"] == "cap").unwrap();
    assert_eq!((&cap["views"], &cap["watchTimeMs"]), (&json!(0), &json!(50 * 300_000 - 2 * HOUR)));
    app.http.settle().await;
}

#[tokio::test]
async fn a_content_item_shows_its_audience() {
    let app = test_app().await;
    app.set_content("duration", 100_000_i64.into()).await;
    for n in 0..3 {
        let person = app.joined(&format!("person{n}@example.com"), n > 0).await;
        app.player(&person).watch(if n == 0 { 100 } else { 20 }).await;
    }
    let staff = app.staff(Role::TeamUser).await;
    let path = report(&format!("/v1/analytics/content/{}", app.video));
    let item = staff.get(&path).await.expect(200);
    assert_eq!(
        (&item["title"], &item["kind"], &item["durationMs"]),
        (&json!("A video"), &json!("embed"), &json!(100_000))
    );
    assert_eq!(
        (&item["views"], &item["uniques"], &item["watchTimeMs"]),
        (&json!(3), &json!(3), &json!(140_000))
    );
    assert!((item["finishRate"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-9);
    assert!((item["averageShare"].as_f64().unwrap() - 1.4 / 3.0).abs() < 0.01);
    let retention = item["retention"].as_array().unwrap();
    assert_eq!(
        (retention.len(), &retention[0]["people"], &retention[90]["plays"]),
        (100, &json!(3), &json!(1))
    );
    assert_eq!(item["devices"], json!([{"name": "other", "people": 3}]));
    assert_eq!(item["countries"], json!([]));
    let playlist = staff.get(&report(&format!("/v1/analytics/playlists/{}", app.playlist))).await.expect(200);
    assert_eq!(
        (&playlist["title"], &playlist["views"], &playlist["uniques"]),
        (&json!("Videos"), &json!(3), &json!(3))
    );
    let mut listed = playlist["content"][0].clone();
    assert!(listed["finishRate"].take().is_number());
    let numbers = json!({
        "id": app.video, "title": "A video", "previewUrl": "", "kind": "embed", "durationMs": 100_000,
        "waveformUrl": "", "views": 3, "watchTimeMs": 140_000, "finishRate": null,
    });
    assert_eq!(listed, numbers);
    let other = app.http.org("Other").await;
    let foreign = app.http.member(other, Role::SuperAdmin).await;
    foreign.get(&path).await.expect_error(404, "Content not found");
    foreign
        .get(&report(&format!("/v1/analytics/playlists/{}", app.playlist)))
        .await
        .expect_error(404, "Playlist not found");
    let ada = app.joined("ada@example.com", true).await;
    ada.get(&path).await.expect(403);
    app.http.settle().await;
}

#[tokio::test]
async fn recent_activity_names_only_people_who_consent() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let bob = app.joined("bob@example.com", false).await;
    app.player(&ada).watch(20).await;
    app.player(&bob).watch(20).await;
    let staff = app.staff(Role::TeamUser).await;
    let path = format!("/v1/analytics/activity?orgId={}", app.org.uid);
    let activity = staff.get(&path).await.expect(200)["data"].as_array().unwrap().clone();
    assert_eq!(activity.len(), 2, "a visit and a view");
    assert!(activity.iter().all(|entry| entry["userId"] == ada.uid().to_string()));
    let view = activity.iter().find(|entry| entry["type"] == "view").unwrap();
    assert_eq!((&view["contentTitle"], &view["playlistTitle"]), (&json!("A video"), &json!("Videos")));
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    assert_eq!(staff.get(&path).await.expect(200)["data"], json!([]));
    app.http.settle().await;
}

#[tokio::test]
async fn deleted_content_leaves_the_grid_and_stays_in_the_totals() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(30).await;
    let leader = app.staff(Role::TeamLeader).await;
    leader.delete(&format!("/v1/playlists/{}", app.playlist)).await.expect(204);
    leader.delete(&format!("/v1/content/{}", app.video)).await.expect(204);
    let dashboard = app.dashboard().await;
    assert_eq!(dashboard["totalStats"], json!({"views": 1, "watchTimeMs": 30_000}));
    for list in ["popularContent", "playlists", "content"] {
        assert_eq!(dashboard[list], json!([]), "{list}");
    }
    app.http.settle().await;
}
