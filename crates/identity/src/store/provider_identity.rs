//! People's identities at sign-in providers.

use db::Stored;
use kernel::{PersonId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::provider_identity::{ActiveModel, Column, Entity};
use crate::openid::{Claims, ProviderName};

/// Returns the person linked to this issuer and subject.
pub async fn person_of(conn: &impl ConnectionTrait, claims: &Claims) -> Result<Option<PersonId>, DbErr> {
    let key = (claims.issuer.clone(), claims.subject.clone());
    Ok(Entity::find_by_id(key).one(conn).await?.map(|row| row.person))
}

/// Links an identity to a person.
pub async fn insert(
    tx: &impl ConnectionTrait,
    provider: ProviderName,
    claims: &Claims,
    person: PersonId,
    now: Timestamp,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        issuer: Set(claims.issuer.clone()),
        subject: Set(claims.subject.clone()),
        provider: Set(provider.into()),
        person: Set(person),
        created_at: Set(now),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Returns the providers linked to a person, sorted by name.
pub async fn providers_of(conn: &impl ConnectionTrait, person: PersonId) -> Result<Vec<ProviderName>, DbErr> {
    let providers: Vec<Stored<ProviderName>> = Entity::find()
        .select_only()
        .column(Column::Provider)
        .distinct()
        .filter(Column::Person.eq(person))
        .order_by_asc(Column::Provider)
        .into_tuple()
        .all(conn)
        .await?;
    providers.into_iter().map(|provider| provider.known("provider_identity", "provider", person)).collect()
}

/// Unlinks all identities of a person. Returns how many there were.
pub async fn remove_all(tx: &impl ConnectionTrait, person: PersonId) -> Result<u64, DbErr> {
    Ok(Entity::delete_many().filter(Column::Person.eq(person)).exec(tx).await?.rows_affected)
}
