//! What organisations use of their plans.

use serde_json::json;

use crate::test_app::{TestProvider, test_app, test_app_with};

const GIB: u64 = 1 << 30;

#[tokio::test]
async fn the_usage_of_each_live_plan_is_listed_with_what_it_allows() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let path = format!("/v1/accounts/{account}/usage");
    assert_eq!(ada.get(&path).await.expect(200)["data"], json!([]));
    let first = app.buy(&ada, &account, "essentials-monthly").await;
    let second = app.buy(&ada, &account, "professional-annual").await;
    let org = first["orgId"].as_str().unwrap();
    let invited = json!({ "userEmails": ["bea@example.com", "cy@example.com"], "role": "user" });
    ada.post(&format!("/v1/organizations/{org}/invites"), invited).await.expect(200);
    let staff = json!({ "userEmails": ["dan@example.com"], "role": "teamUser" });
    ada.post(&format!("/v1/organizations/{org}/invites"), staff).await.expect(200);
    let usage = ada.get(&path).await.expect(200);
    let of = |uid: &serde_json::Value| {
        usage["data"].as_array().unwrap().iter().find(|one| one["orgId"] == *uid).unwrap().clone()
    };
    let expected = json!({
        "orgId": first["orgId"], "storage": { "used": 5 * GIB, "allowed": 250 * GIB },
        "staff": { "used": 2, "allowed": 5 }, "appUsers": { "used": 2, "allowed": 1_000 },
    });
    assert_eq!(of(&first["orgId"]), expected);
    assert_eq!(of(&second["orgId"])["appUsers"], json!({ "used": 0, "allowed": 100_000 }));
    let eve = app.http.person("eve@example.com").await;
    eve.get(&path).await.expect(404);
    // Invitations of viewers are paced.
    app.http.clock.advance(30 * kernel::SECOND);
    app.http.settle().await;
}

#[tokio::test]
async fn a_free_plan_shares_its_storage_and_has_no_other_limits() {
    let app = test_app_with(TestProvider::Off).await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    for _ in 0..2 {
        let plan = json!({ "planId": "essentials-monthly", "organisation": "new" });
        ada.post(&format!("/v1/accounts/{account}/checkout"), plan).await.expect(200);
    }
    let usage = ada.get(&format!("/v1/accounts/{account}/usage")).await.expect(200);
    assert_eq!(usage["data"].as_array().unwrap().len(), 2);
    assert_eq!(usage["data"][0]["storage"], json!({ "used": 10 * GIB, "allowed": 250 * GIB }));
    assert_eq!(usage["data"][0]["staff"], json!({ "used": 1, "allowed": null }));
    app.http.settle().await;
}
