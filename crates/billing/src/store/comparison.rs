//! The last comparison with the provider.

use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait};

use crate::comparison::Comparison;
use crate::entity::billing_comparison::{ActiveModel, Column, Entity};

/// Id of the only row.
const LAST: i32 = 1;

/// Stores the last comparison in place of the one before.
pub async fn store(tx: &impl ConnectionTrait, comparison: &Comparison) -> Result<(), DbErr> {
    let findings =
        serde_json::to_value(&comparison.findings).map_err(|error| DbErr::Json(error.to_string()))?;
    let row = ActiveModel {
        id: Set(LAST),
        at: Set(comparison.at),
        subscriptions: Set(i64::try_from(comparison.subscriptions).unwrap_or(i64::MAX)),
        findings: Set(findings),
    };
    let replaced = OnConflict::column(Column::Id)
        .update_columns([Column::At, Column::Subscriptions, Column::Findings])
        .to_owned();
    Entity::insert(row).on_conflict(replaced).exec_without_returning(tx).await.map(drop)
}

/// Returns the last comparison.
pub async fn last(c: &impl ConnectionTrait) -> Result<Option<Comparison>, DbErr> {
    let Some(row) = Entity::find_by_id(LAST).one(c).await? else { return Ok(None) };
    let unreadable = |column| db::unreadable("billing_comparison", column, row.id);
    Ok(Some(Comparison {
        at: row.at,
        subscriptions: u64::try_from(row.subscriptions).map_err(|_| unreadable("subscriptions"))?,
        findings: serde_json::from_value(row.findings.clone()).map_err(|_| unreadable("findings"))?,
    }))
}
