//! Webhook endpoints: the server's own, and those that were added, as by a test that looks at deliveries.

use kernel::Secret;
use sea_orm::{ConnectionTrait, DbErr};
use serde_json::{Value, json};

use super::fields::Fields;
use super::step::Step;
use super::{CallResult, StripeError, objects};
use crate::Sandbox;
use crate::peers::is_this_machine;
use crate::store::{self, Kind, NewObject};

/// Where to deliver an event, and the secret that signs it.
pub(crate) struct Endpoint {
    pub(crate) url: String,
    pub(crate) secret: Secret,
}

/// Adds an endpoint for all events. Only this machine is accepted: the sandbox reaches no other.
pub(super) async fn create(step: Step<'_>, fields: &Fields) -> CallResult {
    let url = fields.get("url").unwrap_or_default();
    if !is_this_machine(url) {
        return Err(StripeError::invalid("url_invalid", "The stand-in delivers to this machine only."));
    }
    if fields.indexed("enabled_events").ne(["*"]) {
        return Err(StripeError::invalid("parameter_invalid", "The stand-in delivers all events: send *."));
    }
    let id = step.sandbox.new_id("we");
    let secret = step.sandbox.new_id("whsec");
    let new = NewObject {
        body: objects::webhook_endpoint(&id, url, step.seconds()),
        id,
        kind: Kind::WebhookEndpoint,
        owner: None,
        reference: None,
        inner: json!({ "secret": secret }),
        due: None,
    };
    let mut body = step.insert(new).await?.body;
    // As at Stripe, only this answer has the secret.
    body["secret"] = json!(secret);
    Ok(body)
}

/// Returns the list of endpoints as the API shows it.
pub(super) async fn list(sandbox: &Sandbox) -> CallResult {
    let own = objects::webhook_endpoint(OWN, &sandbox.deps().webhook_url, 0);
    let added = store::all(sandbox.db().read(), Kind::WebhookEndpoint).await?;
    let data: Vec<Value> = added.into_iter().map(|one| one.body).chain([own]).collect();
    Ok(objects::list("webhook_endpoints", data, false))
}

/// Returns the ids of the endpoints that were added.
pub(super) async fn added(c: &impl ConnectionTrait) -> Result<Vec<String>, DbErr> {
    Ok(store::all(c, Kind::WebhookEndpoint).await?.into_iter().map(|one| one.id).collect())
}

/// Returns the endpoint with this id, or the server's own.
pub(crate) async fn find(sandbox: &Sandbox, id: Option<&str>) -> Result<Option<Endpoint>, DbErr> {
    let Some(id) = id else {
        let (url, secret) = (sandbox.deps().webhook_url.clone(), sandbox.access().webhook_secret.clone());
        return Ok(Some(Endpoint { url, secret }));
    };
    let found = store::by_id(sandbox.db().read(), Kind::WebhookEndpoint, id).await?;
    Ok(found.map(|one| Endpoint {
        url: one.body["url"].as_str().unwrap_or_default().to_owned(),
        secret: Secret::new(one.inner["secret"].as_str().unwrap_or_default()),
    }))
}

/// Id of the server's own endpoint.
const OWN: &str = "we_sandbox";
