//! Failed renewals, plans that end, organisations that are revived.

use serde_json::{Value, json};
use testkit::Client;

use crate::shop::Shop;

/// The buyer, signed in again because tokens do not last for days.
async fn ada(shop: &Shop) -> Client {
    shop.app.person("ada@example.com").await
}

/// The standing of the buyer's organisation, or null if none is visible.
async fn standing(shop: &Shop) -> Value {
    let roles = ada(shop).await.get("/v1/profiles/roles/detailed").await.expect(200);
    roles["data"][0]["organisation"]["state"].clone()
}

async fn provision(shop: &Shop, account: &str, uid: &str) -> Value {
    shop.provision(&ada(shop).await, account, uid).await
}

/// A bought plan: account, organisation, provision, and the address that sets the outcome of its next
/// renewal.
async fn bought(shop: &Shop) -> (String, Value, String, String) {
    let (ada, account) = shop.buyer("ada@example.com", "individual").await;
    let bought = shop.buy(&ada, &account, "essentials-monthly").await;
    let uid = bought["uid"].as_str().unwrap().to_owned();
    let turn = format!("/sandbox/api/subscriptions/{uid}");
    (account, bought["orgId"].clone(), uid, turn)
}

#[tokio::test]
async fn an_unpaid_plan_falls_by_the_calendar_and_buying_again_brings_everything_back() {
    let shop = Shop::open().await;
    let (account, org, uid, turn) = bought(&shop).await;
    shop.stand_in_post(&turn, json!({ "outcome": "fail" })).await;
    shop.days(31).await;
    assert_eq!(standing(&shop).await, "pastDue");
    assert_eq!(provision(&shop, &account, &uid).await["active"], true);
    shop.days(13).await;
    assert_eq!(standing(&shop).await, "pastDue");
    shop.days(1).await;
    assert_eq!(standing(&shop).await, "suspended");
    shop.days(30).await;
    let over = provision(&shop, &account, &uid).await;
    assert_eq!((&over["state"], &over["active"]), (&json!("ended"), &json!(false)));
    assert_eq!(ada(&shop).await.get("/v1/organizations").await.expect(200)["data"], json!([]));
    let again = shop.buy(&ada(&shop).await, &account, "essentials-annual").await;
    assert_eq!(again["orgId"], org, "the same organisation, with everything in it");
    assert_eq!(standing(&shop).await, "active");
    shop.app.settle().await;
}

#[tokio::test]
async fn a_payment_that_recovers_ends_the_trouble() {
    let shop = Shop::open().await;
    let (_, _, _, turn) = bought(&shop).await;
    shop.stand_in_post(&turn, json!({ "outcome": "fail" })).await;
    shop.days(31).await;
    shop.days(15).await;
    assert_eq!(standing(&shop).await, "suspended");
    shop.stand_in_post(&turn, json!({ "outcome": "recover" })).await;
    shop.app.run_jobs().await;
    assert_eq!(standing(&shop).await, "active");
    shop.app.settle().await;
}

#[tokio::test]
async fn a_cancelled_plan_ends_with_its_period_and_not_before() {
    let shop = Shop::open().await;
    let (account, _, uid, turn) = bought(&shop).await;
    shop.stand_in_post(&turn, json!({ "outcome": "cancel" })).await;
    shop.app.run_jobs().await;
    assert_eq!(standing(&shop).await, "active");
    shop.days(31).await;
    assert_eq!(provision(&shop, &account, &uid).await["state"], "ended");
    assert_eq!(standing(&shop).await, Value::Null);
    shop.app.settle().await;
}

#[tokio::test]
async fn a_checkout_nobody_paid_expires() {
    let shop = Shop::open().await;
    let (ada, account) = shop.buyer("ada@example.com", "business").await;
    let (_, uid) = shop.begin(&ada, &account, "essentials-monthly").await;
    shop.days(1).await;
    assert_eq!(provision(&shop, &account, &uid).await["state"], "expired");
    shop.app.settle().await;
}
