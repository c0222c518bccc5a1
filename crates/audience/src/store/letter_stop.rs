//! Who wants no letters about what is new.

use kernel::{Millis, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait};

use crate::entity::letter_stop::{ActiveModel, Column, Entity};

/// Whether the person wants none of this organisation.
pub async fn is_set(conn: &impl ConnectionTrait, org: Uid, person: Uid) -> Result<bool, DbErr> {
    Ok(Entity::find_by_id((org, person)).one(conn).await?.is_some())
}

/// Notes that the person wants none; a second time changes nothing.
pub async fn set(tx: &impl ConnectionTrait, org: Uid, person: Uid, now: Millis) -> Result<(), DbErr> {
    let row = ActiveModel { org: Set(org), person: Set(person), created_at: Set(now) };
    let known = OnConflict::columns([Column::Org, Column::Person]).do_nothing().to_owned();
    Entity::insert(row).on_conflict(known).exec_without_returning(tx).await?;
    Ok(())
}

/// Notes that the person wants them again.
pub async fn clear(tx: &impl ConnectionTrait, org: Uid, person: Uid) -> Result<(), DbErr> {
    Entity::delete_by_id((org, person)).exec(tx).await?;
    Ok(())
}
