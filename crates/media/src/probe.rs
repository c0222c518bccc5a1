//! Length, dimensions and codecs of a file.

use std::io;
use std::path::Path;

use serde::Deserialize;
use tokio::task::spawn_blocking;

use crate::job::{Job, RunLimits, input_args, input_name};
use crate::truncation::is_complete;
use crate::{Media, MediaError, Tone};

/// What a file contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// Length in milliseconds, if known.
    pub duration_ms: Option<u64>,
    /// Displayed width in pixels, after rotation.
    pub width: Option<u32>,
    /// Displayed height in pixels, after rotation.
    pub height: Option<u32>,
    /// Length of the video stream alone in milliseconds, if the file states it.
    pub video_ms: Option<u64>,
    /// Average frame rate as frames in a number of seconds, if the file states it.
    pub frame_rate: Option<(u32, u32)>,
    /// Dynamic range and color space of the video.
    pub tone: Tone,
    /// ffmpeg's name of the video codec. Cover art is not video.
    pub video_codec: Option<String>,
    /// ffmpeg's name of the audio codec.
    pub audio_codec: Option<String>,
    /// True if an image can be extracted: from a video stream or cover art.
    pub has_image: bool,
    /// True if the file claims more than it contains: it was truncated, or its end is broken.
    pub damaged: bool,
}

#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    streams: Vec<Stream>,
    #[serde(default)]
    format: Format,
}

#[derive(Default, Deserialize)]
struct Format {
    duration: Option<String>,
}

#[derive(Deserialize)]
struct Stream {
    codec_type: Option<String>,
    codec_name: Option<String>,
    width: Option<u32>,
    height: Option<u32>,
    duration: Option<String>,
    avg_frame_rate: Option<String>,
    sample_aspect_ratio: Option<String>,
    color_transfer: Option<String>,
    color_primaries: Option<String>,
    #[serde(default)]
    disposition: Disposition,
    #[serde(default)]
    side_data_list: Vec<SideData>,
}

#[derive(Default, Deserialize)]
struct Disposition {
    #[serde(default)]
    attached_pic: u8,
}

#[derive(Deserialize)]
struct SideData {
    rotation: Option<f64>,
}

impl Probe {
    /// Returns the video and audio codec for display, such as `h264, aac`, or `None` if neither is known.
    pub fn codecs(&self) -> Option<String> {
        let named: Vec<_> = [&self.video_codec, &self.audio_codec].into_iter().flatten().cloned().collect();
        (!named.is_empty()).then(|| named.join(", "))
    }
}

impl Media {
    /// Reads the properties of `input`, with the one demuxer that its first bytes called for
    /// (`Sniffed::demuxer`).
    ///
    /// # Errors
    /// [`MediaError::Refused`] if it is not a file of this format, and errors for time, memory and missing
    /// tools.
    pub async fn probe(&self, input: &Path, demuxer: &'static str) -> Result<Probe, MediaError> {
        self.ready()?;
        let job = Job::new(&self.inner, input).await?;
        let entries = "format=duration:stream=codec_type,codec_name,width,height,duration,avg_frame_rate,\
                       sample_aspect_ratio,color_transfer,color_primaries:stream_disposition=attached_pic:stream_side_data=rotation";
        let report = self.run_ffprobe(&job, demuxer, &["-show_entries", entries]).await?;
        let mut probe = parse_report(&report)?;
        if probe.duration_ms.is_none() {
            probe.duration_ms = self.measure_length(&job, demuxer).await?;
        }
        let path = input.to_owned();
        let complete =
            spawn_blocking(move || is_complete(&path, demuxer)).await.map_err(io::Error::other)??;
        probe.damaged = !complete;
        Ok(probe)
    }

