//! Content items.

use db::rows::WriteSet;
use db::search::{contains, folded};
use db::{Stored, empty_if_none, none_if_empty, set_if_some, set_nullable};
use kernel::{ContentId, Keyset, OrgId, Patch, PersonId, Privacy, Timestamp, VersionId};
use orgs::OrgOf;
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::{Expr, ExprTrait as _, SelectStatement};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, IntoActiveModel,
    PaginatorTrait as _, QueryFilter, QueryOrder, QuerySelect, QueryTrait as _, Select, SelectExt as _,
    Value,
};

use super::widths;
use crate::api::ItemStats;
use crate::entity::content::{ActiveModel, Column, Entity, Model};
use crate::item::{DeclaredFile, Item, Poster, Rendition, Source};
use crate::model::{AnnouncedFile, ContentKind, Origin, Processing};
use crate::schedule::{Schedule, ScheduleChange};
use crate::visibility::within_dates;

impl TryFrom<Model> for Item {
    type Error = DbErr;

    fn try_from(row: Model) -> Result<Self, DbErr> {
        let privacy = row.privacy.known("content", "privacy", row.uid)?;
        let origin = row.origin.known("content", "origin", row.uid)?;
        let kind = row.kind.known("content", "kind", row.uid)?;
        let processing = row.processing.known("content", "processing", row.uid)?;
        let poster = poster(&row)?;
        let captions = serde_json::from_str(&row.captions)
            .map_err(|_| db::unreadable("content", "captions", row.uid))?;
        let file_size: Option<u64> = row
            .file_size
            .map(|size| size.try_into().map_err(|_| db::unreadable("content", "file_size", row.uid)))
            .transpose()?;
        let file = row.file_name.map(|name| DeclaredFile {
            name,
            size: file_size.unwrap_or(0),
            mime: row.file_type,
            modified: row.file_modified,
            checksum: row.file_checksum,
        });
        let source =
            row.source.map(|version| Source { version, media_type: row.media_type, sha256: row.sha256 });
        let rendition = row
            .rendition
            .map(|run| {
                Rendition::read(run, &row.rendition_has)
                    .ok_or_else(|| db::unreadable("content", "rendition_has", row.uid))
            })
            .transpose()?;
        Ok(Self {
            uid: row.uid,
            org: row.org,
            title: row.title,
            description: row.description,
            preview: none_if_empty(row.preview),
            privacy,
            schedule: Schedule { publish_at: row.publish_at, expire_at: row.expire_at },
            origin,
            kind,
            link: none_if_empty(row.link),
            file,
            source,
            duration_ms: row.duration_ms,
            pages: row.pages,
            codecs: row.codecs,
            poster,
            rendition,
            processing,
            progress: row.progress.and_then(|progress| progress.clamp(0, 100).try_into().ok()),
            seconds_left: row.seconds_left,
            failure: row.failure.map(|failure| failure.known("content", "failure", row.uid)).transpose()?,
            processing_run: row.processing_run,
            captions,
            downloadable: row.downloadable,
            views: row.views,
            watch_ms: row.watch_ms,
            created_at: row.created_at,
            modified_at: row.modified_at,
            deleted_at: row.deleted_at,
        })
    }
}

fn poster(row: &Model) -> Result<Option<Poster>, DbErr> {
    let Some(version) = row.poster else { return Ok(None) };
    let widths = widths::parse("content", "poster_widths", row.uid, &row.poster_widths)?;
    Ok(Some(Poster { version, widths }))
}

/// Returns the items that can be read, for jobs; the others are logged and left as they are.
pub(super) fn readable(rows: Vec<Model>) -> Vec<Item> {
    rows.into_iter().filter_map(|row| row.try_into().ok()).collect()
}

/// An item to insert.
pub struct NewItem {
    pub uid: ContentId,
    pub org: OrgId,
    pub person: PersonId,
    pub title: String,
    pub description: String,
    /// Path of the thumbnail.
    pub preview: Option<String>,
    pub privacy: Privacy,
    pub schedule: Schedule,
    pub notify: bool,
    pub body: NewItemBody,
}

/// Source of a new item: a URL or a file.
pub enum NewItemBody {
    Embed { link: String },
    File(AnnouncedFile),
}

