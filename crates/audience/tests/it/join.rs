//! Joining and leaving.

use http::Method;
use orgs::Role;
use serde_json::json;

use crate::{joined, public_org, test_app};

#[tokio::test]
async fn a_link_shows_the_organisation_and_the_notice_without_a_session() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let page = app.anonymous().get(&link).await.expect(200);
    assert_eq!(page["organisation"]["uid"], org.uid.to_string());
    assert_eq!(page["organisation"]["name"], "Acme");
    assert_eq!(page["organisation"]["theme"]["secondaryColor"], "#703cd2");
    assert_eq!(page["notice"]["version"], "2026-11-20");
    assert!(page["notice"]["text"].as_str().unwrap().starts_with("May this organisation"));
    app.anonymous().get("/v1/join/nothing").await.expect_error(404, "This joining link is not valid.");
    app.settle().await;
}

#[tokio::test]
async fn a_link_is_invalid_after_rotation_or_once_the_organisation_is_not_public() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    let rotated = admin.post(&format!("{path}/joinUrl"), json!({"rotate": true})).await.expect(200);
    let person = app.person("ada@example.com").await;
    person.post(&link, testkit::answer(true)).await.expect_error(404, "This joining link is not valid.");
    let code = rotated["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let link = format!("/v1/join/{code}");
    app.anonymous().get(&link).await.expect(200);
    admin.patch(&path, json!({"organisation": {"privacy": "unlisted"}})).await.expect(200);
    app.anonymous().get(&link).await.expect_error(404, "This joining link is not valid.");
    app.settle().await;
}

#[tokio::test]
async fn joining_makes_an_app_user_once() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let person = app.person("ada@example.com").await;
    let body = json!({"consent": true, "noticeVersion": "2026-11-20"});
    let answer = person.post(&link, body.clone()).await.expect(201);
    assert_eq!(answer["organisation"]["uid"], org.uid.to_string());
    person.post(&link, body).await.expect(200);
    let list = person.get("/v1/viewer/organizations").await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    assert_eq!(list["data"][0]["role"], "user");
    assert_eq!(list["data"][0]["consent"], true);
    assert_eq!(list["data"][0]["pinnedPlaylists"], json!([]));
    app.settle().await;
}

#[tokio::test]
async fn joining_needs_a_person_an_answer_and_the_notice_that_is_shown() {
    let app = test_app().await;
    let (_, link) = public_org(&app, "Acme").await;
    app.anonymous().post(&link, testkit::answer(true)).await.expect(401);
    let person = app.person("ada@example.com").await;
    person.post(&link, json!({"consent": "yes"})).await.expect(400);
    person.post(&link, json!({})).await.expect(400);
    let refused = person.post(&link, json!({"consent": true})).await;
    refused.expect_error(400, "A yes needs the version of the notice that was shown.");
    assert!(refused.json()["fields"]["noticeVersion"].is_string());
    person.post(&link, json!({"consent": true, "noticeVersion": "1999-01-01"})).await.expect(409);
    assert_eq!(person.get("/v1/viewer/organizations").await.expect(200)["data"], json!([]));
    app.settle().await;
}

#[tokio::test]
async fn a_staff_role_is_never_lowered_by_joining() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    leader.post(&link, json!({"consent": false})).await.expect(200);
    let list = leader.get("/v1/viewer/organizations").await.expect(200);
    assert_eq!(
        (&list["data"][0]["role"], &list["data"][0]["consent"]),
        (&json!("teamLeader"), &json!(false))
    );
    app.settle().await;
}

#[tokio::test]
async fn leaving_ends_membership_and_consent() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    let me = format!("/v1/organizations/{}/users/me", org.uid);
    app.anonymous().delete(&me).await.expect(401);
    app.person("stranger@example.com").await.delete(&me).await.expect(404);
    ada.delete(&me).await.expect(204);
    ada.delete(&me).await.expect(404);
    assert_eq!(ada.get("/v1/viewer/organizations").await.expect(200)["data"], json!([]));
    let leader = app.member(org, Role::TeamLeader).await;
    let path = format!("/v1/organizations/{}/users/consent", org.uid);
    let records = leader.get(&path).await.expect(200);
    assert_eq!(records["data"][0]["consent"], false);
    assert_eq!(records["data"][0]["method"], "leave");
    ada.post(&link, testkit::answer(true)).await.expect(201);

    // Staff leave the same way, but not the only super admin.
    leader.delete(&me).await.expect(204);
    leader.get(&path).await.expect(404);
    let founder = app.person("founder@acme.example.com").await;
    founder.delete(&me).await.expect_error(409, "An organisation needs at least one super admin.");
    app.member(org, Role::SuperAdmin).await;
    founder.delete(&me).await.expect(204);
    app.settle().await;
}

#[tokio::test]
async fn a_blocked_person_cannot_rejoin_until_unblocked_or_invited() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let bob = joined(&app, &link, "bob@example.com", true).await;
    let leader = app.member(org, Role::TeamLeader).await;
    let block = format!("/v1/organizations/{}/users/{}/block", org.uid, bob.uid());
    app.member(org, Role::TeamUser).await.json(Method::PUT, &block, &json!({})).await.expect(403);
    leader.json(Method::PUT, &block, &json!({})).await.expect(204);
    leader.json(Method::PUT, &block, &json!({})).await.expect(204);
    bob.get(&format!("/v1/playlists?orgId={}", org.uid)).await.expect(404);
    let refused = bob.post(&link, testkit::answer(true)).await.expect(403);
    assert_eq!(refused["code"], "blocked");

    let admin = app.member(org, Role::AccountAdmin).await;
    let users = format!("/v1/organizations/{}/users", org.uid);
    let row = async || {
        let page = admin.get(&users).await.expect(200);
        let rows = page["data"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["userId"] == bob.uid().to_string()).unwrap()
    };
    let shown = row().await;
    assert_eq!((&shown["blocked"], &shown["membershipId"]), (&json!(true), &serde_json::Value::Null));
    // A block revokes an invitation that is older.
    let invite = json!({"userEmail": "bob@example.com", "role": "teamUser"});
    leader.post(&format!("/v1/organizations/{}/roles", org.uid), invite).await.expect(200);
    leader.json(Method::PUT, &block, &json!({})).await.expect(204);
    let open = leader.get(&format!("/v1/organizations/{}/invites", org.uid)).await.expect(200);
    assert_eq!(open["data"].as_array().unwrap().len(), 0);
    app.run_jobs().await;
    leader.delete(&block).await.expect(204);
    assert_eq!(row().await["blocked"], false);
    bob.post(&link, testkit::answer(true)).await.expect(201);

    // Without an answer to the notice, the block is all that is known.
    let staff = app.member(org, Role::TeamUser).await;
    let block = format!("/v1/organizations/{}/users/{}/block", org.uid, staff.uid());
    leader.json(Method::PUT, &block, &json!({})).await.expect(204);
    staff.post(&link, testkit::answer(true)).await.expect(403);
    leader.delete(&block).await.expect(204);
    leader.delete(&block).await.expect(404);
    // You cannot block yourself or someone with a higher role.
    for person in [&admin, &leader] {
        let block = format!("/v1/organizations/{}/users/{}/block", org.uid, person.uid());
        let status = leader.json(Method::PUT, &block, &json!({})).await.status;
        assert!([403, 409].contains(&status.as_u16()), "{status}");
    }
    app.settle().await;
}
