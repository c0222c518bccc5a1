//! What a killed server leaves behind: the next one kills its tools and removes their folders.

use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};

use media::Media;

use crate::cell::{BARE, Cell, behind};
use crate::walls::{ends, is_alive, word};
use crate::{bench, settings};

/// Starts `media-box` with a tool that never ends, in the folder of a job whose lock nobody holds.
fn orphan(cell: &Cell, walls: &str, word: &str) -> Child {
    std::fs::write(cell.path("job/lock"), "").unwrap();
    let mut command = cell.command(walls, "/usr/bin/perl".as_ref());
    command.args(["-e", "open my $here, q(>), q(begun); sleep 1000", word]).process_group(0).spawn().unwrap()
}

#[tokio::test]
async fn the_tool_of_a_dead_server_is_ended_with_everything_behind_the_walls() {
    for (number, walls) in behind().into_iter().chain([BARE]).enumerate() {
        let word = word(&format!("orphan-{number}"));
        let cell = Cell::new();
        let media = Media::open(settings(), cell.dir.path()).unwrap();
        let mut orphan = orphan(&cell, walls, &word);
        while !cell.path("job/room/begun").exists() {
            tokio::task::yield_now().await;
        }
        assert!(is_alive(&word));
        // A process must reap the child, as init does for orphans.
        let waiting = tokio::task::spawn_blocking(move || orphan.wait());
        assert_eq!(media.sweep().unwrap(), 1, "{walls}");
        assert!(ends(&word).await && !cell.path("job").exists(), "{walls}");
        assert!(!waiting.await.unwrap().unwrap().success());
    }
}

#[tokio::test]
async fn a_process_that_only_has_the_number_of_a_dead_one_lives_on() {
    let bench = bench();
    let left = bench.path("work").join("job-left");
    let mut other = Command::new("sleep").arg("1000").process_group(0).spawn().unwrap();
    for noted in [format!("{} 1", other.id()), other.id().to_string(), "x y".to_owned(), String::new()] {
        std::fs::create_dir_all(&left).unwrap();
        std::fs::write(left.join("lock"), "").unwrap();
        std::fs::write(left.join("group"), noted).unwrap();
        assert_eq!(bench.media.sweep().unwrap(), 1);
        assert!(!left.exists() && other.try_wait().unwrap().is_none());
    }
    other.kill().unwrap();
    other.wait().unwrap();
}
