//! Emails about purchases: each is sent once, however often and in whatever order the provider reports.

use http::Method;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::json;

use crate::test_app::{TestApp, event, test_app};

const PAYEE: &str = "pay@acme.example.com";

/// The purchase of a plan.
struct Bought(String);

async fn bought(app: &TestApp) -> Bought {
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    let bought = app.buy(&ada, &account, "essentials-monthly").await;
    Bought(bought["uid"].as_str().unwrap().to_owned())
}

impl Bought {
    /// Chooses what happens to the next renewals.
    async fn renew(&self, app: &TestApp, outcome: &str) {
        let path = format!("/sandbox/api/subscriptions/{}", self.0);
        app.stand_in_post(&path, json!({ "outcome": outcome })).await;
        app.http.run_jobs().await;
    }

    /// Reports everything about the purchase again, the last first, as new events and as repeated ones.
    async fn report_again(&self, app: &TestApp, number: usize) {
        let names = [
            "customer.subscription.deleted",
            "invoice.payment_failed",
            "invoice.paid",
            "checkout.session.completed",
        ];
        for (at, name) in names.into_iter().chain(["invoice.paid"]).enumerate() {
            let metadata = json!({ "provision": self.0 });
            let details = json!({ "metadata": metadata.clone() });
            let object =
                json!({ "id": "in_1", "metadata": metadata, "parent": { "subscription_details": details } });
            app.webhook(&event(&format!("evt_{number}_{}", at % 4), name, object)).await.expect(200);
            app.process_webhooks().await;
        }
    }
}

/// The kinds of all emails about plans to this address, in their order.
async fn kinds(app: &TestApp, to: &str) -> Vec<String> {
    let conn = app.http.deps.db.read();
    let sql = "SELECT kind FROM mail_outbox WHERE recipient = $1 ORDER BY time_created, uid";
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [to.into()]);
    let rows = conn.query_all_raw(statement).await.unwrap();
    let all = rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap());
    all.filter(|kind| kind.contains("plan") || kind.contains("payment") || kind == "data_removal").collect()
}

#[tokio::test]
async fn a_lapse_sends_each_email_once_under_repeated_and_reordered_events() {
    let app = test_app().await;
    // Otherwise the provider ends the plan with its last attempt, which suspends the organisation.
    app.stand_in_post("/sandbox/api/stripe", json!({ "afterRetries": "past_due" })).await;
    let plan = bought(&app).await;
    plan.report_again(&app, 1).await;
    assert_eq!(kinds(&app, PAYEE).await, ["plan_bought"]);
    plan.renew(&app, "fail").await;
    app.advance_days(31).await;
    plan.report_again(&app, 2).await;
    assert_eq!(kinds(&app, PAYEE).await, ["plan_bought", "payment_failed"]);
    // The provider tries again for a week, and each day counts.
    for _ in 0..9 {
        app.advance_days(1).await;
    }
    plan.report_again(&app, 3).await;
    for (number, days) in [(4, 4), (5, 2), (6, 29), (7, 1)] {
        app.advance_days(days).await;
        plan.report_again(&app, number).await;
    }
    let all = ["plan_bought", "payment_failed", "last_payment_failed", "plan_suspended", "plan_ended"];
    assert_eq!(kinds(&app, PAYEE).await, all);
    app.http.settle().await;
}

#[tokio::test]
async fn the_email_about_a_purchase_says_what_was_bought_and_goes_to_the_managers_without_a_payee() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let nameless = json!({ "account": { "billingEmail": "by phone only" } });
    ada.patch(&format!("/v1/accounts/{account}"), nameless).await.expect(200);
    let provision = app.buy(&ada, &account, "professional-annual").await;
    app.http.run_jobs().await;
    assert!(kinds(&app, PAYEE).await.is_empty());
    let mails = app.http.deps.mailer.sent(None, 50).await.unwrap();
    let about: Vec<_> = mails.iter().filter(|mail| mail.subject == "Your plan for Acme is active").collect();
    assert_eq!((about.len(), about[0].to.as_str()), (1, "ada@example.com"));
    let text = about[0].text.as_deref().unwrap();
    for part in ["Professional Annual", "$1,990 per year", provision["orgId"].as_str().unwrap()] {
        assert!(text.contains(part), "{part}: {text}");
    }
    app.http.settle().await;
}

