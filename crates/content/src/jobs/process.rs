//! Finds a file's length and takes a picture of it. Running twice gives the same result in the same place.

use jobs::{Failure, Job};
use kernel::{Millis, Uid};
use media::{Kind, MediaError, Sniffed};
use serde::{Deserialize, Serialize};
use storage::ByteRange;
use tokio::task::spawn_blocking;

use crate::item::{Item, Source};
use crate::model::Processing;
use crate::store::content::Seen;
use crate::{Content, picture, store};

/// Width of a poster.
const POSTER_WIDTH: u32 = 800;
/// Bytes of a picture that a poster is made from; larger ones are shown without.
const PICTURE_MAX: u64 = 64 * 1024 * 1024;

/// The version to look at.
#[derive(Debug, Serialize, Deserialize)]
pub struct ProcessFile {
    pub org: Uid,
    pub content: Uid,
    pub version: Uid,
}

impl Job for ProcessFile {
    const KIND: &'static str = "content_process_file";
    const ATTEMPTS: i32 = 5;
}

/// What came of looking at a file.
struct Look {
    processing: Processing,
    seen: Seen,
    poster: Option<Vec<u8>>,
}

impl Look {
    fn without(processing: Processing) -> Self {
        Self { processing, seen: Seen::default(), poster: None }
    }
}

/// Looks at a file and writes down what it saw, unless another version is served by then.
pub async fn run(room: Content, job: ProcessFile) -> Result<(), Failure> {
    let Some(item) = store::content::by_id(room.db.read(), job.org, job.content).await? else {
        return Ok(());
    };
    let Some(source) = item.source.clone().filter(|source| source.version == job.version) else {
        return Ok(());
    };
    if item.processing == Processing::Done {
        return Ok(());
    }
    write(&room, &job, Look::without(Processing::Running)).await?;
    match look(&room, &item, &source).await {
        Ok(look) => write(&room, &job, look).await,
        // The next try says running again; after the last one this is what stays.
        Err(failure) => {
            write(&room, &job, Look::without(Processing::Failed)).await?;
            Err(failure)
        }
    }
}

async fn write(room: &Content, job: &ProcessFile, mut look: Look) -> Result<(), Failure> {
    if let Some(poster) = look.poster {
        let name = storage::Name::version(storage::Version::Poster, job.version);
        room.storage.put(&storage::Key::content(job.org, job.content, &name), poster.into()).await?;
        look.seen.poster = true;
    }
    let tx = room.db.write_tx_on(job.org).await?;
    store::content::processed(&tx, job.content, job.version, look.processing, look.seen).await?;
    Ok(tx.commit().await?)
}

async fn look(room: &Content, item: &Item, source: &Source) -> Result<Look, Failure> {
    let key = item.source_key(source.version);
    let mut head =
        room.storage.open_object(&key, Some(ByteRange::Between(0, storage::HEAD_BYTES as u64 - 1))).await?;
    let mut first = Vec::new();
    while let Some(chunk) = futures::StreamExt::next(&mut head.stream).await {
        first.extend_from_slice(&chunk?);
    }
    let file = item.file.as_ref();
    let (mime, name) = file.map_or(("", ""), |file| (&file.mime, &file.name));
    match media::sniff(&first, mime, name) {
        Ok(Sniffed { demuxer: Some(demuxer), .. }) => watch(room, item, source, demuxer).await,
        Ok(Sniffed { kind: Kind::Image, .. }) => view(room, item, source, head.len).await,
        Ok(_) | Err(_) => Ok(Look::without(Processing::None)),
    }
}

/// A film or a sound: ffprobe for its length, ffmpeg for a picture.
async fn watch(room: &Content, item: &Item, source: &Source, demuxer: &'static str) -> Result<Look, Failure> {
    if let Some(missing) = room.media.missing() {
        tracing::warn!(content = %item.uid, missing, "no length and no poster");
        return Ok(Look::without(Processing::None));
    }
    let key = item.source_key(source.version);
    // Kept until the tools are done with what may lie in it; swept should this process die.
    let folder = room.media.folder().await?;
    let input = match room.storage.local_path(&key) {
        Some(path) => path,
        None => {
            let path = folder.path().join("in");
            room.storage.fetch_to(&key, &path).await?;
            path
        }
    };
    let probe = match room.media.probe(&input, demuxer).await {
        Ok(probe) => probe,
        Err(error) => return unreadable(item, error),
    };
    let poster = match room.media.poster(&input, demuxer, &probe).await {
        Ok(poster) => Some(poster),
        Err(MediaError::Refused(_)) if !probe.has_picture => None,
        Err(error @ MediaError::Machine(_)) => return Err(error.into()),
        Err(error) => {
            tracing::info!(content = %item.uid, %error, "no poster");
            None
        }
    };
    Ok(Look {
        // A film that was cut before it came to us plays as far as it goes, and its owner is told.
        processing: if probe.damaged { Processing::Failed } else { Processing::Done },
        seen: Seen {
            duration_ms: probe.duration_ms.and_then(|ms| Millis::try_from(ms).ok()),
            width: probe.width.and_then(|width| width.try_into().ok()),
            height: probe.height.and_then(|height| height.try_into().ok()),
            poster: false,
        },
        poster,
    })
}

fn unreadable(item: &Item, error: MediaError) -> Result<Look, Failure> {
    match error {
        MediaError::Machine(_) => Err(error.into()),
        MediaError::Unavailable(_) => Ok(Look::without(Processing::None)),
        MediaError::Refused(_) | MediaError::OverLimit(_) => {
            tracing::info!(content = %item.uid, %error, "the file stays as it came, without length and poster");
            Ok(Look::without(Processing::Failed))
        }
    }
}

/// A picture: a smaller one of itself.
async fn view(room: &Content, item: &Item, source: &Source, len: u64) -> Result<Look, Failure> {
    if len > PICTURE_MAX {
        return Ok(Look::without(Processing::Done));
    }
    let mut object = room.storage.open_object(&item.source_key(source.version), None).await?;
    let mut bytes = Vec::new();
    while let Some(chunk) = futures::StreamExt::next(&mut object.stream).await {
        bytes.extend_from_slice(&chunk?);
    }
    // One decoder may take 256 MiB: those of uploads and of this job together are as many as there are easels.
    let _easel = room.easels.acquire().await.map_err(std::io::Error::other)?;
    let drawn = spawn_blocking(move || picture::poster(&bytes, POSTER_WIDTH)).await?;
    Ok(match drawn {
        Ok(poster) => Look { processing: Processing::Done, seen: Seen::default(), poster: Some(poster) },
        Err(error) => {
            tracing::info!(content = %item.uid, %error, "the picture stays as it came, without a smaller one");
            Look::without(Processing::Failed)
        }
    })
}
