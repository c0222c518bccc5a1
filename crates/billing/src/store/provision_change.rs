//! The journal of purchases.

use std::collections::HashMap;

use db::Stored;
use kernel::{PersonId, ProvisionChangeId, ProvisionId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, JoinType, QueryFilter, QueryOrder,
    QuerySelect, RelationDef,
};

use crate::entity::provision_change::{ActiveModel, Column, Entity};
use crate::entity::webhook_event;
use crate::history::PurchaseChange;
use crate::model::{Cause, ProvisionState, PurchaseReason};

/// A change of a purchase's state.
pub struct Change<'a> {
    pub provision: ProvisionId,
    pub from: ProvisionState,
    pub to: ProvisionState,
    pub cause: Cause,
    /// Id of the provider's event, or of the person.
    pub cause_id: Option<&'a str>,
    /// Why it is in the new state.
    pub reason: Option<PurchaseReason>,
}

/// Adds an entry.
pub async fn add(
    tx: &impl ConnectionTrait,
    uid: ProvisionChangeId,
    change: &Change<'_>,
    now: Timestamp,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(uid),
        provision: Set(change.provision),
        at: Set(now),
        from_state: Set(change.from.into()),
        to_state: Set(change.to.into()),
        cause: Set(change.cause.into()),
        cause_id: Set(change.cause_id.map(str::to_owned)),
        reason: Set(change.reason.map(Into::into)),
    };
    Entity::insert(row).exec_without_returning(tx).await.map(drop)
}

/// An entry of the journal.
#[derive(Clone, Copy, Debug)]
pub struct Recorded {
    pub from: ProvisionState,
    pub to: ProvisionState,
}

/// Returns the entries of these purchases, in order.
pub async fn of_provisions(
    c: &impl ConnectionTrait,
    uids: &[ProvisionId],
) -> Result<Vec<(ProvisionId, Recorded)>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Provision.is_in(uids.iter().copied()))
        .order_by_asc(Column::Uid)
        .all(c)
        .await?;
    rows.into_iter()
        .map(|row| {
            let from = row.from_state.known("provision_change", "from_state", row.uid)?;
            let to = row.to_state.known("provision_change", "to_state", row.uid)?;
            Ok((row.provision, Recorded { from, to }))
        })
        .collect()
}

/// Returns the purchases that ended after `since`, by the entries.
pub async fn ended_since(c: &impl ConnectionTrait, since: Timestamp) -> Result<Vec<ProvisionId>, DbErr> {
    let query = Entity::find()
        .filter(Column::ToState.eq(ProvisionState::Ended))
        .filter(Column::At.gt(since))
        .order_by_asc(Column::Uid);
    let mut found: Vec<ProvisionId> =
        query.select_only().column(Column::Provision).into_tuple().all(c).await?;
    found.dedup();
    Ok(found)
}

#[derive(FromQueryResult)]
struct JournalRow {
    uid: ProvisionChangeId,
    provision: ProvisionId,
    at: Timestamp,
    from_state: Stored<ProvisionState>,
    to_state: Stored<ProvisionState>,
    cause: Stored<Cause>,
    cause_id: Option<String>,
    reason: Option<Stored<PurchaseReason>>,
    event: Option<String>,
}

/// Returns the journals of these purchases, each in order, with the names of the events that are still kept.
pub async fn journal(
    c: &impl ConnectionTrait,
    uids: &[ProvisionId],
) -> Result<HashMap<ProvisionId, Vec<PurchaseChange>>, DbErr> {
    let event: RelationDef =
        Entity::belongs_to(webhook_event::Entity).from(Column::CauseId).to(webhook_event::Column::Id).into();
    let rows: Vec<JournalRow> = Entity::find()
        .column_as(webhook_event::Column::Name, "event")
        .join(JoinType::LeftJoin, event)
        .filter(Column::Provision.is_in(uids.iter().copied()))
        .order_by_asc(Column::Uid)
        .into_model()
        .all(c)
        .await?;
    let mut journals: HashMap<ProvisionId, Vec<PurchaseChange>> = HashMap::new();
    for row in rows {
        let reason = row.reason.map(|word| word.known("provision_change", "reason", row.uid));
        journals.entry(row.provision).or_default().push(PurchaseChange {
            at: row.at,
            from: row.from_state.known("provision_change", "from_state", row.uid)?,
            to: row.to_state.known("provision_change", "to_state", row.uid)?,
            reason: reason.transpose()?,
            cause: row.cause.known("provision_change", "cause", row.uid)?,
            cause_id: row.cause_id,
            event: row.event,
        });
    }
    Ok(journals)
}

/// Replaces the person who caused changes.
pub async fn hand_over(tx: &impl ConnectionTrait, person: PersonId, stand_in: PersonId) -> Result<(), DbErr> {
    let update = Entity::update_many().col_expr(Column::CauseId, Expr::value(stand_in.to_string()));
    let own = update.filter(Column::Cause.eq(Cause::Person)).filter(Column::CauseId.eq(person.to_string()));
    own.exec(tx).await.map(drop)
}
