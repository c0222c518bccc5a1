//! Playlists that were deleted recently, their restoration and their removal.

use db::LatestFirst;
use kernel::{ContentId, Keyset, OrgId, PlaylistId, Timestamp};
use orgs::OrgOf;
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};

use super::change;
use crate::entity::playlist::{Column, Entity};
use crate::entity::playlist_item;
use crate::model::{Changes, Playlist};

/// The organisation of a deleted playlist.
pub fn owner(uid: PlaylistId) -> OrgOf {
    OrgOf { sql: "(SELECT org FROM playlist WHERE uid = $1 AND deleted_at IS NOT NULL)", object: uid.uid() }
}

/// The organisation of a playlist, deleted or not.
pub fn owner_of_either(uid: PlaylistId) -> OrgOf {
    OrgOf { sql: "(SELECT org FROM playlist WHERE uid = $1)", object: uid.uid() }
}

/// A deleted playlist and the time of its deletion.
pub struct Deleted {
    pub playlist: Playlist,
    pub at: Timestamp,
}

/// Returns a page of the playlists deleted at `since` or later, the latest deletion first.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    since: Timestamp,
    keyset: Keyset,
) -> Result<Vec<Deleted>, DbErr> {
    let order = LatestFirst { at: Column::DeletedAt, uid: Column::Uid };
    let all = Entity::find().filter(Column::Org.eq(org));
    let mut page = Vec::new();
    for row in order.page(conn, deleted_since(org, since), all, keyset).await? {
        let at = row.deleted_at.unwrap_or(since);
        page.push(Deleted { playlist: row.try_into()?, at });
    }
    Ok(page)
}

/// Returns a playlist deleted at `since` or later.
pub async fn by_id(
    conn: &impl ConnectionTrait,
    org: OrgId,
    uid: PlaylistId,
    since: Timestamp,
) -> Result<Option<Playlist>, DbErr> {
    let row = deleted_since(org, since).filter(Column::Uid.eq(uid)).one(conn).await?;
    row.map(TryInto::try_into).transpose()
}

fn deleted_since(org: OrgId, since: Timestamp) -> Select<Entity> {
    Entity::find().filter(Column::Org.eq(org)).filter(Column::DeletedAt.gte(since))
}

/// Takes back the deletion of a playlist, with these items.
pub async fn restore(
    tx: &impl ConnectionTrait,
    playlist: &Playlist,
    items: Vec<ContentId>,
    now: Timestamp,
) -> Result<Playlist, DbErr> {
    Entity::update_many()
        .col_expr(Column::DeletedAt, Expr::value(None::<Timestamp>))
        .filter(Column::Uid.eq(playlist.uid))
        .exec(tx)
        .await?;
    let changes = Changes { items: Some(items), ..Changes::default() };
    change(tx, playlist.org, playlist.uid, changes, Ord::max(now, playlist.modified_at + 1)).await
}

/// Removes the row of a deleted playlist. Returns false if there was none.
pub async fn remove(tx: &impl ConnectionTrait, org: OrgId, uid: PlaylistId) -> Result<bool, DbErr> {
    let removed = Entity::delete_many()
        .filter(Column::Org.eq(org))
        .filter(Column::Uid.eq(uid))
        .filter(Column::DeletedAt.is_not_null())
        .exec(tx)
        .await?;
    Ok(removed.rows_affected == 1)
}

/// Removes the rows of playlists deleted before `before`, at most `limit`; returns how many.
pub async fn remove_old(tx: &impl ConnectionTrait, before: Timestamp, limit: u64) -> Result<u64, DbErr> {
    let old = Query::select()
        .column(Column::Uid)
        .from(Entity)
        .and_where(Column::DeletedAt.lt(before))
        .limit(limit)
        .take();
    // Repeated outside the subquery, because a playlist may be restored while this waits for its row.
    let delete =
        Entity::delete_many().filter(Column::Uid.in_subquery(old)).filter(Column::DeletedAt.lt(before));
    Ok(delete.exec(tx).await?.rows_affected)
}

/// Returns whether a playlist was deleted before `before`.
pub async fn has_old(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    let old = Entity::find().select_only().column(Column::Uid).filter(Column::DeletedAt.lt(before));
    Ok(old.into_tuple::<PlaylistId>().one(conn).await?.is_some())
}

/// Removes playlists of an organisation with their items, at most `limit`; returns how many.
pub async fn remove_of_org(tx: &impl ConnectionTrait, org: OrgId, limit: u64) -> Result<u64, DbErr> {
    let page: Vec<PlaylistId> = Entity::find()
        .select_only()
        .column(Column::Uid)
        .filter(Column::Org.eq(org))
        .order_by_asc(Column::Uid)
        .limit(limit)
        .into_tuple()
        .all(tx)
        .await?;
    let of_page = playlist_item::Column::Playlist.is_in(page.iter().copied());
    playlist_item::Entity::delete_many().filter(of_page).exec(tx).await?;
    let removed = Entity::delete_many().filter(Column::Uid.is_in(page)).exec(tx).await?;
    Ok(removed.rows_affected)
}
