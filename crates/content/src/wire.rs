//! JSON shapes used by more than one operation.

use kernel::{Privacy, PublicUrl, Uuid, iso};
use orgs::{OrgScope, Right};
use serde::{Deserialize, Serialize};
use storage::Signer;

use crate::grant::Grant;
use crate::item::{Captions, Item, Rendition};
use crate::model::{self, Announced, ContentKind, Fault, Origin, Processing, UploadStatus};
use crate::{Content, Error};

/// A content (spec section 3).
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentOut {
    /// Its id.
    pub uid: Uuid,
    /// Whose it is.
    pub org_id: Uuid,
    /// Title.
    pub title: String,
    /// Description, or empty.
    pub description: String,
    /// When it was made.
    pub time_created: String,
    /// When it was changed last.
    pub time_modified: String,
    /// Address of the chosen thumbnail, else of the generated picture, else empty.
    pub preview_url: String,
    /// Public or private.
    pub privacy: Privacy,
    /// Where it comes from.
    #[serde(rename = "type")]
    pub origin: Origin,
    /// What people call it.
    pub kind: ContentKind,
    /// A playback address that holds for an hour and can be renewed, or the embedded film's address; empty
    /// for a draft.
    pub url: String,
    /// The file; null for an embedded film.
    pub file: Option<FileOut>,
    /// Length in milliseconds, once known.
    pub duration_ms: Option<i64>,
    /// How far length, generated picture and what browsers play are.
    pub processing: Processing,
    /// Hundredths of the work that are done, while a worker is at it and the length is known.
    pub progress: Option<u8>,
    /// Seconds of work that are left, as far as can be told.
    pub seconds_left: Option<i64>,
    /// Why processing failed; the file is kept and may be tried again.
    pub processing_error: Option<ProcessingErrorOut>,
    /// Address of the stream in several sizes (HLS), to be renewed as `url`; empty until it is ready.
    pub hls_url: String,
    /// Address of the list (WebVTT) of small pictures for the seek bar, or empty.
    pub storyboard_url: String,
    /// Address of the loudness (`{intervalMs, peaks}`, each peak 0 to 100), or empty.
    pub waveform_url: String,
    /// Captions, by language.
    pub captions: Vec<CaptionsOut>,
    /// What was watched.
    pub stats: ContentStats,
}

/// Why a file could not be processed.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct ProcessingErrorOut {
    /// `damaged`, `unreadable`, `excessive` or `interrupted`.
    pub code: Fault,
    /// For whoever uploaded it.
    pub message: String,
}

/// Captions in one language.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct CaptionsOut {
    /// BCP 47.
    pub language: String,
    /// As a person reads it.
    pub label: String,
    /// Address of the WebVTT.
    pub url: String,
}

/// A file as its sender announced it.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileOut {
    /// Its name.
    pub name: String,
    /// When it was last changed on the sender's machine, in epoch milliseconds.
    pub last_modified: Option<i64>,
    /// Bytes.
    pub size: u64,
    /// Its type.
    #[serde(rename = "type")]
    pub mime: String,
    /// MD5 in base64.
    pub checksum: String,
}

/// What was watched of a content.
#[derive(Debug, Clone, Copy, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentStats {
    /// Counted views.
    pub views: i64,
    /// Credited watch time in milliseconds.
    pub watch_time_ms: i64,
}

/// To whom a content is shown, which decides what its addresses open.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// The person.
    pub person: Uuid,
    /// The person's session.
    pub session: Uuid,
    /// The playlist it is shown in.
    pub playlist: Option<Uuid>,
}

impl Shown {
    /// To whoever entered an organisation.
    pub(crate) fn to<R: Right>(scope: &OrgScope<R>, playlist: Option<Uuid>) -> Self {
        Self { person: scope.person(), session: scope.session(), playlist }
    }
}

