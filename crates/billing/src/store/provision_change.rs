//! The journal of purchases.

use kernel::{ProvisionChangeId, ProvisionId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::provision_change::{ActiveModel, Column, Entity};
use crate::model::{Cause, ProvisionState};

/// A change of a purchase's state.
pub struct Change<'a> {
    pub provision: ProvisionId,
    pub from: ProvisionState,
    pub to: ProvisionState,
    pub cause: Cause,
    /// Id of the provider's event, or of the person.
    pub cause_id: Option<&'a str>,
}

/// Adds an entry.
pub async fn add(
    tx: &impl ConnectionTrait,
    uid: ProvisionChangeId,
    change: Change<'_>,
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
