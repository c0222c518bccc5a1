//! What is left at the provider: open sessions, subscriptions that are over, payments that go back.

use serde_json::{Value, json};

use crate::test_app::{TestApp, event, test_app};

/// Starts two purchases and pays the first. Returns the second: session and provision.
async fn second_of_two(app: &TestApp) -> (testkit::Client, String, String, String) {
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (first, _) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    let (second, provision) = app.start_checkout(&ada, &account, "professional-monthly").await;
    app.settle_checkout(&first, "pay").await;
    app.http.run_jobs().await;
    (ada, account, second, provision)
}

#[tokio::test]
async fn a_session_that_is_left_over_expires_when_another_purchase_takes_the_place() {
    let app = test_app().await;
    let (ada, account, second, provision) = second_of_two(&app).await;
    let expired = app.provision(&ada, &account, &provision).await;
    assert_eq!((&expired["state"], &expired["reason"]), (&json!("expired"), &json!("replaced")));
    assert_eq!(app.object("checkout", &second).await["status"], "expired");
    app.settle_checkout(&second, "pay").await;
    app.http.run_jobs().await;
    assert_eq!(
        app.count("sandbox_object WHERE kind = 'subscription'").await,
        1,
        "it cannot be paid any more"
    );
    app.http.settle().await;
}

#[tokio::test]
async fn a_session_that_is_left_over_is_expired_by_the_next_look_if_the_job_could_not() {
    let app = test_app().await;
    app.refuse(Some("/expire"));
    let (ada, account, second, provision) = second_of_two(&app).await;
    app.refuse(None);
    assert_eq!(app.object("checkout", &second).await["status"], "open");
    app.http.clock.advance(kernel::MINUTE);
    app.billing.reconcile().await.unwrap();
    assert_eq!(app.object("checkout", &second).await["status"], "expired");
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "expired");
    app.http.run_jobs().await;
    app.http.settle().await;
}

#[tokio::test]
async fn a_session_that_was_open_for_too_long_was_not_replaced() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (_, provision) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    assert_eq!(app.provision(&ada, &account, &provision).await["reason"], json!(null));
    app.advance_days(1).await;
    let ada = app.http.person("ada@example.com").await;
    let expired = app.provision(&ada, &account, &provision).await;
    assert_eq!((&expired["state"], &expired["reason"]), (&json!("expired"), &json!("sessionExpired")));
    app.http.settle().await;
}

#[tokio::test]
async fn an_agency_keeps_its_open_sessions() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let (open, _) = app.start_checkout(&ada, &account, "professional-monthly").await;
    app.buy(&ada, &account, "essentials-monthly").await;
    app.http.clock.advance(kernel::MINUTE);
    app.billing.reconcile().await.unwrap();
    assert_eq!(app.object("checkout", &open).await["status"], "open");
    app.http.settle().await;
}

/// A plan that has ended unpaid, whose job has not run.
async fn ended_unpaid(app: &TestApp) -> (String, String) {
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    let bought = app.buy(&ada, &account, "essentials-monthly").await;
    let uid = bought["uid"].as_str().unwrap().to_owned();
    // Nothing is charged any more from now on, as if the provider went on trying.
    let since = app.http.deps.ambient.now();
    app.change_subscription(&uid, |body| body["status"] = json!("past_due")).await;
    let invoice = app.newest("invoice").await;
    app.change_object("invoice", &invoice, |body| {
        body["status"] = json!("open");
        body["amount_paid"] = json!(0);
    })
    .await;
    app.execute(&format!("UPDATE sandbox_object SET due = NULL WHERE due > {}", since.ms())).await;
    app.http.clock.advance(25 * kernel::HOUR);
    app.billing.reconcile().await.unwrap();
    app.http.clock.advance(44 * kernel::DAY);
    app.billing.reconcile().await.unwrap();
    (uid, invoice)
}

#[tokio::test]
async fn an_end_cancels_the_subscription_and_voids_the_open_invoice() {
    let app = test_app().await;
    let (_, invoice) = ended_unpaid(&app).await;
    assert_eq!(app.object("invoice", &invoice).await["status"], "open");
    app.http.run_jobs().await;
    assert_eq!(app.object("invoice", &invoice).await["status"], "void");
    assert_eq!(app.count("provision WHERE status = 'canceled'").await, 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_subscription_whose_end_failed_is_ended_with_the_next_daily_look() {
    let app = test_app().await;
    ended_unpaid(&app).await;
    app.execute("DELETE FROM job WHERE kind = 'end_subscription'").await;
    app.http.run_jobs().await;
    assert_eq!(app.count("provision WHERE recorded_state = 'ended' AND status = 'past_due'").await, 1);
    app.http.clock.advance(25 * kernel::HOUR);
    app.billing.reconcile().await.unwrap();
    app.http.run_jobs().await;
    assert_eq!(app.count("provision WHERE status = 'canceled'").await, 1);
    app.http.settle().await;
}

#[tokio::test]
async fn each_payment_of_an_impossible_purchase_goes_back() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let first = app.buy(&ada, &account, "essentials-monthly").await;
    let uid = first["uid"].as_str().unwrap();
    app.stand_in_post(&format!("/sandbox/api/subscriptions/{uid}"), json!({ "outcome": "cancel" })).await;
    app.advance_days(31).await;
    let ada = app.http.person("ada@example.com").await;
    app.buy(&ada, &account, "essentials-monthly").await;
    // The first one was paid twice, and is paid after all: there is no room for it.
    app.copy_invoice_of(uid).await;
    app.change_subscription(uid, |body| {
        body["status"] = json!("active");
        body["cancel_at"] = Value::Null;
        body["cancel_at_period_end"] = json!(false);
        body["ended_at"] = Value::Null;
    })
    .await;
    let details = json!({ "subscription_details": { "metadata": { "provision": uid } } });
    app.webhook(&event("evt_1", "invoice.paid", json!({ "id": "in_1", "parent": details })))
        .await
        .expect(200);
    app.http.run_jobs().await;
    assert_eq!(app.provision(&ada, &account, uid).await["state"], "failed");
    assert_eq!(app.count("sandbox_object WHERE kind = 'refund'").await, 2);
    assert_eq!(app.count("provision WHERE refunded_at IS NOT NULL").await, 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_payment_that_cannot_be_returned_is_not_taken_for_returned() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (first, _) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    let (second, _) = app.start_checkout(&ada, &account, "professional-monthly").await;
    app.settle_checkout(&first, "pay").await;
    app.settle_checkout(&second, "pay").await;
    app.refuse(Some("/refunds"));
    app.http.run_jobs().await;
    assert_eq!(app.count("provision WHERE refunded_at IS NOT NULL").await, 0);
    assert_eq!(app.count("mail_outbox WHERE kind = 'purchase_refunded'").await, 0);
    app.refuse(None);
    app.http.clock.advance(kernel::HOUR);
    app.http.run_jobs().await;
    assert_eq!(app.count("provision WHERE refunded_at IS NOT NULL").await, 1);
    assert_eq!(app.count("mail_outbox WHERE kind = 'purchase_refunded'").await, 1);
    app.http.settle().await;
}
