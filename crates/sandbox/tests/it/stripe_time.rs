//! What the clock brings: periods, attempts to collect, ends.

use kernel::{DAY, Timestamp, iso};
use payments::SubscriptionStatus;
use serde_json::{Value, json};

use crate::test_app::{TestApp, test_app};

/// Sets what a subscription becomes after the last attempt to collect its invoice.
async fn after_retries(app: &TestApp, word: &str) {
    let body = json!({ "afterRetries": word }).to_string();
    let (status, text) = app.post("/sandbox/api/stripe", &body).await;
    assert_eq!(status, 200, "{text}");
}

async fn invoices(app: &TestApp, subscription: &str) -> Vec<Value> {
    let list = app.read(&format!("invoices?subscription={subscription}&limit=100")).await;
    list["data"].as_array().unwrap().clone()
}

/// The time of an object in days since the start.
fn days(app_started: Timestamp, second: &Value) -> i64 {
    (Timestamp::from_seconds(second.as_i64().unwrap()) - app_started + DAY / 2) / DAY
}

#[tokio::test]
async fn what_a_long_advance_brings_has_the_time_at_which_it_was_due() {
    let app = test_app().await;
    let (_, id) = app.subscribed("essentials-monthly").await;
    let anchor = app.read(&format!("subscriptions/{id}")).await["billing_cycle_anchor"].clone();
    app.move_clock(100.0).await;
    let mut made = invoices(&app, &id).await;
    made.reverse();
    assert_eq!(made.len(), 4);
    for pair in made.windows(2) {
        assert_eq!(pair[1]["period_start"], pair[0]["period_end"]);
        assert_eq!(pair[1]["created"], pair[1]["period_start"]);
        assert_eq!(pair[1]["status_transitions"]["paid_at"], pair[1]["created"]);
    }
    let day = |second: &Value| iso(Timestamp::from_seconds(second.as_i64().unwrap()))[8..10].to_owned();
    if day(&anchor).as_str() <= "28" {
        assert!(made.iter().all(|one| day(&one["created"]) == day(&anchor)));
    }
    let paid = app.read("events?type=invoice.paid").await;
    assert_eq!(paid["data"][0]["created"], made[3]["created"]);
    assert_eq!(paid["data"][0]["data"]["object"]["id"], made[3]["id"]);
}

#[tokio::test]
async fn an_unpaid_invoice_is_tried_five_times_and_then_the_subscription_ends() {
    let app = test_app().await;
    let start = app.ambient.now();
    let (provision, id) = app.subscribed("essentials-monthly").await;
    let path = format!("subscriptions/{id}");
    let end = app.read(&path).await["items"]["data"][0]["current_period_end"].clone();
    app.set_renewal_outcome(provision, "fail").await;
    let renewal = days(start, &end);
    app.move_clock(renewal as f64 + 0.5).await;
    for (attempt, next) in [(1, Some(1)), (2, Some(3)), (3, Some(5)), (4, Some(7))] {
        let invoice = &invoices(&app, &id).await[0];
        assert_eq!(invoice["attempt_count"], attempt);
        let planned = next.map(|next| renewal + next);
        assert_eq!(Some(days(start, &invoice["next_payment_attempt"])), planned);
        assert_eq!(app.read(&path).await["status"], "past_due");
        app.move_clock(if attempt == 1 { 1.0 } else { 2.0 }).await;
    }
    let invoice = &invoices(&app, &id).await[0];
    assert_eq!((&invoice["attempt_count"], &invoice["status"]), (&json!(5), &json!("open")));
    assert_eq!((&invoice["next_payment_attempt"], &invoice["auto_advance"]), (&Value::Null, &json!(false)));
    let ended = app.read(&path).await;
    assert_eq!((&ended["status"], days(start, &ended["ended_at"])), (&json!("canceled"), renewal + 7));
    assert_eq!(ended["cancellation_details"]["reason"], "payment_failed");
    assert!(app.provider.subscription(&id).await.unwrap().state.ended_unpaid);
}

#[tokio::test]
async fn after_the_last_attempt_a_subscription_may_stay() {
    let app = test_app().await;
    for (word, status) in [("unpaid", "draft"), ("past_due", "open")] {
        after_retries(&app, word).await;
        let (provision, id) = app.subscribed("essentials-monthly").await;
        app.set_renewal_outcome(provision, "fail").await;
        app.move_clock(70.0).await;
        let path = format!("subscriptions/{id}");
        assert_eq!(app.read(&path).await["status"], word);
        let made = invoices(&app, &id).await;
        assert_eq!((made.len(), &made[0]["status"], &made[1]["status"]), (3, &json!(status), &json!("open")));
        assert_eq!(app.set_renewal_outcome(provision, "recover").await, "active");
        assert!(invoices(&app, &id).await.iter().all(|one| one["status"] == "paid"));
        let paid = app.read("events?type=invoice.paid&limit=2").await;
        assert_eq!(paid["data"][0]["data"]["object"]["id"], made[0]["id"], "oldest first");
        assert_eq!(paid["data"][1]["data"]["object"]["id"], made[1]["id"]);
    }
}

#[tokio::test]
async fn an_attempt_that_succeeds_makes_the_subscription_active() {
    let app = test_app().await;
    let (provision, id) = app.subscribed("essentials-monthly").await;
    app.set_renewal_outcome(provision, "fail").await;
    app.move_clock(31.5).await;
    assert_eq!(app.provider.subscription(&id).await.unwrap().state.status, SubscriptionStatus::PastDue);
    let open = invoices(&app, &id).await[0]["id"].clone();
    assert_eq!(app.set_renewal_outcome(provision, "recover").await, "active");
    app.move_clock(60.0).await;
    let made = invoices(&app, &id).await;
    let recovered = made.iter().find(|one| one["id"] == open).unwrap();
    assert_eq!((&recovered["status"], &recovered["next_payment_attempt"]), (&json!("paid"), &Value::Null));
    assert_eq!(app.provider.subscription(&id).await.unwrap().state.status, SubscriptionStatus::Active);
}

#[tokio::test]
async fn a_slow_or_failing_provider_can_be_tried() {
    let app = test_app().await;
    let (_, id) = app.subscribed("essentials-monthly").await;
    let settings = json!({ "failNext": 2, "failStatus": 503 }).to_string();
    assert_eq!(app.post("/sandbox/api/stripe", &settings).await.0, 200);
    let path = format!("subscriptions/{id}");
    assert_eq!(app.stripe("GET", &path, "").await.0, 503);
    assert!(app.provider.subscription(&id).await.is_ok(), "the client tries again");
    let delay = json!({ "delayMs": 300 }).to_string();
    let (_, changed) = app.post("/sandbox/api/stripe", &delay).await;
    let shown: Value = serde_json::from_str(&changed).unwrap();
    let expected = json!({ "delayMs": 300, "failNext": 0, "failStatus": 503, "afterRetries": "canceled" });
    assert_eq!(shown, expected);
    let asked = std::time::Instant::now();
    app.read(&path).await;
    assert!(asked.elapsed().as_millis() >= 300);
    for refused in [json!({ "failStatus": 200 }), json!({ "delayMs": 70_000 }), json!({ "delay": 1 })] {
        assert_eq!(app.post("/sandbox/api/stripe", &refused.to_string()).await.0, 400, "{refused}");
    }
}
