//! Received webhooks.

use kernel::Timestamp;
use payments::Event;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

pub use crate::entity::webhook_event::Outcome;
use crate::entity::webhook_event::{ActiveModel, Column, Entity};

/// Records the event. Returns false if it was recorded before, unless it was about an unknown purchase: that
/// one is applied when it is delivered again and the purchase is back.
pub async fn insert(
    c: &impl ConnectionTrait,
    event: &Event,
    outcome: Outcome,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let unknown = outcome == Outcome::UnknownPurchase;
    let row = ActiveModel {
        id: Set(event.id.clone()),
        name: Set(event.name.clone()),
        received_at: Set(now),
        outcome: Set(outcome.into()),
        checkout: Set(event.checkout.clone().filter(|_| unknown)),
        subscription: Set(event.subscription.clone().filter(|_| unknown)),
        provision: Set(event.provision.filter(|_| unknown)),
    };
    let again = OnConflict::column(Column::Id)
        .update_columns([Column::Outcome, Column::ReceivedAt])
        .action_and_where(Column::Outcome.eq(Outcome::UnknownPurchase))
        .to_owned();
    let written = Entity::insert(row).on_conflict(again).exec_without_returning(c).await?;
    Ok(written == 1)
}

/// Returns whether the event has been dealt with.
pub async fn is_known(c: &impl ConnectionTrait, id: &str) -> Result<bool, DbErr> {
    let Some(row) = Entity::find_by_id(id.to_owned()).one(c).await? else { return Ok(false) };
    Ok(row.outcome.known("webhook_event", "outcome", id)? != Outcome::UnknownPurchase)
}

/// Removes events received before `before`; the provider retries for three days at most. Events about unknown
/// purchases stay: they are the only record that those were paid.
pub async fn prune(c: &impl ConnectionTrait, before: Timestamp) -> Result<(), DbErr> {
    Entity::delete_many()
        .filter(Column::ReceivedAt.lt(before))
        .filter(Column::Outcome.ne(Outcome::UnknownPurchase))
        .exec(c)
        .await
        .map(drop)
}
