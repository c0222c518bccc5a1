//! Viewers invited by email.

use std::sync::Arc;

use http::Method;
use kernel::{DAY, Email, SECOND};
use orgs::{Role, Standing};
use serde_json::{Value, json};
use testkit::{Client, Setup, TestApp, TestOrg, TestSeats};

use crate::{joined, public_org, test_app, test_app_with};

const INVALID: &str = "This joining link is not valid.";

/// Invites viewers, and returns the answers.
async fn invite(caller: &Client, org: TestOrg, emails: &[&str]) -> Value {
    let body = json!({ "userEmails": emails, "role": "user" });
    caller.post(&format!("/v1/organizations/{}/invites", org.uid), body).await.expect(200)["data"].clone()
}

/// Sends the emails, which are paced if there are many.
async fn send_all(app: &TestApp) {
    app.clock.advance(30 * SECOND);
    app.run_jobs().await;
}

/// Returns the path of the call behind the link that was last sent to the address.
async fn link_of(app: &TestApp, email: &str) -> String {
    send_all(app).await;
    let sent = app.deps.mailer.sent(Email::parse(email).as_ref(), 1).await.unwrap().remove(0);
    let link = sent.links().remove(0);
    format!("/v1/join/{}", link.strip_prefix("http://vitrine.test/app/join/").unwrap())
}

async fn open_invites(caller: &Client, org: TestOrg, query: &str) -> Vec<String> {
    let page = caller.get(&format!("/v1/organizations/{}/invites{query}", org.uid)).await.expect(200);
    let emails = page["data"].as_array().unwrap().iter();
    emails.map(|invite| invite["userEmail"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_invited_viewer_joins_a_private_organisation_and_is_asked_for_consent() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let answers = invite(&leader, org, &[" Ada@Example.com "]).await;
    assert_eq!(answers[0]["userEmail"], " Ada@Example.com ");
    let link = link_of(&app, "ada@example.com").await;
    let email = app.deps.mailer.sent(None, 1).await.unwrap().remove(0);
    assert_eq!(email.subject, "Acme invites you to watch");
    assert!(email.text.unwrap().contains("expires in 7 days"));

    let page = app.anonymous().get(&link).await.expect(200);
    assert_eq!(
        (&page["organisation"]["name"], &page["invitedEmail"]),
        (&json!("Acme"), &json!("ada@example.com"))
    );
    let yes = json!({ "consent": true, "noticeVersion": page["notice"]["version"] });
    app.anonymous().post(&link, yes.clone()).await.expect(401);
    let eve = app.person("eve@example.com").await;
    let refused = eve.post(&link, yes.clone()).await;
    refused.expect_error(403, "This invitation is for ada@example.com. Sign in with that address to join.");
    assert_eq!(eve.get("/v1/viewer/organizations").await.expect(200)["data"], json!([]));

    let ada = app.person("ada@example.com").await;
    ada.post(&link, yes.clone()).await.expect(201);
    ada.post(&link, yes.clone()).await.expect(200);
    let mine = ada.get("/v1/viewer/organizations").await.expect(200)["data"].clone();
    assert_eq!((&mine[0]["role"], &mine[0]["consent"]), (&json!("user"), &json!(true)));
    assert_eq!(open_invites(&leader, org, "").await, Vec::<String>::new());
    let admin = app.member(org, Role::AccountAdmin).await;
    let log = admin.get(&format!("/v1/organizations/{}/audit?limit=100", org.uid)).await.expect(200);
    let actions: Vec<&Value> = log["data"].as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
    let count = |action: &str| actions.iter().filter(|found| **found == action).count();
    assert_eq!((count("invite.sent"), count("invite.accepted")), (1, 1), "{actions:?}");

    // The link of a person who has left does not readmit.
    ada.delete(&format!("/v1/organizations/{}/users/me", org.uid)).await.expect(204);
    ada.post(&link, yes).await.expect_error(404, INVALID);
    app.settle().await;
}

#[tokio::test]
async fn each_address_has_its_own_answer() {
    let seats = TestSeats { app_users: Some(4), ..TestSeats::default() };
    let app = test_app_with(Setup::default().seats(Arc::new(seats))).await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let (member, blocked) = (app.member(org, Role::User).await, app.person("bob@example.com").await);
    invite(&leader, org, &["bob@example.com"]).await;
    let link = link_of(&app, "bob@example.com").await;
    blocked.post(&link, json!({ "consent": false })).await.expect(201);
    let block = format!("/v1/organizations/{}/users/{}/block", org.uid, blocked.uid());
    leader.json(Method::PUT, &block, &json!({})).await.expect(204);
    assert!(member.try_uid().is_some());

    let joined = format!("user@{}.example.com", org.uid);
    let wanted = [
        "a@example.com",
        "A@example.com",
        "no address",
        &joined,
        "bob@example.com",
        "b@example.com",
        "c@example.com",
        "d@example.com",
    ];
    let answers = invite(&leader, org, &wanted).await;
    let said: Vec<&str> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| answer["problem"]["message"].as_str().unwrap_or(""))
        .collect();
    let full = "Your plan allows 4 app users, and all of them have joined or are invited.";
    assert_eq!(
        said,
        [
            "",
            "",
            "Invalid email!",
            "This person has already joined.",
            "This person is blocked. Unblock the person first.",
            "",
            "",
            full
        ]
    );
    assert_eq!(answers[0]["uid"], answers[1]["uid"], "invited once");
    let refused = &answers[7]["problem"];
    assert_eq!((refused["status"].as_u64(), refused["limit"].as_str()), (Some(402), Some("appUsers")));
    assert_eq!((refused["used"].as_u64(), refused["allowed"].as_u64()), (Some(4), Some(4)));
    // An address that is already invited is already counted.
    assert_eq!(invite(&leader, org, &["a@example.com"]).await[0]["problem"], Value::Null);
    send_all(&app).await;
    app.settle().await;
}

#[tokio::test]
async fn only_team_leaders_of_the_organisation_invite_viewers() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let path = format!("/v1/organizations/{}/invites", org.uid);
    let body = json!({ "userEmails": ["ada@example.com"], "role": "user" });
    app.anonymous().post(&path, body.clone()).await.expect(401);
    app.member(org, Role::User).await.post(&path, body.clone()).await.expect(403);
    app.member(org, Role::TeamUser).await.post(&path, body.clone()).await.expect(403);
    app.member(other, Role::SuperAdmin).await.post(&path, body).await.expect(404);
    let leader = app.member(org, Role::TeamLeader).await;
    let many: Vec<String> = (0..101).map(|n| format!("viewer{n}@example.com")).collect();
    for emails in [&many[..], &[]] {
        let refused = leader.post(&path, json!({ "userEmails": emails, "role": "user" })).await;
        refused.expect_error(400, "Enter 1 to 100 email addresses.");
    }
    let answers = leader.post(&path, json!({ "userEmails": &many[..100], "role": "user" })).await.expect(200);
    assert_eq!(
        answers["data"].as_array().unwrap().iter().filter(|answer| answer["uid"].is_string()).count(),
        100
    );
    send_all(&app).await;
    app.settle().await;
}

