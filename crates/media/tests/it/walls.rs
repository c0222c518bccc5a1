//! The walls themselves, seen by a script in the tool's place.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use media::{Media, MediaError, MediaSettings};

use crate::settings;

/// A script that stands for ffprobe, and the media handle that calls it.
struct Stage {
    dir: tempfile::TempDir,
    media: Media,
    input: PathBuf,
}

fn stage(script: &str, change: impl FnOnce(&mut MediaSettings)) -> Stage {
    let dir = tempfile::tempdir().unwrap();
    // The tool runs as another user when these tests run as root, and must be able to come here.
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let tool = dir.path().join("tool");
    std::fs::write(&tool, format!("#!/bin/sh\nout={}\n{script}\n", dir.path().display())).unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    let input = dir.path().join("input");
    std::fs::write(&input, b"bytes").unwrap();
    std::fs::set_permissions(&input, std::fs::Permissions::from_mode(0o644)).unwrap();
    let mut settings = MediaSettings { ffprobe: tool, ..settings() };
    change(&mut settings);
    let media = Media::open(settings, &dir.path().join("work")).unwrap();
    Stage { dir, media, input }
}

impl Stage {
    async fn run(&self) -> Result<media::Probe, MediaError> {
        self.media.probe(&self.input, "mov").await
    }

    fn seen(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.path().join(name)).unwrap()
    }
}

/// Whether the process ends soon; a zombie that nobody has collected yet has ended.
async fn ends(pid: &str) -> bool {
    let gone = async {
        loop {
            let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            if state.is_empty() || state.contains(") Z ") {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), gone).await.is_ok()
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|meta| std::os::unix::fs::MetadataExt::uid(&meta) == 0)
}

#[tokio::test]
async fn the_tool_sees_no_environment_and_only_its_own_folder() {
    let stage = stage("env > $out/env; ls -A > $out/ls; cat ./in > $out/in; id -u > $out/id", |_| {});
    // The script gives no JSON, which is refused after it has looked around.
    assert!(matches!(stage.run().await.err().unwrap(), MediaError::Refused(_)));
    let env = stage.seen("env");
    for line in env.lines() {
        let name = line.split('=').next().unwrap();
        // The shell itself sets PWD, SHLVL and _, and OLDPWD.
        assert!(["LC_ALL", "PWD", "SHLVL", "_", "OLDPWD"].contains(&name), "{line}");
    }
    assert_eq!(stage.seen("ls").trim(), "in");
    assert_eq!(stage.seen("in"), "bytes");
    if is_root() {
        assert_eq!(stage.seen("id").trim(), "65534");
    }
}

#[tokio::test]
async fn the_limits_hold_inside() {
    let stage =
        stage("cat /proc/self/limits > $out/limits; cat /proc/self/status > $out/status", |settings| {
            settings.cpu_seconds = 7;
            settings.file_mib = 3;
        });
    assert!(stage.run().await.is_err());
    let limits = stage.seen("limits");
    let soft_and_hard = |name: &str| {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        let words: Vec<&str> = line[name.len()..].split_whitespace().take(2).collect();
        words.join(" ")
    };
    assert_eq!(soft_and_hard("Max cpu time"), "7 7");
    assert_eq!(soft_and_hard("Max file size"), "3145728 3145728");
    assert_eq!(soft_and_hard("Max core file size"), "0 0");
    assert_eq!(soft_and_hard("Max address space"), "4294967296 4294967296");
    assert_eq!(soft_and_hard("Max open files"), "128 128");
    assert!(stage.seen("status").lines().any(|line| line == "NoNewPrivs:\t1"));
}

#[tokio::test]
async fn a_tool_that_never_ends_is_killed_with_everything_it_started() {
    let stage = stage("sleep 1000 & echo $! > $out/child; sleep 1000", |settings| settings.wall_seconds = 1);
    assert!(matches!(stage.run().await.err().unwrap(), MediaError::OverLimit("time")));
    assert!(ends(stage.seen("child").trim()).await);
    assert_eq!(std::fs::read_dir(stage.dir.path().join("work")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_tool_that_leaves_a_process_behind_or_talks_without_end_is_cut_short() {
    let talker = stage("yes 2>/dev/null", |settings| settings.wall_seconds = 2);
    assert!(matches!(talker.run().await.err().unwrap(), MediaError::OverLimit(_)));
    let leaver = stage("sleep 1000 > /dev/null 2>&1 & echo $! > $out/child", |_| {});
    assert!(leaver.run().await.is_err());
    assert!(ends(leaver.seen("child").trim()).await);
}

#[tokio::test]
async fn a_box_that_cannot_be_started_is_the_machines_fault_and_not_the_files() {
    let stage = stage("exit 0", |settings| settings.box_path = "/nowhere/vitrine".into());
    assert!(matches!(stage.run().await.err().unwrap(), MediaError::Machine(_)));
}

#[tokio::test]
async fn without_the_tools_everything_says_what_to_do() {
    let stage = stage("exit 0", |settings| {
        settings.ffprobe = "no-such-ffprobe".into();
        settings.ffmpeg = "no-such-ffmpeg".into();
    });
    assert!(!stage.media.available());
    let sentence = stage.media.missing().unwrap();
    assert!(sentence.contains("ffprobe and ffmpeg not found") && sentence.contains("package"), "{sentence}");
    assert!(matches!(stage.run().await.err().unwrap(), MediaError::Unavailable(_)));
}

#[tokio::test]
async fn folders_of_dead_jobs_are_swept_and_those_of_living_ones_are_not() {
    let stage = stage("sleep 3", |settings| settings.wall_seconds = 1);
    let dead = stage.dir.path().join("work/job-dead");
    std::fs::create_dir_all(dead.join("room")).unwrap();
    std::fs::write(dead.join("lock"), b"").unwrap();
    let (swept, _) = tokio::join!(
        async {
            while std::fs::read_dir(stage.dir.path().join("work")).unwrap().count() < 2 {
                tokio::task::yield_now().await;
            }
            stage.media.sweep().unwrap()
        },
        stage.run(),
    );
    assert_eq!(swept, 1);
    assert!(!dead.exists());
}

#[tokio::test]
async fn without_walls_nothing_is_run_unless_the_operator_said_so() {
    let tool = "touch $out/ran";
    let shut = stage(tool, |settings| settings.without_walls = false);
    let sentence = shut.media.missing().unwrap();
    assert!(sentence.contains("VITRINE_MEDIA_WITHOUT_WALLS=true"), "{sentence}");
    assert!(matches!(shut.run().await, Err(MediaError::Unavailable(_))));
    assert!(!shut.dir.path().join("ran").exists());
    let open = stage(tool, |_| {});
    assert!(open.media.available());
    assert!(matches!(open.run().await, Err(MediaError::Refused(_))));
    assert!(open.dir.path().join("ran").exists());
}

#[tokio::test]
async fn a_folder_for_work_is_swept_when_its_process_died_and_not_before() {
    let stage = stage("true", |_| {});
    let folder = stage.media.folder().await.unwrap();
    assert!(folder.path().starts_with(stage.dir.path().canonicalize().unwrap().join("work")));
    std::fs::write(folder.path().join("in"), b"fetched").unwrap();
    assert_eq!(stage.media.sweep().unwrap(), 0);
    let path = folder.path().to_owned();
    drop(folder);
    assert!(!path.exists());
}
