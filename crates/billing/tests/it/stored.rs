//! Stored values that cannot be read.

use kernel::Uid;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::json;

use crate::test_app::{TestApp, test_app, uid};

/// Replaces a column of a row.
async fn store(app: &TestApp, table: &str, row: Uid, column: &str, value: &str) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let sql = format!("UPDATE {table} SET {column} = '{value}' WHERE uid = $1");
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [row.into()]);
    assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1);
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_unreadable_answer_of_the_provider_is_an_internal_error_and_not_the_free_plan() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    let bought = app.buy(&ada, &account, "professional-monthly").await;
    let (purchase, org) = (uid(&bought["uid"]), uid(&bought["orgId"]));
    let conn = app.http.deps.db.read();
    store(&app, "provision", purchase, "status", "paid").await;
    let answer = ada.get(&format!("/v1/accounts/{account}/provisions")).await;
    assert_eq!(answer.expect(500)["code"], "internal");
    assert!(app.billing.limits_of(conn, org).await.is_err());
    assert!(app.billing.sharing_storage(conn, org).await.is_err());
    store(&app, "provision", purchase, "status", "active").await;
    assert_eq!(app.billing.limits_of(conn, org).await.unwrap().staff_seats, Some(50));
    store(&app, "provision", purchase, "plan", "gold").await;
    let limits = app.billing.limits_of(conn, org).await.unwrap();
    assert_eq!(limits.staff_seats, Some(5), "a plan that is no longer sold has the limits of the smallest");
    app.http.settle().await;
}

#[tokio::test]
async fn an_unreadable_type_of_an_account_is_an_internal_error_and_not_individual() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    store(&app, "billing_account", account.parse().unwrap(), "kind", "club").await;
    ada.get("/v1/accounts").await.expect(500);
    let checkout = json!({ "planId": "essentials-monthly" });
    ada.post(&format!("/v1/accounts/{account}/checkout"), checkout).await.expect(500);
    app.http.settle().await;
}

#[tokio::test]
async fn a_purchase_that_cannot_be_read_does_not_keep_others_from_being_polled_or_lapsing() {
    let app = test_app().await;
    let mut purchases = Vec::<Uid>::new();
    for email in ["ada@example.com", "bea@example.com"] {
        let (buyer, account) = app.buyer(email, "individual").await;
        purchases.push(uid(&app.buy(&buyer, &account, "essentials-monthly").await["uid"]));
    }
    store(&app, "provision", purchases[0], "checkout_status", "paid").await;
    for purchase in &purchases {
        store(&app, "provision", *purchase, "next_sync_at", "1").await;
    }
    app.billing.reconcile().await.unwrap();
    let now = app.http.deps.ambient.now();
    assert_eq!(count(&app, &format!("next_sync_at > {}", now.ms())).await, 2);

    let unpaid_since = (now - 20 * kernel::DAY).ms().to_string();
    for purchase in &purchases {
        store(&app, "provision", *purchase, "status", "past_due").await;
        store(&app, "provision", *purchase, "unpaid_since", &unpaid_since).await;
        store(&app, "provision", *purchase, "recorded_state", "pastDue").await;
    }
    app.billing.lapse().await.unwrap();
    assert_eq!(count(&app, "recorded_state = 'suspended'").await, 1);
    app.http.run_jobs().await;
    app.http.settle().await;
}

async fn count(app: &TestApp, condition: &str) -> i64 {
    let conn = app.http.deps.db.read();
    let sql = format!("SELECT COUNT(*) FROM provision WHERE {condition}");
    let row = conn.query_one_raw(Statement::from_string(conn.get_database_backend(), sql)).await;
    row.unwrap().unwrap().try_get_by_index(0).unwrap()
}