/// Inserts an item.
pub async fn insert(tx: &impl ConnectionTrait, new: NewItem, now: Timestamp) -> Result<(), DbErr> {
    let (origin, kind, link, file) = match new.body {
        NewItemBody::Embed { link } => (Origin::Integration, ContentKind::Embed, Some(link), None),
        NewItemBody::File(file) => (Origin::Draft, ContentKind::File, None, Some(file)),
    };
    let row = Model {
        uid: new.uid,
        org: new.org,
        title_folded: folded(&new.title),
        title: new.title,
        description: new.description,
        preview: empty_if_none(new.preview),
        privacy: new.privacy.into(),
        origin: origin.into(),
        kind: kind.into(),
        link: empty_if_none(link),
        file_size: file.as_ref().and_then(|file| file.size).map(signed),
        file_type: file.as_ref().and_then(|file| file.mime.clone()),
        file_modified: file.as_ref().and_then(|file| file.modified),
        file_checksum: file.as_ref().map(AnnouncedFile::checksum),
        file_name: file.map(|file| file.name),
        source: None,
        media_type: None,
        sha256: None,
        duration_ms: None,
        pages: None,
        width: None,
        height: None,
        codecs: None,
        poster: None,
        poster_widths: String::new(),
        processing: Processing::None.into(),
        views: 0,
        watch_ms: 0,
        notify: new.notify,
        created_by: new.person,
        created_at: now,
        modified_at: now,
        deleted_at: None,
        purged_at: None,
        rendition: None,
        rendition_has: String::new(),
        processing_run: None,
        heartbeat_at: None,
        progress: None,
        seconds_left: None,
        failure: None,
        captions: "[]".to_owned(),
        publish_at: new.schedule.publish_at,
        expire_at: new.schedule.expire_at,
        downloadable: None,
    };
    Entity::insert(row.into_active_model().reset_all()).exec_without_returning(tx).await?;
    Ok(())
}

fn signed(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// The organisation of an item.
pub fn owner(uid: ContentId) -> OrgOf {
    OrgOf { sql: "(SELECT org FROM content WHERE uid = $1 AND deleted_at IS NULL)", object: uid.uid() }
}

/// The organisation of an item, deleted or not, whose files still exist.
pub fn owner_of_unpurged(uid: ContentId) -> OrgOf {
    OrgOf { sql: "(SELECT org FROM content WHERE uid = $1 AND purged_at IS NULL)", object: uid.uid() }
}

/// Returns the organisation of an item, deleted or not. Use it only to check rights, never to return data.
pub async fn org_of(conn: &impl ConnectionTrait, uid: ContentId) -> Result<Option<OrgId>, DbErr> {
    Entity::find_by_id(uid).select_only().column(Column::Org).into_tuple().one(conn).await
}

/// Returns whether an item is deleted and its files still exist.
pub async fn is_unpurged(conn: &impl ConnectionTrait, org: OrgId, uid: ContentId) -> Result<bool, DbErr> {
    let found = Entity::find_by_id(uid)
        .filter(Column::Org.eq(org))
        .filter(Column::DeletedAt.is_not_null())
        .filter(Column::PurgedAt.is_null())
        .count(conn)
        .await?;
    Ok(found > 0)
}

/// Returns whether the item should be announced to app users when it becomes available.
pub async fn should_announce(conn: &impl ConnectionTrait, org: OrgId, uid: ContentId) -> Result<bool, DbErr> {
    let notify: Option<bool> = not_deleted(org)
        .select_only()
        .column(Column::Notify)
        .filter(Column::Uid.eq(uid))
        .into_tuple()
        .one(conn)
        .await?;
    Ok(notify.unwrap_or(false))
}

/// Returns an item of this organisation, unless it is deleted.
pub async fn by_id(conn: &impl ConnectionTrait, org: OrgId, uid: ContentId) -> Result<Option<Item>, DbErr> {
    not_deleted(org).filter(Column::Uid.eq(uid)).one(conn).await?.map(TryInto::try_into).transpose()
}

/// Builds a query for the ids of the items that app users of this organisation may see in a playlist. It
/// implements the part of `visibility::may_see` that concerns the item itself.
pub fn open_ids(org: OrgId, now: Timestamp) -> SelectStatement {
    not_deleted(org)
        .select_only()
        .column(Column::Uid)
        .filter(Column::Privacy.eq(Privacy::Public))
        .filter(Column::Origin.ne(Origin::Draft))
        .filter(within_dates(Column::PublishAt, Column::ExpireAt, now))
        .into_query()
}

/// Returns the existing items of this organisation among `ids`, in no particular order.
pub async fn ids_among(
    conn: &impl ConnectionTrait,
    org: OrgId,
    ids: &[ContentId],
) -> Result<Vec<ContentId>, DbErr> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    not_deleted(org)
        .select_only()
        .column(Column::Uid)
        .filter(Column::Uid.is_in(ids.iter().copied()))
        .into_tuple()
        .all(conn)
        .await
}

