//! Drafts: items whose file has not been uploaded yet.

use kernel::{ContentId, PersonId, Timestamp};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait as _, QueryFilter, QueryOrder,
    QuerySelect, Select, SelectExt as _,
};

use super::content::readable;
use crate::entity::content::{Column, Entity};
use crate::item::Item;
use crate::model::Origin;

/// Counts a person's drafts without a file, across all organisations.
pub async fn open_drafts(tx: &impl ConnectionTrait, person: PersonId) -> Result<u64, DbErr> {
    Entity::find()
        .filter(Column::CreatedBy.eq(person))
        .filter(Column::Origin.eq(Origin::Draft))
        .filter(Column::DeletedAt.is_null())
        .count(tx)
        .await
}

/// Returns drafts created before `before`, oldest first.
pub async fn stale_drafts(conn: &impl ConnectionTrait, before: Timestamp) -> Result<Vec<Item>, DbErr> {
    let rows = find_stale_drafts(before).order_by_asc(Column::Uid).limit(500).all(conn).await?;
    Ok(readable(rows))
}

/// Returns whether there is a draft created before `before`.
pub async fn any_stale_draft(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    find_stale_drafts(before).exists(conn).await
}

fn find_stale_drafts(before: Timestamp) -> Select<Entity> {
    Entity::find()
        .filter(Column::Origin.eq(Origin::Draft))
        .filter(Column::CreatedAt.lt(before))
        .filter(Column::DeletedAt.is_null())
}

/// Deletes a draft. Returns false if its file was uploaded in the meantime.
pub async fn remove_draft(tx: &impl ConnectionTrait, uid: ContentId, now: Timestamp) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::DeletedAt, Expr::val(Some(now)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Origin.eq(Origin::Draft))
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}
