//! Giving, changing and taking away roles.

use std::sync::Arc;

use orgs::{ConsentAnswer, Role, Standing};
use serde_json::{Value, json};
use testkit::{ApiResponse, Client, Setup, TestApp, TestOrg, TestSeats};

use super::{set_standing, test_app};

const LAST: &str = "An organisation needs at least one super admin.";
const FORBIDDEN: &str = "You do not have permission to do this.";

async fn give(caller: &Client, org: TestOrg, person: &Client, role: &str) -> ApiResponse {
    let body = json!({ "userId": person.uid(), "role": role });
    caller.post(&format!("/v1/organizations/{}/roles", org.uid), body).await
}

async fn invite(caller: &Client, org: TestOrg, email: &str) -> ApiResponse {
    let body = json!({ "userEmail": email, "role": "teamUser" });
    caller.post(&format!("/v1/organizations/{}/roles", org.uid), body).await
}

async fn remove(caller: &Client, org: TestOrg, membership: &Value) -> ApiResponse {
    let uid = membership.as_str().unwrap_or("018f0000-0000-7000-8000-000000000001");
    caller.delete(&format!("/v1/organizations/{}/roles/{uid}", org.uid)).await
}

/// Returns the person's only membership.
async fn membership(person: &Client) -> Value {
    let rows = person.get("/v1/profiles/roles/detailed").await.expect(200)["data"].clone();
    assert!(rows.as_array().unwrap().len() <= 1, "one record for each organisation: {rows}");
    rows[0].clone()
}

#[tokio::test]
async fn a_role_changes_at_once_and_the_membership_stays() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (admin, ada) = (app.member(org, Role::AccountAdmin).await, app.member(org, Role::User).await);
    let before = membership(&ada).await;
    let given = give(&admin, org, &ada, "teamLeader").await.expect(200);
    assert_eq!(given, json!({ "uid": before["uid"], "userId": ada.uid(), "role": "teamLeader" }));
    assert_eq!(give(&admin, org, &ada, "teamLeader").await.expect(200), given, "again changes nothing");
    let after = membership(&ada).await;
    assert_eq!((&after["uid"], &after["timeCreated"]), (&before["uid"], &before["timeCreated"]));
    let staff = format!("/v1/organizations/{}/users/staff", org.uid);
    ada.get(&staff).await.expect(200);
    give(&admin, org, &ada, "user").await.expect(200);
    ada.get(&staff).await.expect(403);
    remove(&admin, org, &before["uid"]).await.expect(204);
    ada.get(&staff).await.expect(404);
    remove(&admin, org, &before["uid"]).await.expect_error(404, "Person not found");
    app.settle().await;
}

#[tokio::test]
async fn refusals_come_in_one_order_and_tell_outsiders_nothing() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let (leader, manager) = (app.member(org, Role::TeamLeader).await, app.member(org, Role::Manager).await);
    let (team, stranger) = (app.member(org, Role::TeamUser).await, app.member(other, Role::SuperAdmin).await);
    let path = format!("/v1/organizations/{}/roles", org.uid);
    for body in [json!({}), json!({ "userId": leader.uid(), "role": "root" })] {
        app.anonymous().post(&path, body.clone()).await.expect(401);
        stranger.post(&path, body.clone()).await.expect(404);
        team.post(&path, body.clone()).await.expect_error(403, FORBIDDEN);
        leader.post(&path, body).await.expect(400);
    }
    let both = json!({ "userId": team.uid(), "userEmail": "a@example.com", "role": "teamUser" });
    leader.post(&path, both).await.expect_error(400, "Send either userId or userEmail.");
    give(&leader, org, &stranger, "user").await.expect_error(404, "Person not found");
    let founder = app.person("founder@acme.example.com").await;
    give(&leader, org, &founder, "user").await.expect_error(409, LAST);
    give(&leader, org, &leader, "teamUser").await.expect_error(409, "You cannot change your own role.");
    give(&leader, org, &manager, "teamUser").await.expect_error(403, FORBIDDEN);
    give(&leader, org, &team, "manager").await.expect_error(403, FORBIDDEN);
    give(&leader, org, &team, "teamLeader").await.expect(200);
    let foreign = membership(&stranger).await["uid"].clone();
    remove(&leader, org, &foreign).await.expect(404);
    remove(&leader, org, &membership(&manager).await["uid"]).await.expect_error(403, FORBIDDEN);
    remove(&team, other, &foreign).await.expect(404);
    app.settle().await;
}

#[tokio::test]
async fn roles_are_taken_away_in_every_standing_and_given_only_in_good_ones() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let (leader, team) = (app.member(org, Role::TeamLeader).await, app.member(org, Role::TeamUser).await);
    let team_uid = membership(&team).await["uid"].clone();
    set_standing(&app, org, Standing::Suspended).await;
    assert_eq!(give(&admin, org, &team, "manager").await.expect(403)["code"], "suspended");
    give(&admin, org, &leader, "teamUser").await.expect(200);
    set_standing(&app, org, Standing::Ended).await;
    give(&admin, org, &leader, "manager").await.expect(404);
    give(&admin, org, &leader, "user").await.expect(200);
    remove(&admin, org, &team_uid).await.expect(204);
    app.settle().await;
}

