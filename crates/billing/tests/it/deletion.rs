//! Deleting and restoring organisations.

use http::Method;
use kernel::{DAY, OrgId};
use orgs::Role;
use serde_json::{Value, json};
use testkit::{ApiResponse, Client, TestOrg};

use crate::test_app::{TestApp, TestProvider, test_app, test_app_with, uid};

async fn delete(client: &Client, org: OrgId, body: Value) -> ApiResponse {
    client.json(Method::DELETE, &format!("/v1/organizations/{org}"), &body).await
}

async fn restore(client: &Client, org: OrgId) -> ApiResponse {
    client.post(&format!("/v1/organizations/{org}/restore"), json!({})).await
}

async fn deleted(client: &Client, account: &str) -> Value {
    client.get(&format!("/v1/accounts/{account}/deletedOrganizations")).await.expect(200)["data"].clone()
}

async fn names(client: &Client) -> Vec<String> {
    let all = client.get("/v1/organizations").await.expect(200)["data"].clone();
    all.as_array().unwrap().iter().map(|org| org["name"].as_str().unwrap().to_owned()).collect()
}

/// Returns the actions of a log, newest first.
async fn actions(client: &Client, path: &str) -> Vec<String> {
    let log = client.get(path).await.expect(200)["data"].clone();
    log.as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap().to_owned()).collect()
}

/// An account with one organisation called Acme.
async fn bought(app: &TestApp, kind: &str) -> (Client, String, String, OrgId) {
    let (ada, account) = app.buyer("ada@example.com", kind).await;
    let bought = app.buy(&ada, &account, "essentials-monthly").await;
    let provision = bought["uid"].as_str().unwrap().to_owned();
    (ada, account, provision, uid(&bought["orgId"]))
}

#[tokio::test]
async fn only_a_manager_of_the_account_deletes_an_organisation_and_by_its_name() {
    let app = test_app().await;
    let (ada, account, _, org) = bought(&app, "business").await;
    let named = || json!({ "name": "Acme" });
    for role in [Role::SuperAdmin, Role::AccountAdmin, Role::User] {
        let member = app.http.member(TestOrg { uid: org }, role).await;
        delete(&member, org, named()).await.expect(403);
        restore(&member, org).await.expect(404);
    }
    let (eve, _) = app.buyer("eve@example.com", "business").await;
    delete(&eve, org, named()).await.expect(404);
    eve.get(&format!("/v1/accounts/{account}/deletedOrganizations")).await.expect(404);
    delete(&app.http.anonymous(), org, named()).await.expect(401);
    delete(&ada, OrgId::nil(), named()).await.expect(404);
    for wrong in [json!({ "name": "acme" }), json!({})] {
        assert_eq!(delete(&ada, org, wrong).await.expect(409)["code"], "name_differs");
    }
    restore(&ada, org).await.expect(404);
    assert_eq!(names(&ada).await, ["Acme"]);

    delete(&ada, org, json!({ "name": " Acme " })).await.expect(204);
    delete(&ada, org, named()).await.expect(404);
    restore(&eve, org).await.expect(404);
    assert_eq!(deleted(&ada, &account).await[0]["name"], "Acme");
    app.http.settle().await;
}

