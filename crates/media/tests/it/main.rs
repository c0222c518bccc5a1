//! The media tools on real and hostile files. These tests need ffmpeg; `make deps` installs it.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod attacks;
mod cell;
mod colours;
mod hostile;
mod orphans;
mod real;
mod renditions;
mod rhythms;
mod walls;

use std::path::{Path, PathBuf};
use std::process::Command;

use media::{Media, MediaSettings};

/// The media tools, and a folder for files.
struct Bench {
    media: Media,
    dir: tempfile::TempDir,
}

fn settings() -> MediaSettings {
    MediaSettings {
        box_path: env!("CARGO_BIN_EXE_media-box").into(),
        without_walls: true,
        ..MediaSettings::default()
    }
}

fn bench() -> Bench {
    bench_with(settings())
}

fn bench_with(settings: MediaSettings) -> Bench {
    let dir = tempfile::tempdir().unwrap();
    let media = Media::open(settings, &dir.path().join("work")).unwrap();
    assert_eq!(media.missing(), None);
    Bench { media, dir }
}

impl Bench {
    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Creates a file with these bytes, readable as stored objects are.
    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        path
    }

    /// Creates a file with unconfined ffmpeg.
    fn made(&self, name: &str, args: &str) -> PathBuf {
        let path = self.path(name);
        let done = Command::new("ffmpeg")
            .args(["-nostdin", "-v", "error", "-y"])
            .args(args.split_whitespace())
            .arg(&path)
            .status()
            .unwrap();
        assert!(done.success());
        path
    }

    /// Creates a video of six seconds with a tone.
    fn film(&self, name: &str, more: &str) -> PathBuf {
        let source = "-f lavfi -i testsrc2=size=1280x720:rate=25 -f lavfi -i sine=frequency=440 -t 6";
        self.made(name, &format!("{source} {more}"))
    }
}

const H264: &str = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -movflags +faststart";

fn head(path: &Path) -> Vec<u8> {
    let mut bytes = std::fs::read(path).unwrap();
    bytes.truncate(4096);
    bytes
}
