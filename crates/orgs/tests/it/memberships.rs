//! A person's memberships.

use orgs::{Role, Standing};
use serde_json::json;

use super::test_app;

#[tokio::test]
async fn a_person_without_an_organisation_has_an_empty_list() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    assert_eq!(ada.get("/v1/profiles/roles/detailed").await.expect(200), json!({ "data": [] }));
    assert_eq!(ada.get("/v1/organizations").await.expect(200), json!({ "data": [] }));
    app.anonymous().get("/v1/organizations").await.expect_error(401, "Missing or invalid identity token");
    app.settle().await;
}

#[tokio::test]
async fn memberships_contain_role_and_organisation_and_omit_ended_plans() {
    let app = test_app().await;
    let (north, south) = (app.org("North").await, app.org("South").await);
    let ada = app.member(north, Role::TeamLeader).await;
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.appoint(&tx, south.uid, ada.uid(), Role::User).await.unwrap();
    tx.commit().await.unwrap();
    let rows = ada.get("/v1/profiles/roles/detailed").await.expect(200)["data"].clone();
    assert_eq!(rows[0]["role"], "teamLeader");
    assert_eq!(rows[0]["organisation"]["name"], "North");
    assert_eq!(
        (rows[1]["role"].as_str(), rows[1]["organisation"]["state"].as_str()),
        (Some("user"), Some("active"))
    );

    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.set_standing(&tx, north.uid, Standing::Ended.into()).await.unwrap();
    tx.commit().await.unwrap();
    let rows = ada.get("/v1/profiles/roles/detailed").await.expect(200)["data"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    ada.patch(&format!("/v1/organizations/{}", north.uid), json!({ "organisation": {} })).await.expect(404);
    app.settle().await;
}

#[tokio::test]
async fn an_unverified_address_cannot_create_an_organisation() {
    let app = test_app().await;
    let eve = app.unverified_person("ada@example.com").await;
    let new = json!({ "organisation": { "name": "Acme" } });
    let refused = eve.post("/v1/organizations", new).await.expect(403);
    assert_eq!(refused["code"], "email_unproved");
    assert_eq!(eve.get("/v1/organizations").await.expect(200), json!({ "data": [] }));
    app.settle().await;
}

#[tokio::test]
async fn the_creator_of_an_organisation_on_an_unused_plan_becomes_super_admin() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let made = ada.post("/v1/organizations", json!({ "organisation": { "name": "Acme" } })).await.expect(201);
    assert_eq!((made["name"].as_str(), made["privacy"].as_str()), (Some("Acme"), Some("private")));
    let rows = ada.get("/v1/profiles/roles/detailed").await.expect(200)["data"].clone();
    assert_eq!(rows[0]["role"], "superAdmin");
    let alias = json!({ "organization": { "name": " " } });
    ada.post("/v1/organizations", alias).await.expect_error(400, "Name is required");
    app.settle().await;
}
