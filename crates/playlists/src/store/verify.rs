//! All playlists with their items and their index, for the checks of the stored data.

use std::collections::{BTreeSet, HashMap};

use kernel::{ContentId, OrgId, PlaylistId};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder as _, QuerySelect as _,
    Statement,
};

use super::{index_items, unindex_items};
use crate::entity::playlist::{Column, Entity};
use crate::entity::playlist_item;

/// A playlist and what the index says about it.
pub struct Checked {
    pub uid: PlaylistId,
    pub org: OrgId,
    /// The items in order, or `None` if they cannot be read.
    pub items: Option<Vec<ContentId>>,
    /// The items in the index.
    pub indexed: BTreeSet<ContentId>,
}

/// Entries of the index whose playlist was deleted or belongs to another organisation.
const STRAY: &str = "SELECT DISTINCT i.playlist FROM playlist_item i JOIN playlist p ON p.uid = i.playlist \
     WHERE p.deleted_at IS NOT NULL OR p.org <> i.org ORDER BY 1";

/// Returns a page of the playlists of all organisations, without deleted ones.
pub async fn page(conn: &impl ConnectionTrait, after: PlaylistId, limit: u64) -> Result<Vec<Checked>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Uid.gt(after))
        .filter(Column::DeletedAt.is_null())
        .order_by_asc(Column::Uid)
        .limit(limit)
        .all(conn)
        .await?;
    let uids: Vec<PlaylistId> = rows.iter().map(|row| row.uid).collect();
    let mut indexed = index_of(conn, &uids).await?;
    let checked = rows.into_iter().map(|row| Checked {
        uid: row.uid,
        org: row.org,
        items: serde_json::from_value(row.items).ok(),
        indexed: indexed.remove(&row.uid).unwrap_or_default(),
    });
    Ok(checked.collect())
}

/// Returns one playlist, unless it was deleted.
pub async fn one(conn: &impl ConnectionTrait, uid: PlaylistId) -> Result<Option<Checked>, DbErr> {
    let row = Entity::find_by_id(uid).filter(Column::DeletedAt.is_null()).one(conn).await?;
    let Some(row) = row else { return Ok(None) };
    let indexed = index_of(conn, &[uid]).await?.remove(&uid).unwrap_or_default();
    Ok(Some(Checked { uid, org: row.org, items: serde_json::from_value(row.items).ok(), indexed }))
}

async fn index_of(
    conn: &impl ConnectionTrait,
    uids: &[PlaylistId],
) -> Result<HashMap<PlaylistId, BTreeSet<ContentId>>, DbErr> {
    let rows: Vec<(PlaylistId, ContentId)> = playlist_item::Entity::find()
        .select_only()
        .columns([playlist_item::Column::Playlist, playlist_item::Column::Content])
        .filter(playlist_item::Column::Playlist.is_in(uids.iter().copied()))
        .into_tuple()
        .all(conn)
        .await?;
    let mut indexed: HashMap<PlaylistId, BTreeSet<ContentId>> = HashMap::new();
    for (playlist, content) in rows {
        indexed.entry(playlist).or_default().insert(content);
    }
    Ok(indexed)
}

/// Returns the playlists of which the index has entries that it must not have.
pub async fn stray(conn: &impl ConnectionTrait) -> Result<Vec<PlaylistId>, DbErr> {
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), STRAY)).await?;
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Writes the index of a playlist anew.
pub async fn reindex(
    tx: &impl ConnectionTrait,
    org: OrgId,
    playlist: PlaylistId,
    items: &[ContentId],
) -> Result<(), DbErr> {
    unindex_items(tx, playlist).await?;
    index_items(tx, org, playlist, items).await
}

/// Returns the organisation of a playlist, deleted or not.
pub async fn org_of(conn: &impl ConnectionTrait, uid: PlaylistId) -> Result<Option<OrgId>, DbErr> {
    Entity::find_by_id(uid).select_only().column(Column::Org).into_tuple().one(conn).await
}
