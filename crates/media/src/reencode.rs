//! Uploaded images are never passed on as they are. They are decoded and re-encoded, which removes hidden
//! data, locations, and anything aimed at another decoder.
//!
//! Decoding happens in a separate process of this program, under every layer of confinement that works on the
//! machine (limits and seccomp if Landlock and namespaces are missing), with at most [`MEMORY`]. The server
//! itself never parses an image.

mod confined;
mod header;

use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::task::spawn_blocking;

use crate::icon::IconShape;
use crate::job::{Job, RunLimits, ToolOutput};
use crate::probe::first_line;
use crate::{CONFINEMENT_COMMAND, Media, MediaError};

pub(crate) use confined::main;

/// Most pixels an accepted image may have.
const PIXELS: u64 = 50_000_000;
/// Bytes of color profiles, text and camera data that an accepted image may have, once unpacked.
const PROFILE: u64 = 1024 * 1024;
/// Address space of the decoding process in bytes.
const MEMORY: u64 = 512 * 1024 * 1024;
/// Processor time of the decoding process in seconds; the largest accepted image needs a few.
const CPU_SECONDS: u64 = 20;
/// How much higher its nice value is than that of the server: someone waits for the image, so on a busy
/// machine it gets half the share of the server, and about five times that of the other tools.
const NICE_INCREMENT: i32 = 3;
/// Time limit for one image: on a busy machine the server has priority.
const WALL_TIME: Duration = Duration::from_mins(2);
/// Images that are decoded at the same time.
pub(crate) const AT_ONCE: usize = 2;
/// The argument that starts this work in `media-confine`.
pub(crate) const REENCODE: &str = "--reencode";
/// Name of the result in the job's folder, and its largest size.
const OUTPUT: &str = "image";
const OUTPUT_MAX: u64 = 64 * 1024 * 1024;

/// Returns the name of a smaller version in the job's folder.
fn output_of(width: u32) -> String {
    format!("{OUTPUT}-{width}")
}

/// What an image is converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// At most this many pixels on its longer side: a PNG if the image is transparent, otherwise a JPEG.
    Fit(u32),
    /// A JPEG at most this many pixels wide, on white if the image is transparent.
    Poster(u32),
    /// A PNG of this shape with the image in the middle.
    Icon(IconShape),
}

impl Target {
    fn to_args(self) -> [String; 2] {
        match self {
            Self::Fit(side) => ["fit".to_owned(), side.to_string()],
            Self::Poster(width) => ["poster".to_owned(), width.to_string()],
            Self::Icon(shape) => ["icon".to_owned(), shape.to_word()],
        }
    }

    fn parse(name: &str, size: &str) -> Option<Self> {
        let pixels = || size.parse().ok().filter(|pixels| *pixels > 0);
        match name {
            "fit" => pixels().map(Self::Fit),
            "poster" => pixels().map(Self::Poster),
            "icon" => IconShape::parse(size).map(Self::Icon),
            _ => None,
        }
    }
}

/// A re-encoded image.
#[derive(Debug)]
pub struct ReencodedImage {
    /// The encoded image.
    pub bytes: Vec<u8>,
    /// `image/jpeg` or `image/png`.
    pub media_type: &'static str,
    /// Smaller versions of the same type, narrowest first.
    pub smaller: Vec<SmallerImage>,
}

/// A smaller version of a re-encoded image.
#[derive(Debug)]
pub struct SmallerImage {
    /// Its width in pixels.
    pub width: u32,
    /// The encoded image.
    pub bytes: Vec<u8>,
}

/// Why an image was not re-encoded.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The header claims more pixels than are accepted.
    #[error("the image has more than 50 megapixels")]
    TooManyPixels,
    /// The image has too much data besides its pixels.
    #[error("the image has more than 1 MiB of profiles and text")]
    LargeProfile,
    /// Decoding exceeded a limit.
    #[error("the image takes too much memory or time")]
    TooCostly,
    /// The data is damaged or not an image.
    #[error("the image could not be decoded: {0}")]
    Undecodable(String),
    /// The machine failed, not the image; retrying may help.
    #[error("the image's decoder could not be run: {0}")]
    Machine(#[from] io::Error),
}

impl Media {
    /// Decodes an image and re-encodes it upright, also in those of the widths that are smaller. Of an animation,
    /// only the first frame is used.
    ///
    /// # Errors
    /// If the image cannot be accepted, or the machine fails.
    pub async fn reencode_image(
        &self,
        input: &Path,
        target: Target,
        widths: &[u32],
    ) -> Result<ReencodedImage, ImageError> {
        // The first check of the confinement takes a fraction of a second, so it must not run on the event
        // loop.
        let media = self.clone();
        spawn_blocking(move || media.confinement().is_sufficient()).await.map_err(io::Error::other)?;
        // The semaphore is never closed.
        let _permit = self.inner.decode_permits.acquire().await.map_err(io::Error::other)?;
        let job = Job::new(&self.inner, input).await.map_err(to_image_error)?;
        let command = [CONFINEMENT_COMMAND, REENCODE].map(str::to_owned).into_iter();
        let args: Vec<_> = command.chain(target.to_args()).chain(widths.iter().map(u32::to_string)).collect();
        let mut limits = RunLimits::from_settings(&self.inner.settings);
        limits.memory_bytes = limits.memory_bytes.min(MEMORY);
        (limits.cpu_seconds, limits.wall_time) = (limits.cpu_seconds.min(CPU_SECONDS), WALL_TIME);
        limits.nice = NICE_INCREMENT;
        let output = job
            .run_without_permit(&self.inner, &self.inner.confine_path, &args, limits)
            .await
            .map_err(to_image_error)?;
        let media_type = parse_output(&output)?;
        let bytes =
            job.result(OUTPUT, OUTPUT_MAX).await.map_err(to_image_error)?.ok_or(ImageError::TooCostly)?;
        let mut smaller = Vec::new();
        for width in widths {
            if let Some(bytes) = job.result(&output_of(*width), OUTPUT_MAX).await.map_err(to_image_error)? {
                smaller.push(SmallerImage { width: *width, bytes });
            }
        }
        smaller.sort_unstable_by_key(|image| image.width);
        Ok(ReencodedImage { bytes, media_type, smaller })
    }
}

fn to_image_error(error: MediaError) -> ImageError {
    match error {
        MediaError::Machine(error) => ImageError::Machine(error),
        MediaError::OverLimit(_) => ImageError::TooCostly,
        other => ImageError::Undecodable(other.to_string()),
    }
}

/// Interprets the output of the decoding process, or its crash: the kernel kills it if it exceeds a limit.
fn parse_output(output: &ToolOutput) -> Result<&'static str, ImageError> {
    let word = String::from_utf8_lossy(&output.stdout);
    match word.trim() {
        "jpeg" if output.success => Ok("image/jpeg"),
        "png" if output.success => Ok("image/png"),
        "pixels" => Err(ImageError::TooManyPixels),
        "profile" => Err(ImageError::LargeProfile),
        "undecodable" => Err(ImageError::Undecodable(first_line(&output.stderr))),
        _ if output.stderr.contains("panicked") => Err(ImageError::Undecodable("its decoder crashed".into())),
        _ => Err(ImageError::TooCostly),
    }
}
