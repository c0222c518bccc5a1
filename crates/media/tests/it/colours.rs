//! HDR and wide-gamut videos are converted to BT.709.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use media::{Media, Tone};

use crate::renditions::{asked, bench, names, plays, render};
use crate::{Bench, bench_with, settings};

/// Makes a second of uniform gray in 10 bits, with these transfer function and primaries.
fn grey(bench: &Bench, level: u32, transfer: &str, primaries: &str) -> PathBuf {
    let args = format!(
        "-f lavfi -i color=size=640x360:rate=10,format=yuv420p10le,geq=lum={level}:cb=512:cr=512 -t 1 -c:v libx265 \
         -preset ultrafast -x265-params log-level=error -color_trc {transfer} -color_primaries {primaries} \
         -colorspace bt2020nc -color_range tv"
    );
    bench.made("bright.mp4", &args)
}

/// Returns the luma of the first pixel and the colors that the file declares.
fn seen(file: &Path) -> (u8, String) {
    let out = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-i"])
        .arg(file)
        .args(["-frames:v", "1", "-f", "rawvideo", "-"])
        .output()
        .unwrap();
    let entries = "stream=pix_fmt,color_range,color_space,color_transfer,color_primaries:stream_side_data";
    let mut said = asked(&["-select_streams", "v:0", "-show_entries", entries], file);
    // ffprobe prints a stream on its own and as part of its program.
    said.retain(|line| !line.is_empty());
    said.dedup();
    (out.stdout[0], said.join("\n"))
}

/// BT.709 is declared, and nothing else.
const USUAL: &str = "yuv420p,tv,bt709,bt709,bt709";

#[tokio::test]
async fn white_paper_in_a_film_with_more_light_stays_white_in_all_sizes_and_in_the_poster() {
    let bench = bench();
    assert!(bench.media.tone_maps(), "this machine's ffmpeg has the filters");
    // Diffuse white has 203 cd/m²: 58 % of full scale with PQ, 75 % with HLG.
    for (transfer, level, tone) in [("smpte2084", 573, Tone::Pq), ("arib-std-b67", 721, Tone::Hlg)] {
        let film = grey(&bench, level, transfer, "bt2020");
        assert_eq!(bench.media.probe(&film, "mov").await.unwrap().tone, tone);
        let (rendered, out) = render(&bench, &film, "mov").await.unwrap();
        assert!(rendered.storyboard && names(&rendered).contains(&"360.m3u8"));
        plays(&out.join("master.m3u8"));
        let (white, colours) = seen(&out.join("360.m3u8"));
        assert!((190..=215).contains(&white), "{transfer}: {white}");
        assert_eq!(colours, USUAL, "{transfer}");
        let probe = bench.media.probe(&film, "mov").await.unwrap();
        let poster = bench.file("poster.jpg", &bench.media.poster(&film, "mov", &probe).await.unwrap());
        // JPEG uses the full range of 256 values.
        assert!((203..=235).contains(&seen(&poster).0), "{transfer}: {}", seen(&poster).0);
        assert!((203..=235).contains(&seen(&out.join("storyboard.jpg")).0), "{transfer}");
    }
}

#[tokio::test]
async fn more_colours_alone_change_no_brightness() {
    let bench = bench();
    let film = grey(&bench, 512, "bt2020-10", "bt2020");
    assert_eq!(bench.media.probe(&film, "mov").await.unwrap().tone, Tone::Wide);
    let (_, out) = render(&bench, &film, "mov").await.unwrap();
    let (middle, colours) = seen(&out.join("360.m3u8"));
    assert!((126..=130).contains(&middle), "{middle}");
    assert_eq!(colours, USUAL);
}

#[tokio::test]
async fn a_tool_without_the_filters_still_makes_a_film_that_says_what_it_is() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let poor = dir.path().join("ffmpeg");
    let script = "#!/bin/sh\ncase \"$*\" in *-filters*) echo ' .. scale V->V Scale.' ;;\n\
                  *zscale*|*tonemap*) exit 1 ;; *) exec ffmpeg \"$@\" ;; esac\n";
    std::fs::write(&poor, script).unwrap();
    std::fs::set_permissions(&poor, PermissionsExt::from_mode(0o755)).unwrap();
    let bench =
        bench_with(media::MediaSettings { ffmpeg: poor, render_preset: "superfast".into(), ..settings() });
    assert!(!bench.media.tone_maps());
    let film = grey(&bench, 573, "smpte2084", "bt2020");
    let (_, out) = render(&bench, &film, "mov").await.unwrap();
    let (white, colours) = seen(&out.join("360.m3u8"));
    assert!((141..=146).contains(&white), "the luma is unchanged: {white}");
    assert_eq!(colours, USUAL);
    let probe = bench.media.probe(&film, "mov").await.unwrap();
    bench.media.poster(&film, "mov", &probe).await.unwrap();
}

#[test]
fn a_machine_without_ffmpeg_maps_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let none = media::MediaSettings { ffmpeg: "no-such-ffmpeg".into(), ..settings() };
    assert!(!Media::open(none, dir.path()).unwrap().tone_maps());
}
