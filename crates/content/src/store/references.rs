//! Finds out which stored objects the rows refer to.

use std::collections::{HashMap, HashSet};

use db::Stored;
use kernel::{ContentId, OrgId, RunId, Timestamp, UploadId, VersionId};
use sea_orm::sea_query::ExprTrait as _;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder as _,
    QuerySelect,
};
use storage::Owner;

use crate::entity::{content, image, resumable, upload};
use crate::item::{Captions, Item, upload_of};
use crate::model::UploadStatus;

/// The references to a set of objects.
pub struct References {
    contents: HashMap<ContentId, Row>,
    images: HashSet<String>,
    /// Uploads that are in progress, by the id in the keys of their objects.
    pending_uploads: HashSet<UploadId>,
}

/// References of one item.
#[derive(FromQueryResult)]
struct Row {
    uid: ContentId,
    org: OrgId,
    source: Option<VersionId>,
    poster: Option<VersionId>,
    rendition: Option<RunId>,
    processing_run: Option<RunId>,
    captions: String,
    deleted_at: Option<Timestamp>,
    purged_at: Option<Timestamp>,
}

impl Row {
    fn contains(&self, org: OrgId, is_referenced: impl FnOnce(&Self) -> bool) -> bool {
        // The purge removes everything of a deleted item when its time is up.
        let is_kept = self.deleted_at.is_some() && self.purged_at.is_none();
        self.org == org && (is_kept || self.purged_at.is_none() && is_referenced(self))
    }

    fn has_captions(&self, version: VersionId) -> bool {
        match serde_json::from_str::<Vec<Captions>>(&self.captions) {
            Ok(captions) => captions.iter().any(|one| one.version == version),
            Err(error) => {
                tracing::error!(content = %self.uid, %error, "stored captions cannot be read");
                true
            }
        }
    }
}

impl References {
    /// Returns whether a row refers to the object, or work in progress may still need it.
    pub fn contains(&self, owner: &Owner) -> bool {
        let content = |org, uid, is_referenced: &dyn Fn(&Row) -> bool| {
            self.contents.get(&uid).is_some_and(|row| row.contains(org, is_referenced))
        };
        match *owner {
            Owner::Source { org, content: uid, version } => {
                self.pending_uploads.contains(&upload_of(version))
                    || content(org, uid, &|row| row.source == Some(version))
            }
            // A poster is stored before its row refers to it.
            Owner::Poster { org, content: uid, version } => {
                content(org, uid, &|row| [row.poster, row.source].contains(&Some(version)))
            }
            Owner::Captions { org, content: uid, version } => {
                content(org, uid, &|row| row.has_captions(version))
            }
            Owner::Rendition { org, content: uid, rendition: set } => {
                content(org, uid, &|row| [row.rendition, row.processing_run].contains(&Some(set)))
            }
            Owner::Image { ref name } => self.images.contains(name),
            // The rows are those of analytics, which finds such orphans itself.
            Owner::Events { .. } => true,
        }
    }
}

/// Reads the references to these objects.
pub async fn among(conn: &impl ConnectionTrait, owners: &[Owner]) -> Result<References, DbErr> {
    let (mut contents, mut uploads, mut images) = (HashSet::new(), HashSet::new(), HashSet::new());
    for owner in owners {
        match owner {
            Owner::Source { content, version, .. } => {
                contents.insert(*content);
                uploads.insert(upload_of(*version));
            }
            Owner::Poster { content, .. }
            | Owner::Captions { content, .. }
            | Owner::Rendition { content, .. } => {
                contents.insert(*content);
            }
            Owner::Image { name } => {
                images.insert(name.clone());
            }
            Owner::Events { .. } => {}
        }
    }
    Ok(References {
        contents: rows(conn, contents).await?,
        images: referenced_images(conn, images).await?,
        pending_uploads: pending_uploads(conn, uploads).await?,
    })
}

async fn rows(
    conn: &impl ConnectionTrait,
    uids: HashSet<ContentId>,
) -> Result<HashMap<ContentId, Row>, DbErr> {
    use content::Column;
    let rows: Vec<Row> = content::Entity::find()
        .select_only()
        .columns([Column::Uid, Column::Org, Column::Source, Column::Poster, Column::Rendition])
        .columns([Column::ProcessingRun, Column::Captions, Column::DeletedAt, Column::PurgedAt])
        .filter(Column::Uid.is_in(uids))
        .into_model()
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(|row| (row.uid, row)).collect())
}

