//! Stored values that cannot be read.

use axum::body::Body;
use http::Method;
use sea_orm::ConnectionTrait as _;
use serde_json::json;
use testkit::{ApiResponse, TestApp};

use super::{code_in, email_to, signed_in, test_app};

/// Replaces a column in every row of the table.
pub(crate) async fn store(app: &TestApp, table: &str, column: &str, value: &str) {
    let tx = app.deps.db.write_tx().await.unwrap();
    let sql = format!("UPDATE {table} SET {column} = '{value}'");
    assert_eq!(tx.execute_unprepared(&sql).await.unwrap().rows_affected(), 1, "{sql}");
    tx.commit().await.unwrap();
}

async fn post(app: &TestApp, path: &str, cookie: &str) -> ApiResponse {
    let client = app.anonymous();
    let request = client.request(Method::POST, path).header("cookie", cookie);
    client.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn unreadable_times_of_spent_tokens_are_an_internal_error_and_not_a_theft() {
    let app = test_app().await;
    let (_, old) = signed_in(&app, "ada@example.com").await;
    let refreshed = post(&app, "/v1/auth/refresh", &old).await;
    refreshed.expect(200);
    let new = refreshed.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap();
    store(&app, "session", "spent", r#"{"first":1}"#).await;
    for cookie in [old.as_str(), new] {
        assert_eq!(post(&app, "/v1/auth/refresh", cookie).await.expect(500)["code"], "internal");
    }
    post(&app, "/v1/auth/sign-out?everywhere=true", &old).await.expect(500);
    store(&app, "session", "spent", "[]").await;
    post(&app, "/v1/auth/refresh", new).await.expect(200);
    store(&app, "session", "spent", r#"{"first":1}"#).await;
    post(&app, "/v1/auth/sign-out", &old).await.expect(204);
    app.settle().await;
}

#[tokio::test]
async fn an_unreadable_address_is_an_internal_error_and_not_a_mistake_of_the_caller() {
    let app = test_app().await;
    let ada = app.unverified_person("ada@example.com").await;
    let confirmation = code_in(&email_to(&app, "ada@example.com").await);
    let reset = json!({ "email": "ada@example.com" });
    app.anonymous().post("/v1/auth/password-resets", reset).await.expect(202);
    let code = code_in(&email_to(&app, "ada@example.com").await);
    store(&app, "person", "email", "ada").await;
    ada.post("/v1/auth/verifications", json!({})).await.expect(500);
    ada.post("/v1/auth/verifications/redeem", json!({ "code": confirmation })).await.expect(500);

    let tx = app.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared("UPDATE mailed_code SET email = 'ada' WHERE kind = 'reset'").await.unwrap();
    tx.commit().await.unwrap();
    let input = json!({ "code": code, "password": "wren-tapestry-95" });
    let answer = app.anonymous().post("/v1/auth/password-resets/redeem", input).await;
    assert_eq!(answer.expect(500)["code"], "internal");
    app.settle().await;
}
