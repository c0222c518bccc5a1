//! Identifies a file by its first bytes and compares the result with what the sender declared.

use serde::{Deserialize, Serialize};

/// The kinds of files that the product distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Video, with or without audio.
    Video,
    /// Audio without video.
    Audio,
    /// A raster image.
    Image,
    /// A PDF document.
    Pdf,
    /// Anything else.
    File,
}

/// The type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sniffed {
    /// How the product treats it.
    pub kind: Kind,
    /// The media type it is served as; `application/octet-stream` for any unknown format.
    pub mime: &'static str,
    /// ffmpeg's name of the only demuxer that may read it, or `None` if the media tools are not run on it.
    pub demuxer: Option<&'static str>,
}

/// The bytes do not match the declared type or the file name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the file does not match its declared type: {expected:?} declared, {found} found")]
pub struct TypeMismatch {
    /// What the type or the name declared; `None` if they declared something other than known media.
    pub expected: Option<Kind>,
    /// The media type that was detected.
    pub found: &'static str,
}

const UNKNOWN: &str = "application/octet-stream";
const TEXT: &str = "text/plain";

/// Compares a file's first bytes (4 KiB are enough) with its declared type and name.
///
/// # Errors
/// [`TypeMismatch`] if the type or the name declare video, audio, an image or a PDF and the bytes are something
/// else, or if a file declared as text is not text.
pub fn sniff(head: &[u8], declared: &str, name: &str) -> Result<Sniffed, TypeMismatch> {
    let declared = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let found = detect(head);
    for expected in [kind_by_type(&declared), kind_by_name(name)].into_iter().flatten() {
        let matches = found.is_some_and(|format| format.can_be(expected));
        if !matches {
            let mime = found.map_or(if is_text(head) { TEXT } else { UNKNOWN }, |format| format.mime);
            return Err(TypeMismatch { expected: Some(expected), found: mime });
        }
    }
    let Some(format) = found else {
        // `video/...` in an unknown format is kept as a plain file, but not if it is text.
        let media = declared.starts_with("video/") || declared.starts_with("audio/");
        return if media && is_text(head) {
            Err(TypeMismatch { expected: None, found: TEXT })
        } else {
            Ok(Sniffed { kind: Kind::File, mime: UNKNOWN, demuxer: None })
        };
    };
    if declared.starts_with("text/") {
        return Err(TypeMismatch { expected: None, found: format.mime });
    }
    Ok(format.as_declared(kind_by_type(&declared).or_else(|| kind_by_name(name))))
}

/// A container or format that is recognized by its first bytes.
#[derive(Clone, Copy)]
struct Format {
    kind: Kind,
    mime: &'static str,
    /// The type if the file has audio only, for containers that can have either.
    audio_mime: Option<&'static str>,
    demuxer: Option<&'static str>,
}

impl Format {
    const fn video(mime: &'static str, audio_mime: &'static str, demuxer: &'static str) -> Self {
        Self { kind: Kind::Video, mime, audio_mime: Some(audio_mime), demuxer: Some(demuxer) }
    }

    const fn audio(mime: &'static str, demuxer: &'static str) -> Self {
        Self { kind: Kind::Audio, mime, audio_mime: None, demuxer: Some(demuxer) }
    }

    const fn image(mime: &'static str) -> Self {
        Self { kind: Kind::Image, mime, audio_mime: None, demuxer: None }
    }

    fn can_be(self, kind: Kind) -> bool {
        self.kind == kind || (kind == Kind::Audio && self.audio_mime.is_some())
    }

    /// Uses the sender's declaration if the container can have either.
    fn as_declared(self, expected: Option<Kind>) -> Sniffed {
        match (expected, self.audio_mime) {
            (Some(Kind::Audio), Some(mime)) => Sniffed { kind: Kind::Audio, mime, demuxer: self.demuxer },
            _ => Sniffed { kind: self.kind, mime: self.mime, demuxer: self.demuxer },
        }
    }
}

const PDF: Format = Format { kind: Kind::Pdf, mime: "application/pdf", audio_mime: None, demuxer: None };
const MP4: Format = Format::video("video/mp4", "audio/mp4", "mov");
const QUICKTIME: Format = Format::video("video/quicktime", "audio/mp4", "mov");
const WEBM: Format = Format::video("video/webm", "audio/webm", "matroska");
const MATROSKA: Format = Format::video("video/x-matroska", "audio/x-matroska", "matroska");
const OGG_VIDEO: Format = Format::video("video/ogg", "audio/ogg", "ogg");

