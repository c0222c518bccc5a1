//! The comparison of the provider's subscriptions with the purchases here.

use billing::{Comparison, FindingKind};
use kernel::ProvisionId;
use serde_json::{Value, json};

use crate::test_app::{TestApp, test_app};

async fn last(app: &TestApp) -> Option<Comparison> {
    billing::last_comparison(app.http.deps.db.read()).await.unwrap()
}

/// Compares, and returns what was found.
async fn findings(app: &TestApp) -> Vec<FindingKind> {
    app.billing.compare().await.unwrap();
    let last = last(app).await.unwrap();
    assert_eq!(last.at, app.http.deps.ambient.now());
    assert_eq!(last.orphans() + last.mismatches(), last.findings.len());
    last.findings.iter().map(|finding| finding.kind).collect()
}

async fn bought(app: &TestApp) -> (testkit::Client, String, Value) {
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let bought = app.buy(&ada, &account, "essentials-monthly").await;
    (ada, account, bought)
}

#[tokio::test]
async fn what_fits_is_reported_as_nothing() {
    let app = test_app().await;
    assert_eq!(last(&app).await, None);
    bought(&app).await;
    assert!(findings(&app).await.is_empty());
    assert_eq!(last(&app).await.unwrap().subscriptions, 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_purchase_that_only_the_provider_has_is_rebuilt_without_an_event() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (session, provision) = app.start_checkout(&ada, &account, "professional-monthly").await;
    app.settle_checkout(&session, "pay").await;
    // As after restoring a backup from before the purchase, with its events lost.
    app.execute("DELETE FROM provision").await;
    app.execute("DELETE FROM job WHERE kind = 'deliver_webhook'").await;
    assert!(findings(&app).await.is_empty());
    let rebuilt = app.provision(&ada, &account, &provision).await;
    assert_eq!((&rebuilt["active"], &rebuilt["planId"]), (&json!(true), &json!("professional-monthly")));
    app.http.settle().await;
}

#[tokio::test]
async fn a_subscription_of_an_unknown_account_is_an_orphan_and_one_of_another_product_is_none() {
    let app = test_app().await;
    let (_, _, own) = bought(&app).await;
    let uid = own["uid"].as_str().unwrap();
    let (unknown, account) = (ProvisionId::from_u128(7), ProvisionId::from_u128(8));
    app.copy_subscription_of(uid, "sub_copy", json!({ "provision": unknown, "account": account })).await;
    app.copy_subscription_of(uid, "sub_other", json!({})).await;
    assert_eq!(findings(&app).await, [FindingKind::Orphan]);
    let last = last(&app).await.unwrap();
    assert_eq!((last.subscriptions, last.orphans()), (2, 1));
    assert_eq!(
        (last.findings[0].subscription.as_deref(), last.findings[0].provision),
        (Some("sub_copy"), Some(unknown))
    );
    app.http.settle().await;
}

#[tokio::test]
async fn a_second_subscription_of_a_purchase_and_a_missing_one_are_mismatches() {
    let app = test_app().await;
    let (_, account, own) = bought(&app).await;
    let uid = own["uid"].as_str().unwrap();
    app.copy_subscription_of(uid, "sub_copy", json!({ "provision": uid, "account": account })).await;
    assert_eq!(findings(&app).await, [FindingKind::SecondSubscription]);
    app.execute("DELETE FROM sandbox_object WHERE kind = 'subscription'").await;
    assert_eq!(findings(&app).await, [FindingKind::Missing]);
    app.http.settle().await;
}

#[tokio::test]
async fn a_purchase_of_another_account_or_mode_keeps_its_state_and_is_reported() {
    let app = test_app().await;
    let (ada, account, own) = bought(&app).await;
    let uid = own["uid"].as_str().unwrap();
    assert_eq!(app.count("provision WHERE source = 'acct_sandbox test'").await, 1);
    app.execute("UPDATE provision SET source = 'acct_other test'").await;
    app.change_subscription(uid, |body| body["status"] = json!("canceled")).await;
    app.http.clock.advance(25 * kernel::HOUR);
    app.billing.reconcile().await.unwrap();
    assert_eq!(findings(&app).await, [FindingKind::OtherSource]);
    app.execute("UPDATE provision SET source = NULL, live_mode = TRUE").await;
    app.http.clock.advance(25 * kernel::HOUR);
    app.billing.reconcile().await.unwrap();
    assert_eq!(findings(&app).await, [FindingKind::OtherSource]);
    drop(ada);
    let ada = app.http.person("ada@example.com").await;
    assert_eq!(app.provision(&ada, &account, uid).await["state"], "active");

    // With the right keys again, the answer counts.
    app.execute("UPDATE provision SET live_mode = FALSE").await;
    app.http.clock.advance(25 * kernel::HOUR);
    app.billing.reconcile().await.unwrap();
    assert_eq!(
        app.provision(&app.http.person("ada@example.com").await, &account, uid).await["state"],
        "ended"
    );
    assert!(findings(&app).await.is_empty());
    app.http.run_jobs().await;
    app.http.settle().await;
}

#[tokio::test]
async fn the_numbers_are_metrics() {
    let app = test_app().await;
    let (_, account, own) = bought(&app).await;
    let recorder = metrics_exporter_prometheus::PrometheusBuilder::new().build_recorder();
    let numbers = recorder.handle();
    let copy = json!({ "provision": own["uid"], "account": account });
    app.copy_subscription_of(own["uid"].as_str().unwrap(), "sub_copy", copy).await;
    {
        let _numbers = metrics::set_default_local_recorder(&recorder);
        app.billing.compare().await.unwrap();
    }
    let numbers = numbers.render();
    for line in ["vitrine_billing_orphans 0", "vitrine_billing_mismatches 1"] {
        assert!(numbers.contains(line), "{numbers}");
    }
    app.http.settle().await;
}
