//! Uploaded images are never passed on as they came: they are decoded and written anew, which leaves behind hidden
//! data, places in the world, and whatever was meant for another decoder.
//!
//! Decoding happens in a process of its own, which is this very program behind every wall that holds here, with
//! [`MEMORY`] at most; where Landlock and namespaces are missing, behind limits and seccomp. The server itself never
//! looks into an image.

mod draw;
mod header;

use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::task::spawn_blocking;

use crate::job::{Job, Said, Terms};
use crate::probe::first_line;
use crate::{BOX_COMMAND, Media, MediaError};

pub(crate) use draw::main;

/// Pixels of an image that is taken.
const PIXELS: u64 = 50_000_000;
/// Bytes of color profiles, texts and camera data in an image that is taken, once they are unpacked.
const PROFILE: u64 = 1024 * 1024;
/// Bytes of address space of the process that decodes.
const MEMORY: u64 = 512 * 1024 * 1024;
/// Seconds of its processor time: the largest image that is taken needs a few.
const CPU_SECONDS: u64 = 20;
/// How long it may take in all: on a busy machine it comes after the server.
const WALL: Duration = Duration::from_secs(120);
/// Images that are decoded at the same time.
pub(crate) const AT_ONCE: usize = 2;
/// The word of the box for this work.
pub(crate) const REDRAW: &str = "--redraw";
/// Name of the result in the job's folder, and how large it may be.
const OUTPUT: &str = "image";
const OUTPUT_MAX: u64 = 64 * 1024 * 1024;

/// What an image becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// At most so many pixels along its longer side: a PNG where it is transparent, else a JPEG.
    Fit(u32),
    /// A JPEG at most so many pixels wide, on white where it is transparent.
    Poster(u32),
}

impl Target {
    fn words(self) -> [String; 2] {
        match self {
            Self::Fit(side) => ["fit".to_owned(), side.to_string()],
            Self::Poster(width) => ["poster".to_owned(), width.to_string()],
        }
    }

    fn read(name: &str, pixels: &str) -> Option<Self> {
        let pixels = pixels.parse().ok().filter(|pixels| *pixels > 0)?;
        match name {
            "fit" => Some(Self::Fit(pixels)),
            "poster" => Some(Self::Poster(pixels)),
            _ => None,
        }
    }
}

/// An image written anew.
#[derive(Debug)]
pub struct Redrawn {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// `image/jpeg` or `image/png`.
    pub media_type: &'static str,
}

/// Why an image was not written anew.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// Its header promises more pixels than are taken.
    #[error("the image has more than 50 megapixels")]
    TooManyPixels,
    /// It carries more than its pixels need.
    #[error("the image carries more than 1 MiB of profiles and texts")]
    LargeProfile,
    /// It went over a limit while it was decoded.
    #[error("the image takes too much memory or time")]
    TooCostly,
    /// It is damaged, or no image.
    #[error("the image could not be decoded: {0}")]
    Undecodable(String),
    /// The machine, not the image: trying again may help.
    #[error("the image's decoder could not be run: {0}")]
    Machine(#[from] io::Error),
}

impl Media {
    /// Decodes an image and writes it anew, upright. Of an animation the first picture is taken.
    ///
    /// # Errors
    /// What is wrong with the image, or with the machine.
    pub async fn redraw(&self, input: &Path, target: Target) -> Result<Redrawn, ImageError> {
        // Finding out which walls hold takes a part of a second the first time.
        let own = self.clone();
        spawn_blocking(move || own.walls().enough()).await.map_err(io::Error::other)?;
        // The semaphore is never closed.
        let _turn = self.inner.images.acquire().await.map_err(io::Error::other)?;
        let job = Job::new(&self.inner, input).await.map_err(fault)?;
        let args: Vec<_> =
            [BOX_COMMAND, REDRAW].map(str::to_owned).into_iter().chain(target.words()).collect();
        let mut terms = Terms::of(&self.inner.settings);
        terms.memory_bytes = terms.memory_bytes.min(MEMORY);
        (terms.cpu_seconds, terms.wall) = (terms.cpu_seconds.min(CPU_SECONDS), WALL);
        let said = job.run_at_once(&self.inner, &self.inner.box_path, &args, terms).await.map_err(fault)?;
        let media_type = verdict(&said)?;
        let bytes = job.result(OUTPUT, OUTPUT_MAX).await.map_err(fault)?.ok_or(ImageError::TooCostly)?;
        Ok(Redrawn { bytes, media_type })
    }
}

fn fault(error: MediaError) -> ImageError {
    match error {
        MediaError::Machine(error) => ImageError::Machine(error),
        MediaError::OverLimit(_) => ImageError::TooCostly,
        other => ImageError::Undecodable(other.to_string()),
    }
}

/// What the other process said, or how it fell over: the system ends it when it asks for too much.
fn verdict(said: &Said) -> Result<&'static str, ImageError> {
    let word = String::from_utf8_lossy(&said.stdout);
    match word.trim() {
        "jpeg" if said.success => Ok("image/jpeg"),
        "png" if said.success => Ok("image/png"),
        "pixels" => Err(ImageError::TooManyPixels),
        "profile" => Err(ImageError::LargeProfile),
        "undecodable" => Err(ImageError::Undecodable(first_line(&said.stderr))),
        _ if said.stderr.contains("panicked") => Err(ImageError::Undecodable("its decoder fell over".into())),
        _ => Err(ImageError::TooCostly),
    }
}
