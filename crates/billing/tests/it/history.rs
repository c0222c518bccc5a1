//! Why a plan is in its state: in the audit log of the account, on its purchases, and for the operator.

use billing::{Cause, ProvisionState as State, PurchaseReason as Reason};
use kernel::{ProvisionId, Uid};
use serde_json::{Value, json};
use testkit::Client;

use crate::test_app::{TestApp, TestProvider, test_app, test_app_with, uid};

/// A plan that was bought, with the path that decides about its renewals.
struct Bought {
    account: String,
    org: Value,
    provision: String,
    renewals: String,
}

async fn bought(app: &TestApp, kind: &str) -> Bought {
    let (ada, account) = app.buyer("ada@example.com", kind).await;
    let bought = app.buy(&ada, &account, "essentials-monthly").await;
    let provision = bought["uid"].as_str().unwrap().to_owned();
    let renewals = format!("/sandbox/api/subscriptions/{provision}");
    Bought { account, org: bought["orgId"].clone(), provision, renewals }
}

/// Tokens do not last for days.
async fn ada(app: &TestApp) -> Client {
    app.http.person("ada@example.com").await
}

/// Returns what the log of the account says about states and plans, oldest first.
async fn log(app: &TestApp, account: &str) -> Vec<Value> {
    let all = ada(app).await.get(&format!("/v1/accounts/{account}/audit")).await.expect(200)["data"].clone();
    let mut found: Vec<Value> = all.as_array().unwrap().clone();
    found.retain(|entry| {
        let action = entry["action"].as_str().unwrap();
        action.starts_with("account.plan") && action != "account.planBought"
    });
    found.reverse();
    found
}

/// Returns state, reason and cause of what the log says, oldest first.
async fn steps(app: &TestApp, account: &str) -> Vec<Value> {
    let log = log(app, account).await;
    let step = |entry: &Value| {
        let after = &entry["after"];
        json!([entry["before"]["state"], after["state"], after["reason"], after["cause"]])
    };
    log.iter().map(step).collect()
}

async fn state(app: &TestApp, bought: &Bought) -> Value {
    let now = app.provision(&ada(app).await, &bought.account, &bought.provision).await;
    json!([now["state"], now["reason"], now["timeUnpaid"].is_string()])
}

#[tokio::test]
async fn the_managers_read_why_a_plan_was_suspended_and_ended() {
    let app = test_app().await;
    let plan = bought(&app, "business").await;
    assert_eq!(state(&app, &plan).await, json!(["active", "paid", false]));
    assert_eq!(log(&app, &plan.account).await, Vec::<Value>::new(), "the purchase has its own entry");
    // The provider tries again and again, and never gives up.
    app.stand_in_post("/sandbox/api/stripe", json!({ "afterRetries": "past_due" })).await;
    app.stand_in_post(&plan.renewals, json!({ "outcome": "fail" })).await;
    app.advance_days(31).await;
    assert_eq!(state(&app, &plan).await, json!(["pastDue", "paymentFailed", true]));
    app.http.clock.advance(14 * kernel::DAY);
    app.billing.lapse().await.unwrap();
    assert_eq!(state(&app, &plan).await, json!(["suspended", "unpaid", true]));
    app.advance_days(30).await;
    // The job that ends the subscription cancels it.
    assert_eq!(app.count("provision WHERE status = 'canceled'").await, 1);
    assert_eq!(state(&app, &plan).await, json!(["ended", "unpaid", false]));
    let failed = json!(["active", "pastDue", "paymentFailed", "event"]);
    let suspended = json!(["pastDue", "suspended", "unpaid", "clock"]);
    let ended = json!(["suspended", "ended", "unpaid", "event"]);
    let found = steps(&app, &plan.account).await;
    assert_eq!(found, [failed, suspended, ended], "{found:?}");
    let first = &log(&app, &plan.account).await[0];
    assert_eq!((&first["target"]["name"], &first["actor"]), (&json!("Acme"), &Value::Null));
    assert!(first["after"]["unpaidSince"].is_string(), "{first}");
    let eve = app.http.person("eve@example.com").await;
    eve.get(&format!("/v1/accounts/{}/audit", plan.account)).await.expect(404);
    app.http.settle().await;
}

