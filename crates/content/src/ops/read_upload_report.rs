//! `GET /content/{id}/upload`: what was declared, what was received, and the result.

use axum::Json;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{ContentId, Problem, Timestamp, Uuid, iso};
use orgs::rights::ListContent;
use serde::Serialize;

use crate::item::{Item, version_of};
use crate::model::UploadStatus;
use crate::store::upload::Record;
use crate::{Content, Error, store};

/// The uploads behind the file of a content item.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct UploadReportsOut {
    /// The upload whose file is served.
    #[serde(skip_serializing_if = "Option::is_none")]
    served: Option<UploadReport>,
    /// The latest upload announced after it, pending or rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    newer: Option<UploadReport>,
}

/// Details of one upload.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadReport {
    /// Unique id of the upload.
    uid: Uuid,
    /// How it ended, or that it is pending.
    status: UploadStatus,
    /// Why it was rejected, as a problem code.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Why it was rejected, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// The file as declared by its sender.
    declared: DeclaredOut,
    /// The file as received, as far as known.
    #[serde(skip_serializing_if = "Option::is_none")]
    received: Option<ReceivedOut>,
    /// Names of the video and audio codecs, such as `h264, aac`; absent until known, and for files without.
    #[serde(skip_serializing_if = "Option::is_none")]
    codecs: Option<String>,
    /// Time of the announcement.
    time_announced: String,
    /// Time at which it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_finished: Option<String>,
}

/// A file as declared by its sender.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeclaredOut {
    name: String,
    /// Size in bytes; null if a new version was announced without a size.
    size: Option<u64>,
    /// Media type; null if a new version was announced without a type.
    #[serde(rename = "type")]
    mime: Option<String>,
    /// Last change on the sender's device, in epoch milliseconds.
    last_modified: Option<i64>,
    /// MD5, in base64.
    checksum: String,
}

/// A file as received.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct ReceivedOut {
    /// Size in bytes.
    size: u64,
    /// MD5, in base64; null if the file is incomplete.
    checksum: Option<String>,
    /// SHA-256, in hexadecimal; null if the file is incomplete.
    sha256: Option<String>,
    /// Media type detected from the first bytes, as which it is served; null if the file is incomplete.
    #[serde(rename = "type")]
    mime: Option<String>,
}

/// Get the upload report of a content item
///
/// Shows what was declared, what was received, and why it was rejected, if it was. Of the results of
/// processing it contains only the codecs; length and processing status are part of the item.
#[utoipa::path(get, path = "/content/{id}/upload", tag = "content", params(("id" = Uuid, Path)), responses(
    (status = 200, body = UploadReportsOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn read_upload_report(
    State(content): State<Content>,
    bearer: Bearer,
    Path(id): Path<ContentId>,
) -> ApiResult<Json<UploadReportsOut>> {
    let owner = store::content::owner(id);
    let scope = content.orgs.enter_of::<ListContent>(&bearer, owner, "Content").await.map_err(Error::from)?;
    let item = store::content::by_id(content.db.read(), scope.org(), id).await?.ok_or(Error::NotFound)?;
    let records = store::upload::of_content(content.db.read(), id).await?;
    Ok(Json(reports(&item, records)))
}

/// Selects the two uploads to report from the latest `records`, newest first.
fn reports(item: &Item, records: Vec<Record>) -> UploadReportsOut {
    let version = item.source.as_ref().map(|source| source.version);
    let mut newer = None;
    for record in records {
        if Some(version_of(record.upload.uid)) == version {
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
            uid: upload.uid.into(),
            status: upload.status,
            reason: upload.reason.map(|reason| reason.as_str().to_owned()),
            message: upload.reason.map(|reason| reason.message().to_owned()),
            received: received.map(|received| ReceivedOut {
                size: received.size,
                checksum: received.md5,
                sha256: received.sha256.as_deref().map(hex::encode),
                mime: received.media_type,
            }),
            codecs: None,
            declared: DeclaredOut {
                checksum: STANDARD.encode(upload.file.md5),
                name: upload.file.name,
                size: upload.file.size,
                mime: upload.file.mime,
                last_modified: upload.file.modified.map(Timestamp::ms),
            },
            time_announced: iso(created_at),
            time_finished: finished_at.map(iso),
        }
    }

    /// Reconstructs the report of a file without a record from the item, whose facts were verified at the
    /// upload.
    fn of_item(item: &Item) -> Option<Self> {
        let (source, file) = (item.source.as_ref()?, item.file.as_ref()?);
        Some(Self {
            uid: source.version.into(),
            status: UploadStatus::Available,
            reason: None,
            message: None,
            declared: DeclaredOut {
                name: file.name.clone(),
                size: Some(file.size),
                mime: file.mime.clone(),
                last_modified: file.modified.map(Timestamp::ms),
                checksum: file.checksum.clone().unwrap_or_default(),
            },
            received: Some(ReceivedOut {
                size: file.size,
                checksum: file.checksum.clone(),
                sha256: source.sha256.as_ref().map(hex::encode),
                mime: source.media_type.clone(),
            }),
            codecs: item.codecs.clone(),
            time_announced: iso(item.created_at),
            time_finished: None,
        })
    }
}
