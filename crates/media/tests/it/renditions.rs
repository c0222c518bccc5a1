//! Renditions of video and audio files play from beginning to end, with segments at the same times in every
//! size.

use std::path::{Path, PathBuf};
use std::process::Command;

use media::{MediaError, Progress, Rendered};

use crate::{H264, TestApp, settings, test_app_with};

/// The tools with a fast preset: the files are larger but otherwise the same.
pub fn test_app() -> TestApp {
    test_app_with(media::MediaSettings { render_preset: "superfast".into(), ..settings() })
}

/// Makes all renditions of a file and writes them into a folder, as a player would find them.
pub async fn render(
    app: &TestApp,
    file: &Path,
    demuxer: &'static str,
) -> Result<(Rendered, PathBuf), MediaError> {
    let probe = app.media.probe(file, demuxer).await?;
    let mut last = None;
    let mut on_progress = |progress: Progress| last = Some(progress);
    let rendered = app.media.render(file, demuxer, &probe, "tag", &mut on_progress).await?;
    if probe.duration_ms.is_some() {
        assert!(last.is_some_and(|progress| (50..=99).contains(&progress.percent)), "{last:?}");
    }
    let out = app.path("out");
    std::fs::create_dir_all(&out).unwrap();
    for file in rendered.files() {
        let mut bytes = file.read().await.unwrap();
        if file.name.ends_with(".m3u8") {
            // The tag is part of URLs only.
            bytes = String::from_utf8(bytes).unwrap().replace("?v=tag", "").into_bytes();
        }
        std::fs::write(out.join(&file.name), bytes).unwrap();
    }
    Ok((rendered, out))
}

/// Returns the output of ffprobe, line by line.
pub fn ffprobe(args: &[&str], file: &Path) -> Vec<String> {
    let out = Command::new("ffprobe")
        .args(["-v", "error", "-of", "csv=p=0"])
        .args(args)
        .arg(file)
        .output()
        .unwrap();
    assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
    String::from_utf8(out.stdout).unwrap().lines().map(|line| line.trim_end_matches(',').to_owned()).collect()
}

/// Decodes the whole file; any warning fails the test.
pub fn plays(file: &Path) {
    let out = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "warning", "-xerror", "-i"])
        .arg(file)
        .args(["-map", "0", "-f", "null", "-"])
        .output()
        .unwrap();
    assert!(out.status.success() && out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
}

/// Returns the segment lengths in the playlist.
pub fn lengths(playlist: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(playlist).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("#EXTINF:")).map(str::to_owned).collect()
}

/// Checks that each segment on its own, with the initialization segment, begins with its only key frame.
pub fn begins_with_key_frames(out: &Path, rung: &str) {
    for number in 0..lengths(&out.join(format!("{rung}.m3u8"))).len() {
        let mut bytes = std::fs::read(out.join(format!("{rung}-init.mp4"))).unwrap();
        bytes.extend(std::fs::read(out.join(format!("{rung}-{number}.m4s"))).unwrap());
        let alone = out.join("alone.mp4");
        std::fs::write(&alone, bytes).unwrap();
        let frames = ffprobe(&["-select_streams", "v:0", "-show_entries", "packet=flags"], &alone);
        assert!(frames[0].starts_with('K'), "{rung} {number}: {frames:?}");
        assert!(frames[1..].iter().all(|flags| !flags.starts_with('K')), "{rung} {number}: {frames:?}");
        std::fs::remove_file(alone).unwrap();
    }
}

pub fn master(out: &Path) -> String {
    std::fs::read_to_string(out.join("master.m3u8")).unwrap()
}

pub fn names(rendered: &Rendered) -> Vec<&str> {
    rendered.files().iter().map(|file| file.name.as_str()).collect()
}