/// The provider gives up with its last attempt: it ends the subscription, as by default, or keeps it unpaid.
#[tokio::test]
async fn the_last_attempt_and_the_suspension_that_follows_at_once_are_written_about() {
    for (after_retries, remedy) in [("canceled", "uy a plan again"), ("unpaid", "ay under Billing")] {
        let app = test_app().await;
        app.stand_in_post("/sandbox/api/stripe", json!({ "afterRetries": after_retries })).await;
        let plan = bought(&app).await;
        plan.renew(&app, "fail").await;
        app.advance_days(31).await;
        for _ in 0..9 {
            app.advance_days(1).await;
        }
        plan.report_again(&app, 1).await;
        let all = ["plan_bought", "payment_failed", "last_payment_failed", "plan_suspended"];
        assert_eq!(kinds(&app, PAYEE).await, all, "{after_retries}");
        app.http.run_jobs().await;
        let mails = app.http.deps.mailer.sent(None, 50).await.unwrap();
        let suspended = mails.iter().find(|mail| mail.subject == "Acme is suspended").unwrap();
        let text = suspended.text.as_deref().unwrap();
        assert!(text.contains(remedy), "{after_retries}: {text}");
        app.http.settle().await;
    }
}

#[tokio::test]
async fn a_second_lapse_is_written_about_again() {
    let app = test_app().await;
    let plan = bought(&app).await;
    for round in 1..=2 {
        plan.renew(&app, "fail").await;
        app.advance_days(31).await;
        plan.renew(&app, "recover").await;
        app.advance_days(1).await;
        let failed = kinds(&app, PAYEE).await.iter().filter(|kind| *kind == "payment_failed").count();
        assert_eq!(failed, round);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_removal_is_announced_once_14_days_before() {
    let app = test_app().await;
    let plan = bought(&app).await;
    plan.renew(&app, "cancel").await;
    app.advance_days(31).await;
    let removals = async || kinds(&app, PAYEE).await.iter().filter(|kind| *kind == "data_removal").count();
    app.advance_days(74).await;
    app.billing.lapse().await.unwrap();
    assert_eq!(removals().await, 0);
    app.advance_days(3).await;
    app.billing.lapse().await.unwrap();
    app.billing.lapse().await.unwrap();
    app.http.run_jobs().await;
    assert_eq!(removals().await, 1, "once");
    app.http.settle().await;
}

#[tokio::test]
async fn the_removal_of_a_deleted_organisation_is_announced_once_14_days_before() {
    let app = test_app().await;
    bought(&app).await;
    let ada = async || app.http.person("ada@example.com").await;
    let own = ada().await.get("/v1/organizations").await.expect(200);
    let path = format!("/v1/organizations/{}", own["data"][0]["uid"].as_str().unwrap());
    let removals = async || kinds(&app, PAYEE).await.iter().filter(|kind| *kind == "data_removal").count();
    ada().await.json(Method::DELETE, &path, &json!({ "name": "Acme" })).await.expect(204);
    app.advance_days(15).await;
    assert_eq!(removals().await, 0);
    app.advance_days(2).await;
    app.billing.lapse().await.unwrap();
    app.http.run_jobs().await;
    assert_eq!(removals().await, 1, "once");

    // Restored and deleted again, it has 30 days again.
    ada().await.post(&format!("{path}/restore"), json!({})).await.expect(204);
    ada().await.json(Method::DELETE, &path, &json!({ "name": "Acme" })).await.expect(204);
    app.advance_days(15).await;
    assert_eq!(removals().await, 1);
    app.advance_days(2).await;
    assert_eq!(removals().await, 2);
    app.http.settle().await;
}
