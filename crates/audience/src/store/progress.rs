//! How far people are in items, and their last visits. Every query is limited to one person.

use std::collections::HashMap;

use db::Db;
use kernel::{ContentId, OrgId, PersonId, iso};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use serde_json::{Value, json};

use crate::entity::{item_progress, last_visit};
use crate::progress::model::{ItemProgress, Visits};

impl From<item_progress::Model> for ItemProgress {
    fn from(row: item_progress::Model) -> Self {
        Self {
            content: row.content,
            playlist: row.playlist,
            position: row.position,
            length: row.length,
            seen_at: row.seen_at,
            taken_at: row.taken_at,
        }
    }
}

fn of_person(org: OrgId, person: PersonId) -> sea_orm::Select<item_progress::Entity> {
    item_progress::Entity::find()
        .filter(item_progress::Column::Org.eq(org))
        .filter(item_progress::Column::Person.eq(person))
}

/// Returns the person's latest items, newest first.
pub async fn latest(
    conn: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    limit: u64,
) -> Result<Vec<ItemProgress>, DbErr> {
    let newest = of_person(org, person).order_by_desc(item_progress::Column::TakenAt);
    let rows = newest.order_by_asc(item_progress::Column::Content).limit(limit).all(conn).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Returns what is stored about these items.
pub async fn among(
    conn: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    items: &[ContentId],
) -> Result<HashMap<ContentId, ItemProgress>, DbErr> {
    if items.is_empty() {
        return Ok(HashMap::new());
    }
    let wanted = item_progress::Column::Content.is_in(items.iter().copied());
    let rows = of_person(org, person).filter(wanted).all(conn).await?;
    Ok(rows.into_iter().map(|row| (row.content, row.into())).collect())
}

/// Stores the items, in place of what is stored about them.
pub async fn put(
    tx: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    items: &[ItemProgress],
) -> Result<(), DbErr> {
    use item_progress::Column;
    if items.is_empty() {
        return Ok(());
    }
    let rows = items.iter().map(|item| item_progress::ActiveModel {
        org: Set(org),
        person: Set(person),
        content: Set(item.content),
        playlist: Set(item.playlist),
        position: Set(item.position),
        length: Set(item.length),
        seen_at: Set(item.seen_at),
        taken_at: Set(item.taken_at),
    });
    let replace = OnConflict::columns([Column::Org, Column::Person, Column::Content])
        .update_columns([Column::Playlist, Column::Position, Column::Length, Column::SeenAt, Column::TakenAt])
        .to_owned();
    item_progress::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// Returns the person's visits.
pub async fn visits(
    conn: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
) -> Result<Option<Visits>, DbErr> {
    let row = last_visit::Entity::find_by_id((org, person)).one(conn).await?;
    Ok(row.map(|row| Visits { active_at: row.active_at, previous_at: row.previous_at }))
}

/// Stores the person's visits.
pub async fn put_visits(
    tx: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    visits: Visits,
) -> Result<(), DbErr> {
    use last_visit::Column;
    let row = last_visit::ActiveModel {
        org: Set(org),
        person: Set(person),
        active_at: Set(visits.active_at),
        previous_at: Set(visits.previous_at),
    };
    let replace = OnConflict::columns([Column::Org, Column::Person])
        .update_columns([Column::ActiveAt, Column::PreviousAt])
        .to_owned();
    last_visit::Entity::insert(row).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// Returns all positions of a person, newest first, for the person's export.
pub async fn export_items(conn: &impl ConnectionTrait, person: PersonId) -> Result<Value, DbErr> {
    let items = item_progress::Entity::find()
        .filter(item_progress::Column::Person.eq(person))
        .order_by_desc(item_progress::Column::TakenAt)
        .order_by_asc(item_progress::Column::Content);
    let rows = items.all(conn).await?.into_iter().map(|row| {
        json!({
            "orgId": row.org, "contentId": row.content, "playlistId": row.playlist, "position": row.position,
            "length": row.length, "timeSeen": row.seen_at.map(iso), "time": iso(row.taken_at),
        })
    });
    Ok(rows.collect())
}

/// Returns the last visits of a person, for the person's export.
pub async fn export_visits(conn: &impl ConnectionTrait, person: PersonId) -> Result<Value, DbErr> {
    let visits = last_visit::Entity::find()
        .filter(last_visit::Column::Person.eq(person))
        .order_by_asc(last_visit::Column::Org);
    let rows = visits.all(conn).await?.into_iter().map(
        |row| json!({ "orgId": row.org, "time": iso(row.active_at), "timeBefore": row.previous_at.map(iso) }),
    );
    Ok(rows.collect())
}

/// Deletes what is stored about a person in an organisation.
pub async fn remove(tx: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<(), DbErr> {
    item_progress::Entity::delete_many()
        .filter(item_progress::Column::Org.eq(org))
        .filter(item_progress::Column::Person.eq(person))
        .exec(tx)
        .await?;
    last_visit::Entity::delete_by_id((org, person)).exec(tx).await?;
    Ok(())
}

/// Deletes what is stored about a person in all organisations.
pub async fn remove_all(tx: &impl ConnectionTrait, person: PersonId) -> Result<(), DbErr> {
    let items = item_progress::Entity::delete_many().filter(item_progress::Column::Person.eq(person));
    items.exec(tx).await?;
    let visits = last_visit::Entity::delete_many().filter(last_visit::Column::Person.eq(person));
    visits.exec(tx).await?;
    Ok(())
}

/// Removes what is stored about the people of an organisation.
pub async fn remove_of_org(db: &Db, org: OrgId) -> Result<(), DbErr> {
    db::rows::remove_all(db, "item_progress", "org, person, content", "org", org).await?;
    db::rows::remove_all(db, "last_visit", "org, person", "org", org).await
}
