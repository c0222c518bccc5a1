//! The details of a billing account, and what the payment provider says about them.

use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};

use crate::test_app::{TestApp, test_app};

/// The customers at the provider, oldest first.
async fn customers(app: &TestApp) -> Vec<Value> {
    let conn = app.http.deps.db.read();
    let sql = "SELECT body FROM sandbox_object WHERE kind = 'customer' ORDER BY time_created, id";
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

#[tokio::test]
async fn changed_details_reach_the_provider_and_what_it_refuses_is_shown() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}");
    let change = |account: Value| json!({ "account": account });
    app.start_checkout(&ada, &account, "essentials-monthly").await;

    let address = json!({ "street": "1 Fleet St", "city": "London", "postalCode": "EC4Y 1AA", "country": "GB", "floor": 2 });
    let sent =
        change(json!({ "friendlyName": "Ours", "billingName": "Ours Ltd", "billingAddress": address }));
    let changed = ada.patch(&path, sent).await.expect(200);
    assert_eq!((&changed["friendlyName"], &changed["billingAddress"]), (&json!("Ours"), &address));
    assert_eq!(changed["billingEmail"], "pay@acme.example.com", "what is not sent stays");
    app.http.run_jobs().await;
    assert_eq!(customers(&app).await[0]["name"], "Ours Ltd");
    let known = &customers(&app).await[0]["address"];
    assert_eq!((&known["line1"], &known["city"]), (&json!("1 Fleet St"), &json!("London")));
    assert_eq!(
        (&known["postal_code"], &known["country"], &known["floor"]),
        (&json!("EC4Y 1AA"), &json!("GB"), &Value::Null)
    );
    ada.patch(&path, change(json!({ "billingAddress": null }))).await.expect(200);
    app.http.run_jobs().await;
    assert_eq!(customers(&app).await[0]["address"], Value::Null);

    ada.patch(&path, change(json!({ "billingEmail": "at home" }))).await.expect(200);
    app.http.run_jobs().await;
    let refused = ada.get("/v1/accounts").await.expect(200)["data"][0].clone();
    assert_eq!(refused["refusal"], "Invalid email address: at home");
    assert_eq!(customers(&app).await[0]["email"], "pay@acme.example.com");
    let corrected = change(json!({ "billingEmail": "new@acme.example.com" }));
    assert_eq!(ada.patch(&path, corrected).await.expect(200)["refusal"], Value::Null);
    app.http.run_jobs().await;
    assert_eq!(ada.get("/v1/accounts").await.expect(200)["data"][0]["refusal"], Value::Null);
    assert_eq!(customers(&app).await[0]["email"], "new@acme.example.com");

    for (field, message) in
        [("billingName", "Billing name is required"), ("billingPhone", "Billing phone is required")]
    {
        ada.patch(&path, change(json!({ field: " " }))).await.expect_error(400, message);
    }
    ada.patch(&path, change(json!({ "billingAddress": "London" }))).await.expect(400);
    app.http.settle().await;
}

#[tokio::test]
async fn details_that_keep_an_account_from_buying_are_named_and_can_be_corrected() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (path, long) = (format!("/v1/accounts/{account}"), "x".repeat(257));
    ada.patch(&path, json!({ "account": { "billingName": long } })).await.expect(200);
    let checkout = format!("{path}/checkout");
    let plan = json!({ "planId": "essentials-monthly" });
    let words = "Invalid string; must be at most 256 characters";
    let sentence = format!("The payment provider did not accept the billing details: {words}");
    ada.post(&checkout, plan.clone()).await.expect_error(409, &sentence);
    assert_eq!(ada.get("/v1/accounts").await.expect(200)["data"][0]["refusal"], words);
    ada.patch(&path, json!({ "account": { "billingName": "Acme" } })).await.expect(200);
    ada.post(&checkout, plan).await.expect(200);
    assert_eq!(ada.get("/v1/accounts").await.expect(200)["data"][0]["refusal"], Value::Null);
    app.http.settle().await;
}

#[tokio::test]
async fn an_address_that_the_provider_refuses_does_not_keep_anyone_from_paying() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}");
    ada.patch(&path, json!({ "account": { "billingEmail": "at home" } })).await.expect(200);
    app.start_checkout(&ada, &account, "essentials-monthly").await;
    app.http.run_jobs().await;
    assert_eq!(customers(&app).await[0]["email"], Value::Null);
    let refusal = ada.get("/v1/accounts").await.expect(200)["data"][0]["refusal"].clone();
    assert_eq!(refusal, "Invalid email address: at home");
    app.http.settle().await;
}

#[tokio::test]
async fn a_customer_that_the_provider_lost_is_replaced() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    app.start_checkout(&ada, &account, "essentials-monthly").await;
    // As after changing to the keys of another account of the provider.
    let tx = app.http.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared("DELETE FROM sandbox_object WHERE kind = 'customer'").await.unwrap();
    tx.commit().await.unwrap();
    app.start_checkout(&ada, &account, "professional-monthly").await;
    assert_eq!(customers(&app).await.len(), 1);
    ada.post(&format!("/v1/accounts/{account}/manage"), json!({})).await.expect(200);

    // One who pays is there with the right keys, and must not lose the plan.
    app.buy(&ada, &account, "professional-annual").await;
    let tx = app.http.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared("DELETE FROM sandbox_object WHERE kind = 'customer'").await.unwrap();
    tx.commit().await.unwrap();
    ada.post(&format!("/v1/accounts/{account}/manage"), json!({})).await.expect(502);
    assert!(customers(&app).await.is_empty());
    app.http.settle().await;
}