#[tokio::test]
async fn a_full_hd_video_gets_four_aligned_sizes_that_play() {
    let app = test_app();
    let video = app.make(
        "a.mp4",
        "-f lavfi -i testsrc2=size=1920x1080:rate=12 -f lavfi -i sine -t 5 -c:v libx264 -preset ultrafast \
         -pix_fmt yuv420p -c:a aac",
    );
    let (rendered, out) = render(&app, &video, "mov").await.unwrap();
    assert!(rendered.storyboard && !rendered.waveform);
    assert!((4_950..5_100).contains(&rendered.duration_ms), "{}", rendered.duration_ms);
    let expected = lengths(&out.join("1080.m3u8"));
    assert_eq!(expected.len(), 2);
    assert!(expected[0].starts_with("4.000000"), "{expected:?}");
    for rung in ["1080", "720", "480", "360"] {
        assert_eq!(lengths(&out.join(format!("{rung}.m3u8"))), expected, "{rung}");
    }
    begins_with_key_frames(&out, "360");
    // All four sizes are made at once.
    plays(&out.join("master.m3u8"));
    let streams: Vec<String> = master(&out)
        .lines()
        .filter(|line| line.starts_with("#EXT-X-STREAM-INF"))
        .map(str::to_owned)
        .collect();
    for (stream, size) in streams.iter().zip(["1920x1080", "1280x720", "854x480", "640x360"]) {
        assert!(stream.contains(&format!("RESOLUTION={size},FRAME-RATE=12.000")), "{stream}");
        assert!(stream.contains("CODECS=\"avc1.6400") && stream.contains(",mp4a.40.2\""), "{stream}");
    }
    assert_eq!(streams.len(), 4);
    let sheet = ffprobe(&["-show_entries", "stream=width,height"], &out.join("storyboard.jpg"));
    assert_eq!(sheet, ["800,90"], "five tiles");
    let sheet_bytes = std::fs::metadata(out.join("storyboard.jpg")).unwrap().len();
    assert!(sheet_bytes > 4_000, "an empty sheet is smaller: {sheet_bytes}");
    let list = std::fs::read_to_string(out.join("storyboard.vtt")).unwrap();
    assert!(
        list.starts_with("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nstoryboard.jpg?v=tag#xywh=0,0,160,90"),
        "{list}"
    );
}

#[tokio::test]
async fn progress_is_reported_while_a_video_is_processed() {
    let app = test_app();
    let video = app.make(
        "a.mp4",
        "-f lavfi -i testsrc2=size=1920x1080:rate=30 -t 12 -c:v libx264 -preset ultrafast -pix_fmt yuv420p",
    );
    let probe = app.media.probe(&video, "mov").await.unwrap();
    let mut percents = Vec::new();
    let mut on_progress = |progress: Progress| percents.push(progress.percent);
    let rendered = app.media.render(&video, "mov", &probe, "tag", &mut on_progress).await.unwrap();
    assert!(rendered.storyboard);
    assert!(percents.len() > 2 && percents[0] < 50, "{percents:?}");
    assert!(percents.is_sorted(), "{percents:?}");
}

#[tokio::test]
async fn the_declared_bandwidth_is_that_of_the_largest_segment() {
    let app = test_app();
    let video = app.video("a.mp4", &format!("{H264} -s 640x360"));
    let (_, out) = render(&app, &video, "mov").await.unwrap();
    let text = master(&out);
    let number = |key: &str| -> u64 {
        let rest = text.split(key).nth(1).unwrap();
        rest.split(',').next().unwrap().parse().unwrap()
    };
    let lengths: Vec<f64> = lengths(&out.join("360.m3u8"))
        .iter()
        .map(|text| text.trim_end_matches(',').parse().unwrap())
        .collect();
    let sizes = (0..lengths.len())
        .map(|number| std::fs::metadata(out.join(format!("360-{number}.m4s"))).unwrap().len());
    let rates: Vec<f64> = sizes.zip(&lengths).map(|(bytes, seconds)| bytes as f64 * 8.0 / seconds).collect();
    let peak = rates.iter().copied().fold(0.0, f64::max).ceil() as u64;
    assert_eq!(number("-INF:BANDWIDTH="), peak, "{rates:?}");
    assert!(number("AVERAGE-BANDWIDTH=") <= peak);
}

