//! Webhooks in any order and any number.

use kernel::Uid;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};

use crate::shop::{SECRET, Shop, event, form};

/// A paid session whose webhook has not been delivered yet.
async fn paid(shop: &Shop) -> (testkit::Client, String, String, String) {
    let (ada, account) = shop.buyer("ada@example.com", "business").await;
    let (session, provision) = shop.begin(&ada, &account, "essentials-monthly").await;
    shop.card(&session, "pay").await;
    (ada, account, session, provision)
}

fn done(id: &str, session: &str, provision: &str) -> Value {
    event(id, "checkout.session.completed", json!({ "id": session, "client_reference_id": provision }))
}

#[tokio::test]
async fn the_same_news_told_many_times_at_once_makes_one_organisation() {
    let shop = Shop::open().await;
    let (ada, account, session, provision) = paid(&shop).await;
    let told = [done("evt_1", &session, &provision), done("evt_2", &session, &provision)];
    let deliveries = (0..12).map(|number| shop.webhook(&told[number % 2]));
    for answer in futures::future::join_all(deliveries).await {
        answer.expect(200);
    }
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 1);
    assert_eq!(shop.provision(&ada, &account, &provision).await["active"], true);
    // The provider's own deliveries arrive last.
    shop.app.run_jobs().await;
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 1);
    shop.app.settle().await;
}

#[tokio::test]
async fn any_event_about_the_purchase_activates_it_whatever_it_claims() {
    let shop = Shop::open().await;
    let (ada, account, _, provision) = paid(&shop).await;
    let claims = json!({ "id": "in_1", "parent": { "subscription_details": { "metadata": { "provision": provision } } } });
    shop.webhook(&event("evt_1", "invoice.payment_failed", claims)).await.expect(200);
    assert_eq!(shop.provision(&ada, &account, &provision).await["state"], "active");
    shop.app.settle().await;
}

#[tokio::test]
async fn news_of_an_unpaid_session_activates_nothing() {
    let shop = Shop::open().await;
    let (ada, account) = shop.buyer("ada@example.com", "business").await;
    let (session, provision) = shop.begin(&ada, &account, "essentials-monthly").await;
    shop.webhook(&done("evt_1", &session, &provision)).await.expect(200);
    assert_eq!(shop.provision(&ada, &account, &provision).await["state"], "open");
    shop.app.settle().await;
}

#[tokio::test]
async fn a_subscription_of_another_purchase_activates_only_its_own() {
    let shop = Shop::open().await;
    let (ada, account, session, first) = paid(&shop).await;
    let eve = shop.app.person("eve@example.com").await;
    let foreign = eve.post("/v1/accounts", form()).await.expect(201)["uid"].as_str().unwrap().to_owned();
    let (_, second) = shop.begin(&eve, &foreign, "essentials-monthly").await;
    shop.webhook(&done("evt_1", &session, &second)).await.expect(200);
    shop.app.run_jobs().await;
    assert_eq!(shop.provision(&eve, &foreign, &second).await["state"], "open");
    assert_eq!(shop.provision(&ada, &account, &first).await["state"], "active");
    shop.app.settle().await;
}

#[tokio::test]
async fn a_webhook_that_is_not_the_providers_is_refused() {
    let shop = Shop::open().await;
    let (ada, account, session, provision) = paid(&shop).await;
    let body = done("evt_1", &session, &provision).to_string();
    let now = shop.app.kit.ambient.now();
    let sign = |secret: &str, at| payments::signature::sign(secret, at, body.as_bytes());
    let message = "The webhook signature is invalid.";
    for header in
        [String::new(), "t=1,v1=00".into(), sign("whsec_other", now), sign(SECRET, now - 6 * 60_000)]
    {
        shop.raw_webhook(&body, &header).await.refuse(400, message);
    }
    let odd = "[]";
    let header = payments::signature::sign(SECRET, now, odd.as_bytes());
    shop.raw_webhook(odd, &header).await.expect(400);
    assert_eq!(shop.provision(&ada, &account, &provision).await["state"], "open");
    shop.app.settle().await;
}

#[tokio::test]
async fn events_of_other_things_are_taken_and_forgotten() {
    let shop = Shop::open().await;
    for (id, name) in [("evt_1", "customer.created"), ("evt_2", "checkout.session.completed")] {
        let told = event(id, name, json!({ "id": "cs_of_another_product" }));
        shop.webhook(&told).await.expect(200);
        shop.webhook(&told).await.expect(200);
    }
    shop.app.settle().await;
}

/// The row of a webhook: its outcome and the purchase it names.
async fn row(shop: &Shop, id: &str) -> Option<(String, Option<Uid>)> {
    let sql = format!("SELECT outcome, provision FROM webhook_event WHERE id = '{id}'");
    let conn = shop.app.kit.db.read();
    let statement = Statement::from_string(conn.get_database_backend(), sql);
    let found = conn.query_one_raw(statement).await.unwrap();
    found.map(|row| (row.try_get("", "outcome").unwrap(), row.try_get("", "provision").unwrap()))
}

