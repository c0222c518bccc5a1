//! Buying again: which organisation a plan pays for.

use kernel::OrgId;
use orgs::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::test_app::{TestApp, TestProvider, event, test_app, test_app_with, uid};

const GIB: u64 = 1 << 30;

/// Ends a plan with its period.
async fn end(app: &TestApp, provision: &Value) {
    let path = format!("/sandbox/api/subscriptions/{}", provision["uid"].as_str().unwrap());
    app.stand_in_post(&path, json!({ "outcome": "cancel" })).await;
    app.advance_days(31).await;
}

async fn ended(person: &Client, account: &str) -> Vec<Value> {
    let list = person.get(&format!("/v1/accounts/{account}/endedOrganizations")).await.expect(200);
    list["data"].as_array().unwrap().clone()
}

/// Buys a plan for this organisation, or for a new one.
async fn buy_for(app: &TestApp, person: &Client, account: &str, organisation: &Value) -> Value {
    let order = json!({ "planId": "essentials-monthly", "organisation": organisation });
    let started = person.post(&format!("/v1/accounts/{account}/checkout"), order).await.expect(200);
    app.settle_checkout(started["sessionId"].as_str().unwrap(), "pay").await;
    app.http.run_jobs().await;
    app.provision(person, account, started["provisionId"].as_str().unwrap()).await
}

async fn appoint(app: &TestApp, org: OrgId, person: &Client, role: impl Into<Option<Role>>) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    app.http.deps.orgs.appoint(&tx, org, person.uid(), role).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn the_organisation_of_a_business_returns_and_its_buyer_is_super_admin_again() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let first = app.buy(&ada, &account, "essentials-monthly").await;
    let org: OrgId = uid(&first["orgId"]);
    let bea = app.http.person("bea@example.com").await;
    appoint(&app, org, &bea, Role::SuperAdmin).await;
    appoint(&app, org, &ada, None).await;
    assert!(ended(&ada, &account).await.is_empty());
    end(&app, &first).await;

    let ada = app.http.person("ada@example.com").await;
    let path = format!("/v1/accounts/{account}/checkout");
    let other = json!({ "planId": "essentials-monthly", "organisation": "new" });
    assert_eq!(ada.post(&path, other).await.expect(400)["code"], "organisation_returns");
    let list = ended(&ada, &account).await;
    assert_eq!((list.len(), &list[0]["uid"], &list[0]["name"]), (1, &first["orgId"], &json!("Acme")));
    assert!(list[0]["timeEnded"].is_string());
    let again = app.buy(&ada, &account, "professional-monthly").await;
    assert_eq!(again["orgId"], first["orgId"]);
    let roles = ada.get("/v1/profiles/roles/detailed").await.expect(200);
    assert_eq!(
        (&roles["data"][0]["role"], &roles["data"][0]["organisation"]["uid"]),
        (&json!("superAdmin"), &first["orgId"])
    );
    assert!(ended(&ada, &account).await.is_empty());
    app.http.settle().await;
}

#[tokio::test]
async fn an_agency_gets_a_new_organisation_unless_it_chooses_an_ended_one() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let first = app.buy(&ada, &account, "essentials-monthly").await;
    let second = app.buy(&ada, &account, "essentials-monthly").await;
    let path = format!("/v1/accounts/{account}/checkout");
    let order = |org: &Value| json!({ "planId": "essentials-monthly", "organisation": org });
    for odd in [&first["orgId"], &json!("old")] {
        assert_eq!(ada.post(&path, order(odd)).await.expect(400)["code"], "organisation_not_ended");
    }
    end(&app, &first).await;
    let ada = app.http.person("ada@example.com").await;
    let third = app.buy(&ada, &account, "essentials-monthly").await;
    assert!(third["orgId"] != first["orgId"] && third["orgId"] != second["orgId"], "another customer's");
    let fourth = buy_for(&app, &ada, &account, &json!("new")).await;
    assert_ne!(fourth["orgId"], first["orgId"]);

    // Two checkouts for the same organisation: the second one paid gets a new one.
    let started = ada.post(&path, order(&first["orgId"])).await.expect(200);
    let of_new = ada.post(&path, order(&json!("new"))).await.expect(200);
    assert_ne!(started["sessionId"], of_new["sessionId"], "it is for something else");
    let other = json!({ "planId": "professional-monthly", "organisation": first["orgId"] });
    let late = ada.post(&path, other).await.expect(200);
    let mut orgs = Vec::new();
    for one in [started, late] {
        app.settle_checkout(one["sessionId"].as_str().unwrap(), "pay").await;
        app.http.run_jobs().await;
        let bought = app.provision(&ada, &account, one["provisionId"].as_str().unwrap()).await;
        orgs.push(bought["orgId"].clone());
    }
    assert_eq!(orgs[0], first["orgId"]);
    assert!(orgs[1].is_string() && orgs[1] != orgs[0]);
    let eve = app.http.person("eve@example.com").await;
    eve.get(&format!("/v1/accounts/{account}/endedOrganizations")).await.expect(404);
    app.http.settle().await;
}

