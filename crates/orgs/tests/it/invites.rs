//! Invitations to the staff.

use std::sync::Arc;

use kernel::{DAY, Email, HOUR, MINUTE};
use orgs::{Role, Standing};
use serde_json::{Value, json};
use testkit::{ApiResponse, Client, Setup, TestApp, TestOrg, TestSeats};

use super::{set_standing, test_app};

const GONE: &str = "Invitation not found";

async fn invite(caller: &Client, org: TestOrg, email: &str, role: &str) -> ApiResponse {
    let body = json!({ "userEmail": email, "role": role });
    caller.post(&format!("/v1/organizations/{}/roles", org.uid), body).await
}

async fn open_invites(caller: &Client, org: TestOrg) -> Value {
    caller.get(&format!("/v1/organizations/{}/invites", org.uid)).await.expect(200)["data"].clone()
}

/// Returns the path of the call behind the link that was last sent to the address.
async fn accept_path(app: &TestApp, email: &str) -> String {
    app.run_jobs().await;
    let sent = app.deps.mailer.sent(Email::parse(email).as_ref(), 1).await.unwrap().remove(0);
    let link = sent.links().remove(0);
    format!("/v1/invites/{}", link.strip_prefix("http://vitrine.test/invite?code=").unwrap())
}

async fn role(person: &Client) -> Value {
    person.get("/v1/profiles/roles/detailed").await.expect(200)["data"][0]["role"].clone()
}

#[tokio::test]
async fn the_invited_person_accepts_by_opening_the_link() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let uid = invite(&leader, org, " Ada@Example.com ", "teamUser").await.expect(200)["uid"].clone();
    let open = open_invites(&leader, org).await;
    assert_eq!((&open[0]["uid"], &open[0]["status"]), (&uid, &json!("pending")));
    assert_eq!(open[0]["userEmail"], "ada@example.com");
    assert_eq!(open[0]["invitedBy"]["uid"], leader.uid().to_string());
    let path = accept_path(&app, "ada@example.com").await;
    let sent = app.deps.mailer.sent(None, 1).await.unwrap().remove(0);
    assert_eq!(sent.subject, "You are invited to join Acme");
    let text = sent.text.unwrap();
    assert!(text.contains("Team user") && text.contains("expires in 7 days"), "{text}");

    app.anonymous().get(&path).await.expect(401);
    let pending = json!({ "userEmail": "ada@example.com", "status": "pending", "orgId": org.uid });
    assert_eq!(app.person("eve@example.com").await.get(&path).await.expect(200), pending);
    let ada = app.person("ada@example.com").await;
    assert_eq!(role(&ada).await, Value::Null, "a stranger accepted nothing");
    let active = json!({ "userEmail": "ada@example.com", "status": "active", "orgId": org.uid });
    assert_eq!(ada.get(&path).await.expect(200), active);
    assert_eq!(role(&ada).await, "teamUser");
    app.clock.advance(8 * DAY);
    let ada = app.person("ada@example.com").await;
    assert_eq!(ada.get(&path).await.expect(200), active, "again, after its time");
    let leader = app.person(&leader_email(org)).await;
    assert_eq!(open_invites(&leader, org).await, json!([]));
    let refusal = "This person already belongs to the organisation.";
    invite(&leader, org, "ada@example.com", "teamUser").await.expect_error(409, refusal);
    app.settle().await;
}