#[tokio::test]
async fn invitations_of_viewers_are_listed_sent_again_and_revoked_and_take_no_seat() {
    let seats = TestSeats { allowed: Some(3), ..TestSeats::default() };
    let app = test_app_with(Setup::default().seats(Arc::new(seats))).await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let answers = invite(&leader, org, &["ada@example.com", "bob@example.com"]).await;
    let path = format!("/v1/organizations/{}/invites", org.uid);
    let staff = json!({ "userEmails": ["eve@example.com"], "role": "teamUser" });
    let answer = leader.post(&path, staff).await.expect(200);
    assert_eq!(answer["data"][0]["problem"], Value::Null, "a seat is left");
    assert_eq!(open_invites(&leader, org, "?viewers=true").await, ["bob@example.com", "ada@example.com"]);
    assert_eq!(open_invites(&leader, org, "?viewers=false").await, ["eve@example.com"]);
    assert_eq!(open_invites(&leader, org, "").await.len(), 3);

    let first = link_of(&app, "ada@example.com").await;
    let uid = answers[0]["uid"].as_str().unwrap();
    let again = leader.post(&format!("{path}/{uid}/resend"), json!({})).await.expect(200);
    app.anonymous().get(&first).await.expect_error(404, INVALID);
    let second = link_of(&app, "ada@example.com").await;
    app.anonymous().get(&second).await.expect(200);
    leader.delete(&format!("{path}/{}", again["uid"].as_str().unwrap())).await.expect(204);
    app.anonymous().get(&second).await.expect_error(404, INVALID);
    app.settle().await;
}

#[tokio::test]
async fn an_invitation_of_a_viewer_outlives_the_inviter_and_ends_with_its_time_and_the_plan() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    invite(&leader, org, &["ada@example.com", "bob@example.com"]).await;
    let (ada, bob) = (link_of(&app, "ada@example.com").await, link_of(&app, "bob@example.com").await);
    leader.delete(&format!("/v1/organizations/{}/users/me", org.uid)).await.expect(204);
    let answer = json!({ "consent": false });
    app.person("ada@example.com").await.post(&ada, answer.clone()).await.expect(201);
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.set_standing(&tx, org.uid, Standing::Ended.into()).await.unwrap();
    tx.commit().await.unwrap();
    app.anonymous().get(&bob).await.expect_error(404, INVALID);
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.set_standing(&tx, org.uid, Standing::Active.into()).await.unwrap();
    tx.commit().await.unwrap();
    app.anonymous().get(&bob).await.expect(200);
    app.clock.advance(7 * DAY);
    app.anonymous().get(&bob).await.expect_error(404, INVALID);
    app.person("bob@example.com").await.post(&bob, answer).await.expect_error(404, INVALID);
    app.settle().await;
}

