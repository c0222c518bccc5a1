//! Failed renewals, plans that end, organisations that are revived.

use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use testkit::Client;

use crate::test_app::{TestApp, event, test_app};

/// The buyer, signed in again because tokens do not last for days.
async fn ada(app: &TestApp) -> Client {
    app.http.person("ada@example.com").await
}

/// The standing of the buyer's organisation, or null if none is visible.
async fn standing(app: &TestApp) -> Value {
    let roles = ada(app).await.get("/v1/profiles/roles/detailed").await.expect(200);
    roles["data"][0]["organisation"]["state"].clone()
}

async fn provision(app: &TestApp, account: &str, uid: &str) -> Value {
    app.provision(&ada(app).await, account, uid).await
}

/// A bought plan: account, organisation, provision, and the address that sets the outcome of its next
/// renewal. The provider keeps a subscription that is not paid.
async fn bought(app: &TestApp) -> (String, Value, String, String) {
    app.stand_in_post("/sandbox/api/stripe", json!({ "afterRetries": "past_due" })).await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    let bought = app.buy(&ada, &account, "essentials-monthly").await;
    let uid = bought["uid"].as_str().unwrap().to_owned();
    let renewal_path = format!("/sandbox/api/subscriptions/{uid}");
    (account, bought["orgId"].clone(), uid, renewal_path)
}

#[tokio::test]
async fn an_unpaid_plan_lapses_over_time_and_buying_again_restores_everything() {
    let app = test_app().await;
    let (account, org, uid, renewal_path) = bought(&app).await;
    app.stand_in_post(&renewal_path, json!({ "outcome": "fail" })).await;
    app.advance_days(31).await;
    assert_eq!(standing(&app).await, "pastDue");
    assert_eq!(provision(&app, &account, &uid).await["active"], true);
    // The invoice is as old as the period, which began up to 3 days ago.
    app.advance_days(10).await;
    assert_eq!(standing(&app).await, "pastDue");
    app.advance_days(4).await;
    assert_eq!(standing(&app).await, "suspended");
    app.advance_days(30).await;
    let over = provision(&app, &account, &uid).await;
    assert_eq!((&over["state"], &over["active"]), (&json!("ended"), &json!(false)));
    assert_eq!((&over["endReason"], &over["quantity"]), (&json!("cancellation_requested"), &json!(1)));
    let answered = texts(&app, "SELECT status FROM provision").await;
    assert_eq!(answered, ["canceled"], "the subscription ends with the organisation");
    let reason = "SELECT COALESCE(end_reason, '') || ' ' || quantity FROM provision";
    assert_eq!(texts(&app, reason).await, ["cancellation_requested 1"]);
    let journal = "SELECT from_state || ' ' || to_state || ' ' || cause FROM provision_change ORDER BY uid";
    assert_eq!(
        texts(&app, journal).await,
        ["open active event", "active pastDue event", "pastDue suspended clock", "suspended ended event"],
    );
    assert_eq!(ada(&app).await.get("/v1/organizations").await.expect(200)["data"], json!([]));
    let again = app.buy(&ada(&app).await, &account, "essentials-annual").await;
    assert_eq!(again["orgId"], org, "the same organisation, with everything in it");
    assert_eq!(standing(&app).await, "active");
    app.http.settle().await;
}

/// The first column of each row.
async fn texts(app: &TestApp, sql: &str) -> Vec<String> {
    let conn = app.http.deps.db.read();
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), sql)).await;
    rows.unwrap().iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

#[tokio::test]
async fn a_plan_that_was_bought_before_payment_was_turned_off_becomes_like_a_free_one() {
    let app = test_app().await;
    let (_, org, _, renewal_path) = bought(&app).await;
    app.stand_in_post(&renewal_path, json!({ "outcome": "fail" })).await;
    app.advance_days(31).await;
    app.http.clock.advance(15 * kernel::DAY);
    assert_eq!(standing(&app).await, "suspended");
    let off = app.with_payment_off();
    off.lift_suspensions().await.unwrap();
    assert_eq!(standing(&app).await, "active");
    app.http.clock.advance(30 * kernel::DAY);
    off.lapse().await.unwrap();
    assert_eq!(standing(&app).await, "active");
    assert_eq!(off.verify().await.unwrap(), []);
    let org = org.as_str().unwrap().parse().unwrap();
    let limits = off.limits_of(app.http.deps.db.read(), org).await.unwrap();
    assert_eq!((limits.storage_bytes, limits.app_users), (Some(250 << 30), None));
    app.http.settle().await;
}

