//! A plan that allows no more app users.

use std::sync::Arc;

use kernel::{DAY, Email, MINUTE};
use orgs::Role;
use serde_json::json;
use testkit::{Setup, TestApp, TestSeats};

use crate::{public_org, test_app_with};

const FULL: &str = "This organisation cannot take more people right now.";

async fn mails(app: &TestApp, email: &str) -> usize {
    app.run_jobs().await;
    let sent = app.deps.mailer.sent(Email::parse(email).as_ref(), 10).await.unwrap();
    sent.iter().filter(|mail| mail.subject == "Acme has reached its app user limit").count()
}

#[tokio::test]
async fn a_full_organisation_takes_no_more_people_and_its_admins_are_notified_once_a_day() {
    let seats = TestSeats { app_users: Some(2), ..TestSeats::default() };
    let app = test_app_with(Setup::default().seats(Arc::new(seats))).await;
    let (org, link) = public_org(&app, "Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let consent = testkit::answer(true);
    let ada = app.person("ada@example.com").await;
    ada.post(&link, consent.clone()).await.expect(201);
    let invited = json!({ "userEmails": ["bea@example.com"], "role": "user" });
    leader.post(&format!("/v1/organizations/{}/invites", org.uid), invited).await.expect(200);

    // One person has joined, and the pending invitation counts as the second.
    let (cy, dan) = (app.person("cy@example.com").await, app.person("dan@example.com").await);
    for person in [&cy, &dan] {
        let refused = person.post(&link, consent.clone()).await;
        refused.expect_error(409, FULL);
        assert_eq!(refused.json()["code"], "organisation_full");
    }
    assert_eq!(cy.get("/v1/viewer/organizations").await.expect(200)["data"], json!([]));
    ada.post(&link, consent.clone()).await.expect(200);
    app.person("bea@example.com").await.post(&link, consent.clone()).await.expect(201);

    let admin = format!("accountadmin@{}.example.com", org.uid);
    assert_eq!(mails(&app, &admin).await, 1);
    app.clock.advance(DAY + MINUTE);
    // The tokens have expired.
    let (ada, cy) = (app.person("ada@example.com").await, app.person("cy@example.com").await);
    cy.post(&link, consent.clone()).await.expect_error(409, FULL);
    assert_eq!(mails(&app, &admin).await, 2);
    let leader = format!("teamleader@{}.example.com", org.uid);
    assert_eq!(mails(&app, &leader).await, 0);

    // A person who was removed needs a place of the plan to become an app user again.
    let admin = app.member(org, Role::SuperAdmin).await;
    let users = admin.get(&format!("/v1/organizations/{}/users", org.uid)).await.expect(200);
    let rows = users["data"].as_array().unwrap();
    let bea = rows.iter().find(|row| row["user"]["email"] == "bea@example.com").unwrap();
    let role = format!("/v1/organizations/{}/roles", org.uid);
    admin.delete(&format!("{role}/{}", bea["membershipId"].as_str().unwrap())).await.expect(204);
    let eve = app.person("eve@example.com").await;
    eve.post(&link, consent.clone()).await.expect(201);
    let again = json!({ "userId": bea["userId"], "role": "user" });
    assert_eq!(admin.post(&role, again.clone()).await.expect(402)["code"], "no_app_user");
    eve.delete(&format!("/v1/organizations/{}/users/me", org.uid)).await.expect(204);
    admin.post(&role, again).await.expect(200);

    // When an app user leaves, another can join.
    ada.delete(&format!("/v1/organizations/{}/users/me", org.uid)).await.expect(204);
    cy.post(&link, consent.clone()).await.expect(201);
    app.person("dan@example.com").await.post(&link, consent).await.expect_error(409, FULL);
    app.settle().await;
}