async fn execute(shop: &Shop, sql: &str) {
    let tx = shop.app.kit.db.write_tx().await.unwrap();
    tx.execute_unprepared(sql).await.unwrap();
    tx.commit().await.unwrap();
}

/// A uid as a SQL literal of the engine in use.
fn literal(shop: &Shop, uid: Uid) -> String {
    match shop.app.kit.db.engine() {
        db::Engine::Sqlite => format!("x'{}'", uid.simple()),
        db::Engine::Postgres => format!("'{uid}'"),
    }
}

#[tokio::test]
async fn an_event_about_a_purchase_that_is_not_here_is_kept_until_the_purchase_is_back() {
    let shop = Shop::open().await;
    let (ada, account, session, provision) = paid(&shop).await;
    let uid: Uid = provision.parse().unwrap();
    // As after restoring a backup from before the purchase.
    let away = Uid::from_u128(7);
    let (own, other) = (literal(&shop, uid), literal(&shop, away));
    execute(&shop, &format!("UPDATE provision SET uid = {other}, session = NULL WHERE uid = {own}")).await;
    let told = done("evt_1", &session, &provision);
    shop.webhook(&told).await.expect(200);
    shop.webhook(&told).await.expect(200);
    assert_eq!(row(&shop, "evt_1").await, Some(("unknown_purchase".to_owned(), Some(uid))));
    let foreign = event("evt_2", "customer.subscription.updated", json!({ "id": "sub_of_another_product" }));
    shop.webhook(&foreign).await.expect(200);
    assert_eq!(row(&shop, "evt_2").await, Some(("foreign".to_owned(), None)));
    shop.app.clock.pass(40 * kernel::DAY);
    shop.billing.lapse().await.unwrap();
    assert!(row(&shop, "evt_1").await.is_some(), "the only record of this payment");
    assert_eq!(row(&shop, "evt_2").await, None);
    shop.app.clock.pass(-40 * kernel::DAY);

    execute(&shop, &format!("UPDATE provision SET uid = {own} WHERE uid = {other}")).await;
    shop.webhook(&told).await.expect(200);
    assert_eq!(shop.provision(&ada, &account, &provision).await["active"], true);
    assert_eq!(row(&shop, "evt_1").await.unwrap().0, "applied");
    shop.app.run_jobs().await;
    shop.app.settle().await;
}

#[tokio::test]
async fn a_webhook_is_at_most_256_kib_long() {
    let shop = Shop::open().await;
    let long = |bytes: usize| {
        let mut told = event("evt_1", "customer.created", json!({ "id": "cus_1", "note": "" }));
        let rest = bytes - told.to_string().len();
        told["data"]["object"]["note"] = "x".repeat(rest).into();
        told
    };
    shop.webhook(&long(256 * 1024)).await.expect(200);
    shop.webhook(&long(256 * 1024 + 1)).await.refuse(413, "The body is too large.");
    shop.app.settle().await;
}

#[tokio::test]
async fn a_payment_nobody_told_us_of_is_found_by_looking() {
    let shop = Shop::open().await;
    let (ada, account, _, provision) = paid(&shop).await;
    shop.billing.reconcile().await.unwrap();
    assert_eq!(
        shop.provision(&ada, &account, &provision).await["state"],
        "open",
        "not polled before the webhook is late"
    );
    shop.app.clock.pass(21 * kernel::SECOND);
    shop.billing.reconcile().await.unwrap();
    assert_eq!(shop.provision(&ada, &account, &provision).await["active"], true);
    shop.app.run_jobs().await;
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 1);
    shop.app.settle().await;
}

#[tokio::test]
async fn a_provider_that_does_not_answer_is_a_502_and_its_webhook_comes_again() {
    let shop = Shop::with_a_dead_provider().await;
    let (ada, account) = shop.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}/checkout");
    let generic = "Something went wrong. Try again later!";
    ada.post(&path, json!({ "planId": "essentials-monthly" })).await.refuse(502, generic);
    ada.post(&format!("/v1/accounts/{account}/manage"), json!({})).await.refuse(502, generic);
    let list = ada.get(&format!("/v1/accounts/{account}/provisions")).await.expect(200);
    let provision = list["data"][0]["uid"].as_str().unwrap();
    assert_eq!(list["data"][0]["state"], "open", "the purchase waits for the provider");
    let told = done("evt_1", "cs_1", provision);
    shop.webhook(&told).await.refuse(502, generic);
    shop.webhook(&told).await.refuse(502, generic);
    shop.billing.reconcile().await.unwrap();
    shop.app.settle().await;
}
