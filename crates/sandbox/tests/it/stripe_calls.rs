//! The calls of the payment provider's API that its client and the portal rely on.

use serde_json::{Value, json};

use crate::test_app::{TestApp, test_app};

/// The ids on a page of a list.
fn ids(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

/// The subscription's only item and its price.
fn item(subscription: &Value) -> (&str, &str) {
    let item = &subscription["items"]["data"][0];
    (item["id"].as_str().unwrap(), item["price"]["lookup_key"].as_str().unwrap())
}

async fn events_named(app: &TestApp, name: &str) -> Vec<Value> {
    let found = app.read(&format!("events?limit=100&type={name}")).await;
    found["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_open_session_is_expired_once() {
    let app = test_app().await;
    let (_, session) = app.checkout("essentials-monthly").await;
    let path = format!("checkout/sessions/{}/expire", session.id);
    assert_eq!(app.change(&path, "").await["status"], "expired");
    let (status, refused) = app.stripe("POST", &path, "").await;
    assert_eq!((status, &refused["error"]["type"]), (400, &json!("invalid_request_error")));
    assert_eq!(app.settle(&session.id, "pay").await, "http://127.0.0.1:1/billing/cancelled");
    assert_eq!(events_named(&app, "checkout.session.expired").await.len(), 1);
}

#[tokio::test]
async fn a_change_of_a_subscription_leaves_what_it_does_not_name() {
    let app = test_app().await;
    let (_, id) = app.subscribed("essentials-monthly").await;
    let path = format!("subscriptions/{id}");
    let planned = app.change(&path, "cancel_at_period_end=true").await;
    assert_eq!(planned["cancel_at"], planned["items"]["data"][0]["current_period_end"]);
    let changed = app.change(&path, "metadata[note]=1").await;
    assert_eq!((&changed["cancel_at_period_end"], &changed["metadata"]["note"]), (&json!(true), &json!("1")));
    assert!(changed["metadata"]["provision"].is_string());
    let kept = app.change(&path, "cancel_at_period_end=false").await;
    assert_eq!((&kept["cancel_at"], &kept["cancel_at_period_end"]), (&Value::Null, &json!(false)));
    let at = app.ambient.now().seconds() + 86_400;
    let dated = app.change(&path, &format!("cancel_at={at}")).await;
    assert_eq!((&dated["cancel_at"], &dated["cancel_at_period_end"]), (&json!(at), &json!(false)));
    assert!(app.provider.subscription(&id).await.unwrap().state.cancel_at.is_some());
    assert!(app.change(&path, "cancel_at=").await["cancel_at"].is_null());
    for (name, at) in [("current_period_end", "/current_period_end"), ("current_period_start", "")] {
        assert!(kept.get(name).is_none(), "{name} {at} is on the item alone");
    }
}

#[tokio::test]
async fn an_upgrade_is_invoiced_at_once_for_the_rest_of_the_period() {
    let app = test_app().await;
    let (_, id) = app.subscribed("essentials-monthly").await;
    let before = app.read(&format!("subscriptions/{id}")).await;
    app.move_clock(10.0).await;
    let form = format!(
        "items[0][id]={}&items[0][price]=price_professional_monthly&proration_behavior=always_invoice",
        item(&before).0
    );
    let after = app.change(&format!("subscriptions/{id}"), &form).await;
    assert_eq!(item(&after).1, "professional-monthly");
    let periods = [&before, &after].map(|one| one["items"]["data"][0]["current_period_end"].clone());
    assert_eq!(periods[0], periods[1], "the period stays");
    let invoice = app.read(&format!("invoices/{}", after["latest_invoice"].as_str().unwrap())).await;
    assert_eq!(
        (&invoice["status"], &invoice["billing_reason"]),
        (&json!("paid"), &json!("subscription_update"))
    );
    let lines = invoice["lines"]["data"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    let whole = 19_900 - 4_900;
    let paid = invoice["amount_paid"].as_i64().unwrap();
    assert!((whole * 60 / 100..whole * 72 / 100).contains(&paid), "20 of 28 to 31 days: {paid}");
    assert_eq!(lines[0]["amount"].as_i64().unwrap() + lines[1]["amount"].as_i64().unwrap(), paid);
    assert!(lines[0]["parent"]["subscription_item_details"]["proration"] == true);
    app.move_clock(25.0).await;
    let renewed = app.read(&format!("invoices?subscription={id}")).await;
    assert_eq!(renewed["data"][0]["amount_paid"], 19_900);
}

#[tokio::test]
async fn another_interval_starts_a_new_period_and_a_credit_pays_later_invoices() {
    let app = test_app().await;
    let (_, id) = app.subscribed("professional-annual").await;
    let path = format!("subscriptions/{id}");
    let before = app.read(&path).await;
    let form = format!(
        "items[0][id]={}&items[0][price]=price_essentials_monthly&proration_behavior=always_invoice",
        item(&before).0
    );
    app.move_clock(1.0).await;
    let after = app.change(&path, &form).await;
    assert_eq!(after["billing_cycle_anchor"], after["items"]["data"][0]["current_period_start"]);
    let invoice = app.read(&format!("invoices/{}", after["latest_invoice"].as_str().unwrap())).await;
    assert_eq!((&invoice["amount_due"], &invoice["status"]), (&json!(0), &json!("paid")));
    let credit = invoice["ending_balance"].as_i64().unwrap();
    assert!((-198_600 + 4_900..-198_000 + 4_900).contains(&credit), "{credit}");
    app.move_clock(32.0).await;
    let customer = app.read(&format!("customers/{}", app.customer().await)).await;
    assert_eq!(customer["balance"], credit + 4_900, "the next month is paid with the credit");
}

#[tokio::test]
async fn a_scheduled_price_takes_effect_at_the_end_of_the_period() {
    let app = test_app().await;
    let (_, id) = app.subscribed("professional-monthly").await;
    let path = format!("subscriptions/{id}");
    let schedule = app.change("subscription_schedules", &format!("from_subscription={id}")).await;
    let (start, end) = (&schedule["phases"][0]["start_date"], &schedule["phases"][0]["end_date"]);
    let form = format!(
        "phases[0][items][0][price]=price_professional_monthly&phases[0][start_date]={start}&phases[0][end_date]={end}\
         &phases[1][items][0][price]=price_essentials_monthly&phases[1][proration_behavior]=none"
    );
    let schedule_path = format!("subscription_schedules/{}", schedule["id"].as_str().unwrap());
    let planned = app.change(&schedule_path, &form).await;
    assert_eq!(planned["phases"][1]["start_date"], *end);
    let expanded = app.read(&format!("{path}?expand[]=schedule&expand[]=default_payment_method")).await;
    assert_eq!(expanded["schedule"]["phases"][1]["items"][0]["price"], "price_essentials_monthly");
    assert_eq!(expanded["default_payment_method"]["card"]["last4"], "4242");
    let product = app.read(&format!("{path}?expand[]=items.data.price.product")).await;
    let product = &product["items"]["data"][0]["price"]["product"];
    assert_eq!((&product["object"], &product["name"]), (&json!("product"), &json!("Professional Monthly")));
    assert_eq!(app.stripe("GET", &format!("{path}?expand[]=status"), "").await.0, 400);
    let state = app.provider.subscription(&id).await.unwrap();
    assert_eq!(state.scheduled.map(|change| change.plan_keys), Some(vec!["essentials-monthly".to_owned()]));
    let (status, refused) = app.stripe("POST", &path, "cancel_at_period_end=true").await;
    assert!(status == 400 && refused["error"]["message"].as_str().unwrap().contains("schedule"), "{refused}");
    app.move_clock(32.0).await;
    let after = app.read(&path).await;
    assert_eq!((item(&after).1, &after["status"]), ("essentials-monthly", &json!("active")));
    let invoices = app.read(&format!("invoices?subscription={id}")).await;
    assert_eq!((ids(&invoices).len(), &invoices["data"][0]["amount_paid"]), (2, &json!(4_900)));
    app.move_clock(32.0).await;
    let released = app.read(&schedule_path).await;
    assert_eq!((&released["status"], &released["released_subscription"]), (&json!("released"), &json!(id)));
    assert!(app.read(&path).await["schedule"].is_null());
}

#[tokio::test]
async fn a_released_schedule_changes_nothing() {
    let app = test_app().await;
    let (_, id) = app.subscribed("professional-monthly").await;
    let schedule = app.change("subscription_schedules", &format!("from_subscription={id}")).await;
    let path = format!("subscription_schedules/{}", schedule["id"].as_str().unwrap());
    app.change(&format!("{path}/release"), "").await;
    assert_eq!(app.stripe("POST", &format!("{path}/release"), "").await.0, 400);
    app.move_clock(32.0).await;
    let after = app.read(&format!("subscriptions/{id}")).await;
    assert_eq!((item(&after).1, &after["schedule"]), ("professional-monthly", &Value::Null));
}

#[tokio::test]
async fn lists_come_by_page_newest_first() {
    let app = test_app().await;
    let mut bought = Vec::new();
    for _ in 0..3 {
        bought.push(app.subscribed("essentials-monthly").await.1);
    }
    bought.reverse();
    let first = app.read("subscriptions?limit=2").await;
    assert_eq!((ids(&first), &first["has_more"]), (bought[..2].to_vec(), &json!(true)));
    let rest = app.read(&format!("subscriptions?limit=2&starting_after={}", bought[1])).await;
    assert_eq!((ids(&rest), &rest["has_more"]), (bought[2..].to_vec(), &json!(false)));
    app.stripe("DELETE", &format!("subscriptions/{}", bought[0]), "").await;
    assert_eq!(ids(&app.read("subscriptions").await), bought[1..]);
    assert_eq!(ids(&app.read("subscriptions?status=all").await), bought);
    assert_eq!(ids(&app.read("subscriptions?status=canceled").await), bought[..1]);
    let customer = app.customer().await;
    assert_eq!(ids(&app.read(&format!("invoices?customer={customer}")).await).len(), 3);
    assert_eq!(ids(&app.read(&format!("invoices?subscription={}", bought[1])).await).len(), 1);
    assert_eq!(app.stripe("GET", "subscriptions?limit=0", "").await.0, 400);
    assert_eq!(app.stripe("GET", "subscriptions?starting_after=sub_x", "").await.0, 400);
}

#[tokio::test]
async fn events_that_were_not_delivered_are_listed_as_such() {
    let app = test_app().await;
    app.reject_webhooks(true);
    app.subscribed("essentials-monthly").await;
    app.run_jobs().await;
    let pending = app.read("events?delivery_success=false").await;
    assert_eq!(ids(&pending).len(), 3);
    let after = format!("events?delivery_success=false&limit=2&starting_after={}", ids(&pending)[0]);
    assert_eq!(ids(&app.read(&after).await), ids(&pending)[1..]);
    app.reject_webhooks(false);
    app.move_clock(1.0).await;
    app.run_jobs().await;
    assert_eq!(ids(&app.read("events?delivery_success=false").await).len(), 0);
    let delivered = app.read("events?delivery_success=true").await;
    assert_eq!((ids(&delivered).len(), &delivered["data"][0]["pending_webhooks"]), (3, &json!(0)));
    app.move_clock(31.0).await;
    let listed = app.read("events?limit=100").await;
    let listed = listed["data"].as_array().unwrap();
    assert!(listed.iter().all(|one| one["type"] != "checkout.session.completed"), "30 days are listed");
}

#[tokio::test]
async fn account_endpoint_and_portal_configurations_can_be_checked() {
    let app = test_app().await;
    assert_eq!(app.read("account").await["charges_enabled"], true);
    let endpoint = &app.read("webhook_endpoints").await["data"][0];
    assert_eq!(
        (&endpoint["status"], &endpoint["api_version"]),
        (&json!("enabled"), &json!(payments::STRIPE_VERSION))
    );
    let form = "features[subscription_update][enabled]=true&features[subscription_update][default_allowed_updates][]=price\
                &features[subscription_update][products][0][product]=prod_essentials_monthly\
                &features[subscription_update][products][0][prices][]=price_essentials_monthly\
                &features[subscription_update][schedule_at_period_end][conditions][0][type]=decreasing_item_amount\
                &metadata[made_by]=test";
    let made = app.change("billing_portal/configurations", form).await;
    let update = &made["features"]["subscription_update"];
    assert_eq!(update["products"][0]["prices"], json!(["price_essentials_monthly"]));
    assert_eq!(update["schedule_at_period_end"]["conditions"], json!([{ "type": "decreasing_item_amount" }]));
    assert_eq!(made["features"]["subscription_cancel"]["enabled"], false, "only what is named is allowed");
    let id = made["id"].as_str().unwrap();
    let path = format!("billing_portal/configurations/{id}");
    let changed = app.change(&path, "features[subscription_cancel][enabled]=true").await;
    assert_eq!(changed["features"]["subscription_update"]["enabled"], true);
    assert_eq!(app.read(&path).await, changed);
    assert_eq!(ids(&app.read("billing_portal/configurations").await), [id, "bpc_default"]);
    let session = format!("customer={}&configuration={id}", app.customer().await);
    assert_eq!(app.change("billing_portal/sessions", &session).await["configuration"], id);
    let unknown = format!("customer={}&configuration=bpc_x", app.customer().await);
    assert_eq!(app.stripe("POST", "billing_portal/sessions", &unknown).await.0, 404);
}

#[tokio::test]
async fn an_open_invoice_is_paid_or_voided_by_a_call() {
    let app = test_app().await;
    let (provision, id) = app.subscribed("essentials-monthly").await;
    app.set_renewal_outcome(provision, "fail").await;
    app.move_clock(32.0).await;
    let open = &app.read(&format!("invoices?subscription={id}&status=open")).await["data"][0];
    let path = format!("invoices/{}", open["id"].as_str().unwrap());
    let (status, declined) = app.stripe("POST", &format!("{path}/pay"), "").await;
    assert_eq!((status, &declined["error"]["code"]), (402, &json!("card_declined")));
    let next = &app.read(&path).await["next_payment_attempt"];
    assert_eq!(next, &open["next_payment_attempt"], "a failed try leaves the planned ones");
    let paid = app.change(&format!("{path}/pay"), "paid_out_of_band=true").await;
    assert_eq!((&paid["status"], &paid["amount_remaining"]), (&json!("paid"), &json!(0)));
    assert_eq!(app.read(&format!("subscriptions/{id}")).await["status"], "active");
    assert_eq!(app.stripe("POST", &format!("{path}/pay"), "").await.0, 400);
    assert_eq!(app.stripe("POST", &format!("{path}/void"), "").await.0, 400);
    app.move_clock(31.0).await;
    let open = &app.read(&format!("invoices?subscription={id}&status=open")).await["data"][0];
    let path = format!("invoices/{}", open["id"].as_str().unwrap());
    assert_eq!(app.change(&format!("{path}/void"), "").await["status"], "void");
    let after = app.read(&format!("subscriptions/{id}")).await;
    assert_eq!(after["status"], "active", "the invoice before it was paid");
    assert_eq!(app.stripe("POST", &format!("{path}/pay"), "").await.0, 400);
}