/// Returns the items of this organisation with these ids, except deleted ones, in no particular order.
pub async fn by_ids(conn: &impl ConnectionTrait, org: OrgId, ids: &[ContentId]) -> Result<Vec<Item>, DbErr> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let among = db::among(conn.get_database_backend(), Column::Uid, ids);
    let rows = not_deleted(org).filter(among).all(conn).await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Returns the existing items of the organisation among `ids` that both queries select.
pub async fn selected_by(
    conn: &impl ConnectionTrait,
    org: OrgId,
    ids: &[ContentId],
    [one, other]: [SelectStatement; 2],
) -> Result<Vec<Item>, DbErr> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let selected = Column::Uid.in_subquery(one).and(Column::Uid.in_subquery(other));
    let rows =
        not_deleted(org).filter(Column::Uid.is_in(ids.iter().copied())).filter(selected).all(conn).await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

fn not_deleted(org: OrgId) -> sea_orm::Select<Entity> {
    Entity::find().filter(Column::Org.eq(org)).filter(Column::DeletedAt.is_null())
}

/// Filter of a list.
#[derive(Default)]
pub struct Filter {
    /// Text to find in the title.
    pub search: Option<String>,
    pub kind: Option<ContentKind>,
    pub processing: Option<Processing>,
    /// A query for the ids of items to leave out.
    pub not_in: Option<SelectStatement>,
}

/// Returns a page of an organisation's items, newest first, drafts included.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    filter: Filter,
    keyset: Keyset,
) -> Result<Vec<Item>, DbErr> {
    let mut query = not_deleted(org);
    if let Some(search) = filter.search {
        query = query.filter(Expr::col(Column::TitleFolded).like(contains(&search)));
    }
    if let Some(kind) = filter.kind {
        query = query.filter(Column::Kind.eq(kind));
    }
    if let Some(processing) = filter.processing {
        query = query.filter(Column::Processing.eq(processing));
    }
    if let Some(ids) = filter.not_in {
        query = query.filter(Column::Uid.not_in_subquery(ids));
    }
    if let Some(after) = keyset.start_after {
        query = query.filter(Column::Uid.lt(after));
    }
    let rows = query.order_by_desc(Column::Uid).limit(keyset.limit).all(conn).await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// A change to an item; `None` leaves a field as it is.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub title: Option<String>,
    pub description: Option<String>,
    /// Path of the thumbnail; `Some(None)` removes it.
    pub preview: Option<Option<String>>,
    pub privacy: Option<Privacy>,
    pub schedule: ScheduleChange,
    pub link: Option<String>,
    pub downloadable: Option<bool>,
}

/// Updates an item. The caller must have checked its organisation in the same transaction.
pub async fn change(
    tx: &impl ConnectionTrait,
    uid: ContentId,
    changes: Changes,
    now: Timestamp,
) -> Result<Item, DbErr> {
    let row = ActiveModel {
        uid: Unchanged(uid),
        title_folded: set_if_some(changes.title.as_deref().map(folded)),
        title: set_if_some(changes.title),
        description: set_if_some(changes.description),
        preview: set_if_some(changes.preview.map(empty_if_none)),
        privacy: set_if_some(changes.privacy.map(Stored::Known)),
        publish_at: set_nullable(changes.schedule.publish_at),
        expire_at: set_nullable(changes.schedule.expire_at),
        link: set_if_some(changes.link),
        downloadable: set_nullable(changes.downloadable.map_or(Patch::Absent, Patch::Value)),
        modified_at: Set(now),
        ..Default::default()
    };
    row.update(tx).await?.try_into()
}

