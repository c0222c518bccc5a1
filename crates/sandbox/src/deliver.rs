//! The job that delivers a webhook, signed at the moment of delivery, until it is accepted.

use std::time::Duration;

use jobs::{Job, JobError};
use payments::signature;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Sandbox;
use crate::store::{self, Kind};
use crate::stripe::endpoint;

/// Delivers the event with this id.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct DeliverWebhook {
    /// Id of the event.
    pub(crate) event: String,
    /// Id of the endpoint; `None` for the server's own.
    #[serde(default)]
    pub(crate) endpoint: Option<String>,
}

impl Job for DeliverWebhook {
    const KIND: &'static str = "deliver_webhook";
}

/// Creates a client for our own listener: no proxy, no redirects, 10 s timeout.
pub(crate) fn client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(10))
        .build()
}

pub(crate) async fn run(sandbox: &Sandbox, job: DeliverWebhook) -> Result<(), JobError> {
    let Some(mut event) = store::by_id(sandbox.db().read(), Kind::Event, &job.event).await? else {
        return Err(JobError::Final("no such event".to_owned()));
    };
    let Some(endpoint) = endpoint::find(sandbox, job.endpoint.as_deref()).await? else {
        return Err(JobError::Final("no such endpoint".to_owned()));
    };
    let body = event.body.to_string();
    let secret = endpoint.secret.reveal();
    let response = sandbox
        .http()
        .post(&endpoint.url)
        .header("Content-Type", "application/json; charset=utf-8")
        .header("Stripe-Signature", signature::sign(secret, sandbox.now(), body.as_bytes()))
        .body(body)
        .send()
        .await
        .map_err(|error| JobError::Retry(error.without_url().to_string()))?;
    if response.status().is_success() {
        if job.endpoint.is_some() {
            return Ok(());
        }
        event.body["pending_webhooks"] = json!(0);
        event.due = None;
        let tx = sandbox.db().write_tx().await?;
        store::change(&tx, &event).await?;
        return Ok(tx.commit().await?);
    }
    Err(JobError::Retry(format!("the webhook endpoint answered {}", response.status())))
}
