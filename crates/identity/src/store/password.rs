//! Password hashes.

use kernel::{Email, PersonId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _, OnConflict};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};

use crate::entity::{password, person};

/// Returns the person with this address and the password's hash, or `None` if the address is unknown or has
/// no password.
pub async fn by_email(
    conn: &impl ConnectionTrait,
    email: &Email,
) -> Result<Option<(PersonId, String)>, DbErr> {
    let of_address = person::Entity::find()
        .select_only()
        .column(person::Column::Uid)
        .filter(person::Column::Email.eq(email.as_str()));
    let row = password::Entity::find()
        .filter(
            Expr::col((password::Entity, password::Column::Person))
                .in_subquery(sea_orm::QueryTrait::into_query(of_address)),
        )
        .one(conn)
        .await?;
    Ok(row.map(|row| (row.person, row.hash)))
}

/// Returns whether the person's password still has this hash.
pub async fn matches(conn: &impl ConnectionTrait, person: PersonId, hash: &str) -> Result<bool, DbErr> {
    let row = password::Entity::find_by_id(person).one(conn).await?;
    Ok(row.is_some_and(|row| row.hash == hash))
}

/// Returns whether the person has a password.
pub async fn exists(conn: &impl ConnectionTrait, person: PersonId) -> Result<bool, DbErr> {
    Ok(password::Entity::find_by_id(person).one(conn).await?.is_some())
}

/// Sets the person's password, replacing an older one.
pub async fn set(
    tx: &impl ConnectionTrait,
    person: PersonId,
    hash: String,
    now: Timestamp,
) -> Result<(), DbErr> {
    let row = password::ActiveModel { person: Set(person), hash: Set(hash), created_at: Set(now) };
    let newest = OnConflict::column(password::Column::Person)
        .update_columns([password::Column::Hash, password::Column::CreatedAt])
        .to_owned();
    password::Entity::insert(row).on_conflict(newest).exec_without_returning(tx).await?;
    Ok(())
}

/// Removes the person's password. Returns whether there was one.
pub async fn remove(tx: &impl ConnectionTrait, person: PersonId) -> Result<bool, DbErr> {
    Ok(password::Entity::delete_by_id(person).exec(tx).await?.rows_affected == 1)
}
