//! All SQL of the sandbox.

use db::empty_if_none;
use kernel::{Millis, Timestamp};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, DeriveActiveEnum, EntityTrait, EnumIter,
    QueryFilter, QueryOrder,
};
use serde_json::Value;

use crate::entity::{sandbox_call, sandbox_clock, sandbox_object};

pub(crate) use sandbox_object::Model as Object;

/// Id of the only row of the clock.
const CLOCK: i32 = 1;
/// How long an idempotency key is remembered, as at Stripe.
const KEY_LIFETIME: Millis = kernel::DAY;

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub(crate) enum Kind {
    #[sea_orm(string_value = "customer")]
    Customer,
    #[sea_orm(string_value = "checkout")]
    Checkout,
    #[sea_orm(string_value = "subscription")]
    Subscription,
    #[sea_orm(string_value = "invoice")]
    Invoice,
    #[sea_orm(string_value = "refund")]
    Refund,
    #[sea_orm(string_value = "portal")]
    Portal,
    #[sea_orm(string_value = "event")]
    Event,
    /// A card.
    #[sea_orm(string_value = "payment_method")]
    PaymentMethod,
    /// What becomes of a subscription later.
    #[sea_orm(string_value = "schedule")]
    Schedule,
    /// What the billing portal allows.
    #[sea_orm(string_value = "configuration")]
    Configuration,
    /// Where webhooks are delivered, besides the server itself.
    #[sea_orm(string_value = "webhook_endpoint")]
    WebhookEndpoint,
    /// A person who signed in at the OpenID issuer.
    #[sea_orm(string_value = "person")]
    Person,
}

/// An object to be stored.
pub(crate) struct NewObject {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) owner: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) body: Value,
    pub(crate) inner: Value,
    pub(crate) due: Option<Timestamp>,
}

pub(crate) async fn insert(c: &impl ConnectionTrait, new: NewObject, now: Timestamp) -> Result<(), DbErr> {
    sandbox_object::Entity::insert(row(new, now)).exec_without_returning(c).await.map(drop)
}

/// Stores the object unless its id exists. Returns whether it was stored.
pub(crate) async fn insert_once(
    c: &impl ConnectionTrait,
    new: NewObject,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let stored = sandbox_object::Entity::insert(row(new, now))
        .on_conflict(OnConflict::column(sandbox_object::Column::Id).do_nothing().to_owned())
        .exec_without_returning(c)
        .await?;
    Ok(stored == 1)
}

fn row(new: NewObject, now: Timestamp) -> sandbox_object::ActiveModel {
    sandbox_object::ActiveModel {
        id: Set(new.id),
        kind: Set(new.kind.into()),
        owner: Set(empty_if_none(new.owner)),
        reference: Set(empty_if_none(new.reference)),
        body: Set(new.body),
        inner: Set(new.inner),
        due: Set(new.due),
        time_created: Set(now),
    }
}

pub(crate) async fn by_id(c: &impl ConnectionTrait, kind: Kind, id: &str) -> Result<Option<Object>, DbErr> {
    sandbox_object::Entity::find_by_id(id.to_owned())
        .filter(sandbox_object::Column::Kind.eq(kind))
        .one(c)
        .await
}

/// Returns the object with this id, of any kind.
pub(crate) async fn by_any_id(c: &impl ConnectionTrait, id: &str) -> Result<Option<Object>, DbErr> {
    sandbox_object::Entity::find_by_id(id.to_owned()).one(c).await
}

/// Returns the objects of a kind that belong to `owner`, newest first.
pub(crate) async fn of_owner(
    c: &impl ConnectionTrait,
    kind: Kind,
    owner: &str,
) -> Result<Vec<Object>, DbErr> {
    of_owners(c, kind, &[owner.to_owned()]).await
}

/// Returns the objects of a kind that belong to one of the owners, newest first.
pub(crate) async fn of_owners(
    c: &impl ConnectionTrait,
    kind: Kind,
    owners: &[String],
) -> Result<Vec<Object>, DbErr> {
    sandbox_object::Entity::find()
        .filter(sandbox_object::Column::Kind.eq(kind))
        .filter(sandbox_object::Column::Owner.is_in(owners.iter().map(String::as_str)))
        .order_by_desc(sandbox_object::Column::Id)
        .all(c)
        .await
}

/// Returns all objects of a kind, newest first.
pub(crate) async fn all(c: &impl ConnectionTrait, kind: Kind) -> Result<Vec<Object>, DbErr> {
    sandbox_object::Entity::find()
        .filter(sandbox_object::Column::Kind.eq(kind))
        .order_by_desc(sandbox_object::Column::Id)
        .all(c)
        .await
}

