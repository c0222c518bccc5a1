//! HDR and wide-gamut videos are converted to BT.709.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use media::{Media, Tone};

use crate::renditions::{ffprobe, names, plays, render, test_app};
use crate::{TestApp, settings, test_app_with};

/// Makes a second of uniform gray in 10 bits, with these transfer function and primaries.
fn uniform_gray(app: &TestApp, level: u32, transfer: &str, primaries: &str) -> PathBuf {
    let args = format!(
        "-f lavfi -i color=size=640x360:rate=10,format=yuv420p10le,geq=lum={level}:cb=512:cr=512 -t 1 -c:v libx265 \
         -preset ultrafast -x265-params log-level=error -color_trc {transfer} -color_primaries {primaries} \
         -colorspace bt2020nc -color_range tv"
    );
    app.make("bright.mp4", &args)
}

/// Returns the luma of the first pixel and the colors that the file declares.
fn first_luma_and_colors(file: &Path) -> (u8, String) {
    let out = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-i"])
        .arg(file)
        .args(["-frames:v", "1", "-f", "rawvideo", "-"])
        .output()
        .unwrap();
    let entries = "stream=pix_fmt,color_range,color_space,color_transfer,color_primaries:stream_side_data";
    let mut output = ffprobe(&["-select_streams", "v:0", "-show_entries", entries], file);
    // ffprobe prints a stream on its own and as part of its program.
    output.retain(|line| !line.is_empty());
    output.dedup();
    (out.stdout[0], output.join("\n"))
}

/// BT.709 is declared, and nothing else.
const BT709_ONLY: &str = "yuv420p,tv,bt709,bt709,bt709";

#[tokio::test]
async fn diffuse_white_of_an_hdr_video_stays_white_in_all_sizes_and_in_the_poster() {
    let app = test_app();
    assert!(app.media.tone_maps(), "this machine's ffmpeg has the filters");
    // Diffuse white has 203 cd/m²: 58 % of full scale with PQ, 75 % with HLG.
    for (transfer, level, tone) in [("smpte2084", 573, Tone::Pq), ("arib-std-b67", 721, Tone::Hlg)] {
        let video = uniform_gray(&app, level, transfer, "bt2020");
        assert_eq!(app.media.probe(&video, "mov").await.unwrap().tone, tone);
        let (rendered, out) = render(&app, &video, "mov").await.unwrap();
        assert!(rendered.storyboard && names(&rendered).contains(&"360.m3u8"));
        plays(&out.join("master.m3u8"));
        let (white, colors) = first_luma_and_colors(&out.join("360.m3u8"));
        assert!((190..=215).contains(&white), "{transfer}: {white}");
        assert_eq!(colors, BT709_ONLY, "{transfer}");
        let probe = app.media.probe(&video, "mov").await.unwrap();
        let poster = app.file("poster.jpg", &app.media.poster(&video, "mov", &probe).await.unwrap());
        // JPEG uses the full range of 256 values.
        assert!(
            (203..=235).contains(&first_luma_and_colors(&poster).0),
            "{transfer}: {}",
            first_luma_and_colors(&poster).0
        );
        assert!((203..=235).contains(&first_luma_and_colors(&out.join("storyboard.jpg")).0), "{transfer}");
    }
}

#[tokio::test]
async fn wide_gamut_alone_does_not_change_brightness() {
    let app = test_app();
    let video = uniform_gray(&app, 512, "bt2020-10", "bt2020");
    assert_eq!(app.media.probe(&video, "mov").await.unwrap().tone, Tone::Wide);
    let (_, out) = render(&app, &video, "mov").await.unwrap();
    let (middle, colors) = first_luma_and_colors(&out.join("360.m3u8"));
    assert!((126..=130).contains(&middle), "{middle}");
    assert_eq!(colors, BT709_ONLY);
}

#[tokio::test]
async fn a_tool_without_the_filters_still_makes_a_video_with_correct_color_tags() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let limited = dir.path().join("ffmpeg");
    let script = "#!/bin/sh\ncase \"$*\" in *-filters*) echo ' .. scale V->V Scale.' ;;\n\
                  *zscale*|*tonemap*) exit 1 ;; *) exec ffmpeg \"$@\" ;; esac\n";
    std::fs::write(&limited, script).unwrap();
    std::fs::set_permissions(&limited, PermissionsExt::from_mode(0o755)).unwrap();
    let app = test_app_with(media::MediaSettings {
        ffmpeg: limited,
        render_preset: "superfast".into(),
        ..settings()
    });
    assert!(!app.media.tone_maps());
    let video = uniform_gray(&app, 573, "smpte2084", "bt2020");
    let (_, out) = render(&app, &video, "mov").await.unwrap();
    let (white, colors) = first_luma_and_colors(&out.join("360.m3u8"));
    assert!((141..=146).contains(&white), "the luma is unchanged: {white}");
    assert_eq!(colors, BT709_ONLY);
    let probe = app.media.probe(&video, "mov").await.unwrap();
    app.media.poster(&video, "mov", &probe).await.unwrap();
}

#[test]
fn a_machine_without_ffmpeg_does_not_tone_map() {
    let dir = tempfile::tempdir().unwrap();
    let none = media::MediaSettings { ffmpeg: "no-such-ffmpeg".into(), ..settings() };
    assert!(!Media::open(none, dir.path()).unwrap().tone_maps());
}
