//! Answers to the consent notice.

use kernel::MINUTE;
use orgs::{Role, Standing};
use serde_json::{Value, json};

use crate::{joined, public_org, test_app};

#[tokio::test]
async fn the_latest_answer_counts_and_has_its_own_time() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    app.clock.advance(MINUTE);
    let mine = format!("/v1/organizations/{}/users/me/consent", org.uid);
    let record = ada.patch(&mine, json!({"consent": false})).await.expect(200);
    assert_eq!(record["consent"], false);
    assert_eq!(record["userId"], ada.uid().to_string());
    assert_eq!(record["orgId"], org.uid.to_string());
    assert_eq!(record["timeCreated"], "2026-11-20T08:01:00.000Z");
    assert_eq!((&record["noticeVersion"], &record["method"]), (&json!("2026-11-20"), &json!("settings")));
    let leader = app.member(org, Role::TeamLeader).await;
    let list = leader.get(&format!("/v1/organizations/{}/users/consent", org.uid)).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    assert_eq!(list["data"][0]["uid"], record["uid"]);
    assert_eq!(list["data"][0]["user"]["email"], "ada@example.com");
    app.settle().await;
}

#[tokio::test]
async fn only_members_can_answer_and_only_with_yes_or_no() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    let mine = format!("/v1/organizations/{}/users/me/consent", org.uid);
    app.anonymous().patch(&mine, testkit::answer(true)).await.expect(401);
    app.person("stranger@example.com").await.patch(&mine, testkit::answer(true)).await.expect(404);
    ada.patch(&mine, json!({"consent": null})).await.expect(400);
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    let refused = ada.patch(&mine, json!({"consent": true})).await;
    refused.expect_error(400, "A yes needs the version of the notice that was shown.");
    assert_eq!(ada.get("/v1/viewer/organizations").await.expect(200)["data"][0]["consent"], false);
    app.settle().await;
}

#[tokio::test]
async fn consents_are_listed_from_team_leader_up_and_page_by_page() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    for n in 0..5 {
        joined(&app, &link, &format!("person{n}@example.com"), n % 2 == 0).await;
    }
    let path = format!("/v1/organizations/{}/users/consent", org.uid);
    for (role, status) in [(Role::User, 403), (Role::TeamUser, 403), (Role::Manager, 200)] {
        app.member(org, role).await.get(&path).await.expect(status);
    }
    app.anonymous().get(&path).await.expect(401);
    let other = app.org("Other").await;
    let foreign = app.member(other, Role::SuperAdmin).await;
    foreign.get(&path).await.expect(404);
    let leader = app.member(org, Role::TeamLeader).await;
    let mut seen = Vec::new();
    let mut after = String::new();
    loop {
        let page = leader.get(&format!("{path}?limit=2&startAfter={after}")).await.expect(200);
        let rows = page["data"].as_array().unwrap().clone();
        let Some(last) = rows.last() else { break };
        after = last["uid"].as_str().unwrap().to_owned();
        seen.extend(rows.into_iter().map(|row| row["user"]["email"].clone()));
    }
    let expected: Vec<_> = (0..5).rev().map(|n| json!(format!("person{n}@example.com"))).collect();
    assert_eq!(seen, expected);
    leader.get(&format!("{path}?startAfter=soon")).await.expect(400);
    app.settle().await;
}

#[tokio::test]
async fn withdrawing_and_leaving_work_in_every_standing_of_the_plan() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let me = format!("/v1/organizations/{}/users/me", org.uid);
    for (standing, giving) in [(Standing::PastDue, 200), (Standing::Suspended, 200), (Standing::Ended, 404)] {
        set_standing(&app, org, Standing::Active).await;
        let ada = joined(&app, &link, "ada@example.com", true).await;
        set_standing(&app, org, standing).await;
        let own = ada.get("/v1/viewer/organizations").await.expect(200)["data"][0].clone();
        assert_eq!(own["suspended"], standing == Standing::Suspended, "{standing:?}");
        let taken_back = ada.patch(&format!("{me}/consent"), json!({"consent": false})).await.expect(200);
        assert_eq!(taken_back["consent"], false, "{standing:?}");
        ada.patch(&format!("{me}/consent"), testkit::answer(true)).await.expect(giving);
        let stranger = app.person("stranger@example.com").await;
        stranger.patch(&format!("{me}/consent"), json!({"consent": false})).await.expect(404);
        stranger.delete(&me).await.expect(404);
        ada.delete(&me).await.expect(204);
        let members = app.deps.orgs.memberships_in(app.deps.db.read(), org.uid, &[ada.uid()]).await.unwrap();
        assert_eq!(members, [], "{standing:?}");
    }
    app.settle().await;
}

