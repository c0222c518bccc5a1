//! Captions: WebVTT and SubRip, cleaned to WebVTT.

use content::fuzzing::{CaptionsError, clean_captions};
use fuzz::{bounded, check, check_bytes};
use proptest::collection::vec;
use proptest::prelude::*;

const TOKENS: &[&[u8]] = &[
    b"WEBVTT",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\n",
    b"\r\n",
    b"\r",
    b"\n\n",
    b"00:00:01.000 --> 00:00:02.500\n",
    b"00:00:01,000 --> 00:00:02,500\n",
    b"99:59:59.998 --> 99:59:59.999\n",
    b"-->",
    b"<",
    b">",
    b"<v Fred>",
    b"</c>",
    b"<00:01.000>",
    b"{\\an8}",
    b"{\\",
    b"}",
    b"&amp;",
    b"&lt;",
    b"&nbsp;",
    b"\xc2\xa0",
    b"\xe2\x80\xa8",
    b"\x1b[31m",
    b"\0",
    b"\t",
    b"7\n",
];

/// Lines longer than this are refused.
const LINE_MAX: usize = 1_000;

#[test]
fn any_file_is_refused_or_becomes_clean_captions() {
    check_bytes("captions", TOKENS, |bytes| {
        let out = match bounded(bytes.len(), || clean_captions(bytes)) {
            Ok(out) => out,
            Err(error) => return check_error(&error, bytes),
        };
        check_clean(&out);
        // An escaped character is up to five times as long, and the shortest times in a file half as long as
        // those written.
        assert!(out.len() <= 5 * bytes.len() + 64, "{} bytes from {}", out.len(), bytes.len());
        let is_long = out.lines().any(|line| line.chars().count() > LINE_MAX);
        // What is left of nested override codes, such as `{{\a}\b}`, may be one itself.
        if !is_long && !out.contains("{\\") {
            assert_eq!(clean_captions(out.as_bytes()), Ok(out), "a second pass");
        }
    });
}

fn check_error(error: &CaptionsError, bytes: &[u8]) {
    match error {
        CaptionsError::Times(line) | CaptionsError::LongLine(line) => {
            let ends = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
            assert!((1..=ends + 1).contains(line), "line {line} of {}", ends + 1);
        }
        CaptionsError::Encoding => {
            let is_text = std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
            assert!(!is_text, "valid UTF-8 is refused");
        }
        CaptionsError::Empty => {}
        CaptionsError::TooMany => assert!(bytes.len() > 20_000),
        other => panic!("not an error of the content: {other}"),
    }
}

/// Checks that the text is the simplest kind of WebVTT, so that no other parser reads anything into it.
fn check_clean(out: &str) {
    let mut blocks = out.strip_prefix("WEBVTT\n\n").unwrap().trim_end_matches('\n').split("\n\n").peekable();
    assert!(blocks.peek().is_some());
    let mut before = 0;
    for block in blocks {
        let (times, text) = block.split_once('\n').unwrap();
        let (from, to) = times.split_once(" --> ").unwrap();
        let (from, to) = (milliseconds(from), milliseconds(to));
        assert!(before <= from && from < to, "{times}");
        before = from;
        for line in text.split('\n') {
            assert!(!line.is_empty() && !line.contains(['<', '>']) && !line.contains(char::is_control));
            let bare =
                ["&amp;", "&lt;", "&gt;"].iter().fold(line.to_owned(), |rest, known| rest.replace(known, ""));
            assert!(!bare.contains('&'), "{line}");
        }
    }
}

fn milliseconds(text: &str) -> u64 {
    assert!(text.len() == 12, "{text}");
    let digits = |range: std::ops::Range<usize>| text[range].parse::<u64>().unwrap();
    ((digits(0..2) * 60 + digits(3..5)) * 60 + digits(6..8)) * 1_000 + digits(9..12)
}

/// A cue to be written: start and length in milliseconds, and lines of plain text.
type Plain = (u64, u64, Vec<String>);

fn clock(at: u64, point: char) -> String {
    let (minutes, seconds) = (at / 60_000, at / 1_000 % 60);
    format!("{:02}:{:02}:{seconds:02}{point}{:03}", minutes / 60, minutes % 60, at % 1_000)
}

/// Writes a file with something before and after the times of each cue.
fn written(
    head: &str,
    cues: &[Plain],
    point: char,
    end: &str,
    times: impl Fn(usize, String) -> String,
) -> String {
    let mut lines = vec![head.to_owned()];
    for (number, (from, length, text)) in cues.iter().enumerate() {
        let span = format!("{} --> {}", clock(*from, point), clock(from + length, point));
        lines.extend(times(number + 1, span).split('\n').map(str::to_owned));
        lines.extend(text.iter().cloned());
        lines.push(String::new());
    }
    lines.join(end)
}

#[test]
fn both_formats_and_all_encodings_give_the_same_captions() {
    let line = "[A-Za-z0-9äß€😀,.!?'-][A-Za-z0-9äß€😀,.!?' -]{0,30}[A-Za-z0-9äß€😀,.!?'-]";
    let cue = (0_u64..350_000_000, 1_u64..1_000_000, vec(line, 1..4));
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just("\r")];
    check("captions: formats", (vec(cue, 1..12), end), |(cues, end)| {
        let subrip = written("", cues, ',', end, |number, span| format!("{number}\n{span}"));
        let webvtt = written(
            "WEBVTT - a title\nKind: captions\n\nNOTE a comment\n",
            cues,
            '.',
            end,
            |number, span| format!("cue-{number}\n{span} align:start position:0%"),
        );
        let mut ordered = cues.clone();
        ordered.sort_by_key(|(from, ..)| *from);
        let expected = written("WEBVTT\n", &ordered, '.', "\n", |_, span| span);
        let wide = |mark: u16, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            std::iter::once(mark).chain(webvtt.encode_utf16()).flat_map(unit).collect()
        };
        let marked = format!("\u{feff}{subrip}");
        for file in [
            subrip.as_bytes(),
            webvtt.as_bytes(),
            marked.as_bytes(),
            &wide(0xfeff, u16::to_le_bytes),
            &wide(0xfeff, u16::to_be_bytes),
        ] {
            assert_eq!(clean_captions(file).as_ref(), Ok(&expected));
        }
    });
}

#[test]
fn text_that_looks_like_markup_is_shown_as_it_was_escaped() {
    check("captions: markup", "[<>&;a-z/]{1,60}", |text: &String| {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let file = format!("WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n{escaped}\n");
        assert_eq!(clean_captions(file.as_bytes()), Ok(file));
    });
}