impl ContentOut {
    pub(crate) fn of(item: &Item, shown: Shown, room: &Content) -> Self {
        let grant = Grant::new(item.uid, shown, room.ambient.now());
        let addresses = Addresses { grant, signer: &room.signer, base: &room.files };
        let preview_url = match item.preview.as_str() {
            "" if item.poster.is_some() => addresses.of("poster"),
            path => room.public.address_of(path),
        };
        let running = (item.processing == Processing::Running).then_some(());
        let failed = (item.processing == Processing::Failed).then_some(());
        let made = |has: fn(&Rendition) -> bool, name| match item.shown_rendition().is_some_and(has) {
            true => addresses.of(name),
            false => String::new(),
        };
        Self {
            uid: item.uid,
            org_id: item.org,
            title: item.title.clone(),
            description: item.description.clone(),
            time_created: iso(item.created_at),
            time_modified: iso(item.modified_at),
            preview_url,
            privacy: item.privacy,
            origin: item.origin,
            kind: item.kind,
            url: match &item.source {
                Some(_) => addresses.of("source"),
                None => item.link.clone(),
            },
            file: item.file.as_ref().map(|file| FileOut {
                name: file.name.clone(),
                last_modified: file.modified,
                size: file.size,
                mime: file.mime.clone(),
                checksum: file.checksum.clone(),
            }),
            duration_ms: item.duration_ms,
            processing: item.processing,
            progress: running.and(item.progress),
            seconds_left: running.and(item.seconds_left),
            processing_error: failed.map(|()| {
                let code = item.failure.unwrap_or(Fault::Interrupted);
                ProcessingErrorOut { code, message: code.sentence().to_owned() }
            }),
            hls_url: made(|rendition| rendition.hls, "master.m3u8"),
            storyboard_url: made(|rendition| rendition.storyboard, "storyboard.vtt"),
            waveform_url: made(|rendition| rendition.waveform, "waveform.json"),
            captions: item.captions.iter().map(|captions| addresses.captions(captions)).collect(),
            stats: ContentStats { views: item.views, watch_time_ms: item.watch_ms },
        }
    }
}

/// Makes the addresses of one grant.
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

/// An upload (spec section 3). Its uid is also the content's, where it is the first file of one.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadOut {
    /// Its id.
    pub uid: Uuid,
    /// How far it is.
    pub status: UploadStatus,
    /// Where to send the file, while it is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingest: Option<IngestOut>,
    /// Why it was rejected: the code of the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl UploadOut {
    /// Of a content without a record of an upload.
    pub(crate) fn of_none(uid: Uuid, status: UploadStatus) -> Self {
        Self { uid, status, ingest: None, reason: None, message: None }
    }
}

/// Where to send a file, and what will come of it.
#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub struct IngestOut {
    /// Address for one PUT of the raw bytes, without further proof of identity.
    pub url: String,
    /// Path of the result: a picture's public path, or the content's.
    pub path: String,
}

/// A file as announced by its sender (S-23).
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileIn {
    /// Its name.
    name: String,
    /// When it was last changed, in epoch milliseconds.
    #[serde(default)]
    last_modified: Option<i64>,
    /// Bytes.
    #[serde(default)]
    size: Option<u64>,
    /// Its type; empty where the browser does not know it.
    #[serde(default, rename = "type")]
    mime: Option<String>,
    /// MD5 in base64: 24 characters.
    checksum: String,
}

impl FileIn {
    /// Checks everything but the limits of the plan; `max` bytes is what this server takes at all.
    pub(crate) fn parse(self, max: u64) -> Result<Announced, Error> {
        Ok(Announced {
            name: model::file_name(self.name)?,
            size: self.size.map(|size| model::size(size, max)).transpose()?,
            mime: self.mime.as_deref().map(model::file_type).transpose()?,
            modified: self.last_modified,
            md5: model::checksum(&self.checksum)?,
        })
    }

    /// The same for a file whose size and type must be announced.
    pub(crate) fn parse_whole(self, max: u64) -> Result<Announced, Error> {
        let announced = self.parse(max)?;
        if announced.size.is_none() {
            return Err(Error::InvalidFile("size"));
        }
        let mime = announced.mime.or_else(|| Some(model::UNKNOWN_TYPE.to_owned()));
        Ok(Announced { mime, ..announced })
    }
}
