//! Random lives of purchases against the provider's stand-in: webhooks are lost, the provider fails, cards are declined,
//! plans are cancelled there and here. After the comparison, every subscription that has not ended has its purchase in
//! force, and every purchase in force has its subscription. `VITRINE_TEST_LONG` tries more.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use testkit::Dice;

use crate::test_app::{TestApp, test_app};

const LIVES: u64 = 6;
const LONG_LIVES: u64 = 150;
/// What happens in a life.
const STEPS: usize = 24;
const PLANS: [&str; 4] =
    ["essentials-monthly", "professional-monthly", "essentials-annual", "professional-annual"];

/// The buyers, each with an account of another type.
const BUYERS: [(&str, &str); 3] =
    [("ada@example.com", "agency"), ("bea@example.com", "business"), ("cy@example.com", "individual")];

struct TestBuyers {
    app: TestApp,
    random: Dice,
    /// The account of each buyer.
    accounts: Vec<String>,
    /// What happened, for the report.
    log: Vec<String>,
}

/// A subscription at the stand-in or a purchase here: its id, the other one's, and its state.
type Side = (String, Option<String>, String);

impl TestBuyers {
    async fn new(seed: u64) -> Self {
        let app = test_app().await;
        let mut accounts = Vec::new();
        for (email, kind) in BUYERS {
            accounts.push(app.buyer(email, kind).await.1);
        }
        Self { app, random: Dice::new(seed), accounts, log: Vec::new() }
    }

    async fn step(&mut self) {
        let step = self.random.below(15);
        match step {
            0..=3 => self.buy(1).await,
            // Both pages are paid: a business gets one of the payments back.
            4 => self.buy(2).await,
            5..=7 => self.renew().await,
            8 | 9 => {
                let days = 1 + self.random.below(40);
                self.log.push(format!("{days} days pass"));
                self.app.advance_days(days).await;
            }
            10 => self.lose_events().await,
            11 => {
                let (calls, status) = (1 + self.random.below(4), [500, 503, 429][self.random.below(3)]);
                self.log.push(format!("{calls} calls of the provider fail with {status}"));
                let fails = json!({ "failNext": calls, "failStatus": status });
                self.app.stand_in_post("/sandbox/api/stripe", fails).await;
            }
            12 => {
                let after = ["canceled", "unpaid", "past_due"][self.random.below(3)];
                self.log.push(format!("after the last attempt: {after}"));
                self.app.stand_in_post("/sandbox/api/stripe", json!({ "afterRetries": after })).await;
            }
            13 => self.cancel_at_the_provider().await,
            _ => self.delete_organisation().await,
        }
        if self.random.below(3) > 0 {
            self.app.http.run_jobs().await;
        }
    }

    /// Starts purchases of one account, and then pays them or gives them up.
    async fn buy(&mut self, count: usize) {
        let buyer = self.random.below(BUYERS.len());
        let person = self.app.http.person(BUYERS[buyer].0).await;
        let path = format!("/v1/accounts/{}/checkout", self.accounts[buyer]);
        let mut sessions = Vec::new();
        for _ in 0..count {
            let plan = PLANS[self.random.below(PLANS.len())];
            let answer = person.post(&path, json!({ "planId": plan })).await;
            self.log.push(format!("{} starts to buy {plan}: {}", BUYERS[buyer].1, answer.status));
            if answer.status == 200 {
                sessions.push(answer.json());
            }
        }
        for started in sessions {
            let outcome = ["pay", "pay", "pay", "decline", "cancel"][self.random.below(5)];
            self.log.push(format!("{}: {outcome}", started["provisionId"]));
            self.app.settle_checkout(started["sessionId"].as_str().unwrap(), outcome).await;
            if self.random.below(6) == 0 {
                self.lose_events().await;
                self.forget(&started).await;
            }
        }
    }

    /// As after restoring a backup from before the purchase.
    async fn forget(&mut self, started: &Value) {
        let id: kernel::ProvisionId = started["provisionId"].as_str().unwrap().parse().unwrap();
        let own = match self.app.http.deps.db.engine() {
            db::Engine::Sqlite => format!("x'{}'", id.as_simple()),
            db::Engine::Postgres => format!("'{id}'"),
        };
        self.log.push(format!("{id} is forgotten, unless it has an organisation"));
        self.app.execute(&format!("DELETE FROM provision WHERE uid = {own} AND org IS NULL")).await;
    }

    async fn lose_events(&mut self) {
        self.log.push("the events on their way are lost".to_owned());
        self.app.execute("DELETE FROM job WHERE kind = 'deliver_webhook'").await;
    }

    /// Decides about the next renewals of a subscription.
    async fn renew(&mut self) {
        let live = self.live_subscriptions().await;
        let Some((_, Some(provision), _)) = self.random.one_of(&live).cloned() else { return };
        let outcome = ["fail", "fail", "recover", "cancel"][self.random.below(4)];
        self.log.push(format!("{provision}: {outcome}"));
        let path = format!("/sandbox/api/subscriptions/{provision}");
        self.app.stand_in_post(&path, json!({ "outcome": outcome })).await;
    }

