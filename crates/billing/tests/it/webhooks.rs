//! Webhooks in any order and any number.

use kernel::ProvisionId;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};

use crate::test_app::{SECRET, TestApp, TestProvider, event, form, test_app, test_app_with};

/// A paid session whose webhook has not been delivered yet.
async fn paid(app: &TestApp) -> (testkit::Client, String, String, String) {
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (session, provision) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    app.settle_checkout(&session, "pay").await;
    (ada, account, session, provision)
}

fn done(id: &str, session: &str, provision: &str) -> Value {
    event(id, "checkout.session.completed", json!({ "id": session, "client_reference_id": provision }))
}

#[tokio::test]
async fn the_same_event_delivered_many_times_at_once_creates_one_organisation() {
    let app = test_app().await;
    let (ada, account, session, provision) = paid(&app).await;
    let events = [done("evt_1", &session, &provision), done("evt_2", &session, &provision)];
    let deliveries = (0..12).map(|number| app.webhook(&events[number % 2]));
    for answer in futures::future::join_all(deliveries).await {
        answer.expect(200);
    }
    app.process_webhooks().await;
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 1);
    assert_eq!(app.provision(&ada, &account, &provision).await["active"], true);
    // The provider's own deliveries arrive last.
    app.http.run_jobs().await;
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn any_event_about_a_paid_purchase_activates_it_whatever_it_claims() {
    let app = test_app().await;
    let (ada, account, _, provision) = paid(&app).await;
    let claims = json!({ "id": "in_1", "parent": { "subscription_details": { "metadata": { "provision": provision } } } });
    app.webhook(&event("evt_1", "invoice.payment_failed", claims)).await.expect(200);
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "open", "not before the job");
    app.process_webhooks().await;
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "active");
    app.http.settle().await;
}

#[tokio::test]
async fn an_event_about_an_unpaid_session_activates_nothing() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (session, provision) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    app.webhook(&done("evt_1", &session, &provision)).await.expect(200);
    app.process_webhooks().await;
    assert_eq!(row(&app, "evt_1").await.unwrap().0, "applied");
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "open");
    app.http.settle().await;
}

#[tokio::test]
async fn a_subscription_of_another_purchase_activates_only_its_own() {
    let app = test_app().await;
    let (ada, account, session, first) = paid(&app).await;
    let eve = app.http.person("eve@example.com").await;
    let foreign = eve.post("/v1/accounts", form()).await.expect(201)["uid"].as_str().unwrap().to_owned();
    let (_, second) = app.start_checkout(&eve, &foreign, "essentials-monthly").await;
    app.webhook(&done("evt_1", &session, &second)).await.expect(200);
    app.http.run_jobs().await;
    assert_eq!(app.provision(&eve, &foreign, &second).await["state"], "open");
    assert_eq!(app.provision(&ada, &account, &first).await["state"], "active");
    app.http.settle().await;
}

#[tokio::test]
async fn a_webhook_that_is_not_the_providers_is_refused() {
    let app = test_app().await;
    let (ada, account, session, provision) = paid(&app).await;
    let body = done("evt_1", &session, &provision).to_string();
    let now = app.http.deps.ambient.now();
    let sign = |secret: &str, at| payments::signature::sign(secret, at, body.as_bytes());
    let message = "The webhook signature is invalid.";
    for header in
        [String::new(), "t=1,v1=00".into(), sign("whsec_other", now), sign(SECRET, now - 6 * 60_000)]
    {
        app.raw_webhook(&body, &header).await.expect_error(400, message);
    }
    let odd = "[]";
    let header = payments::signature::sign(SECRET, now, odd.as_bytes());
    app.raw_webhook(odd, &header).await.expect(400);
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "open");
    app.http.settle().await;
}

#[tokio::test]
async fn events_about_other_objects_are_accepted_and_ignored() {
    let app = test_app().await;
    for (id, name) in [("evt_1", "customer.created"), ("evt_2", "checkout.session.completed")] {
        let delivery = event(id, name, json!({ "id": "cs_of_another_product" }));
        app.webhook(&delivery).await.expect(200);
        app.webhook(&delivery).await.expect(200);
    }
    app.http.settle().await;
}

/// The row of a webhook: its outcome and the purchase it names.
async fn row(app: &TestApp, id: &str) -> Option<(String, Option<ProvisionId>)> {
    let sql = format!("SELECT outcome, provision FROM webhook_event WHERE id = '{id}'");
    let conn = app.http.deps.db.read();
    let statement = Statement::from_string(conn.get_database_backend(), sql);
    let found = conn.query_one_raw(statement).await.unwrap();
    found.map(|row| (row.try_get("", "outcome").unwrap(), row.try_get("", "provision").unwrap()))
}

async fn execute(app: &TestApp, sql: &str) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared(sql).await.unwrap();
    tx.commit().await.unwrap();
}