#[tokio::test]
async fn the_link_of_a_viewer_is_none_of_staff_and_verifies_the_invited_address() {
    let app = test_app().await;
    let (org, join_link) = public_org(&app, "Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    invite(&leader, org, &["ada@example.com", "bob@example.com"]).await;
    let link = link_of(&app, "ada@example.com").await;
    let ada = app.unverified_person("ada@example.com").await;
    let code = link.strip_prefix("/v1/join/").unwrap();
    ada.get(&format!("/v1/invites/{code}")).await.expect_error(404, "Invitation not found");
    let answer = testkit::answer(true);
    // The link for everyone was emailed to no address, and the code of another person verifies nothing.
    assert_eq!(ada.post(&join_link, answer.clone()).await.expect(403)["code"], "email_unproved");
    let others = link_of(&app, "bob@example.com").await;
    assert_eq!(ada.post(&others, answer.clone()).await.expect(403)["code"], "other_address");
    assert_eq!(ada.get("/v1/viewer/organizations").await.expect(200)["data"], json!([]));
    ada.post(&link, answer.clone()).await.expect(201);
    ada.post(&join_link, answer).await.expect(200);
    send_all(&app).await;
    app.settle().await;
}

#[tokio::test]
async fn an_invitation_to_the_staff_stays_and_an_address_is_invited_three_times_a_day() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (leader, admin) =
        (app.member(org, Role::TeamLeader).await, app.member(org, Role::AccountAdmin).await);
    let staff = json!({ "userEmails": ["eve@example.com"], "role": "accountAdmin" });
    admin.post(&format!("/v1/organizations/{}/invites", org.uid), staff).await.expect(200);
    let refused = invite(&leader, org, &["eve@example.com"]).await;
    assert_eq!(refused[0]["problem"]["message"], "This person has an open invitation to the staff.");
    assert_eq!(open_invites(&leader, org, "").await, ["eve@example.com"]);
    for _ in 0..3 {
        assert_eq!(invite(&leader, org, &["ada@example.com"]).await[0]["problem"], Value::Null);
    }
    assert_eq!(invite(&leader, org, &["ada@example.com"]).await[0]["problem"]["code"], "invited_often");
    app.clock.advance(DAY);
    let leader = app.person(&format!("teamleader@{}.example.com", org.uid)).await;
    assert_eq!(invite(&leader, org, &["ada@example.com"]).await[0]["problem"], Value::Null);
    send_all(&app).await;
    app.settle().await;
}

#[tokio::test]
async fn an_invited_viewer_who_joins_by_the_join_link_leaves_no_invitation_behind() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    invite(&leader, org, &["ada@example.com"]).await;
    joined(&app, &link, "ada@example.com", true).await;
    assert_eq!(open_invites(&leader, org, "?viewers=true").await, Vec::<String>::new());
    send_all(&app).await;
    app.settle().await;
}

/// Returns actions and addresses of the log's entries about invitations, newest first.
async fn log_of_invites(app: &TestApp, org: TestOrg) -> Vec<(String, String)> {
    let admin = app.member(org, Role::AccountAdmin).await;
    let log = admin.get(&format!("/v1/organizations/{}/audit", org.uid)).await.expect(200)["data"].clone();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let entries = log.as_array().unwrap().iter();
    entries
        .map(|entry| (text(&entry["action"]), text(&entry["target"]["name"])))
        .filter(|(action, _)| action.starts_with("invite."))
        .collect()
}

#[tokio::test]
async fn accepting_by_either_link_is_in_the_audit_log() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    invite(&leader, org, &["ada@example.com", "bob@example.com"]).await;
    let own = link_of(&app, "ada@example.com").await;
    app.person("ada@example.com").await.post(&own, testkit::answer(true)).await.expect(201);
    let bob = joined(&app, &link, "bob@example.com", true).await;
    bob.post(&link, testkit::answer(true)).await.expect(200);
    let entry = |action: &str, email: &str| (format!("invite.{action}"), email.to_owned());
    assert_eq!(
        log_of_invites(&app, org).await[..2],
        [entry("accepted", "bob@example.com"), entry("accepted", "ada@example.com")]
    );
    app.settle().await;
}

#[tokio::test]
async fn invitations_that_a_later_decision_revokes_are_in_the_audit_log() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let admin = app.member(org, Role::SuperAdmin).await;
    let [ada, bob] = [
        joined(&app, &link, "ada@example.com", true).await,
        joined(&app, &link, "bob@example.com", true).await,
    ];
    let roles = format!("/v1/organizations/{}/roles", org.uid);
    for email in ["ada@example.com", "bob@example.com"] {
        let body = json!({ "userEmail": email, "role": "teamUser" });
        admin.post(&roles, body).await.expect(200);
    }
    admin.post(&roles, json!({ "userId": ada.uid(), "role": "teamLeader" })).await.expect(200);
    let block = format!("/v1/organizations/{}/users/{}/block", org.uid, bob.uid());
    admin.json(Method::PUT, &block, &json!({})).await.expect(204);
    let entry = |action: &str, email: &str| (format!("invite.{action}"), email.to_owned());
    assert_eq!(
        log_of_invites(&app, org).await,
        [
            entry("revoked", "bob@example.com"),
            entry("revoked", "ada@example.com"),
            entry("sent", "bob@example.com"),
            entry("sent", "ada@example.com"),
        ]
    );
    app.run_jobs().await;
    app.settle().await;
}
