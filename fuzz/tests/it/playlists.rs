//! HLS playlists: those of the tool are parsed, and those that are served are written.

use fuzz::{bounded, check, check_bytes};
use media::fuzzing::{Rendition, master_playlist, segment_lengths};
use proptest::collection::vec;
use proptest::prelude::*;

const TOKENS: &[&[u8]] = &[
    b"#EXTM3U\n",
    b"#EXT-X-ENDLIST\n",
    b"#EXT-X-ENDLIST",
    b"#EXTINF:",
    b"#EXTINF:4.004000,\n",
    b"#EXTINF:0,\n",
    b"#EXTINF:-0,\n",
    b"#EXTINF:-1,\n",
    b"#EXTINF:NaN,\n",
    b"#EXTINF:inf,\n",
    b"#EXTINF:1e3,\n",
    b"#EXTINF:1e-9,\n",
    b"#EXTINF:3599.9999999,\n",
    b"#EXTINF:3600,\n",
    b"720-0.m4s\n",
    b"720-1.m4s\n",
    b"720-2.m4s\n",
    b"720-00.m4s\n",
    b"../720-0.m4s\n",
    b"#EXT-X-KEY:METHOD=AES-128,URI=\"http://localhost/\"\n",
    b"\n",
    b"\r\n",
    b",",
];

const NAME: &str = "720";
const TAG: &str = "t";

#[test]
fn any_playlist_is_refused_or_gives_lengths_that_can_be_written() {
    check_bytes("playlists", TOKENS, |bytes| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let Some(lengths) = bounded(bytes.len(), || segment_lengths(text, NAME)) else { return };
        assert!(lengths.iter().all(|seconds| (0.0..3_600.0).contains(seconds)));
        assert!(!lengths.is_empty() && text.contains("#EXT-X-ENDLIST"));
        let uris = text.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
        assert_eq!(lengths.len(), uris.count());
        check_media_playlist(&lengths);
    });
}

/// Writes a playlist of these lengths, checks it and reads it again.
fn check_media_playlist(lengths: &[f64]) {
    let segments = lengths.iter().map(|seconds| (*seconds, 1_000)).collect();
    let rendition = Rendition { name: NAME.to_owned(), tracks: (Vec::new(), None), rate: None, segments };
    let written = rendition.playlist(TAG);
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!((lines[0], *lines.last().unwrap()), ("#EXTM3U", "#EXT-X-ENDLIST"));
    let target = lines.iter().find_map(|line| line.strip_prefix("#EXT-X-TARGETDURATION:")).unwrap();
    let target: f64 = target.parse().unwrap();
    let durations: Vec<&str> =
        lines.iter().filter_map(|line| line.strip_prefix("#EXTINF:")?.strip_suffix(',')).collect();
    assert_eq!(durations.len(), lengths.len());
    for text in durations {
        // RFC 8216 allows neither a sign nor an exponent.
        assert!(text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'), "{text}");
        assert!(text.parse::<f64>().unwrap().round() <= target, "{text} of at most {target}");
    }
    let read = segment_lengths(&written.replace("?v=t", ""), NAME);
    // Rounding to microseconds may reach the limit.
    if lengths.iter().all(|seconds| *seconds < 3_599.999) {
        let read = read.unwrap();
        assert_eq!(read.len(), lengths.len());
        assert!(read.iter().zip(lengths).all(|(read, written)| (read - written).abs() < 1e-6));
    }
}

#[test]
fn written_lengths_are_read_again() {
    check("playlists: lengths", vec(0.0..3_599.99_f64, 1..200), |lengths| check_media_playlist(lengths));
}

#[test]
fn a_master_playlist_names_every_rendition_with_its_attributes() {
    let video = ("[1-9][0-9]{2,3}", any::<(u16, u16)>(), any::<[u8; 3]>(), 1.0..120.0_f64);
    let segments = || vec((0.0..20.0_f64, 0_u64..1 << 32), 1..20);
    let video = (video, segments()).prop_map(|((name, size, [a, b, c], rate), segments)| {
        let codecs = vec![format!("avc1.{a:02x}{b:02x}{c:02x}"), "mp4a.40.2".to_owned()];
        Rendition { name, tracks: (codecs, Some(size)), rate: Some(rate), segments }
    });
    let audio = segments().prop_map(|segments| Rendition {
        name: "audio".to_owned(),
        tracks: (vec!["mp4a.40.2".to_owned()], None),
        rate: None,
        segments,
    });
    check("playlists: master", vec(prop_oneof![4 => video, 1 => audio], 1..6), |renditions| {
        let text = master_playlist(renditions, TAG);
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("#EXTM3U"));
        let mut lines = lines.skip_while(|line| !line.starts_with("#EXT-X-STREAM-INF:"));
        for rendition in renditions {
            let line = lines.next().unwrap().strip_prefix("#EXT-X-STREAM-INF:").unwrap();
            check_attributes(rendition, &attributes(line));
            assert_eq!(lines.next(), Some(format!("{}.m3u8?v={TAG}", rendition.name).as_str()));
        }
        assert_eq!(lines.next(), None);
    });
}

/// Splits an attribute list, whose quoted values may contain commas.
fn attributes(line: &str) -> Vec<(String, String)> {
    let mut quoted = false;
    let parts = line.split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    parts.map(|part| part.split_once('=').map(|(name, value)| (name.into(), value.into())).unwrap()).collect()
}

fn check_attributes(rendition: &Rendition, attributes: &[(String, String)]) {
    let value = |wanted: &str| {
        let mut found = attributes.iter().filter(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        let first = found.next();
        assert_eq!(found.next(), None, "{wanted} twice");
        first
    };
    let number = |name: &str| value(name).unwrap().parse::<u64>().unwrap();
    let (peak, average) = (number("BANDWIDTH"), number("AVERAGE-BANDWIDTH"));
    assert!(peak >= average);
    for &(seconds, bytes) in rendition.segments.iter().filter(|(seconds, _)| *seconds >= 1.0) {
        assert!(peak as f64 >= bytes as f64 * 8.0 / seconds);
    }
    let (codecs, size) = &rendition.tracks;
    assert_eq!(value("CODECS"), Some(format!("\"{}\"", codecs.join(","))));
    assert_eq!(value("RESOLUTION"), size.map(|(width, height)| format!("{width}x{height}")));
    let rate = value("FRAME-RATE").map(|text| text.parse::<f64>().unwrap());
    assert!(match (rate, rendition.rate) {
        (Some(written), Some(rate)) => (written - rate).abs() <= 0.0006,
        (written, rate) => written == rate,
    });
}
