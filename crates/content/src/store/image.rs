//! Public pictures.

use kernel::{Millis, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};

use crate::entity::image::{ActiveModel, Column, Entity};

/// Adds a picture.
pub async fn insert(
    tx: &impl ConnectionTrait,
    name: &str,
    org: Option<Uid>,
    person: Uid,
    media_type: &str,
    now: Millis,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        name: Set(name.to_owned()),
        org: Set(org),
        person: Set(person),
        media_type: Set(media_type.to_owned()),
        created_at: Set(now),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// The type of a picture; whoever knows its name may have it.
pub async fn media_type(conn: &impl ConnectionTrait, name: &str) -> Result<Option<String>, DbErr> {
    Entity::find_by_id(name).select_only().column(Column::MediaType).into_tuple().one(conn).await
}

/// Whether a picture was uploaded for this organisation.
pub async fn is_of(conn: &impl ConnectionTrait, org: Uid, name: &str) -> Result<bool, DbErr> {
    let row = Entity::find_by_id(name)
        .select_only()
        .column(Column::Name)
        .filter(Column::Org.eq(org))
        .into_tuple::<String>()
        .one(conn)
        .await?;
    Ok(row.is_some())
}