#[tokio::test]
async fn consent_can_be_withdrawn_without_a_membership() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let mine = format!("/v1/organizations/{}/users/me/consent", org.uid);
    let leader = app.member(org, Role::TeamLeader).await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let removed = joined(&app, &link, "removed@example.com", true).await;
    let membership =
        app.deps.orgs.memberships_in(app.deps.db.read(), org.uid, &[removed.uid()]).await.unwrap();
    let role = format!("/v1/organizations/{}/roles/{}", org.uid, membership[0].uid);
    leader.delete(&role).await.expect(204);
    let blocked = joined(&app, &link, "blocked@example.com", true).await;
    let block = format!("/v1/organizations/{}/users/{}/block", org.uid, blocked.uid());
    leader.json(http::Method::PUT, &block, &json!({})).await.expect(204);
    let silent = joined(&app, &link, "silent@example.com", false).await;
    let block = format!("/v1/organizations/{}/users/{}/block", org.uid, silent.uid());
    leader.json(http::Method::PUT, &block, &json!({})).await.expect(204);
    let users = format!("/v1/organizations/{}/users", org.uid);
    for (person, email) in [(&removed, "removed@example.com"), (&blocked, "blocked@example.com")] {
        let row = async || {
            let page = admin.get(&users).await.expect(200);
            let uid = person.uid().to_string();
            page["data"].as_array().unwrap().iter().find(|row| row["userId"] == uid).unwrap().clone()
        };
        // Staff keep seeing a person who consents, until the person withdraws.
        let before = row().await;
        assert_eq!((&before["membershipId"], &before["consent"]), (&Value::Null, &json!(true)));
        assert_eq!(before["user"]["email"], email);
        let own = person.get("/v1/viewer/organizations").await.expect(200);
        assert_eq!(own["data"].as_array().unwrap().len(), 1, "{email}");
        assert_eq!(own["data"][0]["uid"], org.uid.to_string());
        assert_eq!(
            (&own["data"][0]["access"], &own["data"][0]["role"], &own["data"][0]["consent"]),
            (&json!(false), &Value::Null, &json!(true))
        );
        person.patch(&mine, testkit::answer(true)).await.expect(404);
        let record = person.patch(&mine, json!({"consent": false})).await.expect(200);
        assert_eq!((&record["consent"], &record["method"]), (&json!(false), &json!("settings")));
        let after = row().await;
        assert_eq!((&after["consent"], &after["user"]["email"]), (&json!(false), &json!("")));
        assert_eq!(person.get("/v1/viewer/organizations").await.expect(200)["data"], json!([]));
        // Nothing is left to withdraw.
        person.patch(&mine, json!({"consent": false})).await.expect(404);
    }
    silent.patch(&mine, json!({"consent": false})).await.expect(404);
    assert_eq!(silent.get("/v1/viewer/organizations").await.expect(200)["data"], json!([]));
    app.settle().await;
}

#[tokio::test]
async fn an_ended_organisation_is_listed_until_the_person_leaves() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    let bob = joined(&app, &link, "bob@example.com", false).await;
    let (open, link) = public_org(&app, "Open").await;
    ada.post(&link, testkit::answer(true)).await.expect(201);
    set_standing(&app, org, Standing::Ended).await;
    let own = async |person: &testkit::Client| {
        let list = person.get("/v1/viewer/organizations").await.expect(200);
        let row = |row: &Value| {
            let (uid, access, member) = (row["uid"].clone(), row["access"].clone(), row["member"].clone());
            assert_eq!(row["pinnedPlaylists"], json!([]));
            (uid, access, member, row["consent"].clone())
        };
        list["data"].as_array().unwrap().iter().map(row).collect::<Vec<_>>()
    };
    let open = (json!(open.uid), json!(true), json!(true), json!(true));
    let ended = |consent: bool| (json!(org.uid), json!(false), json!(true), json!(consent));
    assert_eq!(own(&ada).await, [open.clone(), ended(true)]);
    assert_eq!(own(&bob).await, [ended(false)]);
    let mine = format!("/v1/organizations/{}/users/me", org.uid);
    ada.patch(&format!("{mine}/consent"), json!({"consent": false})).await.expect(200);
    assert_eq!(own(&ada).await, [open.clone(), ended(false)]);
    // The membership outlives the plan, so the answer can be repeated.
    ada.patch(&format!("{mine}/consent"), json!({"consent": false})).await.expect(200);
    ada.delete(&mine).await.expect(204);
    assert_eq!(own(&ada).await, [open]);
    app.settle().await;
}

async fn set_standing(app: &testkit::TestApp, org: testkit::TestOrg, standing: Standing) {
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.set_standing(&tx, org.uid, standing.into()).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn people_read_their_own_answers_and_the_notice() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    joined(&app, &link, "bob@example.com", false).await;
    app.clock.advance(MINUTE);
    let mine = format!("/v1/organizations/{}/users/me/consent", org.uid);
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    let own = ada.get(&mine).await.expect(200);
    let answers: Vec<_> =
        own["data"].as_array().unwrap().iter().map(|one| (&one["consent"], &one["method"])).collect();
    assert_eq!(answers, [(&json!(false), &json!("settings")), (&json!(true), &json!("join"))]);
    assert_eq!(own["data"][0]["timeCreated"], "2026-11-20T08:01:00.000Z");
    assert_eq!(own["notice"]["version"], own["data"][0]["noticeVersion"]);
    assert!(own["notice"]["text"].as_str().unwrap().starts_with("May this organisation"));
    app.anonymous().get(&mine).await.expect(401);
    app.person("stranger@example.com").await.get(&mine).await.expect(404);
    app.settle().await;
}
