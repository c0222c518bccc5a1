//! Public images.

use kernel::{OrgId, PersonId, Timestamp, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    Select, SelectExt as _,
};
use storage::Key;

use super::widths;
use crate::entity::image::{ActiveModel, Column, Entity};
use crate::images::random_of;

/// An image to insert.
pub struct NewImage<'a> {
    pub name: &'a str,
    pub org: Option<OrgId>,
    pub person: PersonId,
    pub media_type: &'a str,
    /// Widths of its smaller versions, narrowest first.
    pub widths: &'a [u32],
    pub now: Timestamp,
}

/// Inserts an image.
pub async fn insert(tx: &impl ConnectionTrait, new: NewImage<'_>) -> Result<(), DbErr> {
    let row = ActiveModel {
        name: Set(new.name.to_owned()),
        org: Set(new.org),
        person: Set(new.person),
        media_type: Set(new.media_type.to_owned()),
        created_at: Set(new.now),
        widths: Set(widths::text(new.widths)),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Returns the media type of an image and the widths of its smaller versions. It needs no permission: images are
/// public under their unguessable names.
pub async fn by_name(conn: &impl ConnectionTrait, name: &str) -> Result<Option<(String, Vec<u32>)>, DbErr> {
    let row: Option<(String, String)> = Entity::find_by_id(name)
        .select_only()
        .columns([Column::MediaType, Column::Widths])
        .into_tuple()
        .one(conn)
        .await?;
    row.map(|(media_type, widths)| Ok((media_type, widths::parse("image", "widths", name, &widths)?)))
        .transpose()
}

/// Returns whether an image has a row.
pub async fn exists(conn: &impl ConnectionTrait, name: &str) -> Result<bool, DbErr> {
    Entity::find_by_id(name).exists(conn).await
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
    widths: String,
}

impl Image {
    /// Returns the organisation, or else the person, whose lock keeps the image from coming into use.
    pub fn owner(&self) -> Uid {
        self.org.map_or(self.person.uid(), OrgId::uid)
    }

    /// Returns the keys of the image and of its smaller versions; `None` if this server did not create its name.
    ///
    /// # Errors
    /// If the widths cannot be read.
    pub fn keys(&self) -> Result<Option<Vec<Key>>, DbErr> {
        let Some(random) = random_of(&self.name) else { return Ok(None) };
        let smaller = widths::parse("image", "widths", &self.name, &self.widths)?;
        let smaller = smaller.into_iter().map(|width| Key::image_of_width(random, width));
        Ok(Some(std::iter::once(Key::image(random)).chain(smaller).collect()))
    }
}

/// Returns images uploaded before `before`, ordered by name, starting after `after`.
pub async fn page(
    conn: &impl ConnectionTrait,
    before: Timestamp,
    after: &str,
    limit: u64,
) -> Result<Vec<Image>, DbErr> {
    after_name(after, limit).filter(Column::CreatedAt.lt(before)).into_model().all(conn).await
}

/// Returns images of an organisation, ordered by name, starting after `after`.
pub async fn page_of_org(
    conn: &impl ConnectionTrait,
    org: OrgId,
    after: &str,
    limit: u64,
) -> Result<Vec<Image>, DbErr> {
    after_name(after, limit).filter(Column::Org.eq(org)).into_model().all(conn).await
}

/// Selects the columns of [`Image`], ordered by name, starting after `after`.
fn after_name(after: &str, limit: u64) -> Select<Entity> {
    Entity::find()
        .select_only()
        .columns([Column::Name, Column::Org, Column::Person, Column::Widths])
        .filter(Column::Name.gt(after))
        .order_by_asc(Column::Name)
        .limit(limit)
}

/// Removes the rows of images.
pub async fn remove_all(tx: &impl ConnectionTrait, names: &[&str]) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Name.is_in(names.iter().copied())).exec(tx).await?;
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

/// Returns the images that a person uploaded as photos.
pub async fn photos_of(conn: &impl ConnectionTrait, person: PersonId) -> Result<Vec<Image>, DbErr> {
    let photos = after_name("", u64::from(u32::MAX)).filter(Column::Person.eq(person));
    photos.filter(Column::Org.is_null()).into_model().all(conn).await
}

/// Replaces the person who uploaded images.
pub async fn hand_over(tx: &impl ConnectionTrait, person: PersonId, stand_in: PersonId) -> Result<(), DbErr> {
    let update = Entity::update_many().col_expr(Column::Person, Expr::value(stand_in));
    update.filter(Column::Person.eq(person)).exec(tx).await.map(drop)
}
