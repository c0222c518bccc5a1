//! Profiles and staff of an organisation.

use orgs::Role;
use serde_json::json;

use super::test_app;

#[tokio::test]
async fn staff_see_app_users_and_only_team_leaders_see_staff() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let (user, leader) = (app.member(org, Role::User).await, app.member(org, Role::TeamLeader).await);
    let (team, foreign) = (app.member(org, Role::TeamUser).await, app.member(other, Role::User).await);
    let path =
        format!("/v1/profiles/{};{};{};nonsense?orgId={}", leader.uid(), foreign.uid(), user.uid(), org.uid);
    let uids = |json: serde_json::Value| -> Vec<String> {
        json["data"].as_array().unwrap().iter().map(|row| row["uid"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(uids(team.get(&path).await.expect(200)), [user.uid().to_string()]);
    assert_eq!(uids(leader.get(&path).await.expect(200)), [leader.uid().to_string(), user.uid().to_string()]);
    user.get(&path).await.expect(403);
    foreign.get(&path).await.expect(404);
    let escaped = path.replace(';', "%3B");
    assert_eq!(uids(leader.get(&escaped).await.expect(200)).len(), 2);
    app.settle().await;
}

#[tokio::test]
async fn a_request_without_ids_is_refused() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let refused = leader.get(&format!("/v1/profiles/;?orgId={}", org.uid)).await;
    refused.expect_error(400, "UsersService: must request at least one user.");
    leader.get(&format!("/v1/profiles/{}", leader.uid())).await.expect_error(400, "No orgId");
    leader.get(&format!("/v1/profiles/{}?orgId=", leader.uid())).await.expect_error(400, "No orgId");
    let without_ids = leader.get(&format!("/v1/profiles/?orgId={}", org.uid)).await;
    without_ids.expect_error(400, "UsersService: must request at least one user.");
    app.anonymous().get("/v1/profiles/").await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn the_staff_list_is_paged_and_omits_app_users() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    app.member(org, Role::User).await;
    app.member(org, Role::Manager).await;
    let path = format!("/v1/organizations/{}/users/staff", org.uid);
    let first = leader.get(&format!("{path}?limit=2")).await.expect(200)["data"].clone();
    assert_eq!(first[0]["role"], "manager");
    assert_eq!(first[1]["user"]["uid"], leader.uid().to_string());
    let after = first[1]["uid"].as_str().unwrap();
    let rest = leader.get(&format!("{path}?limit=2&startAfter={after}")).await.expect(200)["data"].clone();
    assert_eq!(rest.as_array().unwrap().len(), 1, "the founder");
    leader.get(&format!("{path}?startAfter=x")).await.expect(400);
    app.member(org, Role::TeamUser).await.get(&path).await.expect(403);
    app.settle().await;
}

#[tokio::test]
async fn new_people_are_counted_by_day_in_the_time_zone_of_the_organisation() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let zone = json!({ "organisation": { "timeZone": "Asia/Tokyo" } });
    admin.patch(&format!("/v1/organizations/{}", org.uid), zone).await.expect(200);
    // 2026-11-20T08:00Z is 17:00 in Tokyo; eight hours later it is the next day there.
    app.clock.advance(8 * kernel::HOUR);
    app.member(org, Role::User).await;
    app.clock.advance(kernel::DAY);
    app.member(org, Role::TeamUser).await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}/users/summary", org.uid);
    let range = "startTime=2026-11-20T15:00:00Z&endTime=2026-11-23T15:00:00Z";
    let answer = admin.get(&format!("{path}?{range}")).await.expect(200);
    let expected = json!({
        "timeZone": "Asia/Tokyo", "newPeople": 2, "previous": 2,
        "days": [
            { "time": "2026-11-20T15:00:00.000Z", "value": 1 },
            { "time": "2026-11-21T15:00:00.000Z", "value": 1 },
            { "time": "2026-11-22T15:00:00.000Z", "value": 0 },
        ],
    });
    assert_eq!(answer, expected, "founder and admin joined before");
    assert!(admin.get(&path).await.expect(400)["fields"]["startTime"].is_string());
    app.anonymous().get(&format!("{path}?{range}")).await.expect(401);
    app.member(org, Role::User).await.get(&format!("{path}?{range}")).await.expect(403);
    app.settle().await;
}
