//! The encoding ladder: which sizes and frame rates renditions have. Never larger than the source, always
//! even.

/// Short sides of the rungs, largest first.
const RUNGS: [u32; 4] = [1080, 720, 480, 360];
/// A rung must be clearly smaller than the one above it: at most this percentage of it.
const STEP: u32 = 80;
/// The longest side of a rung. A video with an extreme aspect ratio is scaled down until it fits.
const LONG_MAX: u32 = 3840;
/// Standard frame rates. A rate that is close to one of these is replaced by it.
const RATES: [(u32, u32); 8] =
    [(24_000, 1001), (24, 1), (25, 1), (30_000, 1001), (30, 1), (50, 1), (60_000, 1001), (60, 1)];
/// Frame rate for a video that does not state one, or states an invalid one.
const DEFAULT_RATE: Rate = Rate { frames: 30, seconds: 1 };

/// One size of a video.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rung {
    /// The short side, used in file names.
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Peak bit rate of the video in kbit/s.
    pub(crate) video_kbit: u32,
    /// Bit rate of the audio in kbit/s.
    pub(crate) audio_kbit: u32,
}

/// A frame rate as frames in a number of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) frames: u32,
    pub(crate) seconds: u32,
}

impl Rate {
    /// Returns the frames per second.
    pub(crate) fn hertz(self) -> f64 {
        f64::from(self.frames) / f64::from(self.seconds)
    }
}

/// Returns the rungs for a video of this displayed size, largest first, or `None` for an invalid size.
pub(crate) fn ladder(width: u32, height: u32) -> Option<Vec<Rung>> {
    let (short, long) = (width.min(height), width.max(height));
    if short < 2 {
        return None;
    }
    let mut sides: Vec<u32> = vec![short.min(RUNGS[0]) & !1];
    for side in RUNGS {
        if sides.last().is_some_and(|above| side * 100 <= above * STEP) {
            sides.push(side);
        }
    }
    let mut rungs: Vec<Rung> = sides.into_iter().map(|side| rung(width, height, side, long, short)).collect();
    rungs.dedup_by_key(|rung| rung.name.clone());
    Some(rungs)
}

fn rung(width: u32, height: u32, side: u32, long: u32, short: u32) -> Rung {
    let other = scaled(long, side, short);
    let (side, other) =
        if other > LONG_MAX { (scaled(short, LONG_MAX, long), LONG_MAX) } else { (side, other) };
    let (width, height) = if width <= height { (side, other) } else { (other, side) };
    Rung {
        name: side.to_string(),
        width,
        height,
        video_kbit: match side {
            900.. => 5_000,
            600.. => 2_800,
            420.. => 1_400,
            _ => 800,
        },
        audio_kbit: if side >= 600 { 128 } else { 96 },
    }
}

/// Returns `value * times / parts`, rounded to an even number.
fn scaled(value: u32, times: u32, parts: u32) -> u32 {
    let exact = u64::from(value) * u64::from(times);
    let half = (exact + u64::from(parts)) / (2 * u64::from(parts).max(1));
    u32::try_from(half * 2).unwrap_or(LONG_MAX).max(2)
}

/// Returns the constant frame rate of the renditions: that of the source, between 5 and 60 frames per second.
pub(crate) fn rate(source: Option<(u32, u32)>) -> Rate {
    let Some((frames, seconds)) = source.filter(|(frames, seconds)| *frames > 0 && *seconds > 0) else {
        return DEFAULT_RATE;
    };
    let hertz = f64::from(frames) / f64::from(seconds);
    let near = RATES
        .map(|(frames, seconds)| Rate { frames, seconds })
        .into_iter()
        .min_by(|one, other| (one.hertz() - hertz).abs().total_cmp(&(other.hertz() - hertz).abs()))
        .filter(|rate| (rate.hertz() - hertz).abs() <= rate.hertz() / 100.0);
    match near {
        Some(rate) => rate,
        None if hertz > 60.0 => Rate { frames: 60, seconds: 1 },
        None if hertz < 5.0 => Rate { frames: 5, seconds: 1 },
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 5 and 60")]
        None => Rate { frames: (hertz * 100.0).round() as u32, seconds: 100 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(width: u32, height: u32) -> Vec<(u32, u32)> {
        ladder(width, height).unwrap().iter().map(|rung| (rung.width, rung.height)).collect()
    }

    #[test]
    fn the_ladder_ends_at_the_size_of_the_video() {
        assert_eq!(sizes(1920, 1080), [(1920, 1080), (1280, 720), (854, 480), (640, 360)]);
        assert_eq!(sizes(3840, 2160), sizes(1920, 1080));
        assert_eq!(sizes(1280, 720), [(1280, 720), (854, 480), (640, 360)]);
        assert_eq!(sizes(640, 360), [(640, 360)]);
        assert_eq!(sizes(320, 240), [(320, 240)], "smaller than every rung");
    }

    #[test]
    fn a_portrait_video_is_measured_by_its_short_side() {
        assert_eq!(sizes(1080, 1920), [(1080, 1920), (720, 1280), (480, 854), (360, 640)]);
        assert_eq!(sizes(404, 720), [(404, 720)]);
    }

    #[test]
    fn odd_sizes_become_even_and_extreme_ones_stay_within_bounds() {
        assert_eq!(sizes(641, 361), [(640, 360)]);
        assert_eq!(sizes(853, 719), [(852, 718), (570, 480), (428, 360)]);
        assert_eq!(sizes(100, 3), [(66, 2)]);
        for (width, height) in [(20_000, 2), (2, 20_000), (u32::MAX, 3), (30_000, 1_200), (2, 2), (7, 9_001)]
        {
            for rung in ladder(width, height).unwrap() {
                assert!(rung.width % 2 == 0 && rung.height % 2 == 0, "{rung:?}");
                assert!(
                    (2..=LONG_MAX).contains(&rung.width) && (2..=LONG_MAX).contains(&rung.height),
                    "{rung:?}"
                );
            }
        }
        assert_eq!(ladder(0, 5), None);
        assert_eq!(ladder(1, 5), None);
    }

    #[test]
    fn names_are_distinct_and_nothing_is_larger_than_the_video() {
        for short in 2..1_300 {
            let rungs = ladder(short * 3, short).unwrap();
            let mut names: Vec<_> = rungs.iter().map(|rung| &rung.name).collect();
            names.dedup();
            assert_eq!(names.len(), rungs.len(), "{short}");
            assert!(rungs.iter().all(|rung| rung.height <= short), "{short} {rungs:?}");
        }
    }

    #[test]
    fn rates_are_standard_and_bounded() {
        let exact = |source| {
            let Rate { frames, seconds } = rate(source);
            (frames, seconds)
        };
        assert_eq!(exact(Some((30_000, 1001))), (30_000, 1001));
        assert_eq!(exact(Some((2_500, 83))), (30, 1), "a phone's 30.12");
        assert_eq!(exact(Some((25, 1))), (25, 1));
        assert_eq!(exact(Some((15, 1))), (1_500, 100));
        assert_eq!(exact(Some((240, 1))), (60, 1));
        assert_eq!(exact(Some((1, 10))), (5, 1));
        for none in [None, Some((0, 0)), Some((0, 1)), Some((1, 0))] {
            assert_eq!(exact(none), (30, 1));
        }
    }
}
