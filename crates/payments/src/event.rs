//! Webhooks, parsed only as far as they are trusted: the kind of event, and which records to fetch again.

use kernel::{ProvisionId, Timestamp};
use serde_json::Value;

use crate::signature::SignatureError;

/// An event reported by the provider. Its payload is only a hint; the current state is fetched from the
/// provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The provider's id of the event, the same for all of its deliveries.
    pub id: String,
    /// The provider's event type, such as `checkout.session.completed`.
    pub name: String,
    /// What the event concerns.
    pub kind: EventKind,
    /// When it happened.
    pub created: Timestamp,
    /// The checkout session concerned.
    pub checkout: Option<String>,
    /// The subscription concerned.
    pub subscription: Option<String>,
    /// uid of our provision, if the object carries it.
    pub provision: Option<ProvisionId>,
}

/// The types of events that the webhook endpoint must get.
pub const WEBHOOK_EVENTS: [&str; 14] = [
    "checkout.session.completed",
    "checkout.session.expired",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "customer.subscription.created",
    "customer.subscription.updated",
    "customer.subscription.deleted",
    "customer.subscription.paused",
    "customer.subscription.resumed",
    "invoice.paid",
    "invoice.payment_failed",
    "subscription_schedule.created",
    "subscription_schedule.updated",
    "subscription_schedule.released",
];

/// The kinds of events we act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A checkout session completed or expired, or its delayed payment succeeded or failed.
    Checkout,
    /// A subscription was created, changed or ended.
    Subscription,
    /// An invoice was paid or its payment failed.
    Invoice,
    /// A change of a subscription was scheduled, or will not be made.
    Schedule,
    /// Anything else: acknowledged and ignored.
    Other,
}

/// Why a webhook was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// It is not from the provider.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// It is signed, but not an event.
    #[error("the body is not an event")]
    Unreadable,
}

impl Event {
    /// Parses a body whose signature has been verified.
    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        let event: Value = serde_json::from_slice(body).ok()?;
        let id = text(&event, "/id").filter(|id| !id.is_empty() && id.len() <= 255)?;
        let name = text(&event, "/type").filter(|name| name.len() <= 255)?;
        let created = event.pointer("/created").and_then(Value::as_i64).map(Timestamp::from_seconds)?;
        let object = event.pointer("/data/object").filter(|object| object.is_object())?;
        let kind = EventKind::of(&name);
        let object_id = text(object, "/id");
        let (checkout, subscription) = match kind {
            EventKind::Checkout => (object_id, text(object, "/subscription")),
            EventKind::Subscription => (None, object_id),
            EventKind::Invoice => (
                None,
                text(object, "/parent/subscription_details/subscription")
                    .or_else(|| text(object, "/subscription")),
            ),
            EventKind::Schedule => {
                (None, text(object, "/subscription").or_else(|| text(object, "/released_subscription")))
            }
            EventKind::Other => (None, None),
        };
        let provision = text(object, "/client_reference_id")
            .or_else(|| text(object, "/metadata/provision"))
            .or_else(|| text(object, "/parent/subscription_details/metadata/provision"))
            .or_else(|| text(object, "/subscription_details/metadata/provision"))
            .and_then(|text| text.parse().ok());
        Some(Self { id, name, kind, created, checkout, subscription, provision })
    }
}

impl EventKind {
    fn of(name: &str) -> Self {
        if name.starts_with("checkout.session.") {
            Self::Checkout
        } else if name.starts_with("customer.subscription.") {
            Self::Subscription
        } else if name.starts_with("subscription_schedule.") {
            Self::Schedule
        } else if name.starts_with("invoice.") {
            Self::Invoice
        } else {
            Self::Other
        }
    }
}

fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(name: &str, object: Value) -> Event {
        let body = json!({"id": "evt_1", "type": name, "created": 7, "data": {"object": object}});
        Event::parse(body.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn each_kind_names_the_records_to_look_up() {
        let uid = ProvisionId::from_u128(7);
        let done = read(
            "checkout.session.completed",
            json!({"id": "cs_1", "subscription": "sub_1", "client_reference_id": uid.to_string()}),
        );
        assert_eq!((done.kind, done.created), (EventKind::Checkout, Timestamp::from_ms(7_000)));
        assert_eq!((done.checkout.as_deref(), done.subscription.as_deref()), (Some("cs_1"), Some("sub_1")));
        assert_eq!(done.provision, Some(uid));
        let ended =
            read("customer.subscription.deleted", json!({"id": "sub_1", "metadata": {"provision": uid}}));
        assert_eq!((ended.subscription.as_deref(), ended.provision), (Some("sub_1"), Some(uid)));
        let details = json!({"subscription": "sub_1", "metadata": {"provision": uid}});
        let paid = read("invoice.paid", json!({"id": "in_1", "parent": {"subscription_details": details}}));
        assert_eq!((paid.kind, paid.subscription.as_deref()), (EventKind::Invoice, Some("sub_1")));
        assert_eq!(paid.provision, Some(uid));
        let scheduled =
            read("subscription_schedule.updated", json!({"id": "sub_sched_1", "subscription": "sub_1"}));
        assert_eq!((scheduled.kind, scheduled.subscription.as_deref()), (EventKind::Schedule, Some("sub_1")));
        let released = json!({"id": "sub_sched_1", "subscription": null, "released_subscription": "sub_1"});
        let released = read("subscription_schedule.released", released);
        assert_eq!(released.subscription.as_deref(), Some("sub_1"));
        // As sent by endpoints with an older version of the API.
        let old = json!({"id": "in_1", "subscription": "sub_1", "subscription_details": {"metadata": {"provision": uid}}});
        let old = read("invoice.paid", old);
        assert_eq!((old.subscription.as_deref(), old.provision), (Some("sub_1"), Some(uid)));
        assert_eq!(read("customer.created", json!({"id": "cus_1"})).kind, EventKind::Other);
    }

    #[test]
    fn every_event_that_the_endpoint_must_get_is_acted_on() {
        for name in WEBHOOK_EVENTS {
            assert_ne!(EventKind::of(name), EventKind::Other, "{name}");
        }
    }

    #[test]
    fn data_that_is_not_an_event_is_unreadable() {
        for odd in ["", "null", "{}", "[]", r#"{"id":1,"type":"x","created":1,"data":{"object":{}}}"#] {
            assert_eq!(Event::parse(odd.as_bytes()), None, "{odd}");
        }
    }
}
