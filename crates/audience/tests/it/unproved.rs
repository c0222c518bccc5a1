//! People with an unverified address.

use orgs::Role;
use serde_json::json;

use crate::{app, joined, public_org};

#[tokio::test]
async fn an_unproved_address_joins_nothing_until_a_mailed_code_proves_it() {
    let app = app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let eve = app.unproved("ada@example.com").await;
    for consent in [true, false] {
        let refused = eve.post(&link, json!({ "consent": consent })).await.expect(403);
        assert_eq!(refused["code"], "email_unproved");
        assert!(refused["message"].as_str().unwrap().contains("Open the link we sent you"), "{refused}");
    }
    let leader = app.member(org, Role::TeamLeader).await;
    let consents = format!("/v1/organizations/{}/users/consent", org.uid);
    assert_eq!(leader.get(&consents).await.expect(200)["data"], json!([]));
    assert_eq!(eve.get("/v1/viewer/organizations").await.expect(200)["data"], json!([]));

    app.run_jobs().await;
    let letter =
        app.kit.mailer.sent(kernel::Email::parse("ada@example.com").as_ref(), 1).await.unwrap().remove(0);
    let link_to_confirm = mail::links_of(&letter.text).remove(0);
    let code = link_to_confirm.split("code=").nth(1).unwrap();
    eve.post("/v1/auth/verifications/redeem", json!({ "code": code })).await.expect(204);
    eve.post(&link, json!({ "consent": true })).await.expect(201);
    app.settle().await;
}

#[tokio::test]
async fn an_answer_given_for_an_unproved_address_is_gone_once_its_owner_comes() {
    let app = app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let eve = joined(&app, &link, "ada@example.com", true).await;
    app.unprove(eve.uid()).await;
    let mine = format!("/v1/organizations/{}/users/me/consent", org.uid);
    let refused = eve.patch(&mine, json!({ "consent": true })).await.expect(403);
    assert_eq!(refused["code"], "email_unproved");
    let admin = app.member(org, Role::AccountAdmin).await;
    let consents = format!("/v1/organizations/{}/users/consent", org.uid);
    assert_eq!(admin.get(&consents).await.expect(200)["data"].as_array().unwrap().len(), 1);

    let ada = app.person("ada@example.com").await;
    assert_eq!(ada.uid(), eve.uid());
    eve.get("/v1/profiles").await.expect(401);
    assert_eq!(ada.get("/v1/viewer/organizations").await.expect(200)["data"], json!([]));
    assert_eq!(admin.get(&consents).await.expect(200)["data"], json!([]));
    let users = admin.get(&format!("/v1/organizations/{}/users", org.uid)).await.expect(200);
    assert!(!users.to_string().contains("ada@example.com"), "{users}");
    ada.post(&link, json!({ "consent": false })).await.expect(201);
    app.settle().await;
}

#[tokio::test]
async fn an_unproved_person_may_still_withdraw_and_leave() {
    let app = app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    app.unprove(ada.uid()).await;
    let me = format!("/v1/organizations/{}/users/me", org.uid);
    ada.patch(&format!("{me}/consent"), json!({ "consent": false })).await.expect(200);
    ada.delete(&me).await.expect(204);
    app.settle().await;
}
