//! The CSV file of an organisation's leads.

use kernel::MINUTE;
use orgs::Role;
use serde_json::json;
use testkit::Client;

use crate::{TestApp, test_app};

const HEADER: &str = "\u{feff}\"User Id\",\"Temperature\",\"First Name\",\"Last Name\",\"Display Name\",\"Country\",\
    \"Email\",\"Phone Number\",\"Company\",\"Job Title\",\"Business Area\"";

fn path(app: &TestApp) -> String {
    format!("/v1/analytics/leads/export?orgId={}", app.org.uid)
}

/// Returns the lines of an export.
async fn lines(client: &Client, path: &str) -> Vec<String> {
    let response = client.get(path).await;
    assert_eq!(response.status, 200, "{path}");
    assert_eq!(response.headers["content-type"], "text/csv; charset=utf-8");
    assert_eq!(response.headers["content-disposition"], "attachment; filename=\"vitrine-leads.csv\"");
    let text = String::from_utf8(response.bytes).unwrap();
    assert!(text.ends_with("\r\n"));
    text.trim_end().split("\r\n").map(str::to_owned).collect()
}

/// Creates a lead by interactions of these kinds.
async fn lead(app: &TestApp, email: &str, kinds: &[&str]) -> Client {
    let person = app.joined(email, true).await;
    let events = kinds.iter().map(|kind| app.interaction(kind)).collect();
    app.send(&person, events).await;
    person
}

#[tokio::test]
async fn each_lead_is_one_row_with_the_columns_of_the_header() {
    let app = test_app().await;
    let ada = lead(&app, "ada@example.com", &["contact"]).await;
    let user = json!({"displayName": "=1+1", "firstName": "Ada \"A\"", "lastName": "x;=2", "country": "GB",
        "company": "Engines, Ltd", "phoneNumber": "+44 20 7946 0958", "jobTitle": "Director",
        "businessArea": "Banking"});
    ada.patch("/v1/profiles", json!({"user": user})).await.expect(200);
    let bob = lead(&app, "bob@example.com", &["visit"]).await;
    let staff = app.http.member(app.org, Role::TeamUser).await;
    assert_eq!(
        lines(&staff, &path(&app)).await,
        [
            HEADER.to_owned(),
            format!(
                "\"{}\",\"warm\",\"Ada \"\"A\"\"\",\"x;'=2\",\"'=1+1\",\"United Kingdom\",\"ada@example.com\",\
                 \"+44 20 7946 0958\",\"Engines, Ltd\",\"Director\",\"Banking\"",
                ada.uid()
            ),
            format!("\"{}\",\"cold\",\"\",\"\",\"\",\"\",\"bob@example.com\",\"\",\"\",\"\",\"\"", bob.uid()),
        ]
    );
    app.http.settle().await;
}

#[tokio::test]
async fn the_highest_score_comes_first_and_only_current_leads_are_in_the_file() {
    let app = test_app().await;
    let cold = lead(&app, "cold@example.com", &["visit"]).await;
    let withdrawn = lead(&app, "withdrawn@example.com", &["contact"]).await;
    let left = lead(&app, "left@example.com", &["contact"]).await;
    let warm = lead(&app, "warm@example.com", &["contact"]).await;
    let hot = lead(&app, "hot@example.com", &["contact", "download"]).await;
    app.watch(&hot, app.videos[1], 20 * MINUTE).await;
    let silent = app.joined("silent@example.com", false).await;
    app.send(&silent, vec![app.interaction("contact")]).await;
    let me = format!("/v1/organizations/{}/users/me", app.org.uid);
    withdrawn.patch(&format!("{me}/consent"), json!({"consent": false})).await.expect(200);
    left.delete(&me).await.expect(204);
    let staff = app.http.member(app.org, Role::TeamUser).await;
    let file = lines(&staff, &path(&app)).await;
    let people: Vec<&str> = file[1..].iter().map(|line| line.split('"').nth(1).unwrap()).collect();
    assert_eq!(people, [&hot, &warm, &cold].map(|lead| lead.uid().to_string()));
    let listed = app.leads("").await;
    let listed: Vec<&str> =
        listed["data"].as_array().unwrap().iter().map(|lead| lead["userId"].as_str().unwrap()).collect();
    assert_eq!(people, listed, "the file has the order of the list");
    app.http.settle().await;
}

#[tokio::test]
async fn an_export_is_for_staff_of_the_organisation_one_at_a_time_and_in_the_audit_log() {
    let app = test_app().await;
    lead(&app, "ada@example.com", &["visit"]).await;
    let path = path(&app);
    app.http.anonymous().get(&path).await.expect(401);
    app.http.member(app.org, Role::User).await.get(&path).await.expect(403);
    let other = app.http.org("Other").await;
    let foreign = app.http.member(other, Role::SuperAdmin).await;
    foreign.get(&path).await.expect_error(404, "Organisation not found");
    foreign.get("/v1/analytics/leads/export").await.expect_error(400, "No orgId");
    let elsewhere = format!("/v1/analytics/leads/export?orgId={}", other.uid);
    assert_eq!(
        lines(&foreign, &elsewhere).await,
        [HEADER],
        "leads of another organisation are not in the file"
    );
    let staff = app.http.member(app.org, Role::TeamUser).await;
    let running = staff.get_stream(&path).await;
    assert_eq!(staff.get(&path).await.expect(409)["code"], "export_running");
    drop(running);
    assert_eq!(lines(&staff, &path).await.len(), 2);
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let log = format!("/v1/organizations/{}/audit?action=organization.leadsExported", app.org.uid);
    let log = admin.get(&log).await.expect(200)["data"].clone();
    let actors: Vec<&str> =
        log.as_array().unwrap().iter().map(|entry| entry["actor"]["userId"].as_str().unwrap()).collect();
    // Two exports began; the one that was refused is not an export.
    assert_eq!(actors, vec![staff.uid().to_string(); 2]);
    app.http.settle().await;
}
