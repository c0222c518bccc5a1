//! Videos with high, variable or no frame rates.

use std::path::Path;

use media::Kind;

use crate::renditions::{begins_with_key_frames, ffprobe, lengths, master, names, plays, render, test_app};
use crate::{H264, head};

/// Returns the times of the frames, in seconds.
fn frame_times(playlist: &Path) -> Vec<f64> {
    let args = ["-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp_time"];
    ffprobe(&args, playlist)
        .iter()
        .filter(|text| !text.is_empty())
        .map(|text| text.parse().unwrap())
        .collect()
}

#[tokio::test]
async fn sixty_frames_per_second_stay_sixty_in_segments_of_four_seconds() {
    let app = test_app();
    let args = format!("-f lavfi -i testsrc2=size=640x480:rate=60 -f lavfi -i sine -t 5 {H264}");
    let video = app.make("a.mp4", &args);
    let (_, out) = render(&app, &video, "mov").await.unwrap();
    for rung in ["480", "360"] {
        let playlist = out.join(format!("{rung}.m3u8"));
        assert!(lengths(&playlist)[0].starts_with("4.000000"), "{:?}", lengths(&playlist));
        assert_eq!(frame_times(&playlist).len(), 300, "{rung}");
        begins_with_key_frames(&out, rung);
    }
    assert_eq!(master(&out).matches("FRAME-RATE=60.000").count(), 2, "{}", master(&out));
    plays(&out.join("master.m3u8"));
}

#[tokio::test]
async fn a_video_with_a_variable_frame_rate_becomes_constant_and_keeps_its_length_and_audio() {
    let app = test_app();
    // Ten frames per second at first, then thirty: a phone that is carried from the dark into the light.
    let args = "-f lavfi -i testsrc2=size=320x180:rate=30 -f lavfi -i sine -t 6 -vf select='gte(t,3)+not(mod(n,3))' \
                -vsync vfr -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac";
    let video = app.make("a.mp4", args);
    let before = frame_times(&video);
    assert!(before[1] - before[0] > 0.09 && before[100] - before[99] < 0.04, "the frame rate is variable");
    let (rendered, out) = render(&app, &video, "mov").await.unwrap();
    assert!((5_900..6_100).contains(&rendered.duration_ms), "{}", rendered.duration_ms);
    let after = frame_times(&out.join("180.m3u8"));
    let steps: Vec<f64> = after.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.iter().all(|step| (step - steps[0]).abs() < 0.001), "{steps:?}");
    assert!((115..=125).contains(&after.len()), "twenty per second on average: {}", after.len());
    let audio =
        ffprobe(&["-select_streams", "a:0", "-show_entries", "packet=pts_time"], &out.join("180.m3u8"));
    let last: f64 = audio.last().unwrap().parse().unwrap();
    assert!((last - after[after.len() - 1]).abs() < 0.1, "{last} {:?}", after.last());
    plays(&out.join("master.m3u8"));
}

#[tokio::test]
async fn a_video_container_without_video_is_processed_as_audio() {
    let app = test_app();
    let video = app.video("a.mp4", "-map 1:a -c:a aac");
    let sniffed = media::sniff(&head(&video), "video/mp4", "a.mp4").unwrap();
    assert_eq!((sniffed.kind, sniffed.demuxer), (Kind::Video, Some("mov")), "the first bytes reveal no more");
    let probe = app.media.probe(&video, "mov").await.unwrap();
    assert_eq!((probe.width, probe.codecs().as_deref()), (None, Some("aac")));
    assert!(app.media.poster(&video, "mov", &probe).await.is_err());
    let (rendered, out) = render(&app, &video, "mov").await.unwrap();
    assert!(rendered.waveform && !rendered.storyboard && names(&rendered).contains(&"audio.m3u8"));
    assert!((5_900..6_100).contains(&rendered.duration_ms), "{}", rendered.duration_ms);
    plays(&out.join("master.m3u8"));
}
