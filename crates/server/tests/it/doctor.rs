//! `vitrine doctor` and the start, beside a payment provider.

use std::process::Command;

use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use axum::{Json, Router};
use http::StatusCode;
use payments::{Mode, WEBHOOK_EVENTS};
use serde_json::{Value, json};
use server::bootstrap::Bootstrap;

use super::test_app::{test_app_with, test_settings};

const PLANS: [&str; 4] =
    ["essentials-monthly", "essentials-annual", "professional-monthly", "professional-annual"];

#[derive(Clone)]
struct Provider {
    key_status: StatusCode,
    prices: &'static [&'static str],
    endpoint: Value,
    portal: Value,
}

impl Provider {
    fn complete() -> Self {
        Self {
            key_status: StatusCode::OK,
            prices: &PLANS,
            endpoint: json!({
                "url": "https://vitrine.example/v1/webhooks/stripe", "status": "enabled", "livemode": false,
                "enabled_events": WEBHOOK_EVENTS, "api_version": payments::STRIPE_VERSION,
            }),
            portal: json!({ "id": "bpc_1", "metadata": { "vitrine_portal": "digest" } }),
        }
    }

    fn answer(&self, path: &str) -> Response {
        let list = |data: Vec<Value>| json!({ "object": "list", "data": data, "has_more": false });
        let price = |key: &&str| {
            json!({ "id": format!("price_{key}"), "lookup_key": key, "unit_amount": 100, "currency": "usd",
                "product": "prod_1", "active": true, "type": "recurring",
                "recurring": { "interval": "month", "interval_count": 1 } })
        };
        let body = match path {
            "/v1/account" if self.key_status == StatusCode::OK => {
                json!({ "id": "acct_1", "object": "account" })
            }
            "/v1/account" => {
                let error = json!({ "error": { "type": "invalid_request_error", "message": "No" } });
                return (self.key_status, Json(error)).into_response();
            }
            "/v1/prices" => list(self.prices.iter().map(price).collect()),
            "/v1/webhook_endpoints" => list(vec![self.endpoint.clone()]),
            "/v1/billing_portal/configurations" => list(vec![self.portal.clone()]),
            other => panic!("{other}"),
        };
        Json(body).into_response()
    }

    /// Runs `vitrine doctor` beside this provider, and returns the lines about payment.
    async fn doctor(self) -> Vec<String> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let routes = Router::new().fallback(move |request: Request| {
            let answer = self.answer(request.uri().path());
            async move { answer }
        });
        let server = tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        let lines = doctor(base).await;
        server.abort();
        lines
    }
}

