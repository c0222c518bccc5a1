//! A poster image from a video frame or the cover of an audio file.

use std::path::Path;

use crate::job::{Job, input_args, input_name};
use crate::probe::first_line;
use crate::{Media, MediaError, Probe, Tone};

/// Name of the image in the job's folder.
const OUTPUT: &str = "poster.jpg";
/// Largest poster in bytes.
const POSTER_MAX: u64 = 4 * 1024 * 1024;
/// The poster is taken at a tenth of the video's length, but not later than this.
const LATEST_MS: u64 = 3_000;

impl Media {
    /// Returns a JPEG at most 1,600 pixels wide, taken at a tenth of the video's length and at most 3 s in.
    ///
    /// # Errors
    /// [`MediaError::Refused`] if no image could be extracted, and errors for time, memory and missing tools.
    pub async fn poster(
        &self,
        input: &Path,
        demuxer: &'static str,
        probe: &Probe,
    ) -> Result<Vec<u8>, MediaError> {
        self.ready()?;
        let Some(ffmpeg) = &self.inner.ffmpeg else {
            return Err(MediaError::Unavailable(self.missing().unwrap_or_default()));
        };
        let job = Job::new(&self.inner, input).await?;
        let is_video = probe.video_codec.is_some();
        let can_tone_map = probe.tone != Tone::Standard && self.check_tone_maps().await?;
        let tone = probe.tone.filter(can_tone_map).map(|chain| format!(",{chain}")).unwrap_or_default();
        let filter = format!("scale=w='min(1600,iw)':h=-2{tone}");
        let at = if is_video { (probe.duration_ms.unwrap_or(0) / 10).min(LATEST_MS) } else { 0 };
        let mut image = self.extract(&job, ffmpeg, demuxer, at, &filter).await?;
        if image.is_err() && at > 0 {
            // The video may be shorter than it claims; its first frame is better than nothing.
            image = self.extract(&job, ffmpeg, demuxer, 0, &filter).await?;
        }
        image.map_err(MediaError::Refused)
    }

    /// Extracts the image at a time, or returns the tool's error message.
    async fn extract(
        &self,
        job: &Job,
        ffmpeg: &Path,
        demuxer: &'static str,
        at: u64,
        filter: &str,
    ) -> Result<Result<Vec<u8>, String>, MediaError> {
        let mut args = vec!["-nostdin".to_owned(), "-y".into(), "-hide_banner".into()];
        args.extend(input_args(demuxer));
        // Frames of more than 36 megapixels are not decoded.
        args.extend(["-max_pixels".into(), "36000000".into()]);
        args.extend(["-ss".into(), format!("{}.{:03}", at / 1000, at % 1000), "-i".into(), input_name()]);
        let output_args = [
            "-map",
            "0:v:0",
            "-frames:v",
            "1",
            "-an",
            "-sn",
            "-dn",
            "-map_metadata",
            "-1",
            "-vf",
            filter,
            "-pix_fmt",
            "yuvj420p",
            "-c:v",
            "mjpeg",
            "-q:v",
            "4",
            "-f",
            "image2",
            "-update",
            "1",
        ];
        args.extend(output_args.map(str::to_owned));
        args.push(format!("./{OUTPUT}"));
        let output = job.run(&self.inner, ffmpeg, &args).await?;
        // The exit status is unreliable both ways; what counts is whether there is an image.
        Ok(match job.result(OUTPUT, POSTER_MAX).await? {
            Some(image) if is_complete_jpeg(&image) => Ok(image),
            _ => Err(first_line(&output.stderr)),
        })
    }
}

pub(crate) fn is_complete_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xd8, 0xff]) && bytes.ends_with(&[0xff, 0xd9])
}
