//! Answers to the consent notice.

use kernel::MINUTE;
use orgs::{Role, Standing};
use serde_json::json;

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
    app.anonymous().patch(&mine, json!({"consent": true})).await.expect(401);
    app.person("stranger@example.com").await.patch(&mine, json!({"consent": true})).await.expect(404);
    ada.patch(&mine, json!({"consent": null})).await.expect(400);
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
        let taken_back = ada.patch(&format!("{me}/consent"), json!({"consent": false})).await.expect(200);
        assert_eq!(taken_back["consent"], false, "{standing:?}");
        ada.patch(&format!("{me}/consent"), json!({"consent": true})).await.expect(giving);
        let stranger = app.person("stranger@example.com").await;
        stranger.patch(&format!("{me}/consent"), json!({"consent": false})).await.expect(404);
        stranger.delete(&me).await.expect(404);
        ada.delete(&me).await.expect(204);
        let members = app.deps.orgs.memberships_in(app.deps.db.read(), org.uid, &[ada.uid()]).await.unwrap();
        assert_eq!(members, [], "{standing:?}");
    }
    app.settle().await;
}

async fn set_standing(app: &testkit::TestApp, org: testkit::TestOrg, standing: Standing) {
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.set_standing(&tx, org.uid, standing.into()).await.unwrap();
    tx.commit().await.unwrap();
}
