//! Free plan of a server without billing.

use serde_json::{Value, json};

use super::test_app::{test_app_with, uid};

fn new_item(org: &str, megabytes: u64) -> Value {
    let file = json!({ "name": "a.mp4", "size": megabytes * 1_000_000, "type": "video/mp4",
        "checksum": "1B2M2Y8AsgTpgAmY7PhCfg==" });
    json!({ "content": { "title": "F" }, "orgId": org, "file": file, "notifyUsers": false })
}

#[tokio::test]
async fn the_organisations_of_an_account_share_its_storage() {
    let app = test_app_with(|settings| settings.payments.free_storage_gb = 1).await;
    let ada = app.person("ada@example.com").await;
    let account = json!({ "friendlyName": "A", "billingName": "A", "billingEmail": "ada@example.com",
        "billingPhone": "+44 20 7946 0958", "type": "agency" });
    ada.post("/v1/accounts", json!({ "account": account })).await.expect(201);
    let mut orgs = Vec::new();
    for name in ["North", "South"] {
        let new = json!({ "organisation": { "name": name } });
        orgs.push(uid(&ada.post("/v1/organizations", new).await.expect(201)));
    }
    ada.post("/v1/content", new_item(&orgs[0], 700)).await.expect(201);
    for org in &orgs {
        let refused = ada.post("/v1/content", new_item(org, 700)).await;
        assert!((400..500).contains(&refused.status.as_u16()), "{refused:?}");
    }
    ada.post("/v1/content", new_item(&orgs[1], 300)).await.expect(201);
    app.close().await;
}
