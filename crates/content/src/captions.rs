//! Parses uploaded captions (WebVTT or SubRip) as plain cues and writes them as clean WebVTT.
//!
//! No tags, styles, regions, settings or notes are passed on, so an upload cannot attack a caption parser. A
//! file that is not understood is refused with the number of the offending line.

mod cues;
mod text;

use kernel::Millis;

use cues::cues;
use text::decoded;

/// Maximum bytes of an uploaded file.
pub const BYTES_MAX: usize = 2 * 1024 * 1024;
/// Maximum number of languages per item.
pub const LANGUAGES_MAX: usize = 50;
/// Maximum characters of a label.
const LABEL_MAX: usize = 100;

/// Why uploaded captions are refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaptionsError {
    /// Neither WebVTT nor SubRip.
    #[error("Captions must be WebVTT (text/vtt) or SubRip (application/x-subrip).")]
    Type,
    /// More bytes than any captions need.
    #[error("The captions file is larger than 2 MB.")]
    TooLarge,
    /// Neither valid UTF-8 nor UTF-16 with a byte order mark.
    #[error("The captions file is not saved as UTF-8. Please save it again as UTF-8.")]
    Encoding,
    /// The file has no cue.
    #[error("There are no captions in this file.")]
    Empty,
    /// More cues than any video has.
    #[error("There are too many captions in this file.")]
    TooMany,
    /// The times in this line are invalid.
    #[error("The times in line {0} are invalid.")]
    Times(usize),
    /// This line is longer than any screen.
    #[error("Line {0} is too long.")]
    LongLine(usize),
    /// The label is too long, or is not one line of text.
    #[error("The label is too long, or is not one line of text.")]
    Label,
    /// The item has captions in too many languages.
    #[error("There are captions in too many languages.")]
    TooManyLanguages,
}

impl CaptionsError {
    /// Returns the problem code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Type => "captions_type",
            Self::TooLarge => "captions_too_large",
            Self::Encoding => "captions_encoding",
            Self::Empty => "captions_empty",
            Self::TooMany => "captions_too_many",
            Self::Times(_) => "captions_times",
            Self::LongLine(_) => "captions_long_line",
            Self::Label => "captions_label",
            Self::TooManyLanguages => "captions_too_many_languages",
        }
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            Self::Type => 415,
            Self::TooLarge => 413,
            _ => 400,
        }
    }
}

/// One caption, as plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cue {
    from: Millis,
    to: Millis,
    lines: Vec<String>,
}

/// Parses WebVTT or SubRip and returns clean WebVTT.
pub fn clean(bytes: &[u8]) -> Result<String, CaptionsError> {
    if bytes.len() > BYTES_MAX {
        return Err(CaptionsError::TooLarge);
    }
    let mut cues = cues(&decoded(bytes)?)?;
    // WebVTT requires cues in order of their start.
    cues.sort_by_key(|cue| cue.from);
    let mut out = "WEBVTT\n".to_owned();
    for cue in cues {
        out.push_str(&format!("\n{} --> {}\n", clock(cue.from), clock(cue.to)));
        for line in cue.lines {
            out.push_str(&escaped(&line));
            out.push('\n');
        }
    }
    Ok(out)
}

