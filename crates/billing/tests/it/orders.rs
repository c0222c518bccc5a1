//! Six events about a purchase, in every order: the result is what the provider says in the end.

use serde_json::{Value, json};

use crate::test_app::{TestApp, event, test_app};

/// What the provider reports about a purchase: paid for, renewed, unpaid, and paid again.
const EVENTS: [&str; 6] = [
    "checkout.session.completed",
    "customer.subscription.created",
    "invoice.paid",
    "invoice.payment_failed",
    "customer.subscription.updated",
    "invoice.payment_succeeded",
];

/// Returns all orders of six things.
fn orders() -> Vec<[usize; 6]> {
    let mut all = Vec::new();
    let mut order = [0, 1, 2, 3, 4, 5];
    permute(&mut order, 0, &mut all);
    all
}

fn permute(order: &mut [usize; 6], from: usize, all: &mut Vec<[usize; 6]>) {
    if from == order.len() {
        return all.push(*order);
    }
    for next in from..order.len() {
        order.swap(from, next);
        permute(order, from + 1, all);
        order.swap(from, next);
    }
}

/// A purchase whose events arrive in some order.
struct Purchase {
    account: String,
    session: String,
    uid: String,
}

impl Purchase {
    /// Returns what the provider sends with an event.
    fn event(&self, number: usize, id: &str) -> Value {
        let metadata = json!({ "provision": self.uid, "account": self.account });
        let object = match EVENTS[number] {
            "checkout.session.completed" => json!({ "id": self.session, "client_reference_id": self.uid }),
            name if name.starts_with("invoice") => {
                json!({ "id": format!("in_{id}"), "parent": { "subscription_details": { "metadata": metadata } } })
            }
            _ => json!({ "id": format!("sub_{id}"), "metadata": metadata }),
        };
        event(&format!("evt_{id}"), EVENTS[number], object)
    }
}

/// Delivers the events of a new purchase in this order, while the provider's truth changes: the third to the fifth
/// arrive while a payment is missing.
async fn delivered(app: &TestApp, ada: &testkit::Client, account: &str, order: [usize; 6]) -> Purchase {
    let (session, uid) = app.start_checkout(ada, account, "essentials-monthly").await;
    app.settle_checkout(&session, "pay").await;
    let purchase = Purchase { account: account.to_owned(), session, uid };
    for (position, number) in order.into_iter().enumerate() {
        match position {
            2 => app.change_subscription(&purchase.uid, |body| body["status"] = json!("past_due")).await,
            5 => app.change_subscription(&purchase.uid, |body| body["status"] = json!("active")).await,
            _ => {}
        }
        let event = purchase.event(number, &format!("{}_{position}", purchase.uid));
        app.webhook(&event).await.expect(200);
        // Every event arrives twice.
        app.webhook(&event).await.expect(200);
        app.http.clock.advance(1);
        app.process_webhooks().await;
    }
    purchase
}

/// Tries a part of the orders, and all 720 with `VITRINE_TEST_LONG`.
#[tokio::test]
async fn the_order_of_events_changes_nothing() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let all = orders();
    assert_eq!(all.len(), 720);
    let step = if std::env::var_os("VITRINE_TEST_LONG").is_some() { 1 } else { 31 };
    for (index, order) in all.into_iter().step_by(step).enumerate() {
        let purchase = delivered(&app, &ada, &account, order).await;
        let read = format!("/v1/accounts/{account}/provisions/{}", purchase.uid);
        let found = ada.get(&read).await.expect(200);
        assert_eq!((&found["state"], &found["active"]), (&json!("active"), &json!(true)), "{order:?}");
        // One organisation for each purchase, and one email of each kind.
        for rows in [
            "organisation",
            "billing_notice WHERE kind = 'bought'",
            "billing_notice WHERE kind = 'last_payment_failed'",
            "provision_change WHERE to_state = 'pastDue'",
        ] {
            assert_eq!(app.count(rows).await, 1 + index as i64, "{rows} after {order:?}");
        }
        assert_eq!(app.count("billing_notice").await, 2 * (1 + index as i64), "{order:?}");
    }
    app.http.run_jobs().await;
    app.http.settle().await;
}
