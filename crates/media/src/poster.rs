//! A still picture of a film or a sound's cover.

use std::path::Path;

use crate::job::{Job, input_args, input_name};
use crate::probe::first_line;
use crate::{Media, MediaError, Probe, Tone};

/// Name of the picture inside the job's folder.
const OUTPUT: &str = "poster.jpg";
/// Bytes a poster may have.
const POSTER_MAX: u64 = 4 * 1024 * 1024;
/// The picture is taken a tenth into the film, but not later than this.
const LATEST_MS: u64 = 3_000;

impl Media {
    /// A JPEG at most 800 pixels wide, taken a tenth into the film and at most 3 s in.
    ///
    /// # Errors
    /// [`MediaError::Refused`] when no picture came out; time, memory, missing tools.
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
        let film = probe.video_codec.is_some();
        let maps = probe.tone != Tone::Usual && self.asked_tone_maps().await?;
        let tone = probe.tone.filter(maps).map(|chain| format!(",{chain}")).unwrap_or_default();
        let filter = format!("scale=w='min(800,iw)':h=-2{tone}");
        let at = if film { (probe.duration_ms.unwrap_or(0) / 10).min(LATEST_MS) } else { 0 };
        let mut picture = self.take(&job, ffmpeg, demuxer, at, &filter).await?;
        if picture.is_err() && at > 0 {
            // A film may be shorter than it says; its first picture is better than none.
            picture = self.take(&job, ffmpeg, demuxer, 0, &filter).await?;
        }
        picture.map_err(MediaError::Refused)
    }

    /// The picture at a time, or what the tool said instead.
    async fn take(
        &self,
        job: &Job,
        ffmpeg: &Path,
        demuxer: &'static str,
        at: u64,
        filter: &str,
    ) -> Result<Result<Vec<u8>, String>, MediaError> {
        let mut args = vec!["-nostdin".to_owned(), "-y".into(), "-hide_banner".into()];
        args.extend(input_args(demuxer));
        // Pictures over 36 megapixels are left alone.
        args.extend(["-max_pixels".into(), "36000000".into()]);
        args.extend(["-ss".into(), format!("{}.{:03}", at / 1000, at % 1000), "-i".into(), input_name()]);
        let output = [
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
        args.extend(output.map(str::to_owned));
        args.push(format!("./{OUTPUT}"));
        let said = job.run(&self.inner, ffmpeg, &args).await?;
        // The exit status lies in both directions; what counts is whether there is a picture.
        Ok(match job.result(OUTPUT, POSTER_MAX).await? {
            Some(picture) if is_whole_jpeg(&picture) => Ok(picture),
            _ => Err(first_line(&said.stderr)),
        })
    }
}

pub(crate) fn is_whole_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xd8, 0xff]) && bytes.ends_with(&[0xff, 0xd9])
}
