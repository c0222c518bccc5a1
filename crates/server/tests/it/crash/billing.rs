//! The program, killed at every step from a payment to its email: each purchase has one organisation, one entry in the
//! journal and one email in the end. `VITRINE_TEST_LONG=1` hits each step more often.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::Method;
use sea_orm::{ConnectionTrait as _, Database, DatabaseConnection, Statement};
use serde_json::{Value, json};

use super::{Launch, TestApp};

/// Hits of each step.
const HITS: u32 = 1;
const LONG_HITS: u32 = 12;
/// How long to watch for a step of a purchase, which may be over before it is seen.
const PATIENCE: Duration = Duration::from_secs(10);
/// Purchases after which a step is not recognised any more.
const PURCHASES_MAX: usize = 300;
/// After this time something hangs.
const TIMEOUT: Duration = Duration::from_mins(2);
/// Purchases after which to sign in again: each takes a minute of the clock, and a token is valid for an hour.
const PER_TOKEN: usize = 20;
const PAYEE: &str = "payee@example.com";

/// How far a payment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// No event has arrived.
    Paid,
    /// An event is stored, and no job has begun to look its purchase up.
    Received,
    /// A job asks the provider, or is about to apply the answer.
    Asked,
    /// The purchase has its organisation, and the email waits.
    Applied,
}

const STEPS: [Step; 4] = [Step::Paid, Step::Received, Step::Asked, Step::Applied];

struct TestRun {
    app: TestApp,
    token: String,
    account: String,
    purchases: usize,
}

impl TestRun {
    async fn start() -> Self {
        let env = [("VITRINE_BILLING", "sandbox"), ("VITRINE_WEBHOOK_REQUESTS_PER_10S", "0")];
        let env = env.map(|(name, value)| (name, value.into())).into();
        let app = TestApp::start_with(Launch { env, ..Launch::default() });
        let token = app.sign_in("ada@example.com").await;
        let form = json!({ "friendlyName": "Acme", "billingName": "B", "billingEmail": PAYEE,
            "billingPhone": "1", "type": "agency" });
        let account = app.call(Method::POST, "/v1/accounts", &token, json!({ "account": form })).await;
        let account = account["uid"].as_str().unwrap().to_owned();
        Self { app, token, account, purchases: 0 }
    }

    async fn get(&self, path: &str) -> Value {
        self.app.call(Method::GET, path, &self.token, json!({})).await
    }

    /// Pays for one more plan.
    async fn pay(&mut self) {
        let path = format!("/v1/accounts/{}/checkout", self.account);
        let plan = json!({ "planId": "essentials-monthly" });
        let checkout = self.app.call(Method::POST, &path, &self.token, plan).await;
        let session = format!("/sandbox/api/checkouts/{}", checkout["sessionId"].as_str().unwrap());
        self.app.call(Method::POST, &session, "", json!({ "outcome": "pay" })).await;
        self.purchases += 1;
    }

    /// Waits until the last payment has come this far, kills the server, and returns how far it has come then; `None` if
    /// it was done.
    async fn kill_at(&mut self, step: Step) -> Option<Step> {
        let db = self.database().await;
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            match self.progress(&db).await {
                Some(reached) if reached < step => {}
                _ => break,
            }
        }
        self.app.kill();
        let reached = self.progress(&db).await;
        db.close().await.unwrap();
        reached
    }

    /// Returns how far the last payment has come; `None` if it is done.
    async fn progress(&self, db: &DatabaseConnection) -> Option<Step> {
        let active = count(db, "SELECT count(*) FROM provision WHERE recorded_state = 'active'").await;
        if active == self.purchases {
            let waiting = "SELECT count(*) FROM mail_outbox WHERE kind = 'plan_bought' AND state = 'waiting'";
            return (count(db, waiting).await > 0).then_some(Step::Applied);
        }
        let asking = "SELECT count(*) FROM job WHERE kind = 'process_webhook' AND state = 'running'";
        let received = "SELECT count(*) FROM webhook_event WHERE outcome = 'received'";
        Some(match (count(db, asking).await, count(db, received).await) {
            (0, 0) => Step::Paid,
            (0, _) => Step::Received,
            _ => Step::Asked,
        })
    }

    async fn database(&self) -> DatabaseConnection {
        let path = self.app.folder.path().join("vitrine.db");
        Database::connect(format!("sqlite://{}", path.display())).await.unwrap()
    }

    /// Waits until everything that was paid is delivered, and checks that nothing is there twice.
    async fn until_delivered(&self) {
        // The lease of a killed worker expires after a minute.
        self.app.call(Method::POST, "/sandbox/api/clock", "", json!({ "advanceDays": 0.000_71 })).await;
        let started = Instant::now();
        loop {
            let emails = self.get(&format!("/sandbox/api/mails?to={PAYEE}")).await;
            let emails = emails["data"].as_array().unwrap().len();
            let organisations = self.get("/v1/organizations").await;
            let organisations = organisations["data"].as_array().unwrap().len();
            // The inbox shows at most 100.
            let (expected, expected_emails) = (self.purchases, self.purchases.min(100));
            let seen = format!("{emails} emails, {organisations} organisations of {expected}");
            assert!(emails <= expected_emails && organisations <= expected, "{seen}");
            if emails == expected_emails && organisations == expected {
                return;
            }
            assert!(started.elapsed() < TIMEOUT, "{seen}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

async fn count(db: &DatabaseConnection, sql: &str) -> usize {
    let statement = Statement::from_string(db.get_database_backend(), sql);
    let count: i64 = db.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap();
    usize::try_from(count).unwrap()
}

#[tokio::test]
async fn a_payment_whose_server_is_killed_at_any_step_is_delivered_once() {
    let long = std::env::var_os("VITRINE_TEST_LONG").is_some();
    let wanted = if long { LONG_HITS } else { HITS };
    let mut run = TestRun::start().await;
    let mut hits: BTreeMap<Step, u32> = STEPS.map(|step| (step, 0)).into();
    while let Some(wished) = STEPS.into_iter().find(|step| hits[step] < wanted) {
        assert!(run.purchases < PURCHASES_MAX, "steps that are never seen: {hits:?}");
        run.pay().await;
        if let Some(step) = run.kill_at(wished).await {
            *hits.entry(step).or_default() += 1;
        }
        run.app.restart();
        run.until_delivered().await;
        if run.purchases.is_multiple_of(PER_TOKEN) {
            run.token = run.app.sign_in("ada@example.com").await;
        }
    }
    run.app.kill();
    let db = run.database().await;
    for (what, sql) in [
        ("organisations", "SELECT count(*) FROM organisation"),
        ("entries", "SELECT count(*) FROM provision_change WHERE to_state = 'active'"),
        ("emails", "SELECT count(*) FROM mail_outbox WHERE kind = 'plan_bought'"),
    ] {
        assert_eq!(count(&db, sql).await, run.purchases, "{what}");
    }
    println!("{hits:?} in {} purchases", run.purchases);
}