/// Marks an item as deleted at that time; its row is kept for the totals.
pub async fn remove(
    tx: &impl ConnectionTrait,
    org: OrgId,
    uid: ContentId,
    at: Timestamp,
) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::DeletedAt, Expr::val(Some(at)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Org.eq(org))
        .filter(Column::DeletedAt.is_null())
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// A file that was received and verified.
pub struct NewSource {
    /// The upload that created it.
    pub version: VersionId,
    pub file: DeclaredFile,
    pub kind: ContentKind,
    pub media_type: String,
    pub sha256: [u8; 32],
    pub processing: Processing,
}

/// Makes an item serve a new file. Everything derived from the previous file is cleared; captions stay.
pub async fn set_source(
    tx: &impl ConnectionTrait,
    uid: ContentId,
    new_source: NewSource,
    now: Timestamp,
) -> Result<Item, DbErr> {
    let row = ActiveModel {
        uid: Unchanged(uid),
        origin: Set(Origin::Native.into()),
        kind: Set(new_source.kind.into()),
        file_name: Set(Some(new_source.file.name)),
        file_size: Set(Some(signed(new_source.file.size))),
        file_type: Set(new_source.file.mime),
        file_modified: Set(new_source.file.modified),
        file_checksum: Set(new_source.file.checksum),
        source: Set(Some(new_source.version)),
        media_type: Set(Some(new_source.media_type)),
        sha256: Set(Some(new_source.sha256.to_vec())),
        duration_ms: Set(None),
        pages: Set(None),
        width: Set(None),
        height: Set(None),
        codecs: Set(None),
        poster: Set(None),
        poster_widths: Set(String::new()),
        rendition: Set(None),
        rendition_has: Set(String::new()),
        processing: Set(new_source.processing.into()),
        progress: Set(None),
        seconds_left: Set(None),
        failure: Set(None),
        modified_at: Set(now),
        ..Default::default()
    };
    row.update(tx).await?.try_into()
}

/// Locks the items in the order of their ids, so that two transactions never wait for each other.
const ADD_STATS: &str = "UPDATE content SET views = content.views + w.views, watch_ms = content.watch_ms + w.watch_ms \
     FROM (SELECT c.uid, want.views, want.watch_ms FROM want JOIN content c ON c.uid = want.uid AND c.org = want.org \
     ORDER BY c.uid FOR NO KEY UPDATE OF c) w WHERE content.uid = w.uid";
/// The same for SQLite, which has one writer.
const ADD_STATS_SQLITE: &str = "UPDATE content SET views = content.views + want.views, \
     watch_ms = content.watch_ms + want.watch_ms FROM want WHERE content.uid = want.uid AND content.org = want.org";

/// Adds views and watch time.
pub fn add_stats(writes: &mut WriteSet, stats: &[ItemStats]) -> Result<(), DbErr> {
    let rows: Vec<[Value; 4]> = stats
        .iter()
        .map(|item| [item.org.into(), item.content.into(), item.views.into(), item.watch_ms.into()])
        .collect();
    let update = if writes.backend() == DbBackend::Postgres { ADD_STATS } else { ADD_STATS_SQLITE };
    writes.by_keys("org, uid, views, watch_ms", &rows, update)
}

/// Returns the given paths that an item uses as its thumbnail, deleted items included.
pub async fn previews_among(conn: &impl ConnectionTrait, paths: &[String]) -> Result<Vec<String>, DbErr> {
    Entity::find()
        .select_only()
        .column(Column::Preview)
        .filter(Column::Preview.is_in(paths))
        // The condition of the index.
        .filter(Expr::cust("preview <> ''"))
        .into_tuple()
        .all(conn)
        .await
}

/// Returns items deleted before `before` whose files still exist.
pub async fn unpurged(conn: &impl ConnectionTrait, before: Timestamp) -> Result<Vec<Item>, DbErr> {
    let rows = find_unpurged(before).order_by_asc(Column::Uid).limit(500).all(conn).await?;
    Ok(readable(rows))
}

/// Returns whether there is an item deleted before `before` whose files still exist.
pub async fn any_unpurged(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    find_unpurged(before).exists(conn).await
}

fn find_unpurged(before: Timestamp) -> Select<Entity> {
    Entity::find().filter(Column::DeletedAt.lt(before)).filter(Column::PurgedAt.is_null())
}

/// Records that the files of a deleted item are gone.
pub async fn set_purged(tx: &impl ConnectionTrait, uid: ContentId, now: Timestamp) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::PurgedAt, Expr::val(Some(now)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::DeletedAt.is_not_null())
        .exec(tx)
        .await?;
    Ok(())
}
