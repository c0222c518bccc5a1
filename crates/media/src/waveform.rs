//! How loud a sound is from moment to moment, as a few hundred numbers: a page draws them in its own colours and
//! at its own size, which a picture could not do.

use std::fmt::Write as _;

/// Samples a second that the loudness is taken from.
const HERTZ: u64 = 8_000;
/// Numbers of a waveform, about.
const PEAKS: u64 = 800;
/// Numbers at the most, should a sound be longer than it says.
const PEAKS_MAX: usize = 8_000;
/// What ffmpeg calls the loudest sample of a frame, in decibels below full.
const KEY: &str = "lavfi.astats.Overall.Peak_level";
/// Samples of a frame at the least: a hundredth of a second.
const FRAME_MIN: u64 = 80;

/// The shape of one sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Waveform {
    /// Samples that become one number.
    frame: u64,
}

impl Waveform {
    /// For a sound of so many milliseconds.
    pub(crate) fn of(duration: u64) -> Self {
        Self { frame: (duration * HERTZ / 1000).div_ceil(PEAKS).max(FRAME_MIN) }
    }

    /// The chain of filters that writes the numbers into a file of the tool's folder.
    pub(crate) fn filter(&self, file: &str) -> String {
        format!(
            "aformat=sample_fmts=flt:channel_layouts=mono,aresample={HERTZ},asetnsamples=n={}:p=0,\
             astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=Peak_level,\
             ametadata=mode=print:key={KEY}:file={file}",
            self.frame
        )
    }

    /// The numbers as they are served: each 0 (silent) to 100 (full), one every `intervalMs` milliseconds.
    /// `None` when the tool wrote none.
    pub(crate) fn read(&self, written: &str) -> Option<String> {
        let peaks = written.lines().filter_map(|line| line.trim().strip_prefix(KEY)?.strip_prefix('='));
        let mut out = String::new();
        for (number, level) in peaks.take(PEAKS_MAX).enumerate() {
            let comma = if number == 0 { "" } else { "," };
            let _ = write!(out, "{comma}{}", loudness(level));
        }
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let interval = self.frame as f64 * 1000.0 / HERTZ as f64;
        (!out.is_empty()).then(|| format!("{{\"intervalMs\":{interval},\"peaks\":[{out}]}}"))
    }
}

/// Decibels below full as hundredths of it.
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
    fn what_the_tool_wrote_becomes_one_small_object() {
        let written = "frame:0 pts:0 pts_time:0\nlavfi.astats.Overall.Peak_level=-6.0206\n\
                       frame:1 pts:80 pts_time:0.01\nlavfi.astats.Overall.Peak_level=-inf\n";
        let waveform = Waveform::of(1_000);
        assert_eq!(waveform.read(written).unwrap(), r#"{"intervalMs":10,"peaks":[50,0]}"#);
        assert_eq!(waveform.read(""), None);
        let endless = format!("{KEY}=0\n").repeat(PEAKS_MAX + 9);
        assert_eq!(waveform.read(&endless).unwrap().matches("100").count(), PEAKS_MAX);
    }

    #[test]
    fn a_long_sound_has_as_many_numbers_as_a_short_one() {
        for duration in [60_000, 3_600_000, 36_000_000] {
            let numbers = (duration * HERTZ / 1000).div_ceil(Waveform::of(duration).frame);
            assert!((790..=800).contains(&numbers), "{numbers}");
        }
    }
}
