//! People who unsubscribed from announcements.

use db::Db;
use kernel::{OrgId, PersonId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait};

use crate::entity::unsubscribe::{ActiveModel, Column, Entity};

/// Returns whether the person has unsubscribed from this organisation's announcements.
pub async fn is_set(conn: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<bool, DbErr> {
    Ok(Entity::find_by_id((org, person)).one(conn).await?.is_some())
}

/// Unsubscribes the person. Idempotent.
pub async fn set(
    tx: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    now: Timestamp,
) -> Result<(), DbErr> {
    let row = ActiveModel { org: Set(org), person: Set(person), created_at: Set(now) };
    let keep_existing = OnConflict::columns([Column::Org, Column::Person]).do_nothing().to_owned();
    Entity::insert(row).on_conflict(keep_existing).exec_without_returning(tx).await?;
    Ok(())
}

/// Subscribes the person again.
pub async fn clear(tx: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<(), DbErr> {
    Entity::delete_by_id((org, person)).exec(tx).await?;
    Ok(())
}

/// Removes the unsubscriptions from an organisation.
pub async fn remove_of_org(db: &Db, org: OrgId) -> Result<(), DbErr> {
    db::rows::remove_all(db, "unsubscribe", "org, person", "org", org).await
}