/// Changes the status of a subscription, of which the provider sends an event.
async fn said(app: &TestApp, provision: &str, status: &str) {
    app.change_subscription(provision, |body| body["status"] = json!(status)).await;
    let object = json!({ "id": "sub_1", "metadata": { "provision": provision } });
    app.webhook(&event(status, "customer.subscription.updated", object)).await.expect(200);
    app.process_webhooks().await;
}

#[tokio::test]
async fn a_suspended_plan_is_restored_by_its_invoice_and_not_by_a_second_purchase() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    let bought = app.buy(&ada, &account, "essentials-monthly").await;
    let provision = bought["uid"].as_str().unwrap();
    let path = format!("/v1/accounts/{account}/checkout");
    let order = json!({ "planId": "essentials-monthly" });
    // The provider retries, and then gives the payment up without ending the subscription.
    said(&app, provision, "past_due").await;
    assert_eq!(ada.post(&path, order.clone()).await.expect(409)["code"], "account_full");
    said(&app, provision, "unpaid").await;
    let words = "Your plan is suspended because an invoice is unpaid. Pay the open invoice to restore it.";
    ada.post(&path, order.clone()).await.expect_error(409, words);
    assert_eq!(ada.post(&path, order.clone()).await.json()["code"], "plan_suspended");

    ada.patch(&format!("/v1/accounts/{account}"), json!({ "account": { "type": "agency" } }))
        .await
        .expect(200);
    let same = json!({ "planId": "essentials-monthly", "organisation": bought["orgId"] });
    assert_eq!(ada.post(&path, same).await.expect(409)["code"], "plan_suspended");
    ada.post(&path, order).await.expect(200);
    app.http.settle().await;
}

#[tokio::test]
async fn with_payment_off_only_an_agency_that_asks_gets_a_second_organisation() {
    let app = test_app_with(TestProvider::Off).await;
    let order = |organisation: Value| json!({ "planId": "essentials-monthly", "organisation": organisation });
    for (email, kind, organisations) in [("ada@example.com", "business", 1), ("bea@example.com", "agency", 2)]
    {
        let (buyer, account) = app.buyer(email, kind).await;
        let path = format!("/v1/accounts/{account}/checkout");
        let first = buyer.post(&path, order(Value::Null)).await.expect(200);
        for _ in 0..2 {
            let again = buyer.post(&path, order(Value::Null)).await.expect(200);
            assert_eq!((&again["provisionId"], &again["url"]), (&first["provisionId"], &first["url"]));
        }
        buyer.post(&path, order(json!("new"))).await.expect(200);
        let orgs = buyer.get("/v1/organizations").await.expect(200);
        assert_eq!(orgs["data"].as_array().unwrap().len(), organisations, "{kind}");
    }
    app.http.settle().await;
}

/// Payment was off when the plan was granted, and is on now.
#[tokio::test]
async fn a_free_plan_has_the_limits_of_the_smallest_one_once_payment_is_on() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let bought = app.buy(&ada, &account, "professional-monthly").await;
    let org = uid(&bought["orgId"]);
    app.execute("UPDATE provision SET plan = NULL, subscription = NULL, status = NULL, next_sync_at = NULL")
        .await;
    let read = app.http.deps.db.read();
    let limits = app.billing.limits_of(read, org).await.unwrap();
    assert_eq!((limits.staff_seats, limits.storage_bytes), (Some(5), Some(250 * GIB)));
    assert!(app.billing.sharing_storage(read, org).await.unwrap().is_empty());
    let path = format!("/v1/organizations/{org}/roles");
    for number in 0..5 {
        let staff = json!({ "userEmail": format!("p{number}@example.com"), "role": "teamUser" });
        ada.post(&path, staff).await.expect(if number < 4 { 200 } else { 402 });
    }
    app.http.settle().await;
}
