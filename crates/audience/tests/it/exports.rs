//! The CSV file of an organisation's people.

use kernel::DAY;
use orgs::Role;
use serde_json::json;
use testkit::Client;

use crate::{joined, public_org, test_app};

const HEADER: &str = "\u{feff}\"User type\",\"Time joined (if staff)\",\"Staff role\",\"Time (consent)\",\"First Name\",\"Last Name\",\
    \"Display Name\",\"Email\",\"Phone Number\",\"Country Code\",\"Company\",\"Job Title\",\"Business Area\"";

/// Returns the lines of an export.
async fn lines(client: &Client, path: &str) -> Vec<String> {
    let response = client.get(path).await;
    assert_eq!(response.status, 200, "{path}");
    assert_eq!(response.headers["content-type"], "text/csv; charset=utf-8");
    let text = String::from_utf8(response.bytes).unwrap();
    assert!(text.ends_with("\r\n"));
    text.trim_end().split("\r\n").map(str::to_owned).collect()
}

#[tokio::test]
async fn each_person_is_one_row_with_the_columns_of_the_header() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    let user = json!({"displayName": "=1+1", "firstName": "Ada \"A\"", "lastName": "x;=2", "company": "Engines, Ltd",
        "phoneNumber": "+44 20 7946 0958", "jobTitle": "Director", "businessArea": "Banking"});
    ada.patch("/v1/profiles", json!({"user": user})).await.expect(200);
    let path = format!("/v1/organizations/{}/users/export", org.uid);
    let all = lines(&admin, &path).await;
    assert_eq!(all[0], HEADER);
    assert_eq!(
        all[1],
        "\"User\",\"\",\"\",\"2026-11-20T08:00:00.000Z\",\"Ada \"\"A\"\"\",\"x;'=2\",\"'=1+1\",\"ada@example.com\",\
         \"+44 20 7946 0958\",\"+44\",\"Engines, Ltd\",\"Director\",\"Banking\""
    );
    let staff = all.iter().find(|line| line.contains("Account admin")).unwrap();
    assert!(staff.starts_with("\"Staff\",\"2026-11-20T08:00:00.000Z\",\"Account admin\",\"\","), "{staff}");
    let people = admin.get(&format!("/v1/organizations/{}/users", org.uid)).await.expect(200);
    assert_eq!(people["total"], all.len() - 1);

    let log =
        admin.get(&format!("/v1/organizations/{}/audit?action=organization.peopleExported", org.uid)).await;
    let log = log.expect(200)["data"].clone();
    assert_eq!(
        (log.as_array().unwrap().len(), &log[0]["actor"]["userId"]),
        (1, &json!(admin.uid().to_string()))
    );
    app.settle().await;
}

#[tokio::test]
async fn the_filters_choose_new_people_and_people_who_consent() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    joined(&app, &link, "old@example.com", true).await;
    joined(&app, &link, "left@example.com", true).await;
    app.clock.advance(8 * DAY);
    joined(&app, &link, "no@example.com", false).await;
    // Leaving is an answer, too, but makes no one new.
    let left = app.person("left@example.com").await;
    left.delete(&format!("/v1/organizations/{}/users/me", org.uid)).await.expect(204);
    let admin = app.member(org, Role::SuperAdmin).await;
    let path = format!("/v1/organizations/{}/users/export", org.uid);
    for (filter, with, without) in [
        ("all", vec!["old@example.com", "no@example.com"], vec![]),
        ("new", vec!["no@example.com"], vec!["old@example.com"]),
        ("gdpr", vec!["old@example.com"], vec!["no@example.com"]),
    ] {
        let text = lines(&admin, &format!("{path}?filter={filter}")).await.concat();
        assert!(with.iter().all(|email| text.contains(email)), "{filter}: {text}");
        assert!(!without.iter().any(|email| text.contains(email)), "{filter}: {text}");
    }
    let new = lines(&admin, &format!("{path}?filter=new")).await;
    assert_eq!(new.len(), 3, "the header, the admin, and one app user: {new:?}");
    admin.get(&format!("{path}?filter=cancel")).await.expect(400);
    app.settle().await;
}

#[tokio::test]
async fn people_who_left_without_consent_have_a_name_and_times() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let bob = joined(&app, &link, "bob@example.com", true).await;
    let user = json!({"displayName": "Bobby", "firstName": "Robert", "phoneNumber": "+44 20 7946 0958"});
    bob.patch("/v1/profiles", json!({"user": user})).await.expect(200);
    bob.delete(&format!("/v1/organizations/{}/users/me", org.uid)).await.expect(204);
    let admin = app.member(org, Role::SuperAdmin).await;
    let all = lines(&admin, &format!("/v1/organizations/{}/users/export", org.uid)).await;
    let row = all.iter().find(|line| line.contains("Bobby")).unwrap();
    assert_eq!(
        row,
        "\"User\",\"\",\"\",\"2026-11-20T08:00:00.000Z\",\"\",\"\",\"Bobby\",\"\",\"\",\"\",\"\",\"\",\"\""
    );
    app.settle().await;
}

#[tokio::test]
async fn an_export_is_for_account_admins_and_one_at_a_time() {
    let app = test_app().await;
    let (org, _) = public_org(&app, "Acme").await;
    let path = format!("/v1/organizations/{}/users/export", org.uid);
    app.anonymous().get(&path).await.expect(401);
    app.member(org, Role::Manager).await.get(&path).await.expect(403);
    let other = app.org("Other").await;
    app.member(other, Role::SuperAdmin).await.get(&path).await.expect(404);
    let admin = app.member(org, Role::SuperAdmin).await;
    let running = admin.get_stream(&path).await;
    assert_eq!(admin.get(&path).await.expect(409)["code"], "export_running");
    assert_eq!(lines(&app.member(org, Role::AccountAdmin).await, &path).await[0], HEADER);
    drop(running);
    assert_eq!(lines(&admin, &path).await[0], HEADER);
    app.settle().await;
}