/// Runs `vitrine doctor` with a provider at this address, and returns the lines about payment.
async fn doctor(base: String) -> Vec<String> {
    let run = move || {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_vitrine"))
            .arg("doctor")
            .current_dir(folder.path())
            .env("VITRINE_DATA_DIR", folder.path())
            .env("VITRINE_PUBLIC_URL", "https://vitrine.example")
            .env("VITRINE_BILLING", "stripe")
            .env("VITRINE_STRIPE_SECRET_KEY", "sk_test_0123456789abcdef")
            .env("VITRINE_STRIPE_WEBHOOK_SECRET", "whsec_0123456789abcdef")
            .env("VITRINE_STRIPE_API_URL", base)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().filter(|line| line.contains("payment")).map(str::to_owned).collect()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_what_is_ready_at_the_payment_provider() {
    let lines = Provider::complete().doctor().await;
    assert_eq!(
        lines[..4],
        [
            "ok    payment key: accepted; account acct_1, test mode",
            "ok    payment prices: each of the 4 plans has one",
            "ok    payment webhooks: https://vitrine.example/v1/webhooks/stripe",
            "ok    payment portal: configured (bpc_1)",
        ]
    );
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert!(lines[4].starts_with("warn  payment comparison: cannot be read"), "a new database: {lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_what_is_missing_at_the_payment_provider() {
    let mut lacking = Provider { prices: &PLANS[..3], ..Provider::complete() };
    lacking.endpoint["enabled_events"] = json!(WEBHOOK_EVENTS[1..]);
    lacking.portal["metadata"] = json!({});
    let lines = lacking.doctor().await;
    assert!(lines[1].starts_with("FAIL  payment prices: no active price"), "{lines:?}");
    assert!(lines[1].contains("professional-annual") && !lines[1].contains("essentials"), "{lines:?}");
    assert!(lines[2].starts_with("FAIL  payment webhooks: ") && lines[2].contains(WEBHOOK_EVENTS[0]));
    assert!(lines[3].starts_with("warn  payment portal: not configured yet"), "{lines:?}");

    let mut elsewhere = Provider::complete();
    elsewhere.endpoint["url"] = json!("https://old.example/v1/webhooks/stripe");
    assert!(
        elsewhere.doctor().await[2]
            .contains("there is no endpoint https://vitrine.example/v1/webhooks/stripe")
    );
    let mut disabled = Provider::complete();
    disabled.endpoint["status"] = json!("disabled");
    assert!(disabled.doctor().await[2].contains("is disabled"));

    let refused = Provider { key_status: StatusCode::UNAUTHORIZED, ..Provider::complete() };
    let lines = refused.doctor().await;
    assert!(
        lines.len() == 1 && lines[0].starts_with("FAIL  payment key: Stripe does not accept"),
        "{lines:?}"
    );
    let unreachable = doctor("http://127.0.0.1:9".to_owned()).await;
    assert!(unreachable[0].starts_with("FAIL  payment key: the payment provider cannot be reached"));
}

#[tokio::test]
async fn a_moved_clock_and_a_real_payment_provider_exclude_each_other() {
    let with_stripe = |settings: &mut server::settings::Settings| {
        settings.server.public_url = "http://localhost".to_owned();
        settings.server.sandbox = true;
        settings.server.sandbox_open = true;
        settings.payments.billing = Some(Mode::Stripe);
    };
    let app = test_app_with(with_stripe).await;
    let refused = app.anonymous().post("/sandbox/api/clock", json!({ "advanceDays": 1 })).await.expect(400);
    assert_eq!(refused["code"], "clock_is_fixed");
    app.anonymous().post("/sandbox/api/clock", json!({ "advanceDays": 0 })).await.expect(200);
    app.close().await;

    let folder = tempfile::tempdir().unwrap();
    let database = testkit::Database::fresh(folder.path()).await;
    let mut settings = test_settings(folder.path(), &database);
    with_stripe(&mut settings);
    settings.payments.billing = Some(Mode::None);
    let bootstrap = Bootstrap::open(settings.clone()).await.unwrap();
    sandbox::start_in_the_past(&bootstrap.db, &bootstrap.clock, kernel::DAY).await.unwrap();
    bootstrap.db.close().await;
    with_stripe(&mut settings);
    let error = Bootstrap::open(settings).await.err().unwrap().to_string();
    assert!(error.contains("The sandbox's clock was moved") && error.contains("VITRINE_BILLING"), "{error}");
    database.remove().await;
}

#[tokio::test]
async fn nothing_is_said_of_jobs_and_emails_if_the_database_does_not_answer() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_vitrine"))
        .arg("doctor")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("VITRINE_DATA_DIR", folder.path())
        .env("VITRINE_SANDBOX", "true")
        .env("VITRINE_DATABASE_URL", "postgres://vitrine@127.0.0.1:9/vitrine")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(lines.contains("FAIL  database: PostgreSQL at 127.0.0.1:9 cannot be reached: "), "{lines}");
    for check in ["jobs", "mail delivery"] {
        let line = format!("warn  {check}: cannot be checked without the database\n");
        assert!(lines.contains(&line), "{lines}");
    }
    assert_eq!(output.status.code(), Some(1));
}
