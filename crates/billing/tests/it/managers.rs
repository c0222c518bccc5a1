//! The people who manage a billing account.

use http::Method;
use kernel::OrgId;
use orgs::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::test_app::{TestApp, form, test_app, uid};

const UNKNOWN: &str = "No staff member of this account's organizations has this email address.";

/// An account of Ada with an organisation, on whose staff is Bea.
async fn account(app: &TestApp, kind: &str) -> (Client, Client, String, OrgId) {
    let (ada, account) = app.buyer("ada@example.com", kind).await;
    let bea = app.http.person("bea@example.com").await;
    let org: OrgId = uid(&app.buy(&ada, &account, "essentials-monthly").await["orgId"]);
    appoint(app, org, &bea, Role::TeamUser).await;
    (ada, bea, account, org)
}

async fn appoint(app: &TestApp, org: OrgId, person: &Client, role: Role) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    app.http.deps.orgs.appoint(&tx, org, person.uid(), role).await.unwrap();
    tx.commit().await.unwrap();
}

async fn actions(manager: &Client, account: &str) -> Vec<Value> {
    let log = manager.get(&format!("/v1/accounts/{account}/audit")).await.expect(200);
    log["data"].as_array().unwrap().iter().map(|entry| entry["action"].clone()).collect()
}

#[tokio::test]
async fn managers_are_added_and_removed_and_their_rights_follow_at_once() {
    let app = test_app().await;
    let (ada, bea, account, _) = account(&app, "business").await;
    let path = format!("/v1/accounts/{account}/managers");
    bea.get(&path).await.expect(404);
    bea.post(&path, json!({ "email": "bea@example.com" })).await.expect(404);
    for _ in 0..2 {
        let added = ada.post(&path, json!({ "email": " Bea@Example.com" })).await.expect(201);
        assert_eq!((&added["uid"], &added["email"]), (&json!(bea.uid()), &json!("bea@example.com")));
    }
    let list = bea.get(&path).await.expect(200);
    let emails: Vec<_> = list["data"].as_array().unwrap().iter().map(|one| one["email"].clone()).collect();
    assert_eq!(emails, ["ada@example.com", "bea@example.com"]);
    let change = json!({ "account": { "billingEmail": "other@acme.example.com" } });
    let edit = format!("/v1/accounts/{account}");
    bea.patch(&edit, change.clone()).await.expect(200);

    // The person who created the account can be removed too.
    let (own, other) = (format!("{path}/{}", bea.uid()), format!("{path}/{}", ada.uid()));
    bea.delete(&other).await.expect(204);
    ada.patch(&edit, change).await.expect(404);
    ada.delete(&own).await.expect(404);
    bea.delete(&other).await.expect(204);
    bea.delete(&own).await.expect_error(409, "A billing account needs at least one manager.");
    let expected = [
        "person.billingManagerRemoved",
        "account.changed",
        "person.billingManagerAdded",
        "account.planBought",
        "account.created",
    ];
    assert_eq!(actions(&bea, &account).await, expected);
    app.http.settle().await;
}

#[tokio::test]
async fn only_the_staff_is_added_and_the_answer_does_not_tell_who_has_an_account() {
    let app = test_app().await;
    let (ada, bea, account, org) = account(&app, "business").await;
    let path = format!("/v1/accounts/{account}/managers");
    for body in [json!({ "email": "bea" }), json!({})] {
        ada.post(&path, body).await.expect_error(400, "Invalid email!");
    }
    app.http.person("cy@example.com").await;
    for email in ["cy@example.com", "unknown@example.com"] {
        ada.post(&path, json!({ "email": email })).await.expect_error(404, UNKNOWN);
    }
    appoint(&app, org, &bea, Role::User).await;
    ada.post(&path, json!({ "email": "bea@example.com" })).await.expect_error(404, UNKNOWN);
    app.http.settle().await;
}

#[tokio::test]
async fn two_managers_who_remove_each_other_leave_one() {
    let app = test_app().await;
    let (ada, bea, account, _) = account(&app, "business").await;
    let path = format!("/v1/accounts/{account}/managers");
    ada.post(&path, json!({ "email": "bea@example.com" })).await.expect(201);
    let (first, second) = (format!("{path}/{}", bea.uid()), format!("{path}/{}", ada.uid()));
    let (one, other) = futures::join!(ada.delete(&first), bea.delete(&second));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 404]);
    app.http.settle().await;
}

#[tokio::test]
async fn a_removed_manager_gets_nothing_out_of_what_was_begun_before() {
    let app = test_app().await;
    let (ada, bea, account, _) = account(&app, "agency").await;
    let path = format!("/v1/accounts/{account}/managers");
    ada.post(&path, json!({ "email": "bea@example.com" })).await.expect(201);
    let repeated = async |client: &Client| {
        let request = client.request(Method::POST, "/v1/accounts").header("idempotency-key", "once");
        let body = axum::body::Body::from(form().to_string());
        client.send(request.header("content-type", "application/json").body(body).unwrap()).await
    };
    let own = repeated(&ada).await.expect(201)["uid"].as_str().unwrap().to_owned();
    assert_eq!(repeated(&ada).await.expect(201)["uid"], own);
    let (session, provision) = app.start_checkout(&ada, &account, "professional-monthly").await;
    bea.delete(&format!("{path}/{}", ada.uid())).await.expect(204);

    app.settle_checkout(&session, "pay").await;
    app.http.run_jobs().await;
    let bought = app.provision(&bea, &account, &provision).await;
    let org = bought["orgId"].as_str().unwrap();
    let list = async |client: &Client| client.get("/v1/organizations").await.expect(200)["data"].to_string();
    assert!(list(&bea).await.contains(org), "the money was the account's");
    assert!(!list(&ada).await.contains(org));
    app.http.settle().await;
}
