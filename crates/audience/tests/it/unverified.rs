//! People with an unverified address.

use orgs::Role;
use serde_json::json;

use crate::{joined, public_org, test_app};

#[tokio::test]
async fn an_unverified_address_cannot_join_until_an_emailed_code_verifies_it() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let eve = app.unverified_person("ada@example.com").await;
    for consent in [true, false] {
        let refused = eve.post(&link, testkit::answer(consent)).await.expect(403);
        assert_eq!(refused["code"], "email_unproved");
        assert!(refused["message"].as_str().unwrap().contains("Open the link we sent you"), "{refused}");
    }
    let leader = app.member(org, Role::TeamLeader).await;
    let consents = format!("/v1/organizations/{}/users/consent", org.uid);
    assert_eq!(leader.get(&consents).await.expect(200)["data"], json!([]));
    assert_eq!(eve.get("/v1/viewer/organizations").await.expect(200)["data"], json!([]));

    app.run_jobs().await;
    let email =
        app.deps.mailer.sent(kernel::Email::parse("ada@example.com").as_ref(), 1).await.unwrap().remove(0);
    let link_to_confirm = email.links().remove(0);
    let code = link_to_confirm.split("code=").nth(1).unwrap();
    eve.post("/v1/auth/verifications/redeem", json!({ "code": code })).await.expect(204);
    eve.post(&link, testkit::answer(true)).await.expect(201);
    app.settle().await;
}

#[tokio::test]
async fn an_answer_for_an_unverified_address_is_deleted_once_its_owner_signs_in() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let eve = joined(&app, &link, "ada@example.com", true).await;
    app.mark_unverified(eve.uid()).await;
    let mine = format!("/v1/organizations/{}/users/me/consent", org.uid);
    let refused = eve.patch(&mine, testkit::answer(true)).await.expect(403);
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
async fn an_unverified_person_can_still_withdraw_and_leave() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    app.mark_unverified(ada.uid()).await;
    let me = format!("/v1/organizations/{}/users/me", org.uid);
    ada.patch(&format!("{me}/consent"), json!({ "consent": false })).await.expect(200);
    ada.delete(&me).await.expect(204);
    app.settle().await;
}
