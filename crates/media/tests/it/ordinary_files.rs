//! Ordinary files yield their length, dimensions and a poster.

use media::{Kind, MediaError, Probe, sniff};

use crate::{H264, head, settings, test_app, test_app_with};

#[tokio::test]
async fn a_video_yields_its_length_and_a_poster() {
    let app = test_app();
    let video = app.video("a.mp4", H264);
    let sniffed = sniff(&head(&video), "video/mp4", "a.mp4").unwrap();
    assert_eq!(sniffed.kind, Kind::Video);
    let demuxer = sniffed.demuxer.unwrap();
    let probe = app.media.probe(&video, demuxer).await.unwrap();
    let Probe { duration_ms, width, height, damaged, .. } = probe;
    assert!((5_950..=6_100).contains(&duration_ms.unwrap()), "{duration_ms:?}");
    assert_eq!((width, height, damaged), (Some(1280), Some(720), false));
    assert_eq!((probe.video_codec.as_deref(), probe.audio_codec.as_deref()), (Some("h264"), Some("aac")));

    let poster = app.media.poster(&video, demuxer, &probe).await.unwrap();
    let path = app.file("poster.jpg", &poster);
    let out = std::process::Command::new("ffprobe")
        .args(["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0"])
        .arg(path)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), "mjpeg,1280,720");
}

#[tokio::test]
async fn every_common_format_is_read() {
    let app = test_app();
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
        let file = app.video(name, more);
        let sniffed = sniff(&head(&file), "", name).unwrap();
        let probe = app.media.probe(&file, sniffed.demuxer.unwrap()).await.unwrap();
        let seconds = if name == "a.webm" { 1_000 } else { 6_000 };
        assert!(probe.duration_ms.unwrap().abs_diff(seconds) < 200, "{name} {probe:?}");
        assert!(!probe.damaged, "{name} {probe:?}");
        assert_eq!(sniffed.kind == Kind::Video, probe.video_codec.is_some(), "{name}");
        assert_eq!(
            app.media.poster(&file, sniffed.demuxer.unwrap(), &probe).await.is_ok(),
            probe.has_image,
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_fragmented_video_is_not_reported_as_damaged() {
    let app = test_app();
    let video =
        app.video("a.mp4", "-c:v libx264 -preset ultrafast -c:a aac -movflags frag_keyframe+empty_moov");
    let probe = app.media.probe(&video, "mov").await.unwrap();
    assert!(!probe.damaged, "{probe:?}");
}

#[tokio::test]
async fn jobs_leave_nothing_behind_and_the_input_is_untouched() {
    let app = test_app();
    let video = app.video("a.mp4", H264);
    let before = std::fs::read(&video).unwrap();
    let probe = app.media.probe(&video, "mov").await.unwrap();
    app.media.poster(&video, "mov", &probe).await.unwrap();
    assert_eq!(std::fs::read_dir(app.path("work")).unwrap().count(), 0);
    assert!(std::fs::read(&video).unwrap() == before);
    use std::os::unix::fs::MetadataExt as _;
    assert_eq!(std::fs::metadata(&video).unwrap().nlink(), 1);
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
    let mut offsets = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let index = out.len();
    out.push_str("xref\n0 5\n0000000000 65535 f \n");
    offsets.iter().for_each(|offset| out.push_str(&format!("{offset:010} 00000 n \n")));
    out.push_str(&format!("trailer\n<< /Size 5 /Root 1 0 R {more}>>\nstartxref\n{index}\n%%EOF\n"));
    out.into_bytes()
}

#[tokio::test]
async fn a_document_yields_its_first_page() {
    let app = test_app();
    for (width, height, expected) in [(595, 842, "mjpeg,1599,2262"), (842, 595, "mjpeg,2262,1599")] {
        let page = app.media.first_page(&app.file("a.pdf", &document(width, height))).await.unwrap();
        let path = app.file("page.jpg", &page);
        let out = std::process::Command::new("ffprobe")
            .args(["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0"])
            .arg(path)
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), expected);
        assert_eq!(app.media.page_count(&app.file("a.pdf", &document(width, height))).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn an_invalid_document_and_a_missing_tool_are_errors() {
    let app = test_app();
    for bytes in [&b"%PDF-1.7\nnothing"[..], b"", b"#EXTM3U\n/etc/passwd"] {
        let file = app.file("a.pdf", bytes);
        let errors = [app.media.first_page(&file).await.err(), app.media.page_count(&file).await.err()];
        assert!(errors.iter().all(|error| matches!(error, Some(MediaError::Refused(_)))), "{errors:?}");
    }
    let locked = app.file("a.pdf", &locked());
    let error = app.media.first_page(&locked).await.err().unwrap();
    assert!(matches!(&error, MediaError::Refused(output) if output.contains("password")), "{error}");
    let error = app.media.page_count(&locked).await.err().unwrap();
    assert!(matches!(&error, MediaError::Refused(output) if output.contains("password")), "{error}");
    for settings in [
        media::MediaSettings { pdftoppm: "no-such-tool".into(), ..settings() },
        media::MediaSettings { pdfinfo: "no-such-tool".into(), ..settings() },
    ] {
        let without = test_app_with(settings);
        assert!(without.media.missing_for_documents().unwrap().contains("poppler-utils"));
        let file = without.file("a.pdf", &document(10, 10));
        let errors =
            [without.media.first_page(&file).await.err(), without.media.page_count(&file).await.err()];
        assert!(errors.iter().all(|error| matches!(error, Some(MediaError::Unavailable(_)))), "{errors:?}");
    }
}
