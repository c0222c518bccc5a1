//! One change of the stand-in's objects: its transaction, and when it takes place.

use db::WriteTx;
use kernel::Timestamp;
use sea_orm::ActiveEnum as _;
use serde_json::{Map, Value};

use super::catalogue::Price;
use super::{StripeError, endpoint, objects};
use crate::Sandbox;
use crate::deliver::DeliverWebhook;
use crate::store::{self, Kind, NewObject, Object};

/// One change. What the clock has passed takes place when it was due, and not when it is noticed.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) sandbox: &'a Sandbox,
    pub(crate) tx: &'a WriteTx,
    pub(crate) at: Timestamp,
}

impl<'a> Step<'a> {
    /// A change that takes place now.
    pub(crate) fn now(sandbox: &'a Sandbox, tx: &'a WriteTx) -> Self {
        Self { sandbox, tx, at: sandbox.now() }
    }

    /// Returns its time in the provider's unit.
    pub(crate) fn seconds(self) -> i64 {
        self.at.seconds()
    }

    /// Returns the object, or the provider's error.
    pub(crate) async fn find(self, kind: Kind, id: &str) -> Result<Object, StripeError> {
        let found = store::by_id(self.tx, kind, id).await?;
        found.ok_or_else(|| StripeError::missing(&kind.to_value()))
    }

    pub(crate) async fn insert(self, new: NewObject) -> Result<Object, StripeError> {
        let (kind, id) = (new.kind, new.id.clone());
        store::insert(self.tx, new, self.at).await?;
        self.find(kind, &id).await
    }

    pub(crate) async fn save(self, object: &Object) -> Result<(), StripeError> {
        Ok(store::change(self.tx, object).await?)
    }

    /// Saves a changed object and sends the event with what it had before.
    pub(crate) async fn save_and_emit(
        self,
        name: &str,
        object: &Object,
        before: &Value,
    ) -> Result<(), StripeError> {
        self.save(object).await?;
        self.emit_with(name, &object.body, Some(difference(before, &object.body))).await
    }

    /// Sends an event.
    pub(crate) async fn emit(self, name: &str, object: &Value) -> Result<(), StripeError> {
        self.emit_with(name, object, None).await
    }

    async fn emit_with(self, name: &str, object: &Value, previous: Option<Value>) -> Result<(), StripeError> {
        let id = self.sandbox.new_id("evt");
        let new = NewObject {
            id: id.clone(),
            kind: Kind::Event,
            owner: object["id"].as_str().map(str::to_owned),
            reference: None,
            body: objects::event(&id, name, object, previous, self.seconds()),
            inner: Value::Null,
            due: Some(self.at),
        };
        store::insert(self.tx, new, self.at).await?;
        let jobs = &self.sandbox.deps().jobs;
        for endpoint in endpoint::added(self.tx).await? {
            let job = DeliverWebhook { event: id.clone(), endpoint: Some(endpoint) };
            jobs.enqueue(self.tx, &job).await?;
        }
        Ok(jobs.enqueue(self.tx, &DeliverWebhook { event: id, endpoint: None }).await.map(drop)?)
    }

    pub(crate) fn price(self, id: &str) -> Result<&'a Price, StripeError> {
        let found = self.sandbox.price(|price| price.id() == id);
        found.ok_or_else(|| StripeError::invalid("resource_missing", format!("No such price: '{id}'")))
    }

    pub(crate) fn price_of(self, subscription: &Value) -> Result<&'a Price, StripeError> {
        self.price(subscription["items"]["data"][0]["price"]["id"].as_str().unwrap_or_default())
    }
}

/// Returns the fields that changed, with the values they had.
fn difference(before: &Value, after: &Value) -> Value {
    let empty = Map::new();
    let before = before.as_object().unwrap_or(&empty);
    let changed = before.iter().filter(|(name, value)| after.get(name.as_str()) != Some(*value));
    Value::Object(changed.map(|(name, value)| (name.clone(), value.clone())).collect())
}