#[tokio::test]
async fn a_dead_link_is_not_found() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (leader, ada) = (app.member(org, Role::TeamLeader).await, app.person("ada@example.com").await);
    ada.get("/v1/invites/unknown").await.expect_error(404, GONE);
    let uid = invite(&leader, org, "ada@example.com", "teamUser").await.expect(200)["uid"].clone();
    let first = accept_path(&app, "ada@example.com").await;
    app.clock.advance(MINUTE);
    invite(&leader, org, "ada@example.com", "teamLeader").await.expect(200);
    let second = accept_path(&app, "ada@example.com").await;
    ada.get(&first).await.expect_error(404, GONE);
    let open = open_invites(&leader, org).await;
    assert_eq!((open.as_array().unwrap().len(), &open[0]["role"]), (1, &json!("teamLeader")));

    let base = format!("/v1/organizations/{}/invites", org.uid);
    leader.post(&format!("{base}/{}/resend", uid.as_str().unwrap()), json!({})).await.expect_error(404, GONE);
    app.clock.advance(MINUTE);
    let open_uid = open[0]["uid"].as_str().unwrap();
    let resent =
        leader.post(&format!("{base}/{open_uid}/resend"), json!({})).await.expect(200)["uid"].clone();
    let third = accept_path(&app, "ada@example.com").await;
    ada.get(&second).await.expect_error(404, GONE);
    leader.delete(&format!("{base}/{}", resent.as_str().unwrap())).await.expect(204);
    leader.delete(&format!("{base}/{}", resent.as_str().unwrap())).await.expect_error(404, GONE);
    ada.get(&third).await.expect_error(404, GONE);

    app.clock.advance(MINUTE);
    invite(&leader, org, "ada@example.com", "teamUser").await.expect(200);
    let expired = accept_path(&app, "ada@example.com").await;
    app.clock.advance(7 * DAY);
    let ada = app.person("ada@example.com").await;
    ada.get(&expired).await.expect_error(404, GONE);
    let leader = app.person(&leader_email(org)).await;
    assert_eq!(open_invites(&leader, org).await[0]["status"], "expired");
    assert_eq!(role(&ada).await, Value::Null);
    app.settle().await;
}

#[tokio::test]
async fn an_invitation_is_void_without_the_right_of_its_sender() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (admin, manager) = (app.member(org, Role::AccountAdmin).await, app.member(org, Role::Manager).await);
    let ada = app.person("ada@example.com").await;
    invite(&manager, org, "ada@example.com", "manager").await.expect(200);
    let path = accept_path(&app, "ada@example.com").await;
    let eve = app.person("eve@example.com").await;
    eve.get(&path).await.expect(200);
    let demote = json!({ "userId": manager.uid(), "role": "teamLeader" });
    admin.post(&format!("/v1/organizations/{}/roles", org.uid), demote).await.expect(200);
    for person in [&ada, &eve] {
        person.get(&path).await.expect_error(404, GONE);
    }
    let open = open_invites(&admin, org).await;
    assert_eq!(open[0]["status"], "void");
    let base = format!("/v1/organizations/{}/invites/{}", org.uid, open[0]["uid"].as_str().unwrap());
    manager.post(&format!("{base}/resend"), json!({})).await.expect(403);
    manager.delete(&base).await.expect(403);
    app.clock.advance(MINUTE);
    admin.post(&format!("{base}/resend"), json!({})).await.expect(200);
    ada.get(&accept_path(&app, "ada@example.com").await).await.expect(200);
    assert_eq!(role(&ada).await, "manager");
    app.settle().await;
}

#[tokio::test]
async fn invitations_are_checked_before_they_are_sent() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let (leader, team) = (app.member(org, Role::TeamLeader).await, app.member(org, Role::TeamUser).await);
    invite(&leader, org, "ada", "teamUser").await.expect_error(400, "Invalid email!");
    invite(&leader, org, "ada@example.com", "user").await.expect(400);
    invite(&leader, org, "ada@example.com", "manager").await.expect(403);
    invite(&team, org, "ada@example.com", "teamUser").await.expect(403);
    let foreign = app.member(other, Role::SuperAdmin).await;
    invite(&foreign, org, "ada@example.com", "teamUser").await.expect(404);
    foreign.get(&format!("/v1/organizations/{}/invites", org.uid)).await.expect(404);
    let uid = invite(&leader, org, "ada@example.com", "teamUser").await.expect(200)["uid"].clone();
    let of_other = format!("/v1/organizations/{}/invites/{}", other.uid, uid.as_str().unwrap());
    foreign.delete(&of_other).await.expect_error(404, GONE);

    let path = format!("/v1/organizations/{}/invites", org.uid);
    let many = |emails: Vec<String>| json!({ "userEmails": emails, "role": "teamUser" });
    leader.post(&path, many(vec![])).await.expect_error(400, "Enter 1 to 50 email addresses.");
    leader.post(&path, many(vec!["a@example.com".to_owned(); 51])).await.expect(400);
    let mixed =
        ["bob@example.com".to_owned(), "x".to_owned(), leader_email(org), " Bob@example.com".to_owned()];
    let answers = leader.post(&path, many(mixed.to_vec())).await.expect(200)["data"].clone();
    assert!(answers[0]["uid"].is_string() && answers[0]["problem"].is_null(), "{answers}");
    assert_eq!((&answers[1]["uid"], &answers[1]["problem"]["code"]), (&Value::Null, &json!("invalid_email")));
    assert_eq!(answers[2]["problem"]["code"], "already_staff");
    assert_eq!(answers[3]["uid"], answers[0]["uid"], "a repeated address is invited once");
    app.run_jobs().await;
    app.settle().await;
}