/// Returns the events since `from`, newest first: all of them, or only the delivered or the pending ones.
pub(crate) async fn events(
    c: &impl ConnectionTrait,
    from: Timestamp,
    delivered: Option<bool>,
) -> Result<Vec<Object>, DbErr> {
    let due = sandbox_object::Column::Due;
    let mut query = sandbox_object::Entity::find()
        .filter(sandbox_object::Column::Kind.eq(Kind::Event))
        .filter(sandbox_object::Column::TimeCreated.gte(from));
    if let Some(delivered) = delivered {
        query = query.filter(if delivered { due.is_null() } else { due.is_not_null() });
    }
    query.order_by_desc(sandbox_object::Column::Id).all(c).await
}

/// Returns the newest object of a kind for our own record `reference`.
pub(crate) async fn by_reference(
    c: &impl ConnectionTrait,
    kind: Kind,
    reference: &str,
) -> Result<Option<Object>, DbErr> {
    sandbox_object::Entity::find()
        .filter(sandbox_object::Column::Kind.eq(kind))
        .filter(sandbox_object::Column::Reference.eq(reference))
        .order_by_desc(sandbox_object::Column::Id)
        .one(c)
        .await
}

/// Returns the object that has been due the longest, of those that change by themselves. At the same instant a
/// schedule changes its subscription before that renews.
pub(crate) async fn next_due(c: &impl ConnectionTrait, now: Timestamp) -> Result<Option<Object>, DbErr> {
    let kinds = [Kind::Checkout, Kind::Invoice, Kind::Schedule, Kind::Subscription];
    sandbox_object::Entity::find()
        .filter(sandbox_object::Column::Kind.is_in(kinds))
        .filter(sandbox_object::Column::Due.lte(now))
        .order_by_asc(sandbox_object::Column::Due)
        .order_by_asc(sandbox_object::Column::Kind)
        .order_by_asc(sandbox_object::Column::Id)
        .one(c)
        .await
}

/// Updates the mutable columns of an object.
pub(crate) async fn change(c: &impl ConnectionTrait, object: &Object) -> Result<(), DbErr> {
    let row = sandbox_object::ActiveModel {
        id: Unchanged(object.id.clone()),
        body: Set(object.body.clone()),
        inner: Set(object.inner.clone()),
        due: Set(object.due),
        ..Default::default()
    };
    row.update(c).await.map(drop)
}

/// Returns the request and the response stored for this idempotency key.
pub(crate) async fn stored_response(
    c: &impl ConnectionTrait,
    key: &str,
) -> Result<Option<(String, Value)>, DbErr> {
    let row = sandbox_call::Entity::find_by_id(key.to_owned()).one(c).await?;
    Ok(row.map(|row| (row.request, row.response)))
}

/// Stores a response, and deletes those older than a day.
pub(crate) async fn store_response(
    c: &impl ConnectionTrait,
    key: &str,
    request: &str,
    response: &Value,
    now: Timestamp,
) -> Result<(), DbErr> {
    sandbox_call::Entity::delete_many()
        .filter(sandbox_call::Column::TimeCreated.lt(now - KEY_LIFETIME))
        .exec(c)
        .await?;
    let row = sandbox_call::ActiveModel {
        key: Set(key.to_owned()),
        request: Set(request.to_owned()),
        response: Set(response.clone()),
        time_created: Set(now),
    };
    sandbox_call::Entity::insert(row).exec_without_returning(c).await.map(drop)
}

/// Returns how far the clock has been moved.
pub(crate) async fn offset(c: &impl ConnectionTrait) -> Result<Millis, DbErr> {
    let row = sandbox_clock::Entity::find_by_id(CLOCK).one(c).await?;
    Ok(row.map_or(0, |row| row.offset_ms))
}

pub(crate) async fn set_offset(c: &impl ConnectionTrait, offset: Millis) -> Result<(), DbErr> {
    let row = sandbox_clock::ActiveModel { id: Set(CLOCK), offset_ms: Set(offset) };
    sandbox_clock::Entity::insert(row)
        .on_conflict(
            OnConflict::column(sandbox_clock::Column::Id)
                .update_column(sandbox_clock::Column::OffsetMs)
                .to_owned(),
        )
        .exec_without_returning(c)
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use sea_orm::ActiveEnum as _;

    use super::*;

    #[test]
    fn stored_words_never_change() {
        let kinds = [
            "customer",
            "checkout",
            "subscription",
            "invoice",
            "refund",
            "portal",
            "event",
            "payment_method",
            "schedule",
            "configuration",
            "webhook_endpoint",
            "person",
        ];
        assert_eq!(Kind::values(), kinds);
    }
}
