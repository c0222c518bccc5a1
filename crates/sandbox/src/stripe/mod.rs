//! The stand-in for Stripe's API, served under /sandbox/stripe/v1 to the same client that talks to Stripe.

pub(crate) mod catalogue;
mod checkout;
pub(crate) mod customer;
pub(crate) mod endpoint;
mod faults;
mod fields;
pub(crate) mod invoice;
mod lists;
pub(crate) mod objects;
pub(crate) mod plan_change;
pub(crate) mod portal;
mod reads;
mod refund;
pub(crate) mod schedule;
mod script;
mod step;
pub(crate) mod subscription;
pub(crate) mod sweep;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderMap, StatusCode};
use sea_orm::DbErr;
use serde_json::{Value, json};

pub(crate) use checkout::{Outcome, settle};
pub(crate) use faults::{ChangeSettings, Faults};
pub(crate) use fields::Fields;
pub(crate) use script::{RenewalOutcome, set_renewal_outcome};
pub(crate) use step::Step;

use crate::{Sandbox, store};

/// The type of the error for an idempotency key that was used for another call; it has no code.
const REUSED_KEY: &str = "idempotency_error";

/// Why a call failed.
#[derive(Debug)]
pub(crate) enum StripeError {
    /// Rejected as Stripe would. The code may be empty.
    Rejected { status: u16, code: &'static str, message: String },
    /// The card is declined. What the attempt changed stays.
    Declined,
    /// The card is declined, and nothing changes.
    DeclinedWithoutEffect,
    /// Our own database failed.
    Db(DbErr),
}

impl From<DbErr> for StripeError {
    fn from(error: DbErr) -> Self {
        Self::Db(error)
    }
}

impl StripeError {
    pub(crate) fn missing(what: &str) -> Self {
        Self::Rejected { status: 404, code: "resource_missing", message: format!("No such {what}.") }
    }

    pub(crate) fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::Rejected { status: 400, code, message: message.into() }
    }
}

impl IntoResponse for StripeError {
    fn into_response(self) -> Response {
        let (status, kind, code, message) = match self {
            Self::Rejected { status: status @ 500.., code, message } => (status, "api_error", code, message),
            Self::Rejected { status, code: code @ REUSED_KEY, message } => (status, code, "", message),
            Self::Rejected { status, code, message } => (status, "invalid_request_error", code, message),
            Self::Declined | Self::DeclinedWithoutEffect => {
                (402, "card_error", "card_declined", "Your card was declined.".to_owned())
            }
            Self::Db(error) => {
                tracing::error!(%error, "the Stripe stand-in failed");
                (500, "api_error", "internal", "Something went wrong.".to_owned())
            }
        };
        let mut body = json!({ "error": { "type": kind, "message": message } });
        if !code.is_empty() {
            body["error"]["code"] = json!(code);
        }
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, axum::Json(body)).into_response()
    }
}

type CallResult = Result<Value, StripeError>;

/// Returns the routes of the API.
pub(crate) fn routes(sandbox: Sandbox) -> Router {
    Router::new()
        .route("/sandbox/stripe/v1/{*path}", get(read).post(write).delete(remove))
        .route_layer(axum::middleware::from_fn_with_state(sandbox.clone(), faults::apply))
        .with_state(sandbox)
}

async fn read(
    State(sandbox): State<Sandbox>,
    Path(path): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<axum::Json<Value>, StripeError> {
    check_api_key(&sandbox, &headers)?;
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    let segments: Vec<&str> = path.split('/').collect();
    reads::respond(&sandbox, &segments, &query).await.map(axum::Json)
}

async fn write(
    State(sandbox): State<Sandbox>,
    Path(path): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<axum::Json<Value>, StripeError> {
    check_api_key(&sandbox, &headers)?;
    let key = headers.get("idempotency-key").and_then(|value| value.to_str().ok());
    let request = format!("{path}\n{}", String::from_utf8_lossy(&body));
    let tx = sandbox.db().write_tx().await?;
    if let Some(key) = key
        && let Some((original, response)) = store::stored_response(&tx, key).await?
    {
        return if original == request {
            lists::expand(&sandbox, response, &Fields::parse(&body)).await.map(axum::Json)
        } else {
            Err(StripeError::invalid(REUSED_KEY, "The key was used for a different call."))
        };
    }
    let segments: Vec<&str> = path.split('/').collect();
    let fields = Fields::parse(&body);
    let answer = match change(Step::now(&sandbox, &tx), &segments, &fields).await {
        Err(StripeError::Declined) => {
            tx.commit().await?;
            return Err(StripeError::Declined);
        }
        answer => answer?,
    };
    if let Some(key) = key {
        store::store_response(&tx, key, &request, &answer, sandbox.now()).await?;
    }
    tx.commit().await?;
    lists::expand(&sandbox, answer, &fields).await.map(axum::Json)
}

async fn change(step: Step<'_>, path: &[&str], fields: &Fields) -> CallResult {
    match path {
        ["customers"] => customer::create(step, fields).await,
        ["customers", id] => customer::update(step, id, fields).await,
        ["checkout", "sessions"] => checkout::create(step, fields).await,
        ["checkout", "sessions", id, "expire"] => checkout::expire_open(step, id).await,
        ["subscriptions", id] => subscription::update(step, id, fields).await,
        ["subscription_schedules"] => schedule::create(step, fields).await,
        ["subscription_schedules", id] => schedule::update(step, id, fields).await,
        ["subscription_schedules", id, "release"] => schedule::release(step, id).await,
        ["invoices", id, "pay"] => invoice::pay_now(step, id, fields).await,
        ["invoices", id, "void"] => invoice::void(step, id).await,
        ["webhook_endpoints"] => endpoint::create(step, fields).await,
        ["refunds"] => refund::create(step, fields).await,
        ["billing_portal", "sessions"] => portal::open(step, fields).await,
        ["billing_portal", "configurations"] => portal::create(step, fields).await,
        ["billing_portal", "configurations", id] => portal::update(step, id, fields).await,
        _ => Err(unknown(path)),
    }
}

async fn remove(
    State(sandbox): State<Sandbox>,
    Path(path): Path<String>,
    headers: HeaderMap,
) -> Result<axum::Json<Value>, StripeError> {
    check_api_key(&sandbox, &headers)?;
    let segments: Vec<&str> = path.split('/').collect();
    let ["subscriptions", id] = segments.as_slice() else { return Err(unknown(&segments)) };
    let tx = sandbox.db().write_tx().await?;
    let answer = subscription::cancel_now(Step::now(&sandbox, &tx), id).await?;
    tx.commit().await?;
    Ok(axum::Json(answer))
}

fn unknown(path: &[&str]) -> StripeError {
    StripeError::Rejected {
        status: 404,
        code: "unrecognized_url",
        message: format!("The stand-in does not support /v1/{}.", path.join("/")),
    }
}

/// Checks for the key that was also given to the payment client.
fn check_api_key(sandbox: &Sandbox, headers: &HeaderMap) -> Result<(), StripeError> {
    let sent = headers.get(http::header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if sent == Some(&format!("Bearer {}", sandbox.access().secret_key.reveal())) {
        return Ok(());
    }
    Err(StripeError::Rejected {
        status: 401,
        code: "invalid_api_key",
        message: "Invalid API key.".to_owned(),
    })
}
