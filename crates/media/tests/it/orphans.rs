//! What a killed server leaves behind: the next one kills its tools and removes their folders.

use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};

use media::Media;

use crate::confinement::{ends, is_alive, word};
use crate::test_job::{TestJob, UNCONFINED, sufficient_layers};
use crate::{settings, test_app};

/// Starts `media-confine` with a tool that never ends, in the folder of a job whose lock is not held.
fn orphan(job: &TestJob, layers: &str, word: &str) -> Child {
    std::fs::write(job.path("job/lock"), "").unwrap();
    let mut command = job.command(layers, "/usr/bin/perl".as_ref());
    command.args(["-e", "open my $here, q(>), q(begun); sleep 1000", word]).process_group(0).spawn().unwrap()
}

#[tokio::test]
async fn the_confined_tool_of_a_dead_server_is_killed_with_its_children() {
    for (number, layers) in sufficient_layers().into_iter().chain([UNCONFINED]).enumerate() {
        let word = word(&format!("orphan-{number}"));
        let job = TestJob::new();
        let media = Media::open(settings(), job.dir.path()).unwrap();
        let mut orphan = orphan(&job, layers, &word);
        while !job.path("job/output/begun").exists() {
            tokio::task::yield_now().await;
        }
        assert!(is_alive(&word));
        // A process must reap the child, as init does for orphans.
        let waiting = tokio::task::spawn_blocking(move || orphan.wait());
        assert_eq!(media.sweep().unwrap(), 1, "{layers}");
        assert!(ends(&word).await && !job.path("job").exists(), "{layers}");
        assert!(!waiting.await.unwrap().unwrap().success());
    }
}

#[tokio::test]
async fn a_process_that_reuses_the_id_of_a_dead_one_is_not_killed() {
    let app = test_app();
    let left = app.path("work").join("job-left");
    let mut other = Command::new("sleep").arg("1000").process_group(0).spawn().unwrap();
    for noted in [format!("{} 1", other.id()), other.id().to_string(), "x y".to_owned(), String::new()] {
        std::fs::create_dir_all(&left).unwrap();
        std::fs::write(left.join("lock"), "").unwrap();
        std::fs::write(left.join("group"), noted).unwrap();
        assert_eq!(app.media.sweep().unwrap(), 1);
        assert!(!left.exists() && other.try_wait().unwrap().is_none());
    }
    other.kill().unwrap();
    other.wait().unwrap();
}

#[tokio::test]
async fn a_folder_whose_removal_was_interrupted_is_removed() {
    let app = test_app();
    let left = |name: &str, files: &[&str]| {
        let folder = app.path("work").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        files.iter().for_each(|file| std::fs::write(folder.join(file), "").unwrap());
        folder
    };
    // The lock file was the first to go, the last, or it never got its name.
    let gone = [left("job-a", &["in", "group"]), left("job-b", &[]), left("job-c", &["new"])];
    let kept = [left("other", &["file"]), left("empty", &[])];
    let working = app.media.folder().await.unwrap();
    assert_eq!(app.media.sweep().unwrap(), 3);
    assert!(gone.iter().all(|folder| !folder.exists()) && working.path().exists());
    assert!(kept.iter().all(|folder| folder.exists()), "folders that are no job's");
}

#[tokio::test]
async fn folders_are_created_while_another_process_sweeps() {
    let app = test_app();
    let (media, sweeper) = (app.media.clone(), app.media.clone());
    let sweeping =
        tokio::task::spawn_blocking(move || (0..300).map(|_| sweeper.sweep().unwrap()).sum::<usize>());
    while !sweeping.is_finished() {
        let folder = media.folder().await.unwrap();
        assert!(folder.path().join("lock").exists());
    }
    sweeping.await.unwrap();
}
