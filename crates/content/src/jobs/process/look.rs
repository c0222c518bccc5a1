//! The first inspection: detects the type, the length and the dimensions, and makes a poster.

use std::path::PathBuf;

use futures::FutureExt as _;
use kernel::Millis;
use media::{ImageError, Kind, MediaError, Probe, Sniffed, Target, WorkFolder};
use sea_orm::DbErr;
use storage::{ByteRange, Name, Version};

use super::{Making, Outcome, Stop, gone, patiently};
use crate::model::{Fault, Processing};
use crate::store;
use crate::store::making::Seen;
use crate::store::object::{ObjectKind, StoredObject};

/// Width of a poster in pixels.
const POSTER_WIDTH: u32 = 800;
/// Maximum bytes of an image that a poster is made from; larger ones have none.
const PICTURE_MAX: u64 = 64 * 1024 * 1024;

/// Result of the first inspection.
pub(super) struct Looked {
    pub(super) outcome: Outcome,
    pub(super) seen: Seen,
    /// A video or audio file to transcode.
    pub(super) film: Option<Film>,
}

impl Looked {
    fn only(outcome: Outcome) -> Self {
        Self { outcome, seen: Seen::default(), film: None }
    }
}

/// A video or audio file on the local disk.
pub(super) struct Film {
    pub(super) input: PathBuf,
    pub(super) demuxer: &'static str,
    pub(super) probe: Probe,
    /// May hold the input file, so it is kept until the tools are done. Swept later if this process dies.
    _folder: WorkFolder,
}

impl Making {
    pub(super) async fn look(&self) -> Result<Looked, Stop> {
        let head = Some(ByteRange::Between(0, storage::HEAD_BYTES as u64 - 1));
        let (first, len) = self.bytes(head).await?;
        let file = self.item.file.as_ref();
        let (mime, name) = file.map_or(("", ""), |file| (&file.mime, &file.name));
        match media::sniff(&first, mime, name) {
            Ok(Sniffed { demuxer: Some(demuxer), .. }) => self.watch(demuxer).await,
            Ok(Sniffed { kind: Kind::Image, .. }) => self.view(len).await,
            Ok(Sniffed { kind: Kind::Pdf, .. }) => self.leaf().await,
            Ok(_) | Err(_) => Ok(Looked::only(Outcome::of(Processing::None))),
        }
    }

    /// Reads the source or a range of it, and returns the length of the whole file as well.
    async fn bytes(&self, range: Option<ByteRange>) -> Result<(Vec<u8>, u64), Stop> {
        let key = self.item.source_key(self.source.version);
        let mut object = self.room.storage.open_object(&key, range).await.map_err(gone)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = futures::StreamExt::next(&mut object.stream).await {
            bytes.extend_from_slice(&chunk?);
        }
        Ok((bytes, object.len))
    }

    /// Returns the source as a local file.
    async fn input(&self) -> Result<(PathBuf, WorkFolder), Stop> {
        let key = self.item.source_key(self.source.version);
        let folder = self.room.media.folder().await?;
        if let Some(path) = self.room.storage.local_path(&key) {
            return Ok((path, folder));
        }
        let path = folder.path().join("in");
        self.room.storage.fetch_to(&key, &path).await.map_err(gone)?;
        Ok((path, folder))
    }

