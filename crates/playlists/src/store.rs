//! All SQL of this crate. Every query that returns playlists filters by organisation. [`owner`] and
//! [`org_of`] only find the organisation in which to check the caller's rights.

pub mod deleted;
pub mod places;
pub mod verify;

use std::collections::{BTreeSet, HashMap, HashSet};

use content::{PlaylistAccess, Schedule, within_dates};
use db::rows::WriteSet;
use db::search::{contains, folded};
use db::{Stored, empty_if_none, none_if_empty, set_if_some, set_nullable, set_text};
use kernel::{ContentId, Keyset, Millis, OrgId, PlaylistId, Privacy, Timestamp};
use orgs::OrgOf;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::{Expr, ExprTrait as _, Query, SelectStatement};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbBackend, DbErr, EntityTrait,
    FromQueryResult, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect, Select, Value,
};

use crate::entity::playlist::{ActiveModel, Column, Entity, Model};
use crate::entity::playlist_item;
use crate::model::{Changes, Draft, Playlist, Sort};

impl TryFrom<Model> for Playlist {
    type Error = DbErr;

    fn try_from(row: Model) -> Result<Self, DbErr> {
        Ok(Self {
            privacy: row.privacy.known("playlist", "privacy", row.uid)?,
            items: serde_json::from_value(row.items)
                .map_err(|_| db::unreadable("playlist", "items", row.uid))?,
            schedule: Schedule { publish_at: row.publish_at, expire_at: row.expire_at },
            uid: row.uid,
            org: row.org,
            title: row.title,
            description: row.description,
            preview: none_if_empty(row.preview),
            contact_email: none_if_empty(row.contact_email),
            contact_phone: none_if_empty(row.contact_phone),
            watch_ms: row.watch_ms,
            created_at: row.created_at,
            modified_at: row.modified_at,
        })
    }
}

/// Filter and order of a list.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only public playlists.
    pub public_only: bool,
    /// Only playlists whose dates let app users see them at this time.
    pub open_at: Option<Timestamp>,
    /// Text to find in the title.
    pub search: Option<String>,
    /// Order of the rows.
    pub sort: Sort,
}

fn not_deleted(org: OrgId) -> Select<Entity> {
    Entity::find().filter(Column::Org.eq(org)).filter(Column::DeletedAt.is_null())
}

