//! Slow and failing answers, and what becomes of a subscription that is not paid: settings of the running process.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::StripeError;
use crate::Sandbox;

/// What a subscription becomes after the last attempt to collect its invoice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AfterRetries {
    /// It ends, as by default at Stripe.
    #[default]
    Canceled,
    /// It stays, and its further invoices are drafts.
    Unpaid,
    /// It stays, and its further invoices are collected.
    PastDue,
}

/// The settings that `POST /sandbox/api/stripe` changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Settings {
    /// How long each answer of the API takes.
    delay_ms: u64,
    /// How many calls of the API fail.
    fail_next: u32,
    /// The status with which these calls fail.
    fail_status: u16,
    after_retries: AfterRetries,
}

/// A change of the settings. What is absent stays.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ChangeSettings {
    delay_ms: Option<u64>,
    fail_next: Option<u32>,
    fail_status: Option<u16>,
    after_retries: Option<AfterRetries>,
}

/// Longest delay, which is longer than the client waits.
const MAX_DELAY_MS: u64 = 60_000;

/// The settings in force. They end with the process.
pub(crate) struct Faults(Mutex<Settings>);

impl Default for Faults {
    fn default() -> Self {
        let after_retries = AfterRetries::default();
        Self(Mutex::new(Settings { delay_ms: 0, fail_next: 0, fail_status: 500, after_retries }))
    }
}

impl Faults {
    pub(crate) fn settings(&self) -> Settings {
        *self.0.lock()
    }

    pub(crate) fn after_retries(&self) -> AfterRetries {
        self.settings().after_retries
    }

    /// Returns the new settings, or a sentence about the one that is refused.
    pub(crate) fn change(&self, change: ChangeSettings) -> Result<Settings, (&'static str, &'static str)> {
        if change.delay_ms.is_some_and(|delay| delay > MAX_DELAY_MS) {
            return Err(("delayMs", "delayMs must be at most 60000."));
        }
        if change.fail_status.is_some_and(|status| !(400..600).contains(&status)) {
            return Err(("failStatus", "failStatus must be from 400 to 599."));
        }
        let mut settings = self.0.lock();
        settings.delay_ms = change.delay_ms.unwrap_or(settings.delay_ms);
        settings.fail_next = change.fail_next.unwrap_or(settings.fail_next);
        settings.fail_status = change.fail_status.unwrap_or(settings.fail_status);
        settings.after_retries = change.after_retries.unwrap_or(settings.after_retries);
        Ok(*settings)
    }

    /// Returns the delay of a call, and the status with which it fails.
    fn next(&self) -> (Duration, Option<u16>) {
        let mut settings = self.0.lock();
        let fails = settings.fail_next > 0;
        settings.fail_next = settings.fail_next.saturating_sub(1);
        (Duration::from_millis(settings.delay_ms), fails.then_some(settings.fail_status))
    }
}

/// Delays a call or lets it fail before it has an effect.
pub(crate) async fn apply(State(sandbox): State<Sandbox>, request: Request, next: Next) -> Response {
    let (delay, failure) = sandbox.faults().next();
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    match failure {
        Some(status) => {
            let message = "The stand-in was told to fail.".to_owned();
            StripeError::Rejected { status, code: "", message }.into_response()
        }
        None => next.run(request).await,
    }
}
