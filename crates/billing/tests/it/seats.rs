//! What a plan and a type of account allow for roles and invitations.

use serde_json::{Value, json};
use testkit::Client;

use super::test_app::{TestProvider, test_app, test_app_with};

async fn invite(owner: &Client, org: &Value, role: &str, number: u32) -> testkit::ApiResponse {
    let path = format!("/v1/organizations/{}/roles", org["uid"].as_str().unwrap());
    owner.post(&path, json!({ "userEmail": format!("p{number}@example.com"), "role": role })).await
}

async fn first_org(owner: &Client) -> Value {
    owner.get("/v1/organizations").await.expect(200)["data"][0].clone()
}

#[tokio::test]
async fn the_plan_limits_the_staff_and_an_individual_account_the_super_admins() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    app.buy(&ada, &account, "essentials-monthly").await;
    let org = first_org(&ada).await;
    assert_eq!(org["assignableRoles"], json!(["accountAdmin", "manager", "teamLeader", "teamUser"]));
    assert_eq!(invite(&ada, &org, "superAdmin", 0).await.expect(400)["code"], "one_super_admin");
    for number in 0..4 {
        invite(&ada, &org, "teamUser", number).await.expect(200);
    }
    let refusal = "Your plan has 5 staff seats, and all of them are taken.";
    invite(&ada, &org, "teamUser", 4).await.expect_error(402, refusal);

    let change = json!({ "account": { "type": "business" } });
    ada.patch(&format!("/v1/accounts/{account}"), change).await.expect(200);
    assert_eq!(first_org(&ada).await["assignableRoles"][0], "superAdmin");
    app.http.settle().await;
}

#[tokio::test]
async fn without_payments_there_are_any_number_of_seats() {
    let app = test_app_with(TestProvider::Off).await;
    let (ada, _) = app.buyer("ada@example.com", "business").await;
    let org = ada.post("/v1/organizations", json!({ "organisation": { "name": "Acme" } })).await.expect(201);
    assert_eq!(org["assignableRoles"][0], "superAdmin");
    for number in 0..20 {
        invite(&ada, &org, "superAdmin", number).await.expect(200);
    }
    app.http.settle().await;
}