#[tokio::test]
async fn a_deleted_organisation_is_gone_at_once_and_is_restored_with_its_people() {
    let app = test_app().await;
    let (ada, account, provision, org) = bought(&app, "business").await;
    let (organisation, log) = (format!("/v1/organizations/{org}"), format!("/v1/organizations/{org}/audit"));
    ada.patch(&organisation, json!({ "organisation": { "privacy": "public" } })).await.expect(200);
    let link = ada.post(&format!("{organisation}/joinUrl"), json!({})).await.expect(200);
    let code = link["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let invites = json!({ "userEmails": ["bob@example.com"], "role": "teamUser" });
    ada.post(&format!("{organisation}/invites"), invites).await.expect(200);
    app.http.run_jobs().await;

    delete(&ada, org, json!({ "name": "Acme" })).await.expect(204);
    assert!(names(&ada).await.is_empty());
    ada.get(&log).await.expect(404);
    ada.patch(&organisation, json!({ "organisation": { "name": "B" } })).await.expect(404);
    let roles = ada.get("/v1/profiles/roles/detailed").await.expect(200);
    assert_eq!(roles["data"], json!([]));
    let freed = app.provision(&ada, &account, &provision).await;
    assert_eq!((&freed["state"], &freed["orgId"]), (&json!("active"), &json!(null)));
    let listed = deleted(&ada, &account).await;
    assert_eq!(listed[0]["uid"], json!(org));
    let time = |name: &str| kernel::from_iso(listed[0][name].as_str().unwrap()).unwrap();
    assert_eq!(time("timeRemoved") - time("timeDeleted"), 30 * DAY);

    restore(&ada, org).await.expect(204);
    restore(&ada, org).await.expect(404);
    assert_eq!(names(&ada).await, ["Acme"]);
    assert_eq!(app.provision(&ada, &account, &provision).await["orgId"], json!(org));
    assert_eq!(deleted(&ada, &account).await, json!([]));
    let now = ada.get("/v1/organizations").await.expect(200)["data"][0].clone();
    assert_eq!(now["publicJoinUrl"].as_str().unwrap_or_default(), "", "the link {code} ended");
    assert_eq!(ada.get(&format!("{organisation}/invites")).await.expect(200)["data"], json!([]));
    for path in [log, format!("/v1/accounts/{account}/audit")] {
        let actions = actions(&ada, &path).await;
        assert_eq!(actions[..2], ["organization.restored", "organization.deleted"], "{path}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn the_freed_plan_pays_for_a_new_organisation_and_the_old_one_then_has_none() {
    let app = test_app().await;
    let (ada, account, provision, org) = bought(&app, "business").await;
    delete(&ada, org, json!({ "name": "Acme" })).await.expect(204);
    let new = json!({ "organisation": { "name": "Second" } });
    let second: OrgId = uid(&ada.post("/v1/organizations", new).await.expect(201)["uid"]);
    assert_eq!(app.provision(&ada, &account, &provision).await["orgId"], json!(second));
    assert_eq!(restore(&ada, org).await.expect(409)["code"], "no_free_provision");
    assert_eq!(deleted(&ada, &account).await[0]["uid"], json!(org));
    // The subscription ran on: after a month it is paid again.
    app.advance_days(35).await;
    // Tokens do not last for days.
    let ada = app.http.person("ada@example.com").await;
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "active");
    assert_eq!(names(&ada).await, ["Second"]);
    assert_eq!(deleted(&ada, &account).await, json!([]), "after 30 days");
    restore(&ada, org).await.expect(404);
    app.http.settle().await;
}

#[tokio::test]
async fn the_plan_ends_with_its_period_if_that_is_wanted() {
    let app = test_app().await;
    let (ada, account, provision, org) = bought(&app, "business").await;
    delete(&ada, org, json!({ "name": "Acme", "cancelPlan": true })).await.expect(204);
    app.http.run_jobs().await;
    let canceled = app.provision(&ada, &account, &provision).await;
    assert_eq!((&canceled["state"], &canceled["timeEnds"]), (&json!("active"), &canceled["timeRenews"]));
    assert!(canceled["timeEnds"].is_string());
    restore(&ada, org).await.expect(204);
    assert_eq!(names(&ada).await, ["Acme"]);
    app.advance_days(35).await;
    // Tokens do not last for days.
    let ada = app.http.person("ada@example.com").await;
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "ended");
    assert!(names(&ada).await.is_empty());
    app.http.settle().await;
}

#[tokio::test]
async fn an_ended_organisation_is_deleted_by_its_owner_and_needs_a_plan_to_return() {
    let app = test_app().await;
    let (ada, account, _, org) = bought(&app, "agency").await;
    delete(&ada, org, json!({ "name": "Acme", "cancelPlan": true })).await.expect(204);
    app.http.run_jobs().await;
    restore(&ada, org).await.expect(204);
    app.advance_days(35).await;
    // Tokens do not last for days.
    let ada = app.http.person("ada@example.com").await;
    delete(&ada, org, json!({ "name": "Acme" })).await.expect(204);
    assert_eq!(restore(&ada, org).await.expect(409)["code"], "no_free_provision");
    // A new purchase brings no deleted organisation back: it gets a new one, which can be deleted for the old one.
    let second: OrgId = uid(&app.buy(&ada, &account, "essentials-monthly").await["orgId"]);
    assert_ne!(second, org);
    delete(&ada, second, json!({ "name": "Acme" })).await.expect(204);
    restore(&ada, org).await.expect(204);
    let standing = ada.get("/v1/organizations").await.expect(200)["data"][0].clone();
    assert_eq!(standing["uid"], json!(org));
    app.http.settle().await;
}

#[tokio::test]
async fn without_payment_the_account_owns_its_organisations() {
    let app = test_app_with(TestProvider::Off).await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let new = json!({ "organisation": { "name": "Free" } });
    let org: OrgId = uid(&ada.post("/v1/organizations", new).await.expect(201)["uid"]);
    delete(&ada, org, json!({ "name": "Free", "cancelPlan": true })).await.expect(204);
    assert_eq!(deleted(&ada, &account).await[0]["name"], "Free");
    restore(&ada, org).await.expect(204);
    assert_eq!(names(&ada).await, ["Free"]);
    // Deleted, replaced by three others, and too many to return.
    delete(&ada, org, json!({ "name": "Free" })).await.expect(204);
    for name in ["One", "Two", "Three"] {
        ada.post("/v1/organizations", json!({ "organisation": { "name": name } })).await.expect(201);
    }
    assert_eq!(restore(&ada, org).await.expect(409)["code"], "no_free_provision");
    app.http.settle().await;
}

#[tokio::test]
async fn without_payment_an_account_for_one_organisation_does_not_restore_a_second_one() {
    let app = test_app_with(TestProvider::Off).await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let new = |name: &str| json!({ "organisation": { "name": name } });
    let first: OrgId = uid(&ada.post("/v1/organizations", new("First")).await.expect(201)["uid"]);
    delete(&ada, first, json!({ "name": "First" })).await.expect(204);
    ada.post("/v1/organizations", new("Second")).await.expect(201);
    assert_eq!(restore(&ada, first).await.expect(409)["code"], "no_free_provision");
    let wider = json!({ "account": { "type": "agency" } });
    ada.patch(&format!("/v1/accounts/{account}"), wider).await.expect(200);
    restore(&ada, first).await.expect(204);
    app.http.settle().await;
}