fn detect(head: &[u8]) -> Option<Format> {
    let at = |offset: usize, magic: &[u8]| head.get(offset..).is_some_and(|rest| rest.starts_with(magic));
    let contains =
        |magic: &[u8]| head[..head.len().min(512)].windows(magic.len()).any(|window| window == magic);
    Some(match () {
        () if at(4, b"ftyp") => bmff(head.get(8..12)?),
        () if [&b"moov"[..], b"mdat", b"wide", b"pnot"].iter().any(|atom| at(4, atom)) => QUICKTIME,
        () if at(0, b"\x1a\x45\xdf\xa3") && contains(b"webm") => WEBM,
        () if at(0, b"\x1a\x45\xdf\xa3") && contains(b"matroska") => MATROSKA,
        () if at(0, b"RIFF") && at(8, b"AVI ") => Format::video("video/x-msvideo", "audio/x-msvideo", "avi"),
        () if at(0, b"RIFF") && at(8, b"WAVE") => Format::audio("audio/wav", "wav"),
        () if at(0, b"RIFF") && at(8, b"WEBP") => Format::image("image/webp"),
        () if at(0, b"OggS") && contains(b"theora") => OGG_VIDEO,
        () if at(0, b"OggS") => Format::audio("audio/ogg", "ogg"),
        () if at(0, b"FLV\x01") => Format::video("video/x-flv", "audio/x-flv", "flv"),
        () if at(0, b"\x47") && at(188, b"\x47") && at(376, b"\x47") => {
            Format::video("video/mp2t", "audio/mp2t", "mpegts")
        }
        () if at(0, b"\x00\x00\x01\xba") => Format::video("video/mpeg", "audio/mpeg", "mpeg"),
        () if at(0, b"fLaC") => Format::audio("audio/flac", "flac"),
        () if at(0, b"ID3") => Format::audio("audio/mpeg", "mp3"),
        () if is_adts(head) => Format::audio("audio/aac", "aac"),
        () if is_mp3_frame(head) => Format::audio("audio/mpeg", "mp3"),
        () if at(0, b"\x89PNG\r\n\x1a\n") => Format::image("image/png"),
        () if at(0, b"\xff\xd8\xff") => Format::image("image/jpeg"),
        () if at(0, b"GIF87a") || at(0, b"GIF89a") => Format::image("image/gif"),
        () if at(0, b"II*\x00") || at(0, b"MM\x00*") => Format::image("image/tiff"),
        () if at(0, b"BM") && at(6, b"\x00\x00\x00\x00") => Format::image("image/bmp"),
        () if at(0, b"%PDF-") || at(0, b"\xef\xbb\xbf%PDF-") => PDF,
        () => return None,
    })
}

/// Returns the format of an ISO base media file, by its major brand.
fn bmff(brand: &[u8]) -> Format {
    match brand {
        b"avif" | b"avis" => Format::image("image/avif"),
        b"heic" | b"heix" | b"hevc" | b"mif1" | b"msf1" => Format::image("image/heic"),
        b"M4A " | b"M4B " => Format::audio("audio/mp4", "mov"),
        b"qt  " => QUICKTIME,
        _ => MP4,
    }
}

/// Returns true for a frame header of AAC in ADTS: twelve sync bits, layer 0.
fn is_adts(head: &[u8]) -> bool {
    matches!(head, [0xff, second, third, ..] if second & 0xf6 == 0xf0 && (third >> 2) & 0x0f < 13)
}

/// Returns true for a frame header of MPEG audio layer 3 with a valid bit rate and sample rate.
fn is_mp3_frame(head: &[u8]) -> bool {
    matches!(head, [0xff, second, third, ..]
        if second & 0xe6 == 0xe2 && second & 0x18 != 0x08 && !matches!(third >> 4, 0 | 15) && third & 0x0c != 0x0c)
}

/// Returns true if the bytes are text: UTF-8 without control characters other than white space. A character
/// cut off at the end counts as complete.
fn is_text(head: &[u8]) -> bool {
    let plain = !head.iter().any(|&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c));
    let utf8 = std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true);
    plain && utf8
}

fn kind_by_type(mime: &str) -> Option<Kind> {
    match mime {
        "video/mp4" | "video/quicktime" | "video/webm" | "video/x-matroska" | "video/x-msvideo"
        | "video/avi" | "video/ogg" | "video/mpeg" | "video/x-m4v" | "video/x-flv" | "video/mp2t" => {
            Some(Kind::Video)
        }
        "audio/mpeg" | "audio/mp3" | "audio/mp4" | "audio/x-m4a" | "audio/aac" | "audio/wav"
        | "audio/x-wav" | "audio/ogg" | "audio/flac" | "audio/x-flac" | "audio/webm" | "audio/opus" => {
            Some(Kind::Audio)
        }
        "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif" | "image/heic"
        | "image/bmp" | "image/tiff" => Some(Kind::Image),
        "application/pdf" => Some(Kind::Pdf),
        _ => None,
    }
}

