//! The plans that are sold, and purchases whose price changed at the provider.

use serde_json::json;

use crate::test_app::{TestApp, TestProvider, test_app, test_app_with, uid};

#[tokio::test]
async fn the_plans_have_the_prices_of_the_provider() {
    let app = test_app().await;
    let anyone = app.http.anonymous();
    let plans = anyone.get("/v1/plans").await.expect(200)["data"].clone();
    let ids: Vec<_> = plans.as_array().unwrap().iter().map(|plan| plan["id"].as_str().unwrap()).collect();
    assert_eq!(
        ids,
        ["essentials-monthly", "essentials-annual", "professional-monthly", "professional-annual"]
    );
    let gib = 1_u64 << 30;
    assert_eq!(
        plans[3],
        json!({
            "id": "professional-annual", "title": "Professional Annual", "interval": "year",
            "price": { "amount": 199_000, "currency": "usd" },
            "limits": {
                "storageBytes": 2_048 * gib, "fileBytes": 20 * gib, "staffSeats": 50, "appUsers": 100_000,
                "analyticsMonths": null,
            },
        })
    );
    app.http.settle().await;
}

#[tokio::test]
async fn without_payment_there_are_no_plans_and_without_the_provider_no_prices() {
    let app = test_app_with(TestProvider::Off).await;
    assert_eq!(app.http.anonymous().get("/v1/plans").await.expect(200)["data"], json!([]));
    app.http.settle().await;
    let app = test_app_with(TestProvider::Unreachable).await;
    let plans = app.http.anonymous().get("/v1/plans").await.expect(200)["data"].clone();
    assert_eq!((&plans[0]["id"], &plans[0]["price"]), (&json!("essentials-monthly"), &json!(null)));
    app.http.settle().await;
    // It answers, and has none of the prices: that is not the same as no answer.
    let app = test_app_with(TestProvider::Priceless).await;
    assert_eq!(app.http.anonymous().get("/v1/plans").await.expect(502)["code"], "no_prices");
    app.http.settle().await;
}

/// Changes the price of the subscription of a purchase, as the provider's portal or dashboard does.
async fn change_price(app: &TestApp, provision: &str, plan: &str) {
    app.change_subscription(provision, |body| {
        body["items"]["data"][0]["price"]["lookup_key"] = json!(plan);
    })
    .await;
    // It is asked daily if no event arrives.
    app.http.clock.advance(25 * kernel::HOUR);
    app.billing.reconcile().await.unwrap();
}

#[tokio::test]
async fn a_plan_that_is_changed_at_the_provider_changes_the_limits() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    let bought = app.buy(&ada, &account, "essentials-monthly").await;
    let (provision, org) = (bought["uid"].as_str().unwrap(), uid(&bought["orgId"]));
    let seats =
        async || app.billing.limits_of(app.http.deps.db.read(), org).await.unwrap().staff_seats.unwrap();
    assert_eq!(seats().await, 5);
    change_price(&app, provision, "professional-annual").await;
    assert_eq!(seats().await, 50);
    let ada = app.http.person("ada@example.com").await;
    assert_eq!(app.provision(&ada, &account, provision).await["planId"], "professional-annual");
    change_price(&app, provision, "a-price-of-another-product").await;
    assert_eq!(seats().await, 50, "the last known plan counts for 14 days");
    app.http.clock.advance(14 * kernel::DAY);
    assert_eq!(seats().await, 5, "then the smallest");
    app.http.run_jobs().await;
    app.http.settle().await;
}
