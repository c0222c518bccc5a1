//! Plans that change at the provider.

use kernel::{DAY, OrgId};
use serde_json::{Value, json};
use testkit::Client;

use crate::test_app::{TestApp, test_app, uid};

/// Changes the plan on the provider's portal, as a manager does.
async fn change_on_portal(app: &TestApp, manager: &Client, account: &str, plan: &str) {
    let managed = manager.post(&format!("/v1/accounts/{account}/manage"), json!({})).await.expect(200);
    let url = managed["url"].as_str().unwrap();
    let portal = format!("/sandbox/portal/{}", url.rsplit('/').next().unwrap());
    let subscription = app.newest("subscription").await;
    let price = format!("price_{}", plan.replace('-', "_"));
    app.stand_in_form(&portal, &format!("action=plan&subscription={subscription}&price={price}")).await;
}

async fn seats(app: &TestApp, org: OrgId) -> Option<u64> {
    app.billing.limits_of(app.http.deps.db.read(), org).await.unwrap().staff_seats
}

#[tokio::test]
async fn an_upgrade_changes_the_limits_with_its_event() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let bought = app.buy(&ada, &account, "essentials-monthly").await;
    let (provision, org) = (bought["uid"].as_str().unwrap(), uid(&bought["orgId"]));
    let month = json!({ "amount": 4_900, "currency": "usd", "interval": "month" });
    assert_eq!((&bought["price"], &bought["cancelAt"]), (&month, &Value::Null));
    assert_eq!(seats(&app, org).await, Some(5));
    change_on_portal(&app, &ada, &account, "professional-annual").await;
    assert_eq!(seats(&app, org).await, Some(5), "not before the event");
    app.http.run_jobs().await;
    assert_eq!(seats(&app, org).await, Some(50));
    let changed = app.provision(&ada, &account, provision).await;
    let year = json!({ "amount": 199_000, "currency": "usd", "interval": "year" });
    assert_eq!((&changed["planId"], &changed["price"]), (&json!("professional-annual"), &year));
    assert_eq!((&changed["pendingPlanId"], &changed["timeChanges"]), (&Value::Null, &Value::Null));
    let log = ada.get(&format!("/v1/accounts/{account}/audit")).await.expect(200)["data"].clone();
    let plans = (&log[0]["before"], &log[0]["after"]);
    let expected = (&json!({ "plan": "Essentials Monthly" }), &json!({ "plan": "Professional Annual" }));
    assert_eq!((log[0]["action"].as_str(), plans), (Some("account.planChanged"), expected), "{log}");
    assert_eq!((&log[0]["actor"], &log[0]["target"]["name"]), (&Value::Null, &json!("Acme")));
    app.http.settle().await;
}

#[tokio::test]
async fn a_downgrade_shows_its_date_and_changes_the_limits_at_the_end_of_the_period() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let bought = app.buy(&ada, &account, "professional-monthly").await;
    let (provision, org) = (bought["uid"].as_str().unwrap(), uid(&bought["orgId"]));
    change_on_portal(&app, &ada, &account, "essentials-monthly").await;
    app.http.run_jobs().await;
    let planned = app.provision(&ada, &account, provision).await;
    assert_eq!(
        (&planned["planId"], &planned["pendingPlanId"], &planned["timeChanges"]),
        (&json!("professional-monthly"), &json!("essentials-monthly"), &bought["timeRenews"])
    );
    assert_eq!(seats(&app, org).await, Some(50));
    app.advance_days(29).await;
    assert_eq!(seats(&app, org).await, Some(50));
    app.advance_days(2).await;
    assert_eq!(seats(&app, org).await, Some(5));
    let ada = app.http.person("ada@example.com").await;
    let changed = app.provision(&ada, &account, provision).await;
    assert_eq!((&changed["planId"], &changed["pendingPlanId"]), (&json!("essentials-monthly"), &Value::Null));
    app.http.settle().await;
}

#[tokio::test]
async fn a_price_whose_key_was_moved_keeps_the_plan_that_its_metadata_names() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let bought = app.buy(&ada, &account, "professional-monthly").await;
    let (provision, org) = (bought["uid"].as_str().unwrap(), uid(&bought["orgId"]));
    // As after a price rise: the lookup key belongs to the new price.
    app.change_subscription(provision, |body| {
        let price = &mut body["items"]["data"][0]["price"];
        price["lookup_key"] = Value::Null;
        price["metadata"] = json!({ "plan": "professional-monthly" });
    })
    .await;
    app.http.clock.advance(25 * kernel::HOUR);
    app.billing.reconcile().await.unwrap();
    app.http.clock.advance(20 * DAY);
    assert_eq!(seats(&app, org).await, Some(50));
    assert_eq!(app.count("provision WHERE price_unknown_since IS NOT NULL").await, 0);
    app.http.run_jobs().await;
    app.http.settle().await;
}

#[tokio::test]
async fn the_portal_is_opened_with_the_configuration_made_by_code() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    for _ in 0..2 {
        ada.post(&format!("/v1/accounts/{account}/manage"), json!({})).await.expect(200);
    }
    let own = "sandbox_object WHERE kind = 'configuration' AND id <> 'bpc_default'";
    assert_eq!(app.count(own).await, 1, "one for all sessions");
    let portal = app.object("portal", &app.newest("portal").await).await;
    let configuration = portal["configuration"].as_str().unwrap();
    assert_ne!(configuration, "bpc_default");
    let update = &app.object("configuration", configuration).await["features"]["subscription_update"];
    assert_eq!((&update["enabled"], update["products"].as_array().unwrap().len()), (&json!(true), 4));
    app.http.settle().await;
}

#[tokio::test]
async fn the_invoices_and_the_card_are_shown_to_managers() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}/invoices");
    assert_eq!(ada.get(&path).await.expect(200), json!({ "data": [], "card": null }));
    app.buy(&ada, &account, "essentials-monthly").await;
    let shown = ada.get(&path).await.expect(200);
    let invoice = &shown["data"][0];
    assert_eq!(
        (&invoice["amount"], &invoice["currency"], &invoice["status"]),
        (&json!(4_900), &json!("usd"), &json!("paid"))
    );
    assert_eq!(shown["data"].as_array().unwrap().len(), 1);
    assert_eq!((&shown["card"]["brand"], &shown["card"]["last4"]), (&json!("visa"), &json!("4242")));
    app.http.settle().await;
}
