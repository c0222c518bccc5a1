//! Ordinary files yield their length, dimensions and a poster.

use media::{Kind, MediaError, Probe, sniff};

use crate::{H264, bench, bench_with, head, settings};

#[tokio::test]
async fn a_film_tells_its_length_and_gives_a_picture() {
    let bench = bench();
    let film = bench.film("a.mp4", H264);
    let sniffed = sniff(&head(&film), "video/mp4", "a.mp4").unwrap();
    assert_eq!(sniffed.kind, Kind::Video);
    let demuxer = sniffed.demuxer.unwrap();
    let probe = bench.media.probe(&film, demuxer).await.unwrap();
    let Probe { duration_ms, width, height, damaged, .. } = probe;
    assert!((5_950..=6_100).contains(&duration_ms.unwrap()), "{duration_ms:?}");
    assert_eq!((width, height, damaged), (Some(1280), Some(720), false));
    assert_eq!((probe.video_codec.as_deref(), probe.audio_codec.as_deref()), (Some("h264"), Some("aac")));

    let poster = bench.media.poster(&film, demuxer, &probe).await.unwrap();
    let path = bench.file("poster.jpg", &poster);
    let out = std::process::Command::new("ffprobe")
        .args(["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0"])
        .arg(path)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), "mjpeg,800,450");
}

#[tokio::test]
async fn every_usual_format_is_read() {
    let bench = bench();
    for (name, more) in [
        ("a.mkv", H264),
        ("a.mov", H264),
        ("a.webm", "-t 1 -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus"),
        ("a.avi", "-c:v mpeg4 -c:a mp3"),
        ("a.ts", "-c:v libx264 -preset ultrafast -c:a aac"),
        ("a.m4a", "-map 1:a -c:a aac"),
        ("a.mp3", "-map 1:a -c:a libmp3lame"),
        ("a.wav", "-map 1:a"),
        ("a.flac", "-map 1:a"),
        ("a.ogg", "-map 1:a -c:a libopus"),
    ] {
        let file = bench.film(name, more);
        let sniffed = sniff(&head(&file), "", name).unwrap();
        let probe = bench.media.probe(&file, sniffed.demuxer.unwrap()).await.unwrap();
        let seconds = if name == "a.webm" { 1_000 } else { 6_000 };
        assert!(probe.duration_ms.unwrap().abs_diff(seconds) < 200, "{name} {probe:?}");
        assert!(!probe.damaged, "{name} {probe:?}");
        assert_eq!(sniffed.kind == Kind::Video, probe.video_codec.is_some(), "{name}");
        assert_eq!(
            bench.media.poster(&file, sniffed.demuxer.unwrap(), &probe).await.is_ok(),
            probe.has_picture,
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_fragmented_film_is_not_taken_for_a_damaged_one() {
    let bench = bench();
    let film =
        bench.film("a.mp4", "-c:v libx264 -preset ultrafast -c:a aac -movflags frag_keyframe+empty_moov");
    let probe = bench.media.probe(&film, "mov").await.unwrap();
    assert!(!probe.damaged, "{probe:?}");
}

#[tokio::test]
async fn jobs_leave_nothing_behind_and_the_input_is_untouched() {
    let bench = bench();
    let film = bench.film("a.mp4", H264);
    let before = std::fs::read(&film).unwrap();
    let probe = bench.media.probe(&film, "mov").await.unwrap();
    bench.media.poster(&film, "mov", &probe).await.unwrap();
    assert_eq!(std::fs::read_dir(bench.path("work")).unwrap().count(), 0);
    assert!(std::fs::read(&film).unwrap() == before);
    use std::os::unix::fs::MetadataExt as _;
    assert_eq!(std::fs::metadata(&film).unwrap().nlink(), 1);
}

/// A PDF of one page of this size in points, with a black bar on it.
fn document(width: u32, height: u32) -> Vec<u8> {
    let drawing = "0 0 100 50 re f";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R >>"),
        format!("<< /Length {} >>\nstream\n{drawing}\nendstream", drawing.len()),
    ];
    written(&objects, "")
}

/// A PDF that needs an unknown password.
fn locked() -> Vec<u8> {
    let (one, other) = ("11".repeat(32), "22".repeat(32));
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] >>".to_owned(),
        format!("<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <{one}> /U <{other}> >>"),
    ];
    written(&objects, "/Encrypt 4 0 R /ID [<00><00>] ")
}

/// Writes four objects as a PDF, with `more` in the trailer.
fn written(objects: &[String; 4], more: &str) -> Vec<u8> {
    let mut out = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(out.len());
        out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let index = out.len();
    out.push_str("xref\n0 5\n0000000000 65535 f \n");
    places.iter().for_each(|place| out.push_str(&format!("{place:010} 00000 n \n")));
    out.push_str(&format!("trailer\n<< /Size 5 /Root 1 0 R {more}>>\nstartxref\n{index}\n%%EOF\n"));
    out.into_bytes()
}

#[tokio::test]
async fn a_document_gives_its_first_page() {
    let bench = bench();
    for (width, height, expected) in [(595, 842, "mjpeg,800,1131"), (842, 595, "mjpeg,1131,800")] {
        let page = bench.media.first_page(&bench.file("a.pdf", &document(width, height))).await.unwrap();
        let path = bench.file("page.jpg", &page);
        let out = std::process::Command::new("ffprobe")
            .args(["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0"])
            .arg(path)
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), expected);
    }
}

#[tokio::test]
async fn a_document_that_is_none_or_a_missing_tool_is_told() {
    let bench = bench();
    for bytes in [&b"%PDF-1.7\nnothing"[..], b"", b"#EXTM3U\n/etc/passwd"] {
        let error = bench.media.first_page(&bench.file("a.pdf", bytes)).await.err().unwrap();
        assert!(matches!(error, MediaError::Refused(_)), "{error}");
    }
    let locked = bench.file("a.pdf", &locked());
    let error = bench.media.first_page(&locked).await.err().unwrap();
    assert!(matches!(&error, MediaError::Refused(said) if said.contains("password")), "{error}");
    let without = bench_with(media::MediaSettings { pdftoppm: "no-such-pdftoppm".into(), ..settings() });
    assert!(without.media.missing_for_documents().unwrap().contains("poppler-utils"));
    let error = without.media.first_page(&without.file("a.pdf", &document(10, 10))).await.err().unwrap();
    assert!(matches!(error, MediaError::Unavailable(_)), "{error}");
}