/// Returns the images that exist or have a pending upload.
async fn referenced_images(
    conn: &impl ConnectionTrait,
    names: HashSet<String>,
) -> Result<HashSet<String>, DbErr> {
    let there = image::Entity::find()
        .select_only()
        .column(image::Column::Name)
        .filter(image::Column::Name.is_in(&names));
    let expected = upload::Entity::find()
        .select_only()
        .column(upload::Column::Image)
        .filter(upload::Column::Image.is_in(&names))
        .filter(upload::Column::Status.eq(UploadStatus::Pending));
    let mut found: Vec<String> = there.into_tuple().all(conn).await?;
    found.extend(expected.into_tuple::<String>().all(conn).await?);
    Ok(found.into_iter().collect())
}

/// Returns the uploads that are pending, or have left bytes that are not cleaned up yet.
async fn pending_uploads(
    conn: &impl ConnectionTrait,
    uids: HashSet<UploadId>,
) -> Result<HashSet<UploadId>, DbErr> {
    let pending = upload::Entity::find()
        .select_only()
        .column(upload::Column::Uid)
        .filter(upload::Column::Uid.is_in(uids.iter().copied()))
        .filter(upload::Column::Status.eq(UploadStatus::Pending));
    let resumed = resumable::Entity::find()
        .select_only()
        .column(resumable::Column::Upload)
        .filter(resumable::Column::Upload.is_in(uids.iter().copied()));
    let mut found: Vec<UploadId> = pending.into_tuple().all(conn).await?;
    found.extend(resumed.into_tuple::<UploadId>().all(conn).await?);
    Ok(found.into_iter().collect())
}

/// An item to verify.
pub struct Checked {
    pub item: Item,
    /// Last heartbeat of a worker.
    pub heartbeat_at: Option<Timestamp>,
}

/// Returns a page of the items of all organisations, without deleted ones.
pub async fn page(conn: &impl ConnectionTrait, after: ContentId, limit: u64) -> Result<Vec<Checked>, DbErr> {
    let rows = content::Entity::find()
        .filter(content::Column::Uid.gt(after))
        .filter(content::Column::DeletedAt.is_null())
        .order_by_asc(content::Column::Uid)
        .limit(limit)
        .all(conn)
        .await?;
    rows.into_iter()
        .map(|row| Ok(Checked { heartbeat_at: row.heartbeat_at, item: row.try_into()? }))
        .collect()
}

/// Status of the uploads of some items.
pub struct Uploads {
    /// Completed uploads.
    pub available: HashSet<UploadId>,
    /// Items with a pending upload.
    pub pending: HashSet<ContentId>,
}

#[derive(FromQueryResult)]
struct UploadRow {
    uid: UploadId,
    content: Option<ContentId>,
    status: Stored<UploadStatus>,
}

/// Reads the uploads of these items.
pub async fn uploads_of(conn: &impl ConnectionTrait, page: &[Checked]) -> Result<Uploads, DbErr> {
    use upload::Column;
    let rows: Vec<UploadRow> = upload::Entity::find()
        .select_only()
        .columns([Column::Uid, Column::Content, Column::Status])
        .filter(Column::Content.is_in(page.iter().map(|checked| checked.item.uid)))
        .into_model()
        .all(conn)
        .await?;
    let with = |status: UploadStatus| rows.iter().filter(move |row| row.status == Stored::Known(status));
    Ok(Uploads {
        available: with(UploadStatus::Available).map(|row| row.uid).collect(),
        pending: with(UploadStatus::Pending).filter_map(|row| row.content).collect(),
    })
}

/// Returns the renditions that more than one item refers to.
pub async fn shared_renditions(conn: &impl ConnectionTrait) -> Result<Vec<RunId>, DbErr> {
    use content::Column;
    content::Entity::find()
        .select_only()
        .column(Column::Rendition)
        .filter(Column::Rendition.is_not_null())
        .group_by(Column::Rendition)
        .having(Column::Uid.count().gt(1))
        .into_tuple()
        .all(conn)
        .await
}
