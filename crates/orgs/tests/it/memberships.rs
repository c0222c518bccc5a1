//! A person's memberships.

use orgs::{Role, Standing};
use serde_json::json;

use super::app;

#[tokio::test]
async fn a_person_without_an_organisation_has_an_empty_list() {
    let app = app().await;
    let ada = app.person("ada@example.com").await;
    assert_eq!(ada.get("/v1/profiles/roles/detailed").await.expect(200), json!({ "data": [] }));
    assert_eq!(ada.get("/v1/organizations").await.expect(200), json!({ "data": [] }));
    app.anonymous().get("/v1/organizations").await.refuse(401, "Missing or invalid identity token");
    app.settle().await;
}

#[tokio::test]
async fn memberships_name_role_and_organisation_and_drop_what_ended() {
    let app = app().await;
    let (north, south) = (app.org("North").await, app.org("South").await);
    let ada = app.member(north, Role::TeamLeader).await;
    let tx = app.kit.db.write_tx().await.unwrap();
    app.kit.orgs.appoint(&tx, south.uid, ada.uid(), Role::User).await.unwrap();
    tx.commit().await.unwrap();
    let rows = ada.get("/v1/profiles/roles/detailed").await.expect(200)["data"].clone();
    assert_eq!(rows[0]["role"], "teamLeader");
    assert_eq!(rows[0]["organisation"]["name"], "North");
    assert_eq!(
        (rows[1]["role"].as_str(), rows[1]["organisation"]["state"].as_str()),
        (Some("user"), Some("active"))
    );

    let tx = app.kit.db.write_tx().await.unwrap();
    app.kit.orgs.set_standing(&tx, north.uid, Standing::Ended).await.unwrap();
    tx.commit().await.unwrap();
    let rows = ada.get("/v1/profiles/roles/detailed").await.expect(200)["data"].clone();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    ada.patch(&format!("/v1/organizations/{}", north.uid), json!({ "organisation": {} })).await.expect(404);
    app.settle().await;
}

#[tokio::test]
async fn an_unproved_address_founds_nothing() {
    let app = app().await;
    let eve = app.unproved("ada@example.com").await;
    let new = json!({ "organisation": { "name": "Acme" } });
    let refused = eve.post("/v1/organizations", new).await.expect(403);
    assert_eq!(refused["code"], "email_unproved");
    assert_eq!(eve.get("/v1/organizations").await.expect(200), json!({ "data": [] }));
    app.settle().await;
}

#[tokio::test]
async fn an_organisation_on_a_free_plan_makes_its_maker_super_admin() {
    let app = app().await;
    let ada = app.person("ada@example.com").await;
    let made = ada.post("/v1/organizations", json!({ "organisation": { "name": "Acme" } })).await.expect(201);
    assert_eq!((made["name"].as_str(), made["privacy"].as_str()), (Some("Acme"), Some("private")));
    let rows = ada.get("/v1/profiles/roles/detailed").await.expect(200)["data"].clone();
    assert_eq!(rows[0]["role"], "superAdmin");
    let alias = json!({ "organization": { "name": " " } });
    ada.post("/v1/organizations", alias).await.refuse(400, "Name is required");
    app.settle().await;
}
