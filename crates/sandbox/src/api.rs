//! The sandbox's API for scripts.

use axum::extract::{Path, Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use httpkit::{ApiResult, Body, unexpected};
use kernel::{DAY, Email, Millis, Problem, Timestamp, iso};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::stripe::customer::NewCard;
use crate::stripe::{self, ChangeSettings, Outcome, RenewalOutcome, StripeError};
use crate::{Sandbox, clock};

/// Emails in one answer.
const MAX_MAILS: u64 = 100;
/// The most days one call may move the clock.
const MAX_ADVANCE_DAYS: i64 = 3_660;

pub(crate) fn routes(sandbox: Sandbox) -> Router {
    Router::new()
        .route("/sandbox/api/mails", get(list_mails))
        .route("/sandbox/api/checkouts/{session}", post(settle_checkout))
        .route("/sandbox/api/clock", get(read_clock).post(move_clock))
        .route("/sandbox/api/subscriptions/{provision}", post(change_subscription))
        .route("/sandbox/api/stripe", get(read_settings).post(change_settings))
        .with_state(sandbox)
}

/// The query of the email list.
#[derive(Deserialize)]
struct MailQuery {
    to: Option<String>,
}

async fn list_mails(
    State(sandbox): State<Sandbox>,
    Query(query): Query<MailQuery>,
) -> ApiResult<Json<Value>> {
    let to = query.to.as_deref().filter(|to| !to.is_empty());
    let address = match to {
        None => None,
        Some(text) => {
            Some(Email::parse(text).ok_or_else(|| Problem::field("to", "invalid_email", "Invalid email!"))?)
        }
    };
    let emails = sandbox.deps().mailer.sent(address.as_ref(), MAX_MAILS).await?;
    let data: Vec<Value> = emails
        .into_iter()
        .map(|email| {
            json!({
                "uid": email.uid, "to": email.to, "subject": email.subject,
                "text": email.text.as_deref().unwrap_or_default(),
                "html": email.html.as_deref().unwrap_or_default(),
                "links": email.links(), "timeCreated": iso(email.time_created),
            })
        })
        .collect();
    Ok(Json(json!({ "data": data })))
}

/// The body of `POST /sandbox/api/checkouts/{session}`.
#[derive(Deserialize)]
struct SettleCheckout {
    outcome: Outcome,
}

async fn settle_checkout(
    State(sandbox): State<Sandbox>,
    Path(session): Path<String>,
    Body(body): Body<SettleCheckout>,
) -> ApiResult<Json<Value>> {
    let url =
        stripe::settle(&sandbox, &session, body.outcome, &NewCard::that_pays()).await.map_err(problem)?;
    Ok(Json(json!({ "redirectUrl": url })))
}

async fn read_clock(State(sandbox): State<Sandbox>) -> Json<Value> {
    Json(json!({ "now": iso(sandbox.now()) }))
}

/// The body of `POST /sandbox/api/clock`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AdvanceClock {
    advance_days: f64,
}

async fn move_clock(
    State(sandbox): State<Sandbox>,
    Body(body): Body<AdvanceClock>,
) -> ApiResult<Json<Value>> {
    let by = days(body.advance_days).ok_or_else(|| {
        Problem::field("advanceDays", "invalid_days", "advanceDays must be a number from 0 to 3660.")
    })?;
    clock::advance(&sandbox, by).await.map_err(problem)?;
    Ok(Json(json!({ "now": iso(sandbox.now()) })))
}

/// Converts days, including fractions, to milliseconds.
#[expect(
    clippy::cast_possible_truncation,
    reason = "at most 3660 days, which a whole number of ms holds exactly"
)]
pub(crate) fn days(days: f64) -> Option<Millis> {
    let fits = days.is_finite() && (0.0..=MAX_ADVANCE_DAYS as f64).contains(&days);
    fits.then(|| (days * DAY as f64).round() as Millis)
}

/// The body of `POST /sandbox/api/subscriptions/{provision}`.
#[derive(Deserialize)]
struct SetRenewalOutcome {
    outcome: RenewalOutcome,
}

async fn change_subscription(
    State(sandbox): State<Sandbox>,
    Path(provision): Path<String>,
    Body(body): Body<SetRenewalOutcome>,
) -> ApiResult<Json<Value>> {
    let subscription =
        stripe::set_renewal_outcome(&sandbox, &provision, body.outcome).await.map_err(problem)?;
    let at = subscription["cancel_at"].as_i64().map(|at| iso(Timestamp::from_seconds(at)));
    Ok(Json(json!({ "status": subscription["status"], "cancelAt": at })))
}

async fn read_settings(State(sandbox): State<Sandbox>) -> Json<Value> {
    Json(json!(sandbox.faults().settings()))
}

async fn change_settings(
    State(sandbox): State<Sandbox>,
    Body(change): Body<ChangeSettings>,
) -> ApiResult<Json<Value>> {
    let changed = sandbox.faults().change(change);
    Ok(Json(json!(changed.map_err(|(field, why)| Problem::field(field, "invalid_setting", why))?)))
}

/// Translates a refusal of the Stripe stand-in.
pub(crate) fn problem(refused: StripeError) -> Problem {
    match refused {
        StripeError::Db(error) => unexpected(&error),
        StripeError::Declined | StripeError::DeclinedWithoutEffect => {
            Problem::new(402, "card_declined", "The card was declined.")
        }
        StripeError::Rejected { status: 404, .. } => Problem::new(404, "not_found", "Not found"),
        StripeError::Rejected { code, message, .. } => Problem::bad_request(code, message),
    }
}
