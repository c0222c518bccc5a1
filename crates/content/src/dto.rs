//! JSON shapes used by more than one operation.

use kernel::{ContentId, Privacy, PublicUrl, Signer, Timestamp, Uuid, iso};
use serde::{Deserialize, Serialize};

use crate::grant::{Grant, ViewContext};
use crate::item::{Captions, Item, Rendition};
use crate::model::{self, AnnouncedFile, ContentKind, Origin, Processing, ProcessingFailure, UploadStatus};
use crate::store::upload::{Target, Upload};
use crate::upload::address::ingest_address;
use crate::visibility::Viewer;
use crate::{Content, Error};

/// A content item: an uploaded file or an embedded video.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentOut {
    /// Unique id.
    pub uid: Uuid,
    /// Owning organization.
    pub org_id: Uuid,
    /// Title; never blank.
    pub title: String,
    /// May be empty.
    pub description: String,
    /// Time of creation.
    pub time_created: String,
    /// Time of the last change.
    pub time_modified: String,
    /// URL of the chosen thumbnail, else of the generated poster, else empty.
    pub preview_url: String,
    /// Public or private; items cannot be unlisted.
    pub privacy: Privacy,
    /// When app users can see it from; null for no beginning, and for app users.
    pub publish_at: Option<String>,
    /// When app users can no longer see it; null for no end, and for app users.
    pub expire_at: Option<String>,
    /// Uploaded file, embedded video, or a draft whose file is not uploaded yet.
    #[serde(rename = "type")]
    pub origin: Origin,
    /// Kind of media, detected from the file.
    pub kind: ContentKind,
    /// Playback URL, valid for one hour and renewable, or the URL of the embedded video; empty for a draft.
    pub url: String,
    /// The file as declared by its sender; null for an embedded video.
    pub file: Option<FileOut>,
    /// Length in milliseconds, if known.
    pub duration_ms: Option<i64>,
    /// Number of pages of a document, if known.
    pub pages: Option<i64>,
    /// Status of processing, which determines the length and makes poster and stream.
    pub processing: Processing,
    /// Percentage of processing that is done, while it is running and the length is known.
    pub progress: Option<u8>,
    /// Estimated seconds of processing that remain, if known.
    pub seconds_left: Option<i64>,
    /// Why processing failed. The file is kept, and processing can be retried.
    pub processing_error: Option<ProcessingErrorOut>,
    /// URL of the adaptive stream (HLS), renewed like `url`; empty until it is ready.
    pub hls_url: String,
    /// URL of the list (WebVTT) of preview images for the seek bar, or empty.
    pub storyboard_url: String,
    /// URL of the waveform (`{intervalMs, peaks}`, each peak 0 to 100), or empty.
    pub waveform_url: String,
    /// Captions, one entry per language.
    pub captions: Vec<CaptionsOut>,
    /// Whether app users may download the file, at `url` with `?download`. Unless it was set, they may download
    /// documents and what cannot be shown otherwise.
    pub downloadable: bool,
    /// Views and watch time.
    pub stats: ContentStats,
}

/// Why a file could not be processed.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct ProcessingErrorOut {
    /// `damaged`, `unreadable`, `excessive` or `interrupted`.
    pub code: ProcessingFailure,
    /// Explanation for the uploader.
    pub message: String,
}

/// Captions in one language.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct CaptionsOut {
    /// BCP 47 tag.
    pub language: String,
    /// Display name of the language, such as `Deutsch`.
    pub label: String,
    /// URL of the WebVTT file.
    pub url: String,
}

/// A file as declared by its sender.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileOut {
    /// File name.
    pub name: String,
    /// Last change on the sender's device, in epoch milliseconds.
    pub last_modified: Option<i64>,
    /// Size in bytes.
    pub size: u64,
    /// Media type.
    #[serde(rename = "type")]
    pub mime: String,
    /// MD5, in base64.
    pub checksum: String,
}

/// Views and watch time of a content item.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentStats {
    /// Number of counted views.
    pub views: i64,
    /// Watch time in milliseconds.
    pub watch_time_ms: i64,
}

