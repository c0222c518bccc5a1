//! A provider that is slow or fails for a while.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::test_app::test_app;

#[tokio::test]
async fn a_purchase_survives_failing_answers_and_is_made_once() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    // Each call is tried three times.
    app.stand_in_post("/sandbox/api/stripe", json!({ "failNext": 2, "failStatus": 503 })).await;
    let (session, provision) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    app.stand_in_post("/sandbox/api/stripe", json!({ "failNext": 3 })).await;
    app.settle_checkout(&session, "pay").await;
    app.http.run_jobs().await;
    app.http.clock.advance(kernel::HOUR);
    app.billing.reconcile().await.unwrap();
    app.http.run_jobs().await;
    let ada = app.http.person("ada@example.com").await;
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "active");
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_checkout_that_the_provider_keeps_failing_is_an_error_and_can_be_repeated() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    app.stand_in_post("/sandbox/api/stripe", json!({ "failNext": 100, "failStatus": 500 })).await;
    let path = format!("/v1/accounts/{account}/checkout");
    ada.post(&path, json!({ "planId": "essentials-monthly" })).await.expect(502);
    app.stand_in_post("/sandbox/api/stripe", json!({ "failNext": 0 })).await;
    assert_eq!(app.buy(&ada, &account, "essentials-monthly").await["state"], "active");
    app.http.settle().await;
}

#[tokio::test]
async fn a_slow_provider_delays_a_webhook_by_nothing() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    let (_, provision) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    app.stand_in_post("/sandbox/api/stripe", json!({ "delayMs": 60_000 })).await;
    let object = json!({ "id": "in_1", "parent": { "subscription_details": { "metadata": { "provision": provision } } } });
    let sent = Instant::now();
    app.webhook(&crate::test_app::event("evt_1", "invoice.paid", object)).await.expect(200);
    assert!(sent.elapsed() < Duration::from_secs(10), "the provider is asked by a job");
    app.stand_in_post("/sandbox/api/stripe", json!({ "delayMs": 0 })).await;
    app.process_webhooks().await;
    app.http.settle().await;
}