    /// Inspects a video or audio file: ffprobe for the length, ffmpeg for a poster.
    async fn watch(&self, demuxer: &'static str) -> Result<Looked, Stop> {
        if let Some(missing) = self.room.media.missing() {
            tracing::warn!(content = %self.item.uid, missing, "the file is not processed");
            return Ok(Looked::only(Outcome::of(Processing::None)));
        }
        let (input, folder) = self.input().await?;
        let probe = match self.room.media.probe(&input, demuxer).await {
            Ok(probe) => probe,
            Err(error) => return self.fault(error).map(Looked::only),
        };
        let poster = match self.room.media.poster(&input, demuxer, &probe).await {
            Ok(poster) => Some(self.keep_poster(poster).await?),
            Err(error @ MediaError::Machine(_)) => return self.fault(error).map(Looked::only),
            Err(MediaError::Refused(_)) if !probe.has_picture => None,
            Err(error) => {
                tracing::info!(content = %self.item.uid, %error, "no poster");
                None
            }
        };
        let seen = Seen {
            duration_ms: probe.duration_ms.and_then(|ms| Millis::try_from(ms).ok()),
            width: probe.width.and_then(|width| width.try_into().ok()),
            height: probe.height.and_then(|height| height.try_into().ok()),
            codecs: probe.codecs(),
            poster,
        };
        // An incomplete file plays as far as it goes, and the uploader sees that it is damaged.
        let outcome = match probe.damaged {
            true => Outcome::failed(Fault::Damaged),
            false => Outcome::of(Processing::Done),
        };
        let film = Film { input, demuxer, probe, _folder: folder };
        Ok(Looked { outcome, seen, film: Some(film) })
    }

    /// Makes a smaller version of an image.
    async fn view(&self, len: u64) -> Result<Looked, Stop> {
        if len > PICTURE_MAX {
            return Ok(Looked::only(Outcome::of(Processing::Done)));
        }
        let (input, _folder) = self.input().await?;
        let fault = match self.room.media.redraw(&input, Target::Poster(POSTER_WIDTH)).await {
            Ok(poster) => {
                let seen = Seen { poster: Some(self.keep_poster(poster.bytes).await?), ..Seen::default() };
                return Ok(Looked { seen, ..Looked::only(Outcome::of(Processing::Done)) });
            }
            Err(ImageError::Machine(error)) => {
                return self.fault(MediaError::Machine(error)).map(Looked::only);
            }
            Err(error) => error,
        };
        tracing::info!(content = %self.item.uid, error = %fault, "the image gets no poster");
        Ok(Looked::only(Outcome::failed(match fault {
            ImageError::Undecodable(_) => Fault::Unreadable,
            _ => Fault::Excessive,
        })))
    }

    /// Makes a poster of the first page of a document.
    async fn leaf(&self) -> Result<Looked, Stop> {
        if let Some(missing) = self.room.media.missing_for_documents() {
            tracing::warn!(content = %self.item.uid, missing, "the document gets no poster");
            return Ok(Looked::only(Outcome::of(Processing::None)));
        }
        let (input, _folder) = self.input().await?;
        match self.room.media.first_page(&input).await {
            Ok(page) => {
                let seen = Seen { poster: Some(self.keep_poster(page).await?), ..Seen::default() };
                Ok(Looked { seen, ..Looked::only(Outcome::of(Processing::Done)) })
            }
            Err(error) => self.fault(error).map(Looked::only),
        }
    }

    /// Stores a poster under the version it was made from, and returns that version.
    async fn keep_poster(&self, poster: Vec<u8>) -> Result<kernel::Uid, Stop> {
        let name = Name::version(Version::Poster, self.source.version);
        let key = storage::Key::content(self.item.org, self.item.uid, &name);
        let (org, content, len) = (self.item.org, self.item.uid, poster.len() as u64);
        let object = StoredObject::of_content(org, content, &key, ObjectKind::Poster, len);
        let tx = self.room.db.write_tx().await?;
        store::object::record_named(&tx, object).await?;
        tx.commit().await?;
        self.room.storage.put(&key, poster.into()).await?;
        Ok(self.source.version)
    }

    /// Publishes the result of the inspection before the long work begins.
    pub(super) async fn write(&self, seen: Seen) -> Result<(), Stop> {
        let ours = patiently(|| self.try_write(&seen).boxed());
        if ours.await? { Ok(()) } else { Err(Stop::Overtaken) }
    }

    async fn try_write(&self, seen: &Seen) -> Result<bool, DbErr> {
        let tx = self.room.db.write_tx_on(self.item.org).await?;
        let ours = store::making::seen(&tx, self.item.uid, self.set, seen).await?;
        tx.commit().await?;
        Ok(ours)
    }
}
