//! Who may read the numbers, and with which parameters.

use kernel::HOUR;
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
        (format!("/v1/analytics/watch_time?{ok}&tz=Mars/Olympus"), "tz"),
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
async fn days_follow_the_requested_time_zone() {
    let app = test_app().await;
    app.joined("ada@example.com", true).await;
    // Half past three in the afternoon in London is past midnight in Tokyo.
    app.http.clock.advance(7 * HOUR + HOUR / 2);
    let ada = app.http.person("ada@example.com").await;
    app.player(&ada).watch(60).await;
    let staff = app.staff(Role::TeamUser).await;
    let read = async |start: &str, end: &str, tz: &str| {
        let path =
            format!("/v1/analytics/watch_time?orgId={}&startTime={start}&endTime={end}&tz={tz}", app.org.uid);
        staff.get(&path).await.expect(200)["data"].clone()
    };
    assert_eq!(
        read("2026-11-19T15:00:00Z", "2026-11-21T15:00:00Z", "Asia/Tokyo").await,
        json!([
            {"time": "2026-11-19T15:00:00.000Z", "value": 0},
            {"time": "2026-11-20T15:00:00.000Z", "value": 60_000},
        ])
    );
    assert_eq!(
        read("2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z", "UTC").await,
        json!([{"time": "2026-11-20T00:00:00.000Z", "value": 60_000}])
    );
    // Without a request, they follow the organisation's.
    let admin = app.staff(Role::AccountAdmin).await;
    let zone = json!({"organisation": {"timeZone": "Asia/Tokyo"}});
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), zone).await.expect(200);
    let (start, end) = ("2026-11-19T15:00:00Z", "2026-11-21T15:00:00Z");
    assert_eq!(read(start, end, "").await, read(start, end, "Asia/Tokyo").await);
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
