//! Boxes of ISO base media: initialization segments, and the outermost boxes of a file.

use std::io::Write as _;

use fuzz::{bounded, check, check_bytes};
use media::fuzzing::{is_complete, parse_init_segment};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

const TOKENS: &[&[u8]] = &[
    b"\0\0\0\0",
    b"\0\0\0\x01",
    b"\0\0\0\x07",
    b"\0\0\0\x08",
    b"\0\0\0\x10",
    b"\x7f\xff\xff\xff",
    b"\xff\xff\xff\xff",
    b"\0\0\0\0\0\0\0\x10",
    b"\x7f\xff\xff\xff\xff\xff\xff\xff",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\0\0\0\x08free",
    b"moov",
    b"trak",
    b"mdia",
    b"minf",
    b"stbl",
    b"stsd",
    b"avc1",
    b"avcC",
    b"mp4a",
    b"esds",
    b"mdat",
    b"RIFF\xff\xff\xff\xff",
    b"\x1a\x45\xdf\xa3",
    b"\x18\x53\x80\x67",
    b"\x01\xff\xff\xff\xff\xff\xff\xff",
];

#[test]
fn any_segment_gives_plausible_tracks_or_none() {
    check_bytes("boxes", TOKENS, |bytes| {
        let parsed = bounded(bytes.len(), || parse_init_segment(bytes));
        let Some((codecs, size)) = &parsed else { return };
        let videos = codecs.iter().take_while(|codec| codec.starts_with("avc1.")).count();
        for codec in &codecs[..videos] {
            let profile = &codec["avc1.".len()..];
            assert!(profile.len() == 6 && profile.bytes().all(|byte| byte.is_ascii_hexdigit()), "{codec}");
        }
        assert!(codecs[videos..].iter().all(|codec| codec == "mp4a.40.2"), "{codecs:?}");
        assert_eq!(size.is_some(), videos > 0);
        // A track is at least seven nested boxes.
        assert!(codecs.len() * 7 * 8 <= bytes.len());
        // Other boxes around it change nothing.
        let other = make_box(b"free", b"\0\0\0\x10moov\0\0\0\x08trak");
        assert_eq!(parse_init_segment(&[&other, bytes].concat()), parsed);
        assert_eq!(parse_init_segment(&[bytes, &other].concat()), parsed);
    });
}

#[test]
fn any_file_is_as_long_as_its_boxes_or_incomplete() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_owned();
    let file = std::cell::RefCell::new(&mut file);
    check_bytes("boxes", TOKENS, |bytes| {
        overwrite(&mut file.borrow_mut(), bytes);
        let complete = |demuxer| bounded(bytes.len(), || is_complete(&path, demuxer)).unwrap();
        assert_eq!(complete("mov"), fits(bytes));
        // These have no reference here, but must return without an error on any bytes.
        complete("matroska");
        complete("avi");
        assert!(complete("mp3"), "a format without lengths");
    });
}

fn overwrite(file: &mut tempfile::NamedTempFile, bytes: &[u8]) {
    let file = file.as_file_mut();
    file.set_len(0).unwrap();
    std::io::Seek::rewind(file).unwrap();
    file.write_all(bytes).unwrap();
}

/// Returns whether every outermost box ends within the bytes. A box of less than eight bytes ends the search:
/// size 0 means to the end, and the others are padding.
fn fits(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let short = u32::from_be_bytes([head[0], head[1], head[2], head[3]]);
        let size = match (short, after.first_chunk()) {
            (1, None) => return false,
            (1, Some(long)) => u128::from(u64::from_be_bytes(*long)),
            _ => short.into(),
        };
        if size < 8 {
            return true;
        }
        if size > rest.len() as u128 {
            return false;
        }
        rest = &rest[usize::try_from(size).unwrap()..];
    }
    true
}

fn make_box(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(8 + body.len()).unwrap();
    [&size.to_be_bytes(), &name[..], body].concat()
}

/// A box with a 64-bit size.
fn make_long_box(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let size = 16 + body.len() as u64;
    [&1_u32.to_be_bytes(), &name[..], &size.to_be_bytes(), body].concat()
}

/// A track to be written.
#[derive(Clone, Debug)]
enum Track {
    Video { profile: [u8; 3], size: (u16, u16) },
    Audio,
}

impl Track {
    fn written(&self, noise: &[u8]) -> Vec<u8> {
        let noise = make_box(b"free", noise);
        let entry = match self {
            Self::Video { profile, size } => {
                let mut head = [0; 78];
                head[24..26].copy_from_slice(&size.0.to_be_bytes());
                head[26..28].copy_from_slice(&size.1.to_be_bytes());
                let config = make_box(b"avcC", &[&[1], &profile[..], &[0xff]].concat());
                make_box(b"avc1", &[&head[..], &noise, &config].concat())
            }
            Self::Audio => make_box(b"mp4a", &[&[0; 28][..], &noise, &make_box(b"esds", &[0; 20])].concat()),
        };
        let mut inside = make_box(b"stsd", &[&[0, 0, 0, 0, 0, 0, 0, 1], &entry[..]].concat());
        for name in [b"stbl", b"minf", b"mdia", b"trak"] {
            inside = make_box(name, &[&noise[..], &inside, &noise].concat());
        }
        inside
    }
}

fn track() -> impl Strategy<Value = Track> {
    let video = (any::<[u8; 3]>(), any::<(u16, u16)>());
    prop_oneof![video.prop_map(|(profile, size)| Track::Video { profile, size }), Just(Track::Audio)]
}

#[test]
fn written_tracks_are_read_and_truncated_ones_are_not() {
    let values = (vec(track(), 1..4), vec(any::<u8>(), 0..20), any::<Index>());
    check("boxes: tracks", values, |(tracks, noise, cut)| {
        let inside: Vec<u8> = tracks.iter().flat_map(|track| track.written(noise)).collect();
        let segment = [make_box(b"ftyp", b"iso5"), make_box(b"moov", &inside)].concat();
        let (mut codecs, mut last_size) = (Vec::new(), None);
        for track in tracks {
            if let Track::Video { profile: [a, b, c], size } = track {
                codecs.push(format!("avc1.{a:02x}{b:02x}{c:02x}"));
                last_size = Some(*size);
            }
        }
        codecs.resize(tracks.len(), "mp4a.40.2".to_owned());
        assert_eq!(parse_init_segment(&segment), Some((codecs, last_size)));
        assert_eq!(parse_init_segment(&segment[..cut.index(segment.len())]), None);
    });
}

#[test]
fn a_file_cut_within_its_last_box_is_incomplete() {
    let body = || vec(any::<u8>(), 1..200);
    let values = (vec((any::<bool>(), body()), 0..6), any::<bool>(), body(), any::<Index>());
    check("boxes: truncated files", values, |(boxes, is_long, last, cut)| {
        let make = |is_long: bool, body: &[u8]| {
            if is_long { make_long_box(b"mdat", body) } else { make_box(b"mdat", body) }
        };
        let mut bytes: Vec<u8> = boxes.iter().flat_map(|(is_long, body)| make(*is_long, body)).collect();
        bytes.extend(make(*is_long, last));
        let mut file = tempfile::NamedTempFile::new().unwrap();
        overwrite(&mut file, &bytes);
        assert!(is_complete(file.path(), "mov").unwrap());
        overwrite(&mut file, &bytes[..bytes.len() - 1 - cut.index(last.len())]);
        assert!(!is_complete(file.path(), "mov").unwrap());
    });
}