#[tokio::test]
async fn people_known_by_their_consent_can_be_given_a_role() {
    let app = Setup::default().start(async |_| Vec::new()).await;
    let org = app.org("Acme").await;
    let (admin, ada) = (app.member(org, Role::AccountAdmin).await, app.person("ada@example.com").await);
    give(&admin, org, &ada, "teamUser").await.expect(404);
    let tx = app.deps.db.write_tx().await.unwrap();
    let answer = ConsentAnswer { given: true, at: app.deps.ambient.now() };
    app.deps.orgs.set_answer(&tx, org.uid, ada.uid(), answer).await.unwrap();
    tx.commit().await.unwrap();
    give(&admin, org, &ada, "teamUser").await.expect(200);
    assert_eq!(membership(&ada).await["role"], "teamUser");
    app.settle().await;
}

#[tokio::test]
async fn a_promotion_takes_a_seat() {
    let seats = TestSeats { allowed: Some(3), ..TestSeats::default() };
    let app = Setup::default().seats(Arc::new(seats)).start(async |_| Vec::new()).await;
    let org = app.org("Acme").await;
    let (admin, ada) = (app.member(org, Role::AccountAdmin).await, app.member(org, Role::User).await);
    let bob = app.person("bob@example.com").await;
    give(&admin, org, &ada, "teamUser").await.expect(200);
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.appoint(&tx, org.uid, bob.uid(), Role::User).await.unwrap();
    tx.commit().await.unwrap();
    let refusal = "Your plan has 3 staff seats, and all of them are taken.";
    give(&admin, org, &bob, "teamUser").await.expect_error(402, refusal);
    give(&admin, org, &ada, "manager").await.expect(200);
    give(&admin, org, &ada, "user").await.expect(200);
    give(&admin, org, &bob, "teamUser").await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn an_individual_account_keeps_one_super_admin() {
    let seats = TestSeats { is_individual: true, ..TestSeats::default() };
    let app = Setup::default().seats(Arc::new(seats)).start(async |_| Vec::new()).await;
    let org = app.org("Acme").await;
    let (founder, team) =
        (app.person("founder@acme.example.com").await, app.member(org, Role::TeamUser).await);
    let refused = give(&founder, org, &team, "superAdmin").await.expect(400);
    assert_eq!((&refused["code"], refused["fields"]["role"].is_string()), (&json!("one_super_admin"), true));
    let own = founder.get("/v1/organizations").await.expect(200)["data"][0]["assignableRoles"].clone();
    assert_eq!(own, json!(["accountAdmin", "manager", "teamLeader", "teamUser"]));
    let of_team = team.get("/v1/organizations").await.expect(200)["data"][0]["assignableRoles"].clone();
    assert_eq!(of_team, json!([]));
    app.settle().await;
}

/// Runs two requests at the same time.
async fn race(
    first: impl Future<Output = ApiResponse>,
    second: impl Future<Output = ApiResponse>,
) -> [u16; 2] {
    let (first, second) = tokio::join!(first, second);
    let mut both = [first.status.as_u16(), second.status.as_u16()];
    both.sort_unstable();
    both
}

async fn super_admins(app: &TestApp) -> (TestOrg, Client, Client) {
    let org = app.org("Acme").await;
    (org, app.person("founder@acme.example.com").await, app.member(org, Role::SuperAdmin).await)
}

#[tokio::test]
async fn of_two_super_admins_who_demote_each_other_one_remains() {
    let app = test_app().await;
    let (org, ada, bob) = super_admins(&app).await;
    for _ in 0..50 {
        let statuses = race(give(&ada, org, &bob, "user"), give(&bob, org, &ada, "user")).await;
        assert_eq!(statuses, [200, 403], "the second finds its own right gone");
        for person in [&ada, &bob] {
            let tx = app.deps.db.write_tx().await.unwrap();
            app.deps.orgs.appoint(&tx, org.uid, person.uid(), Role::SuperAdmin).await.unwrap();
            tx.commit().await.unwrap();
        }
    }
    app.settle().await;
}

#[tokio::test]
async fn the_waiting_write_of_a_demoted_person_is_refused() {
    let app = test_app().await;
    let (org, ada, bob) = super_admins(&app).await;
    let path = format!("/v1/organizations/{}", org.uid);
    let rename = bob.patch(&path, json!({ "organisation": { "name": "Bob's" } }));
    app.demoted_meanwhile(org, &bob, rename).await.expect_error(403, FORBIDDEN);
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.appoint(&tx, org.uid, bob.uid(), Role::TeamLeader).await.unwrap();
    tx.commit().await.unwrap();
    let invited = invite(&bob, org, "ada@example.com");
    app.demoted_meanwhile(org, &bob, invited).await.expect_error(403, FORBIDDEN);
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"][0]["name"], "Acme");
    app.settle().await;
}
