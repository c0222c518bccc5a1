//! Received webhooks.

use kernel::{ProvisionId, Timestamp};
use payments::{Event, EventKind};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _, OnConflict, SimpleExpr};
use sea_orm::{
    ActiveEnum as _, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect,
    SelectExt as _,
};

pub use crate::entity::webhook_event::Outcome;
use crate::entity::webhook_event::{ActiveModel, Column, Entity};

/// What a stored event names.
#[derive(Debug)]
pub struct StoredEvent {
    pub id: String,
    pub name: String,
    pub checkout: Option<String>,
    pub subscription: Option<String>,
    pub provision: Option<ProvisionId>,
}

/// Stores a verified event. Returns true if it has to be processed: it is of a kind we act on, and has not been
/// processed. One about an unknown purchase is processed again when it is delivered again: the purchase may be back.
pub async fn receive(c: &impl ConnectionTrait, event: Event, now: Timestamp) -> Result<bool, DbErr> {
    let concerns_us = event.kind != EventKind::Other;
    let outcome = if concerns_us { Outcome::Received } else { Outcome::Foreign };
    let row = ActiveModel {
        id: Set(event.id),
        name: Set(event.name),
        received_at: Set(now),
        outcome: Set(outcome.into()),
        checkout: Set(event.checkout),
        subscription: Set(event.subscription),
        provision: Set(event.provision),
    };
    let again = OnConflict::column(Column::Id)
        .update_columns([Column::Outcome, Column::ReceivedAt])
        .action_and_where(Column::Outcome.is_in([Outcome::Received, Outcome::UnknownPurchase]))
        .to_owned();
    let written = Entity::insert(row).on_conflict(again).exec_without_returning(c).await?;
    Ok(concerns_us && written == 1)
}

/// Returns the event, unless it has been processed.
pub async fn received(c: &impl ConnectionTrait, id: &str) -> Result<Option<StoredEvent>, DbErr> {
    let row = Entity::find_by_id(id.to_owned()).filter(Column::Outcome.eq(Outcome::Received)).one(c).await?;
    Ok(row.map(|row| StoredEvent {
        id: row.id,
        name: row.name,
        checkout: row.checkout,
        subscription: row.subscription,
        provision: row.provision,
    }))
}

/// Returns the ids of all events that wait for the same purchase as this one, which is among them.
pub async fn waiting_with(c: &impl ConnectionTrait, event: &StoredEvent) -> Result<Vec<String>, DbErr> {
    let mut same = Condition::any().add(Column::Id.eq(&event.id));
    if let Some(provision) = event.provision {
        same = same.add(Column::Provision.eq(provision));
    }
    if let Some(subscription) = &event.subscription {
        same = same.add(Column::Subscription.eq(subscription));
    }
    let waiting = Entity::find().filter(Column::Outcome.eq(Outcome::Received)).filter(same);
    waiting.select_only().column(Column::Id).into_tuple().all(c).await
}

/// Records what became of these events.
pub async fn set_outcome(c: &impl ConnectionTrait, ids: Vec<String>, outcome: Outcome) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Outcome, Expr::val(outcome.to_value()))
        .filter(Column::Id.is_in(ids))
        .exec(c)
        .await
        .map(drop)
}

/// Removes events received before `before`; the provider retries for three days at most. Events about unknown
/// purchases stay: they are the only record that those were paid. So do those that wait for their job.
pub async fn prune(db: &db::Db, before: Timestamp) -> Result<(), DbErr> {
    db::remove_in_pages::<Entity>(db, Column::Id, old(before)).await.map(drop)
}

/// Returns whether [`prune`] would remove anything.
pub async fn any_old(c: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(old(before)).exists(c).await
}

fn old(before: Timestamp) -> SimpleExpr {
    let is_done = Column::Outcome.is_not_in([Outcome::Received, Outcome::UnknownPurchase]);
    Column::ReceivedAt.lt(before).and(is_done)
}
