//! The loudness of an audio file over time, as a few hundred numbers. Unlike an image, a page can draw them
//! in its own colors and at any size.

use std::fmt::Write as _;

/// Sample rate from which the loudness is computed.
const SAMPLE_RATE: u64 = 8_000;
/// Approximate number of values in a waveform.
const PEAKS: u64 = 800;
/// Most values, in case the audio is longer than it claims.
const PEAKS_MAX: usize = 8_000;
/// ffmpeg's key for the loudest sample of a frame, in dBFS.
const KEY: &str = "lavfi.astats.Overall.Peak_level";
/// Fewest samples per frame: a hundredth of a second.
const FRAME_MIN: u64 = 80;

/// The resolution of one waveform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waveform {
    /// Samples that are combined into one value.
    frame: u64,
}

impl Waveform {
    /// Returns the resolution for an audio file of this many milliseconds.
    pub(crate) fn of(duration: u64) -> Self {
        Self { frame: (duration * SAMPLE_RATE / 1000).div_ceil(PEAKS).max(FRAME_MIN) }
    }

    /// Returns the filters that write the values into a file in the tool's folder.
    pub(crate) fn filter(&self, file: &str) -> String {
        format!(
            "aformat=sample_fmts=flt:channel_layouts=mono,aresample={SAMPLE_RATE},asetnsamples=n={}:p=0,\
             astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=Peak_level,\
             ametadata=mode=print:key={KEY}:file={file}",
            self.frame
        )
    }

    /// Returns the JSON that is served: values from 0 (silent) to 100 (full scale), one every `intervalMs`
    /// milliseconds. Returns `None` if the tool wrote none.
    pub(crate) fn to_json(self, written: &str) -> Option<String> {
        let peaks = written.lines().filter_map(|line| line.trim().strip_prefix(KEY)?.strip_prefix('='));
        let mut out = String::new();
        for (number, level) in peaks.take(PEAKS_MAX).enumerate() {
            let comma = if number == 0 { "" } else { "," };
            let _ = write!(out, "{comma}{}", loudness(level));
        }
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let interval = self.frame as f64 * 1000.0 / SAMPLE_RATE as f64;
        (!out.is_empty()).then(|| format!("{{\"intervalMs\":{interval},\"peaks\":[{out}]}}"))
    }
}

/// Converts dBFS to percent of full scale.
fn loudness(decibels: &str) -> u8 {
    let decibels = decibels.parse().ok().filter(|level: &f64| !level.is_nan()).unwrap_or(f64::NEG_INFINITY);
    let part = 10_f64.powf(decibels.min(0.0) / 20.0) * 100.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 100")]
    let hundredths = part.round() as u8;
    hundredths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decibels_become_hundredths() {
        for (level, expected) in
            [("0.000000", 100), ("-6.020600", 50), ("-20", 10), ("-inf", 0), ("3", 100), ("nan", 0), ("x", 0)]
        {
            assert_eq!(loudness(level), expected, "{level}");
        }
    }

    #[test]
    fn the_output_of_the_tool_becomes_one_small_object() {
        let written = "frame:0 pts:0 pts_time:0\nlavfi.astats.Overall.Peak_level=-6.0206\n\
                       frame:1 pts:80 pts_time:0.01\nlavfi.astats.Overall.Peak_level=-inf\n";
        let waveform = Waveform::of(1_000);
        assert_eq!(waveform.to_json(written).unwrap(), r#"{"intervalMs":10,"peaks":[50,0]}"#);
        assert_eq!(waveform.to_json(""), None);
        let endless = format!("{KEY}=0\n").repeat(PEAKS_MAX + 9);
        assert_eq!(waveform.to_json(&endless).unwrap().matches("100").count(), PEAKS_MAX);
    }

    #[test]
    fn a_long_audio_file_has_as_many_numbers_as_a_short_one() {
        for duration in [60_000, 3_600_000, 36_000_000] {
            let numbers = (duration * SAMPLE_RATE / 1000).div_ceil(Waveform::of(duration).frame);
            assert!((790..=800).contains(&numbers), "{numbers}");
        }
    }
}