#[tokio::test]
async fn portrait_rotated_odd_and_silent_videos_keep_their_aspect_ratio() {
    let app = test_app();
    for (args, rungs, size) in [
        ("-f lavfi -i testsrc2=size=406x720:rate=25 -t 1", &["406"][..], "RESOLUTION=406x720"),
        ("-f lavfi -i testsrc2=size=721x361:rate=15 -t 1 -pix_fmt yuv444p", &["360"], "RESOLUTION=720x360"),
        ("-f lavfi -i testsrc2=size=320x240:rate=25 -t 1 -vf setsar=4/3", &["240"], "RESOLUTION=426x240"),
    ] {
        let video = app.make("a.mp4", &format!("{args} -c:v libx264 -preset ultrafast"));
        let (rendered, out) = render(&app, &video, "mov").await.unwrap();
        let playlists: Vec<&str> =
            names(&rendered).into_iter().filter_map(|name| name.strip_suffix(".m3u8")).collect();
        assert_eq!(playlists, [rungs, &["master"]].concat(), "{args}");
        assert!(master(&out).contains(size), "{args} {}", master(&out));
        assert!(!master(&out).contains("mp4a"), "{args}");
        plays(&out.join("master.m3u8"));
    }
    // A phone in portrait orientation records landscape video with a rotation.
    let lying = app.video("b.mp4", &format!("{H264} -t 1 -s 640x360"));
    let rotated = app.path("c.mp4");
    let done = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-i"])
        .arg(&lying)
        .args(["-c", "copy", "-metadata:s:v:0", "rotate=90"])
        .arg(&rotated)
        .status()
        .unwrap();
    assert!(done.success());
    let (_, out) = render(&app, &rotated, "mov").await.unwrap();
    assert!(master(&out).contains("RESOLUTION=360x640"), "{}", master(&out));
    let sheet = ffprobe(&["-show_entries", "stream=width,height"], &out.join("storyboard.jpg"));
    assert_eq!(sheet, ["90,160"]);
}

#[tokio::test]
async fn a_recording_that_does_not_state_its_length_is_measured() {
    let app = test_app();
    let video =
        app.video("a.webm", "-t 2 -s 320x180 -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus");
    // Written like a browser's recording: the length in the header is never filled in.
    let out = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-i"])
        .arg(&video)
        .args(["-c", "copy", "-f", "webm", "-live", "1", "-"])
        .output()
        .unwrap();
    let live = app.file("live.webm", &out.stdout);
    assert_eq!(ffprobe(&["-show_entries", "format=duration"], &live), ["N/A"]);
    let probe = app.media.probe(&live, "matroska").await.unwrap();
    assert!(probe.duration_ms.unwrap().abs_diff(2_000) < 100, "{probe:?}");
    let (rendered, out) = render(&app, &live, "matroska").await.unwrap();
    assert!(rendered.storyboard);
    plays(&out.join("master.m3u8"));
}

#[tokio::test]
async fn an_audio_file_becomes_a_stream_and_a_waveform() {
    let app = test_app();
    // A loud second after a silent one; cover art is not video.
    let audio = app.make(
        "a.mp3",
        "-f lavfi -i testsrc2=size=64x64 -f lavfi -i aevalsrc=exprs='if(gt(t,1),sin(2000*t),0)':s=44100 -t 2 \
         -frames:v 1 -map 1:a -map 0:v -c:a libmp3lame -c:v mjpeg -disposition:v attached_pic",
    );
    let (rendered, out) = render(&app, &audio, "mp3").await.unwrap();
    assert!(rendered.waveform && !rendered.storyboard);
    assert_eq!(
        names(&rendered),
        ["audio-0.m4s", "audio-init.mp4", "audio.m3u8", "waveform.json", "master.m3u8"]
    );
    plays(&out.join("master.m3u8"));
    assert!(master(&out).contains("CODECS=\"mp4a.40.2\"\naudio.m3u8"), "{}", master(&out));
    let waveform: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("waveform.json")).unwrap()).unwrap();
    let peaks: Vec<u64> =
        waveform["peaks"].as_array().unwrap().iter().map(|peak| peak.as_u64().unwrap()).collect();
    assert!((190..=220).contains(&peaks.len()), "{}", peaks.len());
    assert!(peaks[10..90].iter().all(|peak| *peak <= 1), "{peaks:?}");
    assert!(peaks[110..180].iter().all(|peak| *peak >= 90), "{peaks:?}");
}