fn leader_email(org: TestOrg) -> String {
    format!("teamleader@{}.example.com", org.uid)
}

#[tokio::test]
async fn an_organisation_sends_fifty_invitations_in_an_hour() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let emails: Vec<String> = (0..50).map(|number| format!("p{number}@example.com")).collect();
    let path = format!("/v1/organizations/{}/invites", org.uid);
    let body = json!({ "userEmails": emails, "role": "teamUser" });
    let answers = leader.post(&path, body).await.expect(200)["data"].clone();
    assert!(answers.as_array().unwrap().iter().all(|answer| answer["uid"].is_string()), "{answers}");
    let refused = invite(&leader, org, "late@example.com", "teamUser").await;
    assert_eq!(refused.headers["retry-after"], "3600");
    refused.expect(429);
    app.run_jobs().await;
    app.clock.advance(HOUR);
    let leader = app.person(&leader_email(org)).await;
    invite(&leader, org, "late@example.com", "teamUser").await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn a_pending_invitation_takes_a_seat() {
    let seats = TestSeats { allowed: Some(3), is_individual: true, ..TestSeats::default() };
    let app = Setup::default().seats(Arc::new(seats)).start(async |_| Vec::new()).await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    invite(&leader, org, "ada@example.com", "teamUser").await.expect(200);
    let full = "Your plan has 3 staff seats, and all of them are taken.";
    let refused = invite(&leader, org, "bob@example.com", "teamUser").await;
    refused.expect_error(402, full);
    let refused = refused.json();
    let sent = ["code", "limit", "unit"].map(|name| refused[name].as_str().unwrap());
    assert_eq!(sent, ["no_seat", "staffSeats", "people"]);
    assert_eq!(["used", "allowed"].map(|name| refused[name].as_u64()), [Some(3), Some(3)]);
    app.clock.advance(MINUTE);
    invite(&leader, org, "ada@example.com", "teamLeader").await.expect(200);
    let founder = app.person("founder@acme.example.com").await;
    let refused = invite(&founder, org, "ada@example.com", "superAdmin").await.expect(400);
    assert_eq!(refused["code"], "one_super_admin");

    let path = accept_path(&app, "ada@example.com").await;
    let (ada, bob) = (app.person("ada@example.com").await, app.person("bob@example.com").await);
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.appoint(&tx, org.uid, bob.uid(), Role::TeamUser).await.unwrap();
    tx.commit().await.unwrap();
    let refused = "This organization has no free staff seat. Ask the person who invited you.";
    ada.get(&path).await.expect_error(402, refused);
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.appoint(&tx, org.uid, bob.uid(), Role::User).await.unwrap();
    tx.commit().await.unwrap();
    ada.get(&path).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn the_code_verifies_the_invited_address() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    invite(&leader, org, "ada@example.com", "teamUser").await.expect(200);
    invite(&leader, org, "bob@example.com", "teamUser").await.expect(200);
    let path = accept_path(&app, "ada@example.com").await;
    let ada = app.unverified_person("ada@example.com").await;
    let is_verified =
        async || app.deps.identity.people(app.deps.db.read(), &[ada.uid()]).await.unwrap()[0].is_verified;
    ada.get(&accept_path(&app, "bob@example.com").await).await.expect(200);
    assert!(!is_verified().await, "the code of another person verifies nothing");
    ada.get(&path).await.expect(200);
    assert!(is_verified().await);
    assert_eq!(role(&ada).await, "teamUser");
    app.settle().await;
}

