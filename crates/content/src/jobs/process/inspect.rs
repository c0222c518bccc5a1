//! The first inspection: detects the type, the length and the dimensions, and makes a poster.

use std::path::{Path, PathBuf};

use futures::FutureExt as _;
use kernel::Millis;
use media::{ImageError, Kind, MediaError, Probe, SmallerImage, Sniffed, WorkFolder};
use sea_orm::DbErr;
use storage::ByteRange;

use super::{Abort, Outcome, ProcessingRun, overtaken_if_missing, retry_database};
use crate::item::Poster;
use crate::model::{PAGES, Processing, ProcessingFailure};
use crate::poster::poster_files;
use crate::store;
use crate::store::object::{ObjectKind, StoredObject};
use crate::store::processing_run::ProbeResult;

/// Maximum bytes of an image that a poster is made from; larger ones have none.
const POSTER_SOURCE_MAX: u64 = 64 * 1024 * 1024;

/// Result of the first inspection.
pub(super) struct Inspection {
    pub(super) outcome: Outcome,
    pub(super) probed: ProbeResult,
    /// A video or audio file to transcode.
    pub(super) av_file: Option<AvFile>,
}

impl Inspection {
    fn of(outcome: Outcome) -> Self {
        Self { outcome, probed: ProbeResult::default(), av_file: None }
    }
}

/// A video or audio file on the local disk.
pub(super) struct AvFile {
    pub(super) input: PathBuf,
    pub(super) demuxer: &'static str,
    pub(super) probe: Probe,
    /// May hold the input file, so it is kept until the tools are done. Swept later if this process dies.
    _folder: WorkFolder,
}

impl ProcessingRun {
    pub(super) async fn inspect(&self) -> Result<Inspection, Abort> {
        let head = Some(ByteRange::Between(0, storage::HEAD_BYTES as u64 - 1));
        let (first, len) = self.bytes(head).await?;
        let file = self.item.file.as_ref();
        let mime = file.and_then(|file| file.mime.as_deref()).unwrap_or_default();
        let name = file.map_or("", |file| &file.name);
        match media::sniff(&first, mime, name) {
            Ok(Sniffed { demuxer: Some(demuxer), .. }) => self.inspect_av(demuxer).await,
            Ok(Sniffed { kind: Kind::Image, .. }) => self.inspect_image(len).await,
            Ok(Sniffed { kind: Kind::Pdf, .. }) => self.inspect_pdf().await,
            Ok(_) | Err(_) => Ok(Inspection::of(Outcome::of(Processing::None))),
        }
    }

    /// Reads the source or a range of it, and returns the length of the whole file as well.
    async fn bytes(&self, range: Option<ByteRange>) -> Result<(Vec<u8>, u64), Abort> {
        let key = self.item.source_key(self.source.version);
        let mut object = self.content.storage.open_object(&key, range).await.map_err(overtaken_if_missing)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = futures::StreamExt::next(&mut object.stream).await {
            bytes.extend_from_slice(&chunk?);
        }
        Ok((bytes, object.len))
    }

    /// Returns the source as a local file.
    async fn input(&self) -> Result<(PathBuf, WorkFolder), Abort> {
        let key = self.item.source_key(self.source.version);
        let folder = self.content.media.folder().await?;
        if let Some(path) = self.content.storage.local_path(&key) {
            return Ok((path, folder));
        }
        let path = folder.path().join("in");
        self.content.storage.fetch_to(&key, &path).await.map_err(overtaken_if_missing)?;
        Ok((path, folder))
    }

    /// Inspects a video or audio file: ffprobe for the length, ffmpeg for a poster.
    async fn inspect_av(&self, demuxer: &'static str) -> Result<Inspection, Abort> {
        if let Some(missing) = self.content.media.missing() {
            tracing::warn!(content = %self.item.uid, missing, "the file is not processed");
            return Ok(Inspection::of(Outcome::of(Processing::None)));
        }
        let (input, folder) = self.input().await?;
        let probe = match self.content.media.probe(&input, demuxer).await {
            Ok(probe) => probe,
            Err(error) => return self.classify(error).map(Inspection::of),
        };
        let poster = match self.content.media.poster(&input, demuxer, &probe).await {
            Ok(poster) => Some(self.store_tool_image(poster).await?),
            Err(error @ MediaError::Machine(_)) => return self.classify(error).map(Inspection::of),
            Err(MediaError::Refused(_)) if !probe.has_image => None,
            Err(error) => {
                tracing::info!(content = %self.item.uid, %error, "no poster");
                None
            }
        };
        let probed = ProbeResult {
            duration_ms: probe.duration_ms.and_then(|ms| Millis::try_from(ms).ok()),
            width: probe.width.and_then(|width| width.try_into().ok()),
            height: probe.height.and_then(|height| height.try_into().ok()),
            pages: None,
            codecs: probe.codecs(),
            poster,
        };
        // An incomplete file plays as far as it goes, and the uploader sees that it is damaged.
        let outcome = if probe.damaged {
            Outcome::failed(ProcessingFailure::Damaged)
        } else {
            Outcome::of(Processing::Done)
        };
        let av_file = AvFile { input, demuxer, probe, _folder: folder };
        Ok(Inspection { outcome, probed, av_file: Some(av_file) })
    }