    /// Measures the length of a file that does not state it, such as a recording from a browser, by reading
    /// it to its end without decoding. Returns `None` if that yields no length either, or takes too long.
    async fn measure_length(&self, job: &Job, demuxer: &'static str) -> Result<Option<u64>, MediaError> {
        let Some(ffmpeg) = &self.inner.ffmpeg else { return Ok(None) };
        let mut args: Vec<String> =
            ["-nostdin", "-hide_banner", "-progress", "pipe:1"].map(str::to_owned).into();
        args.extend(input_args(demuxer));
        args.extend(["-i".to_owned(), input_name()]);
        args.extend(["-map", "0:V?", "-map", "0:a?", "-c", "copy", "-f", "null", "-"].map(str::to_owned));
        let mut reached = None;
        let mut on_line = |line: &str| {
            let micros = line.strip_prefix("out_time_us=").and_then(|text| text.parse::<u64>().ok());
            reached = micros.map(|micros| micros / 1000).max(reached);
        };
        let limits =
            RunLimits { on_line: Some(&mut on_line), ..RunLimits::from_settings(&self.inner.settings) };
        match job.run_with(&self.inner, ffmpeg, &args, limits).await {
            Ok(_) => Ok(reached.filter(|ms| *ms > 0)),
            Err(MediaError::OverLimit(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn run_ffprobe(
        &self,
        job: &Job,
        demuxer: &'static str,
        args: &[&str],
    ) -> Result<Report, MediaError> {
        let Some(ffprobe) = &self.inner.ffprobe else {
            return Err(MediaError::Unavailable(self.missing().unwrap_or_default()));
        };
        let mut all = input_args(demuxer);
        all.extend(args.iter().map(|arg| (*arg).to_owned()));
        all.extend(["-of".into(), "json".into(), input_name()]);
        let output = job.run(&self.inner, ffprobe, &all).await?;
        if !output.success {
            return Err(MediaError::Refused(first_line(&output.stderr)));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| MediaError::Refused(format!("the output of ffprobe is invalid: {error}")))
    }
}

/// Returns the tool's first error message, short enough for a log line.
pub(crate) fn first_line(stderr: &str) -> String {
    stderr.lines().next().unwrap_or("it gave no reason").chars().take(200).collect()
}

fn parse_report(report: &Report) -> Result<Probe, MediaError> {
    let of = |kind: &str| {
        let kind = kind.to_owned();
        report.streams.iter().filter(move |stream| stream.codec_type.as_deref() == Some(&kind))
    };
    let video = of("video").find(|stream| stream.disposition.attached_pic == 0);
    let audio = of("audio").next();
    if video.is_none() && audio.is_none() {
        return Err(MediaError::Refused("it contains neither audio nor video".into()));
    }
    let claimed = [Some(&report.format.duration), video.map(|s| &s.duration), audio.map(|s| &s.duration)];
    let duration_ms = claimed.into_iter().flatten().find_map(|text| millis(text.as_deref()?));
    let rotated = video.is_some_and(|stream| {
        let rotation = stream.side_data_list.iter().find_map(|data| data.rotation).unwrap_or(0.0);
        (rotation.abs() % 180.0 - 90.0).abs() < 0.5
    });
    let (mut width, mut height) = (video.and_then(display_width), video.and_then(|stream| stream.height));
    if rotated {
        std::mem::swap(&mut width, &mut height);
    }
    Ok(Probe {
        duration_ms,
        width,
        height,
        video_ms: video.and_then(|stream| millis(stream.duration.as_deref()?)),
        frame_rate: video.and_then(|stream| fraction(stream.avg_frame_rate.as_deref()?, '/')),
        tone: video.map_or(Tone::Standard, |stream| {
            Tone::of(stream.color_transfer.as_deref(), stream.color_primaries.as_deref())
        }),
        video_codec: video.and_then(|stream| stream.codec_name.clone()),
        audio_codec: audio.and_then(|stream| stream.codec_name.clone()),
        has_image: of("video").next().is_some(),
        damaged: false,
    })
}

/// Returns the width with square pixels: some cameras and discs store a video narrower than it is displayed.
fn display_width(stream: &Stream) -> Option<u32> {
    let width = stream.width?;
    let ratio = stream.sample_aspect_ratio.as_deref().and_then(|text| fraction(text, ':'));
    let Some((across, down)) = ratio.filter(|(across, down)| across / 4 <= *down && down / 4 <= *across)
    else {
        return Some(width);
    };
    u32::try_from(u64::from(width) * u64::from(across) / u64::from(down)).ok()
}

/// Parses a fraction such as `30000/1001`. Returns `None` if one of the numbers is 0.
fn fraction(text: &str, between: char) -> Option<(u32, u32)> {
    let (above, below) = text.split_once(between)?;
    let (above, below): (u32, u32) = (above.parse().ok()?, below.parse().ok()?);
    (above > 0 && below > 0).then_some((above, below))
}

/// Parses seconds such as `12.345000` into milliseconds. Returns `None` if it is not a plausible length.
fn millis(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    let usable = seconds.is_finite() && seconds > 0.0 && seconds < 1_000_000.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 10^9")]
    usable.then(|| (seconds * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Probe, MediaError> {
        parse_report(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn a_turned_phone_video_is_upright() {
        let probe = read(
            r#"{"streams":[{"codec_type":"video","codec_name":"h264","width":1920,"height":1080,
                "side_data_list":[{"rotation":-90}]},{"codec_type":"audio","codec_name":"aac"}],
                "format":{"duration":"12.345600"}}"#,
        )
        .unwrap();
        assert_eq!((probe.width, probe.height, probe.duration_ms), (Some(1080), Some(1920), Some(12_346)));
        assert_eq!((probe.video_codec.as_deref(), probe.audio_codec.as_deref()), (Some("h264"), Some("aac")));
    }

    #[test]
    fn cover_art_is_an_image_and_not_a_video() {
        let probe = read(
            r#"{"streams":[{"codec_type":"audio","codec_name":"mp3","duration":"3.5"},
                {"codec_type":"video","codec_name":"png","disposition":{"attached_pic":1}}]}"#,
        )
        .unwrap();
        assert_eq!((probe.video_codec, probe.has_image, probe.duration_ms), (None, true, Some(3_500)));
    }

    #[test]
    fn pixels_that_are_not_square_and_rates_are_read() {
        let of = |ratio: &str, rate: &str| {
            let json = format!(
                r#"{{"streams":[{{"codec_type":"video","codec_name":"h264","width":720,"height":576,"duration":"2",
                    "sample_aspect_ratio":"{ratio}","avg_frame_rate":"{rate}"}}]}}"#
            );
            let probe = read(&json).unwrap();
            (probe.width, probe.frame_rate, probe.video_ms)
        };
        assert_eq!(of("64:45", "25/1"), (Some(1024), Some((25, 1)), Some(2_000)));
        assert_eq!(of("1:1", "30000/1001"), (Some(720), Some((30_000, 1001)), Some(2_000)));
        for odd in ["0:1", "N/A", "5000:1", "1:5000", "-1:1"] {
            assert_eq!(of(odd, "0/0"), (Some(720), None, Some(2_000)), "{odd}");
        }
    }

    #[test]
    fn a_file_without_audio_and_video_is_refused_and_invalid_lengths_are_ignored() {
        assert!(read(r#"{"streams":[{"codec_type":"data"}]}"#).is_err());
        for odd in ["N/A", "-1", "0", "inf", "1e12"] {
            assert_eq!(millis(odd), None, "{odd}");
        }
    }
}
