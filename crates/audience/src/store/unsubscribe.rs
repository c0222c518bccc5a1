//! People who unsubscribed from announcements.

use db::Db;
use kernel::{OrgId, PersonId, Timestamp, iso};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait as _, ConnectionTrait, DbErr, EntityTrait, QueryFilter as _};

use crate::entity::unsubscribe::{ActiveModel, Column, Entity, Model};

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

/// Removes the unsubscriptions of a person.
pub async fn remove_of_person(tx: &impl ConnectionTrait, person: PersonId) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Person.eq(person)).exec(tx).await.map(drop)
}

/// Returns the organisations from whose announcements a person unsubscribed, for the person's export.
pub async fn export(conn: &impl ConnectionTrait, person: PersonId) -> Result<serde_json::Value, DbErr> {
    let rows = Entity::find().filter(Column::Person.eq(person)).all(conn).await?;
    let time = |row: Model| serde_json::json!({ "orgId": row.org, "time": iso(row.created_at) });
    Ok(rows.into_iter().map(time).collect())
}