#[tokio::test]
async fn a_bad_standing_accepts_nothing() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    invite(&leader, org, "ada@example.com", "teamUser").await.expect(200);
    let path = accept_path(&app, "ada@example.com").await;
    let ada = app.unverified_person("ada@example.com").await;
    set_standing(&app, org, Standing::Suspended).await;
    let refusal = ada.get(&path).await.expect(403);
    assert_eq!(refusal["code"], "suspended");
    // The invited person cannot pay.
    assert!(refusal["message"].as_str().unwrap().contains("Ask the person who invited you"));
    set_standing(&app, org, Standing::Ended).await;
    ada.get(&path).await.expect_error(404, GONE);
    set_standing(&app, org, Standing::Active).await;
    ada.get(&path).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn an_app_user_is_invited_up_and_staff_never_down() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let user = app.member(org, Role::User).await;
    let email = format!("user@{}.example.com", org.uid);
    invite(&admin, org, &email, "teamUser").await.expect(200);
    let path = accept_path(&app, &email).await;
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.appoint(&tx, org.uid, user.uid(), Role::Manager).await.unwrap();
    tx.commit().await.unwrap();
    user.get(&path).await.expect(200);
    assert_eq!(role(&user).await, "manager", "the higher role stays");
    app.settle().await;
}

#[tokio::test]
async fn a_hundred_acceptances_at_once_make_one_membership() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    invite(&leader, org, "ada@example.com", "teamUser").await.expect(200);
    let path = accept_path(&app, "ada@example.com").await;
    let sessions = [app.person("ada@example.com").await, app.person("ada@example.com").await];
    let eve = app.person("eve@example.com").await;
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..101 {
        let client = if number == 50 { eve.clone() } else { sessions[number % 2].clone() };
        let path = path.clone();
        calls.spawn(async move { (number, client.get(&path).await.expect(200)) });
    }
    while let Some(answer) = calls.join_next().await {
        let (number, answer) = answer.unwrap();
        assert_eq!(answer["userEmail"], "ada@example.com");
        assert!(number == 50 || answer["status"] == "active", "{answer}");
    }
    let staff = leader.get(&format!("/v1/organizations/{}/users/staff", org.uid)).await.expect(200);
    assert_eq!(staff["data"].as_array().unwrap().len(), 3, "founder, leader and one more");
    assert_eq!(eve.get("/v1/organizations").await.expect(200)["data"], json!([]));
    app.settle().await;
}

#[tokio::test]
async fn a_change_of_the_role_replaces_the_invitation_of_the_same_person() {
    let seats = TestSeats { allowed: Some(3), ..TestSeats::default() };
    let app = Setup::default().seats(Arc::new(seats)).start(async |_| Vec::new()).await;
    let org = app.org("Acme").await;
    let (admin, user) = (app.member(org, Role::AccountAdmin).await, app.member(org, Role::User).await);
    let email = format!("user@{}.example.com", org.uid);
    invite(&admin, org, &email, "manager").await.expect(200);
    let path = accept_path(&app, &email).await;
    let change = |role: &str| json!({ "userId": user.uid(), "role": role });
    let roles = format!("/v1/organizations/{}/roles", org.uid);
    admin.post(&roles, change("teamUser")).await.expect(200);
    assert_eq!(open_invites(&admin, org).await, json!([]));
    admin.post(&roles, change("user")).await.expect(200);
    user.get(&path).await.expect_error(404, GONE);
    assert_eq!(role(&user).await, "user");
    app.settle().await;
}

#[tokio::test]
async fn a_void_invitation_takes_no_seat() {
    let seats = TestSeats { allowed: Some(3), ..TestSeats::default() };
    let app = Setup::default().seats(Arc::new(seats)).start(async |_| Vec::new()).await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    invite(&leader, org, "ada@example.com", "teamUser").await.expect(200);
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.appoint(&tx, org.uid, leader.uid(), Role::User).await.unwrap();
    tx.commit().await.unwrap();
    let founder = app.person("founder@acme.example.com").await;
    for email in ["bob@example.com", "carl@example.com"] {
        invite(&founder, org, email, "teamUser").await.expect(200);
    }
    invite(&founder, org, "dora@example.com", "teamUser").await.expect(402);
    app.run_jobs().await;
    app.settle().await;
}