/// Between the answers of the provider, time alone suspends, on every request, without a job.
#[tokio::test]
async fn a_plan_that_is_past_due_for_14_days_is_suspended_though_nothing_runs() {
    let app = test_app().await;
    let (account, org, uid, renewal_path) = bought(&app).await;
    app.stand_in_post(&renewal_path, json!({ "outcome": "fail" })).await;
    app.advance_days(31).await;
    app.http.clock.advance(15 * kernel::DAY);
    assert_eq!(standing(&app).await, "suspended");
    assert_eq!(provision(&app, &account, &uid).await["state"], "suspended");
    let path = format!("/v1/organizations/{}", org.as_str().unwrap());
    let change = json!({ "organisation": { "description": "New" } });
    assert_eq!(ada(&app).await.patch(&path, change).await.expect(403)["code"], "suspended");
    app.http.clock.advance(60 * kernel::DAY);
    assert_eq!(standing(&app).await, "suspended", "nothing ends before the provider was asked again");
    app.http.run_jobs().await;
    app.http.settle().await;
}

#[tokio::test]
async fn a_recovered_payment_reactivates_the_plan() {
    let app = test_app().await;
    let (_, _, _, renewal_path) = bought(&app).await;
    app.stand_in_post(&renewal_path, json!({ "outcome": "fail" })).await;
    app.advance_days(31).await;
    app.advance_days(15).await;
    assert_eq!(standing(&app).await, "suspended");
    app.stand_in_post(&renewal_path, json!({ "outcome": "recover" })).await;
    app.http.run_jobs().await;
    assert_eq!(standing(&app).await, "active");
    app.http.settle().await;
}

#[tokio::test]
async fn a_cancelled_plan_ends_with_its_period_and_not_before() {
    let app = test_app().await;
    let (account, _, uid, renewal_path) = bought(&app).await;
    app.stand_in_post(&renewal_path, json!({ "outcome": "cancel" })).await;
    app.http.run_jobs().await;
    assert_eq!(standing(&app).await, "active");
    app.advance_days(31).await;
    assert_eq!(provision(&app, &account, &uid).await["state"], "ended");
    assert_eq!(standing(&app).await, Value::Null);
    app.http.settle().await;
}

#[tokio::test]
async fn an_unpaid_checkout_expires() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (_, uid) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    app.advance_days(1).await;
    assert_eq!(provision(&app, &account, &uid).await["state"], "expired");
    app.http.settle().await;
}

/// An event about a purchase, which the provider may send at any time.
async fn event_about(app: &TestApp, id: &str, uid: &str) {
    let object =
        json!({ "id": "in_1", "parent": { "subscription_details": { "metadata": { "provision": uid } } } });
    app.webhook(&event(id, "invoice.voided", object)).await.expect(200);
    app.process_webhooks().await;
}

#[tokio::test]
async fn an_event_about_an_ended_purchase_leaves_the_organisation_of_the_next_one() {
    let app = test_app().await;
    let (account, org, first, renewal_path) = bought(&app).await;
    app.stand_in_post(&renewal_path, json!({ "outcome": "cancel" })).await;
    app.advance_days(31).await;
    let again = app.buy(&ada(&app).await, &account, "essentials-monthly").await;
    assert_eq!(again["orgId"], org);
    event_about(&app, "evt_1", &first).await;
    assert_eq!(standing(&app).await, "active");

    // The first one is paid after all: it cannot have the organisation as well, and the money goes back.
    app.change_subscription(&first, |body| body["status"] = json!("active")).await;
    event_about(&app, "evt_2", &first).await;
    assert_eq!(provision(&app, &account, &first).await["state"], "failed");
    assert_eq!(standing(&app).await, "active");
    app.http.run_jobs().await;
    assert_eq!(texts(&app, "SELECT kind FROM mail_outbox WHERE kind = 'purchase_refunded'").await.len(), 1);
    assert_eq!(standing(&app).await, "active");
    app.http.settle().await;
}

#[tokio::test]
async fn a_plan_that_the_provider_ended_as_unpaid_is_suspended_and_can_be_bought_again() {
    let app = test_app().await;
    let (account, org, uid, _) = bought(&app).await;
    let now = app.http.deps.ambient.now().seconds();
    app.change_subscription(&uid, |body| {
        body["status"] = json!("canceled");
        body["ended_at"] = json!(now);
        body["cancellation_details"]["reason"] = json!("payment_failed");
    })
    .await;
    event_about(&app, "evt_1", &uid).await;
    assert_eq!(standing(&app).await, "suspended");
    let again = app.buy(&ada(&app).await, &account, "essentials-monthly").await;
    assert_eq!((&again["orgId"], &again["state"]), (&org, &json!("active")));
    assert_eq!(standing(&app).await, "active");
    event_about(&app, "evt_2", &uid).await;
    assert_eq!(standing(&app).await, "active");
    app.http.settle().await;
}

#[tokio::test]
async fn a_subscription_that_the_provider_no_longer_knows_ends_nothing() {
    let app = test_app().await;
    let (account, _, uid, renewal_path) = bought(&app).await;
    app.stand_in_post(&renewal_path, json!({ "outcome": "fail" })).await;
    app.advance_days(31).await;
    app.change_subscription(&uid, |body| body["metadata"]["provision"] = json!("another")).await;
    for _ in 0..60 {
        app.http.clock.advance(kernel::DAY);
        app.billing.reconcile().await.unwrap();
    }
    assert_eq!(provision(&app, &account, &uid).await["state"], "suspended");
    app.http.settle().await;
}
