//! Images decoded by the real program, whose allocator reserves more address space than the decoding process
//! may use.

use std::path::Path;
use std::process::Command;

use media::{ImageError, Media, MediaSettings, Target};

fn make_image(folder: &Path, size: &str, format: &str) -> std::path::PathBuf {
    let path = folder.join(format!("{size}-{format}.png"));
    let status = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error", "-f", "lavfi", "-i", &format!("color=red:size={size}")])
        .args(["-frames:v", "1", "-pix_fmt", format])
        .arg(&path)
        .status();
    assert!(status.unwrap().success());
    path
}

#[tokio::test]
async fn the_program_decodes_images_within_its_limits_in_confinement() {
    let folder = tempfile::tempdir().unwrap();
    let settings =
        MediaSettings { confine_path: env!("CARGO_BIN_EXE_vitrine").into(), ..MediaSettings::default() };
    let media = Media::open(settings, &folder.path().join("work")).unwrap();
    for (size, format) in [("64x64", "rgb24"), ("4000x4000", "rgba64be")] {
        let drawn = media
            .reencode_image(&make_image(folder.path(), size, format), Target::Fit(100), &[32])
            .await
            .unwrap();
        assert_eq!(drawn.smaller.iter().map(|image| image.width).collect::<Vec<_>>(), [32]);
        assert_eq!(&drawn.bytes[1..4], if format == "rgb24" { &b"\xd8\xff\xe0"[..] } else { b"PNG" });
    }
    let large = media
        .reencode_image(&make_image(folder.path(), "10000x10000", "rgb24"), Target::Poster(100), &[])
        .await;
    assert!(matches!(large, Err(ImageError::TooManyPixels)), "{large:?}");
}