/// A uid as a SQL literal of the engine in use.
fn literal(app: &TestApp, uid: ProvisionId) -> String {
    match app.http.deps.db.engine() {
        db::Engine::Sqlite => format!("x'{}'", uid.as_simple()),
        db::Engine::Postgres => format!("'{uid}'"),
    }
}

#[tokio::test]
async fn events_that_wait_for_the_same_purchase_are_answered_by_one_look_at_the_provider() {
    let app = test_app().await;
    let (ada, account, session, provision) = paid(&app).await;
    app.process_webhooks().await;
    let details = json!({ "subscription_details": { "metadata": { "provision": provision } } });
    let names = ["evt_1", "evt_2", "evt_3"];
    app.webhook(&done(names[0], &session, &provision)).await.expect(200);
    for name in &names[1..] {
        app.webhook(&event(name, "invoice.paid", json!({ "id": "in_1", "parent": details })))
            .await
            .expect(200);
    }
    let before = app.looks();
    app.process_webhooks().await;
    assert_eq!(app.looks() - before, 1);
    assert_eq!(app.provision(&ada, &account, &provision).await["active"], true);
    for name in names {
        assert_eq!(row(&app, name).await.unwrap().0, "applied");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_paid_purchase_that_is_missing_is_rebuilt_from_the_provider() {
    let app = test_app().await;
    let (ada, account, session, provision) = paid(&app).await;
    // As after restoring a backup from before the purchase.
    let own = literal(&app, provision.parse().unwrap());
    execute(&app, &format!("DELETE FROM provision WHERE uid = {own}")).await;
    app.webhook(&done("evt_1", &session, &provision)).await.expect(200);
    app.process_webhooks().await;
    assert_eq!(row(&app, "evt_1").await.unwrap().0, "applied");
    let rebuilt = app.provision(&ada, &account, &provision).await;
    assert_eq!((&rebuilt["active"], &rebuilt["planId"]), (&json!(true), &json!("essentials-monthly")));
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"][0]["uid"], rebuilt["orgId"]);
    app.http.settle().await;
}

#[tokio::test]
async fn an_event_about_an_unknown_purchase_is_kept_until_the_purchase_is_known() {
    let app = test_app().await;
    let (_, _, session, provision) = paid(&app).await;
    let missing = ProvisionId::from_u128(7);
    execute(&app, "UPDATE provision SET session = NULL").await;
    // Its subscription names another purchase, so that there is nothing to rebuild this one from.
    let delivery = done("evt_1", &session, &missing.to_string());
    app.webhook(&delivery).await.expect(200);
    app.webhook(&delivery).await.expect(200);
    app.process_webhooks().await;
    assert_eq!(row(&app, "evt_1").await, Some(("unknown_purchase".to_owned(), Some(missing))));
    let foreign = event("evt_2", "customer.subscription.updated", json!({ "id": "sub_of_another_product" }));
    app.webhook(&foreign).await.expect(200);
    app.process_webhooks().await;
    assert_eq!(row(&app, "evt_2").await, Some(("foreign".to_owned(), None)));
    app.http.clock.advance(40 * kernel::DAY);
    app.billing.lapse().await.unwrap();
    assert!(row(&app, "evt_1").await.is_some(), "the only record of this payment");
    assert_eq!(row(&app, "evt_2").await, None);
    app.http.clock.advance(-40 * kernel::DAY);

    let (own, known) = (literal(&app, provision.parse().unwrap()), literal(&app, missing));
    execute(&app, &format!("UPDATE provision SET uid = {known} WHERE uid = {own}")).await;
    app.webhook(&delivery).await.expect(200);
    app.process_webhooks().await;
    assert_eq!(row(&app, "evt_1").await.unwrap().0, "applied");
    execute(&app, &format!("UPDATE provision SET uid = {own} WHERE uid = {known}")).await;
    app.http.settle().await;
}

#[tokio::test]
async fn a_webhook_is_at_most_256_kib_long() {
    let app = test_app().await;
    let long = |bytes: usize| {
        let mut delivery = event("evt_1", "customer.created", json!({ "id": "cus_1", "note": "" }));
        let rest = bytes - delivery.to_string().len();
        delivery["data"]["object"]["note"] = "x".repeat(rest).into();
        delivery
    };
    app.webhook(&long(256 * 1024)).await.expect(200);
    app.webhook(&long(256 * 1024 + 1)).await.expect_error(413, "The body is too large.");
    app.http.settle().await;
}

#[tokio::test]
async fn a_payment_without_a_webhook_is_found_by_polling() {
    let app = test_app().await;
    let (ada, account, _, provision) = paid(&app).await;
    app.billing.reconcile().await.unwrap();
    assert_eq!(
        app.provision(&ada, &account, &provision).await["state"],
        "open",
        "not polled before the webhook is late"
    );
    app.http.clock.advance(21 * kernel::SECOND);
    app.billing.reconcile().await.unwrap();
    assert_eq!(app.provision(&ada, &account, &provision).await["active"], true);
    app.http.run_jobs().await;
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn answers_are_ordered_by_the_database_and_not_by_the_clocks_of_servers() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (session, provision) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    // A server whose clock is an hour ahead looks before the payment.
    app.http.clock.advance(kernel::HOUR);
    app.webhook(&done("evt_1", &session, &provision)).await.expect(200);
    app.process_webhooks().await;
    assert_eq!(row(&app, "evt_1").await.unwrap().0, "applied");
    app.http.clock.advance(-kernel::HOUR);
    app.settle_checkout(&session, "pay").await;
    app.http.run_jobs().await;
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "active");

    // An answer to an older look than the stored one is dropped.
    execute(&app, "UPDATE provision SET applied_ticket = ticket + 2").await;
    app.change_subscription(&provision, |body| body["status"] = json!("past_due")).await;
    let about = json!({ "id": "in_1", "parent": { "subscription_details": { "metadata": { "provision": provision } } } });
    for (id, state) in [("evt_2", "active"), ("evt_3", "pastDue")] {
        app.webhook(&event(id, "invoice.payment_failed", about.clone())).await.expect(200);
        app.process_webhooks().await;
        assert_eq!(app.provision(&ada, &account, &provision).await["state"], state);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_page_that_waits_makes_the_server_ask_the_provider_at_most_every_3_seconds() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (session, provision) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    let path = format!("/v1/accounts/{account}/provisions/{provision}");
    for _ in 0..3 {
        assert_eq!(ada.get(&path).await.expect(200)["state"], "open");
    }
    assert_eq!(app.looks(), 1);
    app.settle_checkout(&session, "pay").await;
    assert_eq!(ada.get(&path).await.expect(200)["state"], "open");
    app.http.clock.advance(3 * kernel::SECOND);
    let paid = ada.get(&path).await.expect(200);
    assert_eq!((&paid["active"], &paid["refused"]), (&json!(true), &json!(false)));
    assert!(paid["timeRenews"].is_string() && paid["timeEnds"].is_null(), "{paid}");
    app.http.clock.advance(3 * kernel::SECOND);
    ada.get(&path).await.expect(200);
    assert_eq!(app.looks(), 2, "nobody waits for a paid one");
    let (eve, other) = app.buyer("eve@example.com", "business").await;
    for path in [path, format!("/v1/accounts/{other}/provisions/{provision}")] {
        eve.get(&path).await.expect(404);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn the_list_of_purchases_asks_the_provider_only_about_the_awaited_one() {
    let app = test_app().await;
    let (ada, account, _, provision) = paid(&app).await;
    let path = format!("/v1/accounts/{account}/provisions");
    assert_eq!(ada.get(&path).await.expect(200)["data"][0]["state"], "open");
    assert_eq!(app.looks(), 0);
    ada.get(&format!("{path}?awaited=one")).await.expect(400);
    let (eve, other) = app.buyer("eve@example.com", "business").await;
    eve.get(&format!("{path}?awaited={provision}")).await.expect(404);
    let of_eve = eve.get(&format!("/v1/accounts/{other}/provisions?awaited={provision}")).await.expect(200);
    assert_eq!((&of_eve["data"], app.looks()), (&json!([]), 0));
    let awaited = ada.get(&format!("{path}?awaited={provision}")).await.expect(200);
    assert_eq!((&awaited["data"][0]["active"], app.looks()), (&json!(true), 1));
    app.http.run_jobs().await;
    app.http.settle().await;
}

#[tokio::test]
async fn an_unreachable_provider_is_a_502_and_its_webhook_waits() {
    let app = test_app_with(TestProvider::Unreachable).await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}/checkout");
    let generic = "Something went wrong. Try again later!";
    ada.post(&path, json!({ "planId": "essentials-monthly" })).await.expect_error(502, generic);
    ada.post(&format!("/v1/accounts/{account}/manage"), json!({})).await.expect_error(502, generic);
    let list = ada.get(&format!("/v1/accounts/{account}/provisions")).await.expect(200);
    let provision = list["data"][0]["uid"].as_str().unwrap();
    let waiting = ada.get(&format!("/v1/accounts/{account}/provisions/{provision}")).await.expect(200);
    assert_eq!(waiting["state"], "open");
    assert_eq!(list["data"][0]["state"], "open", "the purchase waits for the provider");
    let delivery = done("evt_1", "cs_1", provision);
    app.webhook(&delivery).await.expect(200);
    app.webhook(&delivery).await.expect(200);
    app.process_webhooks().await;
    assert_eq!(row(&app, "evt_1").await.unwrap().0, "received");
    let waiting = app.http.deps.jobs.leftovers().await.unwrap();
    assert_eq!(waiting.iter().map(|job| job.kind.as_str()).collect::<Vec<_>>(), ["process_webhook"; 2]);
    app.billing.reconcile().await.unwrap();
    execute(&app, "DELETE FROM job WHERE kind = 'process_webhook'").await;
    app.http.settle().await;
}
