//! The pages of the billing portal.

use serde_json::json;

use crate::test_app::{TestApp, test_app};

const PAYS: &str = "action=card&card=4242424242424242&expiry=12%2F40&cvc=123&name=Ada";
const DECLINES: &str = "action=card&card=4000000000000002&expiry=01%2F39&cvc=123&name=Ada";

/// Opens the portal. Returns its path.
async fn open(app: &TestApp, configuration: Option<&str>) -> String {
    let customer = app.customer().await;
    let url = app.provider.portal(&customer, "http://127.0.0.1:1/billing", configuration).await.unwrap();
    url.strip_prefix("http://127.0.0.1:1").unwrap().to_owned()
}

/// Submits a form and returns the page that follows.
async fn submit(app: &TestApp, path: &str, form: &str) -> String {
    let (status, to) = app.form(path, form).await;
    assert_eq!(status, 303, "{to}");
    let (status, page) = app.get(&to).await;
    assert_eq!(status, 200, "{page}");
    page
}

async fn plan_of(app: &TestApp, subscription: &str) -> String {
    let found = app.read(&format!("subscriptions/{subscription}")).await;
    found["items"]["data"][0]["price"]["lookup_key"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_declined_card_fails_at_the_next_attempt_and_a_new_one_pays_the_open_invoice() {
    let app = test_app().await;
    let (_, id) = app.subscribed("essentials-monthly").await;
    let path = open(&app, None).await;
    let page = app.get(&path).await.1;
    assert!(page.contains("Visa ending in 4242, expires 12&#x2f;2040"), "{page}");
    let page = submit(&app, &path, DECLINES).await;
    assert!(page.contains("The card is saved.") && page.contains("Visa ending in 0002"), "{page}");
    assert!(app.provider.card(&app.customer().await, Some(&id)).await.unwrap().unwrap().last4 == "0002");
    app.move_clock(32.0).await;
    let path = open(&app, None).await;
    let page = app.get(&path).await.1;
    assert!(page.contains("Payment failed") && page.contains("Next attempt on"), "{page}");
    let open_invoice = &app.read(&format!("invoices?subscription={id}&status=open")).await["data"][0];
    let pay = format!("action=pay&invoice={}", open_invoice["id"].as_str().unwrap());
    assert!(submit(&app, &path, &pay).await.contains("Your card was declined."));
    let other = app.get("/sandbox/portal/bps_other").await;
    assert_eq!((other.0, app.form("/sandbox/portal/bps_other", &pay).await.0), (410, 410));
    submit(&app, &path, PAYS).await;
    assert_eq!(
        app.read(&format!("subscriptions/{id}")).await["status"],
        "past_due",
        "it is not tried at once"
    );
    let page = submit(&app, &path, &pay).await;
    assert!(page.contains("The invoice is paid.") && page.contains("Renews on"), "{page}");
    assert!(submit(&app, &path, &pay).await.contains("cannot be paid any more"));
}

#[tokio::test]
async fn what_is_wrong_with_a_new_card_is_shown_in_the_open_form() {
    let app = test_app().await;
    app.subscribed("essentials-monthly").await;
    let path = open(&app, None).await;
    let (status, page) = app.form(&path, "action=card&card=1&name=Ada%3C").await;
    assert_eq!(status, 422);
    for part in
        ["<details open>", "Use one of the test cards.", "Enter the month and year", "value=\"Ada&lt;\""]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(app.get(&path).await.1.contains("Visa ending in 4242"));
}

#[tokio::test]
async fn a_dearer_plan_begins_now_and_a_cheaper_one_at_the_end_of_the_period() {
    let app = test_app().await;
    let (_, id) = app.subscribed("essentials-monthly").await;
    let path = open(&app, None).await;
    let change = |price: &str| format!("action=plan&subscription={id}&price={price}");
    let page = submit(&app, &path, &change("price_professional_monthly")).await;
    assert!(page.contains("The plan is changed.") && page.contains("$199.00"), "{page}");
    assert!(page.contains("Change of plan") && page.contains("$150.00"), "the difference of a new period");
    let page = submit(&app, &path, &change("price_essentials_monthly")).await;
    assert!(page.contains("Changes to Essentials Monthly ($49.00 every month) on"), "{page}");
    assert_eq!(plan_of(&app, &id).await, "professional-monthly");
    let page = submit(&app, &path, &format!("action=release&subscription={id}")).await;
    assert!(page.contains("The current plan is kept.") && !page.contains("Changes to"), "{page}");
    submit(&app, &path, &change("price_essentials_monthly")).await;
    let page = submit(&app, &path, &format!("action=cancel&subscription={id}")).await;
    assert!(
        page.contains("does not renew") && !page.contains("Changes to"),
        "the end comes before the change"
    );
    submit(&app, &path, &format!("action=keep&subscription={id}")).await;
    submit(&app, &path, &change("price_essentials_monthly")).await;
    app.move_clock(32.0).await;
    assert_eq!(plan_of(&app, &id).await, "essentials-monthly");
}

#[tokio::test]
async fn an_upgrade_that_is_not_paid_changes_nothing() {
    let app = test_app().await;
    let (_, id) = app.subscribed("essentials-monthly").await;
    let path = open(&app, None).await;
    submit(&app, &path, DECLINES).await;
    let form = format!("action=plan&subscription={id}&price=price_professional_monthly");
    assert!(submit(&app, &path, &form).await.contains("Your card was declined."));
    assert_eq!(plan_of(&app, &id).await, "essentials-monthly");
    assert_eq!(app.read(&format!("invoices?subscription={id}")).await["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn only_what_is_configured_is_offered() {
    let app = test_app().await;
    let (_, id) = app.subscribed("essentials-monthly").await;
    let update = "features[subscription_update]";
    let form = format!(
        "{update}[enabled]=true&{update}[products][0][product]=prod_professional_annual\
         &{update}[products][0][prices][]=price_professional_annual"
    );
    let made = app.change("billing_portal/configurations", &form).await;
    let path = open(&app, made["id"].as_str()).await;
    let page = app.get(&path).await.1;
    assert!(page.contains("Upgrade to Professional Annual"), "{page}");
    for part in ["Professional Monthly", "Change card", "Cancel at period end", "Invoices"] {
        assert!(!page.contains(part), "{part} in {page}");
    }
    for form in [
        format!("action=plan&subscription={id}&price=price_professional_monthly"),
        format!("action=cancel&subscription={id}"),
        PAYS.to_owned(),
    ] {
        assert_eq!(app.form(&path, &form).await.0, 404, "{form}");
    }
    let yearly = format!("action=plan&subscription={id}&price=price_professional_annual");
    submit(&app, &path, &yearly).await;
    let changed = app.read(&format!("subscriptions/{id}?expand[]=latest_invoice")).await;
    assert_eq!(changed["items"]["data"][0]["price"]["recurring"]["interval"], "year");
    assert_eq!(changed["latest_invoice"]["amount_paid"], json!(199_000 - 4_900));
}
