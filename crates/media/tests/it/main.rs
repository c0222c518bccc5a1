//! The media tools on real and hostile files. These tests need ffmpeg; `make deps` installs it.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod attacks;
mod colors;
mod confinement;
mod frame_rates;
mod hostile;
mod ordinary_files;
mod orphans;
mod renditions;
mod test_job;

use std::path::{Path, PathBuf};
use std::process::Command;

use media::{Media, MediaSettings};

/// The media tools, and a folder for files.
struct TestApp {
    media: Media,
    dir: tempfile::TempDir,
}

fn settings() -> MediaSettings {
    MediaSettings {
        confine_path: env!("CARGO_BIN_EXE_media-confine").into(),
        without_confinement: true,
        ..MediaSettings::default()
    }
}

fn test_app() -> TestApp {
    test_app_with(settings())
}

fn test_app_with(settings: MediaSettings) -> TestApp {
    let dir = tempfile::tempdir().unwrap();
    let media = Media::open(settings, &dir.path().join("work")).unwrap();
    assert_eq!(media.missing(), None);
    TestApp { media, dir }
}

impl TestApp {
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
    fn make(&self, name: &str, args: &str) -> PathBuf {
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
    fn video(&self, name: &str, more: &str) -> PathBuf {
        let source = "-f lavfi -i testsrc2=size=1280x720:rate=25 -f lavfi -i sine=frequency=440 -t 6";
        self.make(name, &format!("{source} {more}"))
    }
}

const H264: &str = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -movflags +faststart";

fn head(path: &Path) -> Vec<u8> {
    let mut bytes = std::fs::read(path).unwrap();
    bytes.truncate(4096);
    bytes
}