impl ContentOut {
    pub(crate) fn of(item: &Item, view: ViewContext, content: &Content) -> Self {
        let closes_at = item.closes_at(view.viewer, view.playlist_expires_at);
        let grant = Grant::new(item.uid, view, closes_at, content.ambient.now());
        let date = |at: Option<Timestamp>| at.filter(|_| view.viewer == Viewer::Staff).map(iso);
        let addresses = Addresses { grant, signer: &content.signer, base: &content.files };
        let preview_url = match &item.preview {
            Some(path) => content.public.at(path),
            None if item.poster.is_some() => addresses.of("poster"),
            None => String::new(),
        };
        let running = (item.processing == Processing::Running).then_some(());
        let failed = (item.processing == Processing::Failed).then_some(());
        let output_url = |has: fn(&Rendition) -> bool, name| {
            if item.shown_rendition().is_some_and(has) { addresses.of(name) } else { String::new() }
        };
        Self {
            uid: item.uid.into(),
            org_id: item.org.into(),
            title: item.title.clone(),
            description: item.description.clone(),
            time_created: iso(item.created_at),
            time_modified: iso(item.modified_at),
            preview_url,
            privacy: item.privacy,
            publish_at: date(item.schedule.publish_at),
            expire_at: date(item.schedule.expire_at),
            origin: item.origin,
            kind: item.kind,
            url: match &item.source {
                Some(_) => addresses.of("source"),
                None => item.link.clone().unwrap_or_default(),
            },
            file: item.file.as_ref().map(|file| FileOut {
                name: file.name.clone(),
                last_modified: file.modified.map(Timestamp::ms),
                size: file.size,
                mime: file.mime.clone().unwrap_or_default(),
                checksum: file.checksum.clone().unwrap_or_default(),
            }),
            duration_ms: item.duration_ms,
            pages: item.pages,
            processing: item.processing,
            progress: running.and(item.progress),
            seconds_left: running.and(item.seconds_left),
            processing_error: failed.map(|()| {
                let code = item.failure.unwrap_or(ProcessingFailure::Interrupted);
                ProcessingErrorOut { code, message: code.message().to_owned() }
            }),
            hls_url: output_url(|rendition| rendition.hls, "master.m3u8"),
            storyboard_url: output_url(|rendition| rendition.storyboard, "storyboard.vtt"),
            waveform_url: output_url(|rendition| rendition.waveform, "waveform.json"),
            captions: item.captions.iter().map(|captions| addresses.captions(captions)).collect(),
            downloadable: item.is_downloadable(),
            stats: ContentStats { views: item.views, watch_time_ms: item.watch_ms },
        }
    }
}

/// Builds the addresses of one grant.
struct Addresses<'a> {
    grant: Grant,
    signer: &'a Signer,
    base: &'a PublicUrl,
}

impl Addresses<'_> {
    fn of(&self, name: &str) -> String {
        self.base.at(&format!("/media/{}/{name}", self.grant.token(self.signer)))
    }

    fn captions(&self, captions: &Captions) -> CaptionsOut {
        let Captions { language, label, .. } = captions;
        let url = self.of(&format!("captions-{language}.vtt"));
        CaptionsOut { language: language.clone(), label: label.clone(), url }
    }
}

/// An upload. The first upload of a content item has the same uid as the item.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadOut {
    /// Unique id.
    pub uid: Uuid,
    /// Whether the file is still expected, was accepted, or was rejected.
    pub status: UploadStatus,
    /// Where to send the file; present while it is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingest: Option<IngestOut>,
    /// Why it was rejected, as a problem code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it was rejected, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl UploadOut {
    /// Describes an upload, with the ingest address while its file is expected.
    pub(crate) fn of(upload: &Upload, content: &Content) -> Self {
        let is_expected = upload.status == UploadStatus::Pending && content.ambient.now() < upload.expires_at;
        let ingest = is_expected.then(|| IngestOut {
            url: ingest_address(content, upload.uid),
            path: match &upload.target {
                Target::Content(uid) => format!("/v1/content/{uid}"),
                Target::Image(name) => format!("/images/{name}"),
            },
        });
        let reason = upload.reason.map(|reason| reason.as_str().to_owned());
        let message = upload.reason.map(|reason| reason.message().to_owned());
        Self { uid: upload.uid.into(), status: upload.status, ingest, reason, message }
    }

    /// Describes an item that has no upload record.
    pub(crate) fn of_none(id: ContentId, status: UploadStatus) -> Self {
        Self { uid: id.into(), status, ingest: None, reason: None, message: None }
    }
}

/// Where to send a file, and where the result will be.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct IngestOut {
    /// URL for one PUT of the raw bytes; it needs no other authentication.
    pub url: String,
    /// Path of the result: the public path of an image, or the path of the content item.
    pub path: String,
}

/// A file that the sender announces.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileIn {
    /// File name.
    name: String,
    /// Last change on the sender's device, in epoch milliseconds.
    #[serde(default)]
    last_modified: Option<i64>,
    /// Size in bytes.
    #[serde(default)]
    size: Option<u64>,
    /// Media type; empty if the browser does not know it.
    #[serde(default, rename = "type")]
    mime: Option<String>,
    /// MD5, in base64: 24 characters.
    checksum: String,
}

impl FileIn {
    /// Validates everything except the limits of the plan. `max` is the largest size this server accepts.
    pub(crate) fn parse(self, max: u64) -> Result<AnnouncedFile, Error> {
        Ok(AnnouncedFile {
            name: model::file_name(self.name)?,
            size: self.size.map(|size| model::size(size, max)).transpose()?,
            mime: self.mime.as_deref().map(model::file_type).transpose()?,
            modified: self.last_modified.map(Timestamp::from_ms),
            md5: model::checksum(&self.checksum)?,
        })
    }

    /// Validates a file whose size must be declared.
    pub(crate) fn parse_whole(self, max: u64) -> Result<AnnouncedFile, Error> {
        let announced = self.parse(max)?;
        if announced.size.is_none() {
            return Err(Error::InvalidFile("size"));
        }
        let mime = announced.mime.or_else(|| Some(model::UNKNOWN_TYPE.to_owned()));
        Ok(AnnouncedFile { mime, ..announced })
    }
}