#[tokio::test]
async fn a_file_that_contains_less_than_it_claims_is_detected_although_the_tools_exit_with_0() {
    let app = test_app();
    let video = app.video(
        "a.mp4",
        "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -s 320x180 -c:a aac -movflags +faststart",
    );
    let mut bytes = std::fs::read(&video).unwrap();
    // The second half exists but is empty.
    let half = bytes.len() / 2;
    bytes[half..].fill(0);
    let hollow = app.file("hollow.mp4", &bytes);
    assert!(!app.media.probe(&hollow, "mov").await.unwrap().damaged, "its boxes are complete");
    let error = render(&app, &hollow, "mov").await.err().unwrap();
    assert!(matches!(error, MediaError::Damaged(_)), "{error}");
    // Every frame is intact, but there are fewer than claimed: two seconds instead of ten minutes.
    let mut bytes = std::fs::read(app.video("a.mkv", &format!("{H264} -t 2 -s 320x180"))).unwrap();
    let note = bytes.windows(3).position(|window| window == [0x44, 0x89, 0x88]).unwrap() + 3;
    bytes[note..note + 8].copy_from_slice(&600_000_f64.to_be_bytes());
    let boastful = app.file("boastful.mkv", &bytes);
    let probe = app.media.probe(&boastful, "matroska").await.unwrap();
    assert_eq!((probe.duration_ms, probe.damaged), (Some(600_000), false));
    let error = app.media.render(&boastful, "matroska", &probe, "tag", &mut |_| {}).await.err().unwrap();
    assert!(matches!(error, MediaError::Damaged(_)), "{error}");
    // A FLAC file states its number of samples at the beginning.
    let bytes = std::fs::read(app.video("a.flac", "-map 1:a")).unwrap();
    let cut = app.file("cut.flac", &bytes[..bytes.len() / 2]);
    let probe = app.media.probe(&cut, "flac").await.unwrap();
    assert!(probe.duration_ms.unwrap() > 5_900 && !probe.damaged, "{probe:?}");
    let error = app.media.render(&cut, "flac", &probe, "tag", &mut |_| {}).await.err().unwrap();
    assert!(matches!(error, MediaError::Damaged(_)), "{error}");
    let noise = app.file("noise.mp4", b"\0\0\0\x18ftypisom\0\0\x02\0isommp41nothing at all");
    let probe = media::Probe {
        video_codec: Some("h264".into()),
        width: Some(64),
        height: Some(64),
        ..media::Probe::default()
    };
    let error = app.media.render(&noise, "mov", &probe, "tag", &mut |_| {}).await.err().unwrap();
    assert!(matches!(error, MediaError::Refused(_)), "{error}");
}

#[tokio::test]
async fn real_files_of_a_phone_and_a_recorder_play() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/media");
    let app = test_app();
    let (rendered, out) = render(&app, &samples.join("phone.mp4"), "mov").await.unwrap();
    assert!((8_200..8_450).contains(&rendered.duration_ms), "{}", rendered.duration_ms);
    plays(&out.join("master.m3u8"));
    assert_eq!(lengths(&out.join("720.m3u8")), lengths(&out.join("360.m3u8")));
    begins_with_key_frames(&out, "720");
    let (rendered, out) = render(&app, &samples.join("sound.mp3"), "mp3").await.unwrap();
    assert!(rendered.waveform);
    plays(&out.join("audio.m3u8"));
}
