//! Items and the playlists that contain them.

use kernel::{OrgId, Privacy, Timestamp};
use sea_orm::sea_query::{Query, SelectStatement};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
};

use crate::entity::{playlist, playlist_item};
use crate::placements::ItemPlacement;

#[derive(FromQueryResult)]
struct Row {
    playlist: kernel::PlaylistId,
    content: kernel::ContentId,
}

/// Returns the places of the items that the query selects, the newest items first; of an item, the oldest playlist
/// first. With `listed_at`, only in playlists that app users find in lists at that time.
pub async fn of_items(
    conn: &impl ConnectionTrait,
    org: OrgId,
    items: SelectStatement,
    listed_at: Option<Timestamp>,
    limit: u64,
) -> Result<Vec<ItemPlacement>, DbErr> {
    let mut open = Query::select();
    open.column(playlist::Column::Uid)
        .from(playlist::Entity)
        .and_where(playlist::Column::Org.eq(org))
        .and_where(playlist::Column::DeletedAt.is_null());
    if let Some(now) = listed_at {
        open.and_where(playlist::Column::Privacy.eq(Privacy::Public)).cond_where(content::within_dates(
            playlist::Column::PublishAt,
            playlist::Column::ExpireAt,
            now,
        ));
    }
    let rows = playlist_item::Entity::find()
        .select_only()
        .columns([playlist_item::Column::Playlist, playlist_item::Column::Content])
        .filter(playlist_item::Column::Org.eq(org))
        .filter(playlist_item::Column::Content.in_subquery(items))
        .filter(playlist_item::Column::Playlist.in_subquery(open))
        .order_by_desc(playlist_item::Column::Content)
        .order_by_asc(playlist_item::Column::Playlist)
        .limit(limit)
        .into_model::<Row>()
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(|row| ItemPlacement { playlist: row.playlist, content: row.content }).collect())
}
