#![doc = include_str!("../README.md")]

mod command;
mod confinement;
mod document;
mod folder;
#[doc(hidden)]
pub mod fuzzing;
mod icon;
mod isobmff;
mod job;
mod ladder;
mod playlist;
mod poster;
mod probe;
mod readiness;
mod reencode;
mod render;
mod settings;
mod sniff;
mod storyboard;
mod tone;
mod tools;
mod truncation;
mod waveform;

use std::path::Path;
use std::sync::Arc;

use crate::tools::Inner;

pub use confinement::{ConfinementReport, LayerStatus, UnusableTool, confinement_main};
pub use folder::WorkFolder;
pub use icon::{IconShape, letter_icon};
pub use probe::Probe;
pub use reencode::{ImageError, ReencodedImage, SmallerImage, Target};
pub use render::{OnProgress, Progress, Rendered, RenderedFile};
pub use settings::MediaSettings;
pub use sniff::{Kind, Sniffed, TypeMismatch, sniff};
pub use tone::Tone;

/// The hidden subcommand under which a program calls [`confinement_main`].
pub const CONFINEMENT_COMMAND: &str = "media-confine";

/// Why a media tool gave no result.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// The tools are not installed or not confined enough; the sentence says what to do.
    #[error("{0}")]
    Unavailable(String),
    /// The tool rejected the file: it is damaged, or not what it claims to be. Retrying changes nothing.
    #[error("the file could not be read: {0}")]
    Refused(String),
    /// The file contains less than it claims, or much of it cannot be decoded. Retrying changes nothing.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// The file kept the tool busy for longer than allowed, or made it write too much.
    #[error("the file exceeded a limit: {0}")]
    OverLimit(&'static str),
    /// The machine failed, not the file; retrying may help.
    #[error("the media tools could not be run: {0}")]
    Machine(#[from] std::io::Error),
}

/// The media tools. Cloning shares the handle and its limit of tools that run at the same time.
#[derive(Clone)]
pub struct Media {
    inner: Arc<Inner>,
}

impl Media {
    /// Finds the tools. Creates `work_dir` if it does not exist. Missing tools are not an error: see
    /// [`Self::missing`].
    ///
    /// # Errors
    /// If the working folder cannot be created or the path of this program cannot be determined.
    pub fn open(settings: MediaSettings, work_dir: &Path) -> std::io::Result<Self> {
        Ok(Self { inner: Arc::new(Inner::open(settings, work_dir)?) })
    }

    /// Returns true if HDR video is tone-mapped to SDR. Otherwise it keeps the right colors and looks dull.
    /// The first call asks ffmpeg for its filters, which takes a fraction of a second.
    pub fn tone_maps(&self) -> bool {
        self.inner.tone_maps()
    }

    /// Creates a folder for work on a file, on the same file system as the folders of jobs. It is removed
    /// when dropped, or by [`Self::sweep`] if the process dies.
    ///
    /// # Errors
    /// If it cannot be created.
    pub async fn folder(&self) -> std::io::Result<WorkFolder> {
        let work_dir = self.inner.work_dir.clone();
        tokio::task::spawn_blocking(move || WorkFolder::new(&work_dir)).await?
    }

    /// Returns the folder in which jobs get their folders.
    pub fn work_dir(&self) -> &Path {
        &self.inner.work_dir
    }

    /// Removes the folders of jobs whose process died and kills the tools that outlived it. Returns the
    /// number of folders.
    ///
    /// # Errors
    /// If the working folder cannot be read.
    pub fn sweep(&self) -> std::io::Result<usize> {
        folder::sweep(&self.inner.work_dir)
    }
}
