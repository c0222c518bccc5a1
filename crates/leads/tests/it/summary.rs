//! New leads, and the hottest ones.

use kernel::DAY;
use orgs::Role;
use serde_json::{Value, json};

use crate::{TestApp, test_app};

async fn summary(app: &TestApp, range: &str) -> Value {
    let staff = app.http.member(app.org, Role::TeamUser).await;
    staff.get(&format!("/v1/analytics/leads/summary?orgId={}&{range}", app.org.uid)).await.expect(200)
}

#[tokio::test]
async fn new_leads_are_counted_by_day_in_the_zone_of_the_organisation_and_against_the_range_before() {
    let app = test_app().await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let zone = json!({"organisation": {"timeZone": "Asia/Tokyo"}});
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), zone).await.expect(200);
    // 2026-11-20T08:00Z is 17:00 in Tokyo; eight hours later it is the next day there.
    let mut left = Vec::new();
    for (n, pause) in [0, 8 * kernel::HOUR, DAY, DAY].into_iter().enumerate() {
        app.http.clock.advance(pause);
        let person = app.joined(&format!("person{n}@example.com"), true).await;
        app.send(&person, vec![app.interaction("visit")]).await;
        left.push(person);
    }
    let range = "startTime=2026-11-20T15:00:00Z&endTime=2026-11-23T15:00:00Z";
    let answer = summary(&app, range).await;
    assert_eq!(answer["timeZone"], "Asia/Tokyo");
    assert_eq!((answer["newLeads"].as_i64(), answer["previous"].as_i64()), (Some(3), Some(1)));
    assert_eq!(
        answer["days"],
        json!([
            {"time": "2026-11-20T15:00:00.000Z", "value": 1},
            {"time": "2026-11-21T15:00:00.000Z", "value": 1},
            {"time": "2026-11-22T15:00:00.000Z", "value": 1},
        ])
    );
    assert_eq!(answer["hot"], json!([]));
    let own = format!("/v1/organizations/{}/users/me", app.org.uid);
    left[3].delete(&own).await.expect(204);
    assert_eq!(summary(&app, range).await["newLeads"], 2, "people who left are cut from the numbers");
    app.http.settle().await;
}

#[tokio::test]
async fn the_hottest_leads_come_with_their_names() {
    let app = test_app().await;
    for n in 0..7 {
        let person = app.joined(&format!("person{n}@example.com"), true).await;
        let user = json!({"displayName": format!("Person {n}")});
        person.patch("/v1/profiles", json!({"user": user})).await.expect(200);
        app.send(&person, vec![app.interaction("contact"), app.interaction("download")]).await;
        for video in &app.videos[..if n == 6 { 5 } else { 4 }] {
            app.watch(&person, *video, 10 * kernel::SECOND).await;
        }
    }
    let range = "startTime=2026-11-20T00:00:00Z&endTime=2026-11-21T00:00:00Z";
    let answer = summary(&app, range).await;
    let hot = answer["hot"].as_array().unwrap();
    assert_eq!((hot.len(), hot[0]["displayName"].as_str()), (5, Some("Person 6")));
    assert!(hot[0]["score"].as_i64() > hot[1]["score"].as_i64() && hot[4]["temperature"] == "hot");
    app.http.settle().await;
}

#[tokio::test]
async fn a_summary_is_for_staff_and_needs_a_range() {
    let app = test_app().await;
    let range = "startTime=2026-11-20T00:00:00Z&endTime=2026-11-21T00:00:00Z";
    let path = format!("/v1/analytics/leads/summary?orgId={}&{range}", app.org.uid);
    app.http.anonymous().get(&path).await.expect(401);
    app.http.member(app.org, Role::User).await.get(&path).await.expect(403);
    let other = app.http.org("Other").await;
    app.http.member(other, Role::SuperAdmin).await.get(&path).await.expect(404);
    let staff = app.http.member(app.org, Role::TeamUser).await;
    let path = format!("/v1/analytics/leads/summary?orgId={}", app.org.uid);
    let field = |answer: Value| answer["fields"].as_object().unwrap().keys().next().cloned();
    assert_eq!(field(staff.get(&path).await.expect(400)).as_deref(), Some("startTime"));
    let empty = format!("{path}&startTime=2026-11-20T00:00:00Z&endTime=2026-11-20T00:00:00Z");
    assert_eq!(field(staff.get(&empty).await.expect(400)).as_deref(), Some("endTime"));
    app.http.settle().await;
}