/// Extensions with only one meaning; `.ts` and the like are also used for other files.
fn kind_by_name(name: &str) -> Option<Kind> {
    let extension = name.rsplit_once('.')?.1.to_ascii_lowercase();
    match extension.as_str() {
        "mp4" | "m4v" | "mov" | "webm" | "mkv" | "avi" | "ogv" | "mpg" | "mpeg" | "flv" => Some(Kind::Video),
        "mp3" | "m4a" | "aac" | "wav" | "oga" | "flac" | "opus" => Some(Kind::Audio),
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "heic" | "bmp" | "tif" | "tiff" => {
            Some(Kind::Image)
        }
        "pdf" => Some(Kind::Pdf),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MP4_HEAD: &[u8] = b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2avc1mp41";
    const WEBM_HEAD: &[u8] = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm";

    fn kind(head: &[u8], declared: &str, name: &str) -> Result<Kind, &'static str> {
        sniff(head, declared, name).map(|sniffed| sniffed.kind).map_err(|mismatch| mismatch.found)
    }

    #[test]
    fn known_formats_get_their_kind_type_and_one_demuxer() {
        let mp4 = sniff(MP4_HEAD, "video/mp4", "a.mp4").unwrap();
        assert_eq!(mp4, Sniffed { kind: Kind::Video, mime: "video/mp4", demuxer: Some("mov") });
        assert_eq!(kind(MP4_HEAD, "", "noname"), Ok(Kind::Video));
        assert_eq!(kind(b"ID3\x04\x00", "audio/mpeg", "a.mp3"), Ok(Kind::Audio));
        assert_eq!(kind(b"\xff\xfb\x90\x64", "audio/mpeg", "a.mp3"), Ok(Kind::Audio));
        assert_eq!(kind(b"\xff\xf1\x50\x80", "audio/aac", "a.aac"), Ok(Kind::Audio));
        assert_eq!(kind(b"%PDF-1.7\n", "application/pdf", "a.pdf"), Ok(Kind::Pdf));
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n", "image/png", "a.png"), Ok(Kind::Image));
        assert_eq!(kind(b"PK\x03\x04", "application/zip", "a.zip"), Ok(Kind::File));
    }

    #[test]
    fn a_container_for_audio_or_video_is_what_its_sender_declares() {
        let audio = sniff(WEBM_HEAD, "audio/webm", "memo").unwrap();
        assert_eq!((audio.kind, audio.mime), (Kind::Audio, "audio/webm"));
        assert_eq!(sniff(WEBM_HEAD, "video/webm", "a.webm").unwrap().kind, Kind::Video);
        assert_eq!(kind(b"ID3", "video/mp4", "a"), Err("audio/mpeg"));
    }

    #[test]
    fn text_is_detected_whatever_its_declared_type() {
        let playlist = b"#EXTM3U\n#EXTINF:4,\nfile:///data/other/seg.ts\n";
        for (declared, name) in [
            ("video/mp4", "x.mp4"),
            ("video/mp4", "x"),
            ("", "x.mp4"),
            ("application/octet-stream", "x.MP4"),
            ("text/plain", "x.mp4"),
            ("audio/mpeg", "x"),
            ("image/png", "x"),
            ("application/pdf", "x"),
            ("video/x-unheard-of", "x"),
        ] {
            assert_eq!(kind(playlist, declared, name), Err("text/plain"), "{declared} {name}");
        }
        assert_eq!(kind(playlist, "text/plain", "x.txt"), Ok(Kind::File));
        assert_eq!(kind(playlist, "", "x"), Ok(Kind::File));
    }

    #[test]
    fn a_video_is_not_text_and_random_bytes_are_not_a_video() {
        assert_eq!(kind(MP4_HEAD, "text/plain", "x.txt"), Err("video/mp4"));
        assert_eq!(kind(&[0x91, 0x03, 0xe7, 0x5a], "video/mp4", "x"), Err("application/octet-stream"));
        assert_eq!(kind(b"", "video/mp4", "x"), Err("text/plain"));
    }

    #[test]
    fn a_page_declared_as_an_image_is_rejected() {
        let page = b"<html><script>alert(1)</script>";
        assert_eq!(kind(page, "image/png", "x.png"), Err("text/plain"));
        // An SVG is text that may contain scripts: stored, but never shown as an image.
        let drawing = sniff(b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", "x.svg").unwrap();
        assert_eq!((drawing.kind, drawing.mime), (Kind::File, "application/octet-stream"));
    }

    #[test]
    fn a_character_cut_by_the_end_of_the_head_is_still_text() {
        assert!(is_text("naïve".as_bytes()) && is_text(&"naï".as_bytes()[..3]));
        assert!(!is_text(b"a\x00b") && !is_text(b"\xff\xfe"));
    }
}
