//! Ordinary files give their length, size and a picture.

use media::{Kind, Probe, sniff};

use crate::{H264, bench, head};

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
