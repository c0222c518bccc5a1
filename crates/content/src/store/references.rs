//! Finds out which stored objects the rows refer to.

use std::collections::{HashMap, HashSet};

use kernel::{Millis, Uid};
use sea_orm::sea_query::ExprTrait as _;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder as _,
    QuerySelect,
};
use storage::Owner;

use crate::entity::{content, image, resumable, upload};
use crate::item::{Captions, Item};
use crate::model::UploadStatus;

/// The references to a set of objects.
pub struct References {
    contents: HashMap<Uid, Row>,
    images: HashSet<String>,
    /// Uploads that are in progress, by the id in the keys of their objects.
    pending_uploads: HashSet<Uid>,
}

/// References of one item.
#[derive(FromQueryResult)]
struct Row {
    uid: Uid,
    org: Uid,
    source: Option<Uid>,
    poster: Option<Uid>,
    rendition: Option<Uid>,
    processing_run: Option<Uid>,
    captions: String,
    deleted_at: Option<Millis>,
    purged_at: Option<Millis>,
}

impl Row {
    fn contains(&self, org: Uid, is_referenced: impl FnOnce(&Self) -> bool) -> bool {
        // The purge removes everything of a deleted item when its time is up.
        let is_kept = self.deleted_at.is_some() && self.purged_at.is_none();
        self.org == org && (is_kept || self.purged_at.is_none() && is_referenced(self))
    }

    fn has_captions(&self, version: Uid) -> bool {
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
                self.pending_uploads.contains(&version)
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
        }
    }
}

/// Reads the references to these objects.
pub async fn among(conn: &impl ConnectionTrait, owners: &[Owner]) -> Result<References, DbErr> {
    let (mut contents, mut versions, mut images) = (HashSet::new(), HashSet::new(), HashSet::new());
    for owner in owners {
        match owner {
            Owner::Source { content, version, .. } => {
                contents.insert(*content);
                versions.insert(*version);
            }
            Owner::Poster { content, .. }
            | Owner::Captions { content, .. }
            | Owner::Rendition { content, .. } => {
                contents.insert(*content);
            }
            Owner::Image { name } => {
                images.insert(name.clone());
            }
        }
    }
    Ok(References {
        contents: rows(conn, contents).await?,
        images: referenced_images(conn, images).await?,
        pending_uploads: pending_uploads(conn, versions).await?,
    })
}

async fn rows(conn: &impl ConnectionTrait, uids: HashSet<Uid>) -> Result<HashMap<Uid, Row>, DbErr> {
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
        .filter(upload::Column::Status.eq(UploadStatus::Pending.as_str()));
    let mut found: Vec<String> = there.into_tuple().all(conn).await?;
    found.extend(expected.into_tuple::<String>().all(conn).await?);
    Ok(found.into_iter().collect())
}

/// Returns the versions whose upload is pending, or has left bytes that are not cleaned up yet.
async fn pending_uploads(conn: &impl ConnectionTrait, versions: HashSet<Uid>) -> Result<HashSet<Uid>, DbErr> {
    let pending = upload::Entity::find()
        .select_only()
        .column(upload::Column::Uid)
        .filter(upload::Column::Uid.is_in(versions.iter().copied()))
        .filter(upload::Column::Status.eq(UploadStatus::Pending.as_str()));
    let resumed = resumable::Entity::find()
        .select_only()
        .column(resumable::Column::Upload)
        .filter(resumable::Column::Upload.is_in(versions.iter().copied()));
    let mut found: Vec<Uid> = pending.into_tuple().all(conn).await?;
    found.extend(resumed.into_tuple::<Uid>().all(conn).await?);
    Ok(found.into_iter().collect())
}

/// An item to verify.
pub struct Checked {
    pub item: Item,
    /// Last heartbeat of a worker.
    pub heartbeat_at: Option<Millis>,
}

/// Returns a page of the items of all organisations, without deleted ones.
pub async fn page(conn: &impl ConnectionTrait, after: Uid, limit: u64) -> Result<Vec<Checked>, DbErr> {
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
    pub available: HashSet<Uid>,
    /// Items with a pending upload.
    pub pending: HashSet<Uid>,
}

/// Reads the uploads of these items.
pub async fn uploads_of(conn: &impl ConnectionTrait, page: &[Checked]) -> Result<Uploads, DbErr> {
    use upload::Column;
    let rows: Vec<(Uid, Option<Uid>, String)> = upload::Entity::find()
        .select_only()
        .columns([Column::Uid, Column::Content, Column::Status])
        .filter(Column::Content.is_in(page.iter().map(|checked| checked.item.uid)))
        .into_tuple()
        .all(conn)
        .await?;
    let with = |status: UploadStatus| rows.iter().filter(move |row| row.2 == status.as_str());
    Ok(Uploads {
        available: with(UploadStatus::Available).map(|row| row.0).collect(),
        pending: with(UploadStatus::Pending).filter_map(|row| row.1).collect(),
    })
}

/// Returns the renditions that more than one item refers to.
pub async fn shared_renditions(conn: &impl ConnectionTrait) -> Result<Vec<Uid>, DbErr> {
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
