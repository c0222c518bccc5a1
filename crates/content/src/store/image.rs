//! Public images.

use kernel::{OrgId, PersonId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
};

use crate::entity::image::{ActiveModel, Column, Entity};

/// Inserts an image.
pub async fn insert(
    tx: &impl ConnectionTrait,
    name: &str,
    org: Option<OrgId>,
    person: PersonId,
    media_type: &str,
    now: Timestamp,
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

/// Returns the media type of an image. It needs no permission: images are public under their unguessable
/// names.
pub async fn media_type(conn: &impl ConnectionTrait, name: &str) -> Result<Option<String>, DbErr> {
    Entity::find_by_id(name).select_only().column(Column::MediaType).into_tuple().one(conn).await
}

/// Returns whether a person uploaded an image as their own photo.
pub async fn is_photo_of(conn: &impl ConnectionTrait, person: PersonId, name: &str) -> Result<bool, DbErr> {
    let row = Entity::find_by_id(name)
        .select_only()
        .column(Column::Name)
        .filter(Column::Org.is_null())
        .filter(Column::Person.eq(person))
        .into_tuple::<String>()
        .one(conn)
        .await?;
    Ok(row.is_some())
}

/// An image and its owner.
#[derive(Debug, FromQueryResult)]
pub struct Image {
    pub name: String,
    pub org: Option<OrgId>,
    pub person: PersonId,
}

/// Returns images uploaded before `before`, ordered by name, starting after `after`.
pub async fn page(
    conn: &impl ConnectionTrait,
    before: Timestamp,
    after: &str,
    limit: u64,
) -> Result<Vec<Image>, DbErr> {
    Entity::find()
        .select_only()
        .columns([Column::Name, Column::Org, Column::Person])
        .filter(Column::CreatedAt.lt(before))
        .filter(Column::Name.gt(after))
        .order_by_asc(Column::Name)
        .limit(limit)
        .into_model()
        .all(conn)
        .await
}

/// Removes the row of an image.
pub async fn remove(tx: &impl ConnectionTrait, name: &str) -> Result<(), DbErr> {
    Entity::delete_by_id(name).exec(tx).await?;
    Ok(())
}

/// Returns whether an image was uploaded for this organisation.
pub async fn is_of(conn: &impl ConnectionTrait, org: OrgId, name: &str) -> Result<bool, DbErr> {
    let row = Entity::find_by_id(name)
        .select_only()
        .column(Column::Name)
        .filter(Column::Org.eq(org))
        .into_tuple::<String>()
        .one(conn)
        .await?;
    Ok(row.is_some())
}