    /// Makes a smaller version of an image.
    async fn inspect_image(&self, len: u64) -> Result<Inspection, Abort> {
        if len > POSTER_SOURCE_MAX {
            return Ok(Inspection::of(Outcome::of(Processing::Done)));
        }
        let (input, _folder) = self.input().await?;
        let error = match self.content.in_poster_sizes(&input).await {
            Ok(poster) => {
                let poster = Some(self.store_poster(poster.bytes, poster.smaller).await?);
                let probed = ProbeResult { poster, ..ProbeResult::default() };
                return Ok(Inspection { probed, ..Inspection::of(Outcome::of(Processing::Done)) });
            }
            Err(ImageError::Machine(error)) => {
                return self.classify(MediaError::Machine(error)).map(Inspection::of);
            }
            Err(error) => error,
        };
        tracing::info!(content = %self.item.uid, %error, "the image gets no poster");
        Ok(Inspection::of(Outcome::failed(match error {
            ImageError::Undecodable(_) => ProcessingFailure::Unreadable,
            _ => ProcessingFailure::Excessive,
        })))
    }

    /// Makes a poster of the first page of a document, and counts its pages.
    async fn inspect_pdf(&self) -> Result<Inspection, Abort> {
        if let Some(missing) = self.content.media.missing_for_documents() {
            tracing::warn!(content = %self.item.uid, missing, "the document gets no poster");
            return Ok(Inspection::of(Outcome::of(Processing::None)));
        }
        let (input, _folder) = self.input().await?;
        match self.content.media.first_page(&input).await {
            Ok(page) => {
                let poster = Some(self.store_tool_image(page).await?);
                let pages = self.page_count(&input).await?;
                let probed = ProbeResult { pages, poster, ..ProbeResult::default() };
                Ok(Inspection { probed, ..Inspection::of(Outcome::of(Processing::Done)) })
            }
            Err(error) => self.classify(error).map(Inspection::of),
        }
    }

    /// Returns the number of pages of a document if it is plausible: a document may claim any.
    async fn page_count(&self, input: &Path) -> Result<Option<i64>, Abort> {
        match self.content.media.page_count(input).await {
            Ok(count) => Ok(i64::try_from(count).ok().filter(|pages| PAGES.contains(pages))),
            Err(MediaError::Machine(error)) => Err(error.into()),
            Err(error) => {
                tracing::info!(content = %self.item.uid, %error, "the pages are not counted");
                Ok(None)
            }
        }
    }

    /// Stores an image that a tool made as the poster. If it cannot be made smaller, it has one size.
    async fn store_tool_image(&self, bytes: Vec<u8>) -> Result<Poster, Abort> {
        let folder = self.content.media.folder().await?;
        let path = folder.path().join("image");
        tokio::fs::write(&path, &bytes).await?;
        match self.content.in_poster_sizes(&path).await {
            Ok(poster) => self.store_poster(poster.bytes, poster.smaller).await,
            Err(ImageError::Machine(error)) => Err(error.into()),
            Err(error) => {
                tracing::info!(content = %self.item.uid, %error, "the poster has one size");
                self.store_poster(bytes, Vec::new()).await
            }
        }
    }

    /// Stores a poster and its smaller versions under the version of the file.
    async fn store_poster(&self, bytes: Vec<u8>, smaller: Vec<SmallerImage>) -> Result<Poster, Abort> {
        let (org, content) = (self.item.org, self.item.uid);
        let (poster, files) = poster_files(org, content, self.source.version, bytes, smaller);
        let tx = self.content.db.write_tx().await?;
        for (key, bytes) in &files {
            let object = StoredObject::of_content(org, content, key, ObjectKind::Poster, bytes.len() as u64);
            store::object::record_referenced(&tx, object).await?;
        }
        tx.commit().await?;
        for (key, bytes) in files {
            self.content.storage.put(&key, bytes.into()).await?;
        }
        Ok(poster)
    }

    /// Publishes the result of the inspection before the long work begins.
    pub(super) async fn publish_probe(&self, probed: ProbeResult) -> Result<(), Abort> {
        let is_current = retry_database(|| self.try_publish_probe(&probed).boxed());
        if is_current.await? { Ok(()) } else { Err(Abort::Overtaken) }
    }

    async fn try_publish_probe(&self, probed: &ProbeResult) -> Result<bool, DbErr> {
        let tx = self.content.db.write_tx_on(self.item.org).await?;
        let is_current = store::processing_run::set_probe_result(&tx, self.item.uid, self.id, probed).await?;
        tx.commit().await?;
        Ok(is_current)
    }
}