#[tokio::test]
async fn what_the_provider_gave_up_and_what_was_canceled_are_told_apart() {
    let app = test_app().await;
    let plan = bought(&app, "business").await;
    app.stand_in_post("/sandbox/api/stripe", json!({ "afterRetries": "unpaid" })).await;
    app.stand_in_post(&plan.renewals, json!({ "outcome": "fail" })).await;
    app.advance_days(31).await;
    for _ in 0..13 {
        app.advance_days(1).await;
    }
    assert_eq!(state(&app, &plan).await, json!(["suspended", "givenUp", true]));
    app.stand_in_post(&plan.renewals, json!({ "outcome": "recover" })).await;
    app.http.run_jobs().await;
    assert_eq!(state(&app, &plan).await, json!(["active", "paid", false]));
    app.stand_in_post(&plan.renewals, json!({ "outcome": "cancel" })).await;
    app.advance_days(62).await;
    assert_eq!(state(&app, &plan).await, json!(["ended", "canceled", false]));
    let found = steps(&app, &plan.account).await;
    let states: Vec<_> = found.iter().map(|step| [step[1].clone(), step[2].clone()]).collect();
    let expected =
        [["pastDue", "paymentFailed"], ["suspended", "givenUp"], ["active", "paid"], ["ended", "canceled"]];
    assert_eq!(json!(states), json!(expected), "{found:?}");
    app.http.settle().await;
}

#[tokio::test]
async fn a_payment_that_went_back_is_in_the_log() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (first, _) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    let (second, _) = app.start_checkout(&ada, &account, "professional-monthly").await;
    app.settle_checkout(&first, "pay").await;
    app.settle_checkout(&second, "pay").await;
    app.http.run_jobs().await;
    let returned = log(&app, &account).await;
    assert_eq!(returned.len(), 1, "{returned:?}");
    let after = &returned[0]["after"];
    assert_eq!((&after["state"], &after["reason"]), (&json!("failed"), &json!("accountFull")));
    app.http.settle().await;
}

#[tokio::test]
async fn the_operator_reads_the_journal_of_an_organisation_an_account_or_a_purchase() {
    let app = test_app().await;
    let plan = bought(&app, "agency").await;
    let provision: ProvisionId = plan.provision.parse().unwrap();
    let ids: [Uid; 3] = [uid(&plan.org), plan.account.parse().unwrap(), provision.into()];
    let mut read = Vec::new();
    for id in ids {
        let found = app.billing.purchase_histories(id).await.unwrap();
        let [one] = found.as_slice() else { panic!("{found:?}") };
        read.push(one.uid);
    }
    assert_eq!(read, [provision; 3]);
    let found = app.billing.purchase_histories(ids[0]).await.unwrap();
    assert_eq!((found[0].state, found[0].reason), (State::Active, Some(Reason::Paid)));
    let [change] = found[0].changes.as_slice() else { panic!("{found:?}") };
    assert_eq!((change.from, change.to, change.reason), (State::Open, State::Active, Some(Reason::Paid)));
    assert_eq!(change.cause, Cause::Event);
    let named = |name: &str| {
        ["checkout.session.completed", "customer.subscription.created", "invoice.paid"].contains(&name)
    };
    assert!(change.cause_id.is_some() && change.event.as_deref().is_some_and(named), "{change:?}");
    // The event is forgotten, and its id stays.
    app.execute("DELETE FROM webhook_event").await;
    let found = app.billing.purchase_histories(ids[0]).await.unwrap();
    let change = &found[0].changes[0];
    assert!(change.cause_id.is_some() && change.event.is_none(), "{change:?}");
    assert!(app.billing.purchase_histories(Uid::nil()).await.unwrap().is_empty());
    app.http.settle().await;
}

#[tokio::test]
async fn a_plan_that_was_granted_while_payment_was_off_names_the_person() {
    let app = test_app_with(TestProvider::Off).await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}/checkout");
    ada.post(&path, json!({ "planId": "essentials-monthly" })).await.expect(200);
    let found = app.billing.purchase_histories(account.parse().unwrap()).await.unwrap();
    assert_eq!(found[0].reason, Some(Reason::Free));
    let change = &found[0].changes[0];
    assert_eq!((change.cause, change.cause_id.clone()), (Cause::Person, Some(ada.uid().to_string())));
    app.http.settle().await;
}