/// Returns a page of the organisation's playlists.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    filter: &Filter,
    keyset: Keyset,
) -> Result<Vec<Playlist>, DbErr> {
    let mut query = not_deleted(org);
    if filter.public_only {
        query = query.filter(Column::Privacy.eq(Privacy::Public));
    }
    if let Some(now) = filter.open_at {
        query = query.filter(within_dates(Column::PublishAt, Column::ExpireAt, now));
    }
    if let Some(search) = &filter.search {
        query = query.filter(Expr::col(Column::TitleFolded).like(contains(search)));
    }
    if let Some(after) = keyset.start_after {
        query = query.filter(after_anchor(conn, org, filter.sort, after.into()).await?);
    }
    query = match filter.sort {
        Sort::New => query,
        Sort::Title => query.order_by_asc(Column::TitleFolded),
        Sort::Watched => query.order_by_desc(Column::WatchMs),
    };
    let rows = query.order_by_desc(Column::Uid).limit(keyset.limit).all(conn).await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Selects the rows after the anchor in the given order. A deleted anchor still marks its position.
async fn after_anchor(
    conn: &impl ConnectionTrait,
    org: OrgId,
    sort: Sort,
    after: PlaylistId,
) -> Result<Condition, DbErr> {
    let older = Column::Uid.lt(after);
    if sort == Sort::New {
        return Ok(Condition::all().add(older));
    }
    let anchor = Entity::find_by_id(after).filter(Column::Org.eq(org)).one(conn).await?;
    let Some(anchor) = anchor else { return Ok(Condition::all().add(older)) };
    let (further, level) = match sort {
        Sort::Title => {
            let title = anchor.title_folded;
            (Column::TitleFolded.gt(title.as_str()), Column::TitleFolded.eq(title))
        }
        _ => (Column::WatchMs.lt(anchor.watch_ms), Column::WatchMs.eq(anchor.watch_ms)),
    };
    Ok(Condition::any().add(further).add(Condition::all().add(level).add(older)))
}

/// The organisation of a playlist.
pub fn owner(uid: PlaylistId) -> OrgOf {
    OrgOf { sql: "(SELECT org FROM playlist WHERE uid = $1 AND deleted_at IS NULL)", object: uid.uid() }
}

/// Returns the organisation a playlist belongs to. Use it only to check rights, never to return data.
pub async fn org_of(conn: &impl ConnectionTrait, uid: PlaylistId) -> Result<Option<OrgId>, DbErr> {
    Entity::find_by_id(uid)
        .select_only()
        .column(Column::Org)
        .filter(Column::DeletedAt.is_null())
        .into_tuple()
        .one(conn)
        .await
}

/// Returns a playlist of the organisation.
pub async fn by_id(
    conn: &impl ConnectionTrait,
    org: OrgId,
    uid: PlaylistId,
) -> Result<Option<Playlist>, DbErr> {
    let row = not_deleted(org).filter(Column::Uid.eq(uid)).one(conn).await?;
    row.map(TryInto::try_into).transpose()
}

/// Returns the playlists of the organisation among `uids`, in no particular order.
pub async fn by_ids(
    conn: &impl ConnectionTrait,
    org: OrgId,
    uids: &[PlaylistId],
) -> Result<Vec<Playlist>, DbErr> {
    if uids.is_empty() {
        return Ok(Vec::new());
    }
    let among = db::among(conn.get_database_backend(), Column::Uid, uids);
    let rows = not_deleted(org).filter(among).all(conn).await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Inserts a playlist and indexes its items.
pub async fn insert(
    tx: &impl ConnectionTrait,
    org: OrgId,
    uid: PlaylistId,
    draft: Draft,
    now: Timestamp,
) -> Result<Playlist, DbErr> {
    let row = Model {
        uid,
        org,
        title_folded: folded(&draft.title),
        title: draft.title,
        description: draft.description,
        preview: empty_if_none(draft.preview),
        privacy: draft.privacy.into(),
        contact_email: empty_if_none(draft.contact_email),
        contact_phone: empty_if_none(draft.contact_phone),
        items: serde_json::json!(draft.items),
        watch_ms: 0,
        created_at: now,
        modified_at: now,
        deleted_at: None,
        publish_at: draft.schedule.publish_at,
        expire_at: draft.schedule.expire_at,
    };
    Entity::insert(row.clone().into_active_model().reset_all()).exec_without_returning(tx).await?;
    index_items(tx, org, uid, &draft.items).await?;
    row.try_into()
}

/// Updates an existing playlist and the index of its items.
pub async fn change(
    tx: &impl ConnectionTrait,
    org: OrgId,
    uid: PlaylistId,
    changes: Changes,
    now: Timestamp,
) -> Result<Playlist, DbErr> {
    if let Some(items) = &changes.items {
        unindex_items(tx, uid).await?;
        index_items(tx, org, uid, items).await?;
    }
    let row = ActiveModel {
        uid: Unchanged(uid),
        title_folded: set_if_some(changes.title.as_deref().map(folded)),
        title: set_if_some(changes.title),
        description: set_if_some(changes.description),
        preview: set_text(changes.preview),
        privacy: set_if_some(changes.privacy.map(Stored::Known)),
        publish_at: set_nullable(changes.schedule.publish_at),
        expire_at: set_nullable(changes.schedule.expire_at),
        contact_email: set_text(changes.contact_email),
        contact_phone: set_text(changes.contact_phone),
        items: set_if_some(changes.items.map(|items| serde_json::json!(items))),
        modified_at: Set(now),
        ..Default::default()
    };
    row.update(tx).await?.try_into()
}

/// Deletes a playlist and keeps its content. Returns false if there was none.
pub async fn remove(
    tx: &impl ConnectionTrait,
    org: OrgId,
    uid: PlaylistId,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let removed = Entity::update_many()
        .col_expr(Column::DeletedAt, Expr::value(Some(now)))
        .filter(Column::Org.eq(org))
        .filter(Column::Uid.eq(uid))
        .filter(Column::DeletedAt.is_null())
        .exec(tx)
        .await?;
    unindex_items(tx, uid).await?;
    Ok(removed.rows_affected == 1)
}

async fn unindex_items(tx: &impl ConnectionTrait, playlist: PlaylistId) -> Result<(), DbErr> {
    playlist_item::Entity::delete_many()
        .filter(playlist_item::Column::Playlist.eq(playlist))
        .exec(tx)
        .await?;
    Ok(())
}

async fn index_items(
    tx: &impl ConnectionTrait,
    org: OrgId,
    playlist: PlaylistId,
    items: &[ContentId],
) -> Result<(), DbErr> {
    if items.is_empty() {
        return Ok(());
    }
    // At most `ITEMS_MAX` rows, which fit into one statement on both engines.
    let rows = items.iter().map(|content| playlist_item::ActiveModel {
        content: Set(*content),
        playlist: Set(playlist),
        org: Set(org),
    });
    playlist_item::Entity::insert_many(rows).exec_without_returning(tx).await?;
    Ok(())
}

/// Removes a deleted item from every playlist of the organisation that contains it.
pub async fn remove_item(tx: &impl ConnectionTrait, org: OrgId, content: ContentId) -> Result<(), DbErr> {
    for playlist in by_ids(tx, org, &containing(tx, org, content).await?).await? {
        let items: Vec<ContentId> = playlist.items.into_iter().filter(|item| *item != content).collect();
        let changes = Changes { items: Some(items), ..Changes::default() };
        // A later time, so that an editor who still has the old list gets a conflict.
        change(tx, org, playlist.uid, changes, playlist.modified_at + 1).await?;
    }
    Ok(())
}

/// Builds a query for the given paths that a playlist uses as its thumbnail, deleted playlists included.
pub fn previews_among(paths: &[String]) -> SelectStatement {
    Query::select()
        .column(Column::Preview)
        .from(Entity)
        .and_where(Column::Preview.is_in(paths))
        // The condition of the index.
        .and_where(Expr::cust("preview <> ''"))
        .take()
}

#[derive(PartialEq, Eq, Hash, FromQueryResult)]
struct PlaylistItem {
    playlist: PlaylistId,
    content: ContentId,
}

/// Keeps only those items of the playlists that the query `open` selects, or none if there is no `open`.
pub async fn retain_open(
    conn: &impl ConnectionTrait,
    playlists: &mut [Playlist],
    open: Option<SelectStatement>,
) -> Result<(), DbErr> {
    let uids: Vec<PlaylistId> = playlists.iter().map(|playlist| playlist.uid).collect();
    let shown: HashSet<PlaylistItem> = match open {
        Some(open) if !uids.is_empty() => playlist_item::Entity::find()
            .select_only()
            .columns([playlist_item::Column::Playlist, playlist_item::Column::Content])
            .filter(playlist_item::Column::Playlist.is_in(uids))
            .filter(playlist_item::Column::Content.in_subquery(open))
            .into_model::<PlaylistItem>()
            .all(conn)
            .await?
            .into_iter()
            .collect(),
        _ => HashSet::new(),
    };
    for playlist in playlists {
        let uid = playlist.uid;
        playlist.items.retain(|item| shown.contains(&PlaylistItem { playlist: uid, content: *item }));
    }
    Ok(())
}

/// Returns the playlists of the organisation that contain an item.
pub async fn containing(
    conn: &impl ConnectionTrait,
    org: OrgId,
    content: ContentId,
) -> Result<Vec<PlaylistId>, DbErr> {
    playlist_item::Entity::find()
        .select_only()
        .column(playlist_item::Column::Playlist)
        .filter(playlist_item::Column::Org.eq(org))
        .filter(playlist_item::Column::Content.eq(content))
        .into_tuple()
        .all(conn)
        .await
}

/// Returns, by item, the public playlists of the organisation that contain it, oldest first, with their dates.
pub async fn public_with(
    conn: &impl ConnectionTrait,
    org: OrgId,
    items: &[ContentId],
) -> Result<HashMap<ContentId, Vec<(PlaylistId, Schedule)>>, DbErr> {
    if items.is_empty() {
        return Ok(HashMap::new());
    }
    let backend = conn.get_database_backend();
    let places: Vec<(ContentId, PlaylistId)> = playlist_item::Entity::find()
        .select_only()
        .columns([playlist_item::Column::Content, playlist_item::Column::Playlist])
        .filter(playlist_item::Column::Org.eq(org))
        .filter(db::among(backend, playlist_item::Column::Content, items))
        .into_tuple()
        .all(conn)
        .await?;
    let holders: BTreeSet<PlaylistId> = places.iter().map(|(_, playlist)| *playlist).collect();
    let holders: Vec<PlaylistId> = holders.into_iter().collect();
    let rows: Vec<(PlaylistId, Option<Timestamp>, Option<Timestamp>)> = not_deleted(org)
        .select_only()
        .columns([Column::Uid, Column::PublishAt, Column::ExpireAt])
        .filter(db::among(backend, Column::Uid, &holders))
        .filter(Column::Privacy.eq(Privacy::Public))
        .into_tuple()
        .all(conn)
        .await?;
    let schedules: HashMap<PlaylistId, Schedule> = rows
        .into_iter()
        .map(|(uid, publish_at, expire_at)| (uid, Schedule { publish_at, expire_at }))
        .collect();
    let mut found: HashMap<ContentId, Vec<(PlaylistId, Schedule)>> = HashMap::new();
    for (content, playlist) in places {
        if let Some(schedule) = schedules.get(&playlist) {
            found.entry(content).or_default().push((playlist, *schedule));
        }
    }
    for holders in found.values_mut() {
        holders.sort_unstable_by_key(|(playlist, _)| *playlist);
    }
    Ok(found)
}

/// Returns what decides who may open a playlist, if it contains the item.
pub async fn access_if_contains(
    conn: &impl ConnectionTrait,
    org: OrgId,
    playlist: PlaylistId,
    content: ContentId,
) -> Result<Option<PlaylistAccess>, DbErr> {
    let holders = Query::select()
        .column(playlist_item::Column::Playlist)
        .from(playlist_item::Entity)
        .and_where(playlist_item::Column::Content.eq(content))
        .and_where(playlist_item::Column::Playlist.eq(playlist))
        .take();
    let stored: Option<(Stored<Privacy>, Option<Timestamp>, Option<Timestamp>)> = not_deleted(org)
        .select_only()
        .columns([Column::Privacy, Column::PublishAt, Column::ExpireAt])
        .filter(Column::Uid.in_subquery(holders))
        .into_tuple()
        .one(conn)
        .await?;
    let Some((privacy, publish_at, expire_at)) = stored else { return Ok(None) };
    let privacy = privacy.known("playlist", "privacy", playlist)?;
    Ok(Some(PlaylistAccess { privacy, schedule: Schedule { publish_at, expire_at } }))
}

/// Builds a query for the ids of all items in a playlist of the organisation.
pub fn item_ids(org: OrgId) -> SelectStatement {
    Query::select()
        .column(playlist_item::Column::Content)
        .from(playlist_item::Entity)
        .and_where(playlist_item::Column::Org.eq(org))
        .take()
}

/// Builds a query for the ids of all items in a playlist of the organisation that app users may open.
pub fn open_item_ids(org: OrgId, now: Timestamp) -> SelectStatement {
    let open = Query::select()
        .column(Column::Uid)
        .from(Entity)
        .and_where(Column::Org.eq(org))
        .and_where(Column::DeletedAt.is_null())
        .and_where(Column::Privacy.is_in([Privacy::Public, Privacy::Unlisted]))
        .cond_where(content::within_dates(Column::PublishAt, Column::ExpireAt, now))
        .take();
    let mut items = item_ids(org);
    items.and_where(playlist_item::Column::Playlist.in_subquery(open));
    items
}

/// Locks the playlists in the order of their ids, so that two transactions never wait for each other.
const ADD_WATCH_TIME: &str = "UPDATE playlist SET watch_ms = playlist.watch_ms + w.watch_ms \
     FROM (SELECT p.uid, want.watch_ms FROM want JOIN playlist p ON p.uid = want.uid AND p.org = want.org \
     ORDER BY p.uid FOR NO KEY UPDATE OF p) w WHERE playlist.uid = w.uid";
/// The same for SQLite, which has one writer.
const ADD_WATCH_TIME_SQLITE: &str = "UPDATE playlist SET watch_ms = playlist.watch_ms + want.watch_ms FROM want \
     WHERE playlist.uid = want.uid AND playlist.org = want.org";

/// Adds to the watch time of playlists.
pub fn add_watch_time(writes: &mut WriteSet, watched: &[(OrgId, PlaylistId, Millis)]) -> Result<(), DbErr> {
    let rows: Vec<[Value; 3]> = watched
        .iter()
        .map(|(org, playlist, watch_ms)| [(*org).into(), (*playlist).into(), (*watch_ms).into()])
        .collect();
    let update = if writes.backend() == DbBackend::Postgres { ADD_WATCH_TIME } else { ADD_WATCH_TIME_SQLITE };
    writes.by_keys("org, uid, watch_ms", &rows, update)
}
