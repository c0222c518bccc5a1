//! The sandbox's API for scripts.

use axum::extract::{Path, Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use httpkit::{Body, Reply, unexpected};
use kernel::{DAY, Email, Problem, iso};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::stripe::{self, Outcome, Refused, Turn};
use crate::{Sandbox, clock};

/// Emails in one answer.
const MAILS: u64 = 100;
/// The most days one call may move the clock.
const FURTHEST: i64 = 3_660;

pub(crate) fn routes(sandbox: Sandbox) -> Router {
    Router::new()
        .route("/sandbox/api/mails", get(list_mails))
        .route("/sandbox/api/checkouts/{session}", post(settle_checkout))
        .route("/sandbox/api/clock", get(read_clock).post(move_clock))
        .route("/sandbox/api/subscriptions/{provision}", post(turn_subscription))
        .with_state(sandbox)
}

/// The query of the email list.
#[derive(Deserialize)]
struct Mails {
    to: Option<String>,
}

async fn list_mails(State(sandbox): State<Sandbox>, Query(query): Query<Mails>) -> Reply<Json<Value>> {
    let to = query.to.as_deref().filter(|to| !to.is_empty());
    let address = match to {
        None => None,
        Some(text) => {
            Some(Email::parse(text).ok_or_else(|| Problem::field("to", "invalid_email", "Invalid email!"))?)
        }
    };
    let letters = sandbox.parts().mailer.sent(address.as_ref(), MAILS).await?;
    let data: Vec<Value> = letters
        .into_iter()
        .map(|letter| {
            json!({
                "uid": letter.uid, "to": letter.to, "subject": letter.subject, "text": letter.text,
                "html": letter.html, "links": mail::links_of(&letter.text), "timeCreated": iso(letter.time_created),
            })
        })
        .collect();
    Ok(Json(json!({ "data": data })))
}

/// The body of `POST /sandbox/api/checkouts/{session}`.
#[derive(Deserialize)]
struct Settle {
    outcome: Outcome,
}

async fn settle_checkout(
    State(sandbox): State<Sandbox>,
    Path(session): Path<String>,
    Body(body): Body<Settle>,
) -> Reply<Json<Value>> {
    let url = stripe::settle(&sandbox, &session, body.outcome).await.map_err(problem)?;
    Ok(Json(json!({ "redirectUrl": url })))
}

async fn read_clock(State(sandbox): State<Sandbox>) -> Json<Value> {
    Json(json!({ "now": iso(sandbox.now()) }))
}

/// The body of `POST /sandbox/api/clock`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Advance {
    advance_days: f64,
}

async fn move_clock(State(sandbox): State<Sandbox>, Body(body): Body<Advance>) -> Reply<Json<Value>> {
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
pub(crate) fn days(days: f64) -> Option<i64> {
    let fits = days.is_finite() && (0.0..=FURTHEST as f64).contains(&days);
    fits.then(|| (days * DAY as f64).round() as i64)
}

/// The body of `POST /sandbox/api/subscriptions/{provision}`.
#[derive(Deserialize)]
struct TurnTo {
    outcome: Turn,
}

async fn turn_subscription(
    State(sandbox): State<Sandbox>,
    Path(provision): Path<String>,
    Body(body): Body<TurnTo>,
) -> Reply<Json<Value>> {
    let subscription = stripe::turn(&sandbox, &provision, body.outcome).await.map_err(problem)?;
    Ok(Json(json!({
        "status": subscription["status"], "cancelAtPeriodEnd": subscription["cancel_at_period_end"],
    })))
}

/// Translates a refusal of the Stripe stand-in.
pub(crate) fn problem(refused: Refused) -> Problem {
    match refused {
        Refused::Db(error) => unexpected(&error),
        Refused::Call { status: 404, .. } => Problem::new(404, "not_found", "Not found"),
        Refused::Call { code, message, .. } => Problem::bad_request(code, message),
    }
}