    /// Ends a subscription in the provider's dashboard, whose event is lost.
    async fn cancel_at_the_provider(&mut self) {
        let live = self.live_subscriptions().await;
        let Some((_, Some(provision), _)) = self.random.one_of(&live).cloned() else { return };
        self.log.push(format!("{provision}: ended at the provider"));
        let now = self.app.http.deps.ambient.now().seconds();
        self.app
            .change_subscription(&provision, |body| {
                body["status"] = json!("canceled");
                body["ended_at"] = json!(now);
                body["cancellation_details"]["reason"] = json!("cancellation_requested");
            })
            .await;
    }

    async fn delete_organisation(&mut self) {
        let buyer = self.random.below(BUYERS.len());
        let person = self.app.http.person(BUYERS[buyer].0).await;
        let own = person.get("/v1/organizations").await.expect(200)["data"].clone();
        let Some(org) = own.get(0) else { return };
        let body = json!({ "name": org["name"], "cancelPlan": self.random.below(2) == 0 });
        let path = format!("/v1/organizations/{}", org["uid"].as_str().unwrap());
        let status = person.json(Method::DELETE, &path, &body).await.status;
        self.log.push(format!("{} deletes an organisation, {body}: {status}", BUYERS[buyer].1));
    }

    /// The provider works again, and what is due runs.
    async fn reconcile(&mut self) {
        self.app.stand_in_post("/sandbox/api/stripe", json!({ "failNext": 0 })).await;
        for _ in 0..2 {
            // Jobs that failed are tried again, and every purchase is looked at.
            self.app.advance_days(1).await;
            self.app.billing.reconcile().await.unwrap();
            self.app.http.run_jobs().await;
        }
        self.app.billing.compare().await.unwrap();
        self.app.http.run_jobs().await;
        self.app.billing.compare().await.unwrap();
        self.app.http.run_jobs().await;
    }

    async fn sides(&self, sql: &str) -> Vec<Side> {
        let conn = self.app.http.deps.db.read();
        let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), sql)).await;
        let text = |row: &sea_orm::QueryResult, at| row.try_get_by_index::<Option<String>>(at).unwrap();
        let sides = rows.unwrap();
        sides.iter().map(|row| (text(row, 0).unwrap(), text(row, 1), text(row, 2).unwrap())).collect()
    }

    /// The subscriptions that have not ended at the stand-in, with their purchase and status.
    async fn live_subscriptions(&self) -> Vec<Side> {
        let conn = self.app.http.deps.db.read();
        let sql = "SELECT id, reference, body FROM sandbox_object WHERE kind = 'subscription' ORDER BY id";
        let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), sql)).await;
        let mut live = Vec::new();
        for row in rows.unwrap() {
            let body: Value = row.try_get_by_index(2).unwrap();
            let status = body["status"].as_str().unwrap().to_owned();
            if status != "canceled" && status != "incomplete_expired" {
                live.push((row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap(), status));
            }
        }
        live
    }

    /// Every live subscription has exactly one purchase in force, and the reverse.
    async fn check(&self, seen: &mut BTreeMap<String, u32>) {
        let columns = "recorded_state, subscription, COALESCE(status, 'none')";
        let purchases = self.sides(&format!("SELECT {columns} FROM provision")).await;
        let is_live = |state: &str| ["active", "pastDue", "suspended"].contains(&state);
        let mut in_force = BTreeSet::new();
        for (state, subscription, status) in &purchases {
            *seen.entry(state.clone()).or_default() += 1;
            // One that the provider has ended as unpaid waits for another purchase.
            if is_live(state) && status != "canceled" {
                let subscription = subscription.clone().unwrap();
                assert!(in_force.insert(subscription), "two purchases of one\n{:#?}", self.log);
            }
            assert!(status != "canceled" || !is_live(state) || state == "suspended", "{:#?}", self.log);
        }
        let live = self.live_subscriptions().await;
        let live: BTreeSet<String> = live.into_iter().map(|(id, ..)| id).collect();
        assert_eq!(live, in_force, "subscriptions, and purchases in force\n{purchases:#?}\n{:#?}", self.log);
        let comparison = billing::last_comparison(self.app.http.deps.db.read()).await.unwrap().unwrap();
        assert!(comparison.findings.is_empty(), "{comparison:#?}\n{:#?}", self.log);
        let wrong = self.app.billing.verify().await.unwrap();
        assert!(wrong.is_empty(), "{wrong:#?}\n{:#?}", self.log);
    }
}

#[tokio::test]
async fn after_any_life_subscriptions_and_purchases_in_force_are_the_same() {
    let long = std::env::var_os("VITRINE_TEST_LONG").is_some();
    let mut seen = BTreeMap::new();
    for seed in 0..if long { LONG_LIVES } else { LIVES } {
        let mut world = TestBuyers::new(seed).await;
        for _ in 0..STEPS {
            world.step().await;
        }
        world.reconcile().await;
        world.check(&mut seen).await;
        world.app.http.settle().await;
    }
    for state in ["active", "ended", "failed", "expired"] {
        assert!(seen.contains_key(state), "{state} was never reached: {seen:?}");
    }
}
