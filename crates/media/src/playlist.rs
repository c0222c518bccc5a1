//! HLS playlists: the tool's are parsed for numbers only, and those that are served are written here.

use std::fmt::Write as _;

/// Most segments of a rendition; at 4 s each, this is more than five days.
const SEGMENTS_MAX: usize = 120_000;

/// One rendition: a size of a video, or audio.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variant {
    /// Prefix of its files: the short side, or `audio`.
    pub(crate) name: String,
    pub(crate) codecs: Vec<String>,
    /// Width and height of the video.
    pub(crate) size: Option<(u16, u16)>,
    /// Frames per second.
    pub(crate) rate: Option<f64>,
    pub(crate) segments: Vec<Segment>,
}

/// One segment of a rendition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) seconds: f64,
    pub(crate) bytes: u64,
}

/// Parses the segment lengths from a playlist that a tool wrote. Returns `None` unless it is complete and
/// names `{name}-0.m4s`, `{name}-1.m4s` and so on.
pub(crate) fn lengths(text: &str, name: &str) -> Option<Vec<f64>> {
    let mut lengths = Vec::new();
    let mut pending = None;
    let mut ended = false;
    for line in text.lines().map(str::trim) {
        if let Some(info) = line.strip_prefix("#EXTINF:") {
            let seconds: f64 = info.split(',').next()?.parse().ok()?;
            let valid = Some(seconds).filter(|seconds| (0.0..3_600.0).contains(seconds));
            // Playlists have no signs, so a negative zero becomes zero.
            pending = valid.map(f64::abs);
        } else if !line.is_empty() && !line.starts_with('#') {
            if line != format!("{name}-{}.m4s", lengths.len()) || lengths.len() == SEGMENTS_MAX {
                return None;
            }
            lengths.push(pending.take()?);
        }
        ended |= line == "#EXT-X-ENDLIST";
    }
    (ended && !lengths.is_empty()).then_some(lengths)
}

impl Variant {
    /// Returns the total length in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.segments.iter().map(|segment| segment.seconds).sum()
    }

    /// Returns the media playlist. `tag` distinguishes the URLs of this processing run from those of others.
    pub(crate) fn playlist(&self, tag: &str) -> String {
        let longest = self.segments.iter().map(|segment| segment.seconds).fold(1.0, f64::max);
        let mut out = format!(
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:{:.0}\n#EXT-X-MEDIA-SEQUENCE:0\n\
             #EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-MAP:URI=\"{}-init.mp4?v={tag}\"\n",
            longest.ceil(),
            self.name
        );
        for (number, segment) in self.segments.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(out, "#EXTINF:{:.6},\n{}-{number}.m4s?v={tag}\n", segment.seconds, self.name);
        }
        out.push_str("#EXT-X-ENDLIST\n");
        out
    }

    /// Returns the peak bit rate of a segment and the average bit rate, in bit/s.
    fn bandwidth(&self) -> (u64, u64) {
        let rate = |bytes: u64, seconds: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "far below 2^52"
            )]
            let bits = (bytes as f64 * 8.0 / seconds.max(0.001)).ceil() as u64;
            bits
        };
        // The last segment may be a few frames long; the rate over such a short time is irrelevant for the
        // bandwidth needed.
        let whole = |segment: &&Segment| segment.seconds >= 1.0;
        let peak =
            self.segments.iter().filter(whole).map(|segment| rate(segment.bytes, segment.seconds)).max();
        let average = rate(self.segments.iter().map(|segment| segment.bytes).sum(), self.seconds());
        (peak.unwrap_or(0).max(average), average)
    }
}

/// Returns the master playlist of all renditions, in the given order.
pub(crate) fn master(variants: &[Variant], tag: &str) -> String {
    let mut out = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n".to_owned();
    for variant in variants {
        let (peak, average) = variant.bandwidth();
        let codecs = variant.codecs.join(",");
        let _ =
            write!(out, "#EXT-X-STREAM-INF:BANDWIDTH={peak},AVERAGE-BANDWIDTH={average},CODECS=\"{codecs}\"");
        if let Some((width, height)) = variant.size {
            let _ = write!(out, ",RESOLUTION={width}x{height}");
        }
        if let Some(rate) = variant.rate {
            let _ = write!(out, ",FRAME-RATE={rate:.3}");
        }
        let _ = write!(out, "\n{}.m3u8?v={tag}\n", variant.name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: &str = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-MAP:URI=\"720-init.mp4\"\n#EXTINF:4.004000,\n\
                           720-0.m4s\n#EXTINF:0.5,\n720-1.m4s\n#EXT-X-ENDLIST\n";

    #[test]
    fn only_lengths_are_read_from_a_playlist() {
        assert_eq!(lengths(WRITTEN, "720"), Some(vec![4.004, 0.5]));
        assert_eq!(lengths(WRITTEN, "480"), None, "segments of another rendition");
        assert_eq!(lengths(&WRITTEN.replace("#EXT-X-ENDLIST", ""), "720"), None, "not finished");
        assert_eq!(lengths(&WRITTEN.replace("720-1", "../720-1"), "720"), None);
        assert_eq!(lengths(&WRITTEN.replace("720-1", "720-2"), "720"), None, "a segment is missing");
        assert_eq!(lengths(&WRITTEN.replace("4.004000", "inf"), "720"), None);
        let zero = lengths(&WRITTEN.replace("4.004000", "-0"), "720").unwrap();
        assert!(zero[0].is_sign_positive(), "written without a sign");
        assert_eq!(lengths(&WRITTEN.replace("#EXTINF:0.5,\n", ""), "720"), None);
        assert_eq!(lengths("#EXTM3U\n#EXT-X-ENDLIST\n", "720"), None, "empty");
    }

    fn variant() -> Variant {
        Variant {
            name: "720".into(),
            codecs: vec!["avc1.64001f".into(), "mp4a.40.2".into()],
            size: Some((1280, 720)),
            rate: Some(30_000.0 / 1001.0),
            segments: vec![
                Segment { seconds: 4.0, bytes: 500_000 },
                Segment { seconds: 4.0, bytes: 250_000 },
                Segment { seconds: 0.04, bytes: 50_000 },
            ],
        }
    }

    #[test]
    fn a_playlist_names_its_segments_relatively() {
        assert_eq!(
            variant().playlist("ab12"),
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n\
             #EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-MAP:URI=\"720-init.mp4?v=ab12\"\n\
             #EXTINF:4.000000,\n720-0.m4s?v=ab12\n#EXTINF:4.000000,\n720-1.m4s?v=ab12\n\
             #EXTINF:0.040000,\n720-2.m4s?v=ab12\n#EXT-X-ENDLIST\n"
        );
    }

    #[test]
    fn the_master_describes_what_was_made_and_not_what_was_requested() {
        let audio = Variant {
            name: "audio".into(),
            codecs: vec!["mp4a.40.2".into()],
            size: None,
            rate: None,
            segments: vec![Segment { seconds: 2.0, bytes: 4_000 }],
        };
        assert_eq!(
            master(&[variant(), audio], "t"),
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n\
             #EXT-X-STREAM-INF:BANDWIDTH=1000000,AVERAGE-BANDWIDTH=796020,CODECS=\"avc1.64001f,mp4a.40.2\",\
             RESOLUTION=1280x720,FRAME-RATE=29.970\n720.m3u8?v=t\n\
             #EXT-X-STREAM-INF:BANDWIDTH=16000,AVERAGE-BANDWIDTH=16000,CODECS=\"mp4a.40.2\"\naudio.m3u8?v=t\n"
        );
    }
}