fn clock(ms: Millis) -> String {
    format!("{:02}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000)
}

fn escaped(line: &str) -> String {
    line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Normalises the case of a short BCP 47 tag such as `en`, `pt-BR` or `zh-Hant`. Returns `None` for anything
/// else.
pub fn language(text: &str) -> Option<String> {
    let mut parts = text.split('-');
    let first = parts.next()?;
    let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    if !(2..=3).contains(&first.len()) || !letters(first) {
        return None;
    }
    let mut tag = first.to_ascii_lowercase();
    for (number, part) in parts.enumerate() {
        let lower = part.to_ascii_lowercase();
        let usual = match part.len() {
            2 if letters(part) => part.to_ascii_uppercase(),
            3 if part.bytes().all(|byte| byte.is_ascii_digit()) => lower,
            4 if letters(part) => format!("{}{}", lower[..1].to_ascii_uppercase(), &lower[1..]),
            _ => return None,
        };
        if number == 2 {
            return None;
        }
        tag.push('-');
        tag.push_str(&usual);
    }
    Some(tag)
}

/// Returns the label, or the language tag if none was given.
///
/// # Errors
/// [`CaptionsError::Label`] if it is too long or has control characters.
pub fn label(given: Option<&str>, language: &str) -> Result<String, CaptionsError> {
    match given.map(str::trim).filter(|label| !label.is_empty()) {
        None => Ok(language.to_owned()),
        Some(label) if label.chars().count() > LABEL_MAX || label.chars().any(char::is_control) => {
            Err(CaptionsError::Label)
        }
        Some(label) => Ok(label.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> String {
        clean(text.as_bytes()).unwrap()
    }

    const ONE: &str = "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n";

    #[test]
    fn both_formats_give_the_same_result() {
        let expected =
            "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello\nworld\n\n01:00:03.000 --> 01:00:04.050\nBye\n";
        let vtt = "WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:x\n\nNOTE no player reads\n\
                   this\n\nintro\n00:01.000 --> 00:02.500 align:start position:0%\nHello\nworld\n\n\
                   01:00:03.000 --> 01:00:04.050\nBye";
        let srt = "1\n00:00:01,000 --> 00:00:02,500\nHello\nworld\n\n2\n01:00:03,000 --> 01:00:04,05\nBye\n";
        assert_eq!(cleaned(vtt), expected);
        assert_eq!(cleaned(&srt.replace(",05\n", ",050\n")), expected);
        assert_eq!(cleaned(&format!("\u{feff}{}", vtt.replace('\n', "\r\n"))), expected);
        assert_eq!(cleaned(&vtt.replace('\n', "\r")), expected);
    }

    #[test]
    fn cleaned_captions_are_unchanged_by_a_second_pass() {
        let once =
            cleaned("1\n00:00:01,000 --> 00:00:02,500\n<i>1 < 2 & 3 > 2</i> &lt;b&gt; &nbsp;x --&gt; y\n");
        assert_eq!(once, format!("{ONE}1 &lt; 2 &amp; 3 &gt; 2 &lt;b&gt; \u{a0}x --&gt; y\n"));
        assert_eq!(cleaned(&once), once);
    }

    #[test]
    fn nothing_that_a_browser_could_run_is_left() {
        for (hostile, expected) in [
            ("<script>alert(1)</script>", "alert(1)"),
            ("<img src=x onerror=alert(1)>hi", "hi"),
            ("<v Fred><c.red.x>hi</c></v>", "hi"),
            ("a<00:00:01.500>b", "ab"),
            ("<<script>script>x", "script&gt;x"),
            ("<script", "script"),
            ("{\\an8}top {\\b1}bold{\\b0}", "top bold"),
            ("&lt;script&gt;", "&lt;script&gt;"),
            ("&amp;lt;b>", "&amp;lt;b&gt;"),
            ("bell\u{7}\u{1b}[31m", "bell[31m"),
        ] {
            let out = cleaned(&format!("WEBVTT\n\n00:01.000 --> 00:02.500\n{hostile}\n"));
            assert_eq!(out, format!("{ONE}{expected}\n"), "{hostile}");
        }
    }

    #[test]
    fn cues_are_put_in_order_and_empty_ones_left_out() {
        let out = cleaned(
            "1\n00:00:05,000 --> 00:00:06,000\nlater\n2\n00:00:01,000 --> 00:00:02,500\nfirst\n\n\
             3\n00:00:03,000 --> 00:00:04,000\n<b></b>\n\n",
        );
        assert_eq!(out, format!("{ONE}first\n\n00:00:05.000 --> 00:00:06.000\nlater\n"));
    }

    #[test]
    fn a_line_with_a_wide_space_does_not_end_a_cue() {
        for space in ["\u{a0}", "\u{3000}", "&nbsp;"] {
            let out = cleaned(&format!("{ONE}above\n{space}\nbelow\n \t\nafter the cue\n"));
            assert_eq!(out, format!("{ONE}above\n{}\nbelow\n", space.replace("&nbsp;", "\u{a0}")));
            assert_eq!(cleaned(&out), out);
        }
    }

    #[test]
    fn files_in_other_encodings_are_read_if_marked_and_refused_otherwise() {
        let text = "WEBVTT\n\n00:01.000 --> 00:02.500\nGrüße 😀\n";
        let expected = format!("{ONE}Grüße 😀\n");
        let little: Vec<u8> = "\u{feff}"
            .chars()
            .chain(text.chars())
            .collect::<String>()
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let big: Vec<u8> = "\u{feff}"
            .chars()
            .chain(text.chars())
            .collect::<String>()
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        for bytes in [text.as_bytes(), &little, &big] {
            assert_eq!(clean(bytes).unwrap(), expected);
        }
        let latin: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
        for bad in [&latin[..], &little[..little.len() - 1], &little[2..], b"\xff\xfe\x00\xd8", b"\0\0\0"] {
            assert_eq!(clean(bad), Err(CaptionsError::Encoding), "{bad:?}");
        }
    }

    #[test]
    fn invalid_captions_are_refused_with_the_line() {
        let vtt = |line: &str| clean(format!("WEBVTT\n\n{line}\nx\n").as_bytes());
        for bad in [
            "00:02.000 --> 00:01.000",
            "00:01.000 --> 00:01.000",
            "00:61.000 --> 01:02.000",
            "00:01.000 --> ",
            "00:01 --> 00:02",
            "1:2:3:4.000 --> 00:09.000",
            "99999999999999999999:00:01.000 --> 00:09.000",
            "00:01.0000 --> 00:09.000",
        ] {
            assert_eq!(vtt(bad), Err(CaptionsError::Times(3)), "{bad}");
        }
        assert_eq!(clean(b""), Err(CaptionsError::Empty));
        assert_eq!(clean(b"WEBVTT\n\nNOTE nothing\n"), Err(CaptionsError::Empty));
        assert_eq!(clean(b"Dear all,\nplease find attached"), Err(CaptionsError::Empty));
        let long = "x".repeat(5_000);
        assert_eq!(clean(format!("{ONE}{long}\n").as_bytes()), Err(CaptionsError::LongLine(4)));
    }

    #[test]
    fn oversized_files_are_refused_quickly() {
        let cue = "00:01.000 --> 00:02.000\nx\n\n";
        let million = format!("WEBVTT\n\n{}", cue.repeat(1_000_000));
        assert_eq!(clean(million.as_bytes()), Err(CaptionsError::TooLarge));
        let many = format!("WEBVTT\n\n{}", cue.repeat(BYTES_MAX / cue.len() - 1));
        assert_eq!(clean(many.as_bytes()), Err(CaptionsError::TooMany));
        for odd in ["<", "&", "{\\", "\n", "-->", "<v "] {
            let text = format!("{ONE}{}\n\n", odd.repeat(150));
            match clean(text.repeat(400_000 / text.len()).as_bytes()) {
                Ok(once) => assert_eq!(clean(once.as_bytes()).unwrap(), once, "{odd}"),
                Err(error) => assert_eq!((error, odd), (CaptionsError::Empty, "\n")),
            }
        }
    }

    #[test]
    fn languages_are_short_tags_in_their_usual_case() {
        for (given, expected) in [
            ("EN", "en"),
            ("pt-br", "pt-BR"),
            ("zh-hant-tw", "zh-Hant-TW"),
            ("es-419", "es-419"),
            ("gsw", "gsw"),
        ] {
            assert_eq!(language(given).as_deref(), Some(expected));
        }
        for bad in [
            "",
            "e",
            "engl",
            "en-",
            "-en",
            "en_US",
            "en-x-y",
            "zh-hant-tw-x1",
            "zh-hant-tw-419",
            "../x",
            "én",
            "en-12",
        ] {
            assert_eq!(language(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_label_is_one_line_or_the_language() {
        assert_eq!(label(Some(" Deutsch "), "de").unwrap(), "Deutsch");
        assert_eq!(label(Some("  "), "de").unwrap(), "de");
        assert_eq!(label(None, "de").unwrap(), "de");
        assert_eq!(label(Some("a\nb"), "de"), Err(CaptionsError::Label));
        assert_eq!(label(Some(&"x".repeat(101)), "de"), Err(CaptionsError::Label));
    }
}
