//! Who may read the numbers, and with which parameters.

use kernel::HOUR;
use orgs::Role;
use serde_json::{Value, json};

use crate::stage;

#[tokio::test]
async fn numbers_open_for_the_staff_of_the_organisation() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    let (org, person) = (stage.org.uid, ada.uid());
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
    let other = stage.app.org("Other").await;
    let foreign = stage.app.member(other, Role::SuperAdmin).await;
    for path in &paths {
        stage.app.anonymous().get(path).await.expect(401);
        ada.get(path).await.refuse(403, "You do not have permission to do this.");
        foreign.get(path).await.refuse(404, "Organisation not found");
        for role in [Role::TeamUser, Role::TeamLeader, Role::Manager, Role::AccountAdmin, Role::SuperAdmin] {
            stage.staff(role).await.get(path).await.expect(200);
        }
    }
    // A person of another organisation is unknown here.
    let staff = stage.staff(Role::TeamUser).await;
    for path in &paths[2..] {
        let path = path.replace(&person.to_string(), &foreign.uid().to_string());
        staff.get(&path).await.refuse(404, "User not found");
    }
    stage.app.settle().await;
}

#[tokio::test]
async fn parameters_that_make_no_sense_name_their_field() {
    let stage = stage().await;
    let staff = stage.staff(Role::TeamUser).await;
    let org = stage.org.uid;
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
    stage.app.settle().await;
}

#[tokio::test]
async fn days_are_those_of_the_time_zone_asked_for() {
    let stage = stage().await;
    stage.joined("ada@example.com", true).await;
    // Half past three in the afternoon in London is past midnight in Tokyo.
    stage.app.clock.pass(7 * HOUR + HOUR / 2);
    let ada = stage.app.person("ada@example.com").await;
    stage.player(&ada).watch(60).await;
    let staff = stage.staff(Role::TeamUser).await;
    let read = async |start: &str, end: &str, tz: &str| {
        let path = format!(
            "/v1/analytics/watch_time?orgId={}&startTime={start}&endTime={end}&tz={tz}",
            stage.org.uid
        );
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
    stage.app.settle().await;
}

#[tokio::test]
async fn deleted_content_leaves_the_grid_and_stays_in_the_totals() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.player(&ada).watch(30).await;
    let leader = stage.staff(Role::TeamLeader).await;
    leader.delete(&format!("/v1/playlists/{}", stage.playlist)).await.expect(204);
    leader.delete(&format!("/v1/content/{}", stage.film)).await.expect(204);
    let dashboard = stage.dashboard().await;
    assert_eq!(dashboard["totalStats"], json!({"views": 1, "watchTimeMs": 30_000}));
    for list in ["popularContent", "playlists", "content"] {
        assert_eq!(dashboard[list], json!([]), "{list}");
    }
    stage.app.settle().await;
}
