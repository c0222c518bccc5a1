//! `GET /content/{id}/upload`: what was announced, what came, and what became of it.

use axum::Json;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use httpkit::{Path, Reply};
use identity::Bearer;
use kernel::{Problem, Uid, Uuid, iso};
use orgs::rights::ListContent;
use serde::Serialize;

use crate::item::Item;
use crate::model::UploadStatus;
use crate::ops::ingest_file::sentence;
use crate::store::upload::Record;
use crate::{Content, Error, store};

/// The uploads behind a content's file.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct UploadReportsOut {
    /// The one whose file is served.
    #[serde(skip_serializing_if = "Option::is_none")]
    served: Option<UploadReport>,
    /// The last one announced after it: awaited, or turned away.
    #[serde(skip_serializing_if = "Option::is_none")]
    newer: Option<UploadReport>,
}

/// The truth about one upload.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadReport {
    /// The upload.
    uid: Uuid,
    /// How it ended, if it has.
    status: UploadStatus,
    /// Why it was rejected: the code of the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The same as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// What its sender said.
    declared: DeclaredOut,
    /// What came, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    received: Option<ReceivedOut>,
    /// The codecs of its picture and sound, such as `h264, aac`; absent until they are known, and of what has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    codecs: Option<String>,
    /// When it was announced.
    time_announced: String,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_finished: Option<String>,
}

/// A file as its sender announced it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeclaredOut {
    name: String,
    /// Bytes; null for a new version that was announced without.
    size: Option<u64>,
    /// Its type; null for a new version that was announced without.
    #[serde(rename = "type")]
    mime: Option<String>,
    /// In epoch milliseconds.
    last_modified: Option<i64>,
    /// MD5 in base64.
    checksum: String,
}

/// A file as it came.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct ReceivedOut {
    /// Bytes.
    size: u64,
    /// MD5 in base64; null where not all of it came.
    checksum: Option<String>,
    /// SHA-256 in hexadecimal; null where not all of it came.
    sha256: Option<String>,
    /// The type its first bytes show, as which it is served; null where not all of it came.
    #[serde(rename = "type")]
    mime: Option<String>,
}

/// What was announced for a content, what came, and why it was turned away if it was. Of what was found
/// in the file later it tells the codecs; length and processing stand in the content itself.
#[utoipa::path(get, path = "/content/{id}/upload", tag = "content", params(("id" = Uuid, Path)), responses(
    (status = 200, body = UploadReportsOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn read_upload_report(
    State(room): State<Content>,
    bearer: Bearer,
    Path(id): Path<Uid>,
) -> Reply<Json<UploadReportsOut>> {
    let org = store::content::org_of(room.db.read(), id).await?;
    let scope = room.orgs.enter_for::<ListContent>(&bearer, org, "Content").await.map_err(Error::from)?;
    let item = store::content::by_id(room.db.read(), scope.org(), id).await?.ok_or(Error::NotFound)?;
    let records = store::upload::of_content(room.db.read(), id).await?;
    Ok(Json(reports(&item, records)))
}

/// `records` are the last ones, newest first.
fn reports(item: &Item, records: Vec<Record>) -> UploadReportsOut {
    let version = item.source.as_ref().map(|source| source.version);
    let mut newer = None;
    for record in records {
        if Some(record.upload.uid) == version {
            let served = UploadReport { codecs: item.codecs.clone(), ..UploadReport::of(record) };
            return UploadReportsOut { served: Some(served), newer };
        }
        if newer.is_none() {
            newer = Some(UploadReport::of(record));
        }
    }
    UploadReportsOut { served: UploadReport::of_item(item), newer }
}

impl UploadReport {
    fn of(record: Record) -> Self {
        let Record { upload, received, created_at, finished_at } = record;
        Self {
            uid: upload.uid,
            status: upload.status,
            message: upload.reason.as_deref().and_then(sentence),
            reason: upload.reason,
            received: received.map(|received| ReceivedOut {
                size: received.size,
                checksum: received.md5,
                sha256: received.sha256.as_deref().map(hex),
                mime: received.media_type,
            }),
            codecs: None,
            declared: DeclaredOut {
                checksum: STANDARD.encode(upload.file.md5),
                name: upload.file.name,
                size: upload.file.size,
                mime: upload.file.mime,
                last_modified: upload.file.modified,
            },
            time_announced: iso(created_at),
            time_finished: finished_at.map(iso),
        }
    }

    /// Of a file whose record is gone: what the content itself knows, which was verified when it came.
    fn of_item(item: &Item) -> Option<Self> {
        let (source, file) = (item.source.as_ref()?, item.file.as_ref()?);
        Some(Self {
            uid: source.version,
            status: UploadStatus::Available,
            reason: None,
            message: None,
            declared: DeclaredOut {
                name: file.name.clone(),
                size: Some(file.size),
                mime: Some(file.mime.clone()),
                last_modified: file.modified,
                checksum: file.checksum.clone(),
            },
            received: Some(ReceivedOut {
                size: file.size,
                checksum: Some(file.checksum.clone()),
                sha256: Some(hex(&source.sha256)),
                mime: Some(source.media_type.clone()),
            }),
            codecs: item.codecs.clone(),
            time_announced: iso(item.created_at),
            time_finished: None,
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
