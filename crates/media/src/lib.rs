//! What a file is, how long it is, and a still picture of it: ffprobe and ffmpeg behind walls.
//!
//! [`sniff`] names a file by its first bytes. [`Media::probe`] and [`Media::poster`] run the tools in a fresh
//! folder, with one demuxer and a short list of decoders, without environment, as another user where that is
//! possible, under limits and a wall timer, behind Landlock, namespaces and seccomp ([`Walls`]); [`box_main`] is
//! the inner side of those walls. This crate knows no table and no feature.

mod boxes;
mod command;
mod document;
mod folder;
mod job;
mod ladder;
mod playlist;
mod poster;
mod probe;
mod redraw;
mod render;
mod settings;
mod sniff;
mod storyboard;
mod tone;
mod tools;
mod walls;
mod waveform;
mod whole;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::tools::Inner;

pub use folder::WorkFolder;
pub use probe::Probe;
pub use redraw::{ImageError, Redrawn, Target};
pub use render::{Progress, Rendered, RenderedFile, Told};
pub use settings::MediaSettings;
pub use sniff::{Kind, Mismatch, Sniffed, sniff};
pub use tone::Tone;
pub use walls::{Stuck, Wall, Walls, box_main};

/// The hidden subcommand under which a program calls [`box_main`].
pub const BOX_COMMAND: &str = "media-box";

/// Why a media tool gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// The tools are not installed; the sentence says what to do.
    #[error("{0}")]
    Unavailable(String),
    /// The tool refused the file: it is damaged, or not what it says it is. Trying again changes nothing.
    #[error("the file could not be read: {0}")]
    Refused(String),
    /// The file holds less than it says, or much of it cannot be decoded. Trying again changes nothing.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// The file kept the tool busy for longer than allowed, or made it write too much.
    #[error("the file went over a limit: {0}")]
    OverLimit(&'static str),
    /// The machine, not the file: trying again may help.
    #[error("the media tools could not be run: {0}")]
    Machine(#[from] std::io::Error),
}

/// The media tools. Cloning shares the handle and its limit of tools at work.
#[derive(Clone)]
pub struct Media {
    inner: Arc<Inner>,
}

impl Media {
    /// Finds the tools. `work_dir` is made when it is not there. Missing tools are no error: see
    /// [`Self::missing`].
    ///
    /// # Errors
    /// When the working folder cannot be made or this program's own path cannot be found.
    pub fn open(settings: MediaSettings, work_dir: &Path) -> std::io::Result<Self> {
        Ok(Self { inner: Arc::new(Inner::open(settings, work_dir)?) })
    }

    /// What is missing for posters and durations, as a sentence that says what to do; `None` when nothing is.
    pub fn missing(&self) -> Option<String> {
        let tools = [("ffprobe", &self.inner.ffprobe), ("ffmpeg", &self.inner.ffmpeg)];
        let absent: Vec<_> = tools.iter().filter(|(_, path)| path.is_none()).map(|(name, _)| *name).collect();
        if absent.is_empty() {
            let reason = (!self.inner.settings.without_walls).then(|| self.open_walls())??;
            return Some(format!("files upload and play, but get no poster and no duration. {reason}"));
        }
        Some(format!(
            "{} not found: files upload and play, but get no poster and no duration. Install Debian's package \
             ffmpeg, or set media.ffprobe and media.ffmpeg.",
            absent.join(" and "),
        ))
    }

    /// Which walls hold on this machine. The first call puts each of them up in a process of its own and tries it,
    /// which takes a part of a second; later ones know.
    pub fn walls(&self) -> &Walls {
        self.inner.walls()
    }

    /// What a hostile file could do because walls are missing, as a sentence that says what to do; `None`
    /// when it could do nothing.
    pub fn open_walls(&self) -> Option<String> {
        self.inner
            .obstacle([&self.inner.ffprobe, &self.inner.ffmpeg].into_iter().flatten().map(PathBuf::as_path))
    }

    /// The same for documents.
    pub fn open_walls_for_documents(&self) -> Option<String> {
        self.inner.obstacle(self.inner.pdftoppm.as_deref())
    }

    /// Whether films with more light than every screen shows (HDR) are brought to what it shows; otherwise they get the
    /// right colours and look dull. The first call asks ffmpeg which filters it knows, which takes a part of a second.
    pub fn tone_maps(&self) -> bool {
        self.inner.tone_maps()
    }

    /// Whether probes and posters can be made.
    pub fn available(&self) -> bool {
        self.missing().is_none()
    }

    /// No tool is run where something is missing, walls included.
    fn ready(&self) -> Result<(), MediaError> {
        self.missing().map_or(Ok(()), |sentence| Err(MediaError::Unavailable(sentence)))
    }

    /// A fresh folder for work on a file, on the file system of the jobs' own. Removed when dropped, and by
    /// [`Self::sweep`] when the process dies.
    ///
    /// # Errors
    /// When it cannot be made.
    pub async fn folder(&self) -> std::io::Result<WorkFolder> {
        let work_dir = self.inner.work_dir.clone();
        tokio::task::spawn_blocking(move || WorkFolder::new(&work_dir)).await?
    }

    /// Where jobs get their folders.
    pub fn work_dir(&self) -> &Path {
        &self.inner.work_dir
    }

    /// Removes the folders of jobs whose process died, and ends the tools that went on without it. Returns how many
    /// folders.
    ///
    /// # Errors
    /// When the working folder cannot be read.
    pub fn sweep(&self) -> std::io::Result<usize> {
        folder::sweep(&self.inner.work_dir)
    }
}
