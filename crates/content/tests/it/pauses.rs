//! Failures while a video is transcoded: a short outage of the database, a full disk.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kernel::MINUTE;
use sea_orm::ConnectionTrait as _;
use serde_json::json;

use crate::renditions::{film, makings};
use crate::{Change, MP4, Stage, media_settings, stage_with};

/// Creates a stand-in for ffmpeg that runs a command before the long work, and then does the work.
fn tool(folder: &Path, first: &str) -> PathBuf {
    let tool = folder.join("ffmpeg");
    let script =
        format!("#!/bin/sh\ncase \"$*\" in *-progress*) {first};; esac\nexec /usr/bin/ffmpeg \"$@\"\n");
    std::fs::write(&tool, script).unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    tool
}

async fn with_tool(tool: PathBuf) -> Stage {
    let media = media::MediaSettings { ffmpeg: tool, ..media_settings(false) };
    stage_with(Change { media: Some(media), ..Change::default() }).await
}

async fn run(stage: &Stage, statement: &str) {
    let tx = stage.app.kit.db.write_tx().await.unwrap();
    tx.execute_unprepared(statement).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_film_whose_end_the_database_could_not_write_is_not_made_again() {
    let tools = tempfile::tempdir().unwrap();
    let stage = with_tool(tool(tools.path(), "sleep 3")).await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &film()).await;
    let away = async {
        while stage.content(&leader, &uid).await["durationMs"] == json!(null) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        run(&stage, "ALTER TABLE content RENAME TO content_away").await;
        // Meanwhile the heartbeats fail, and so does recording the result.
        tokio::time::sleep(Duration::from_secs(7)).await;
        run(&stage, "ALTER TABLE content_away RENAME TO content").await;
    };
    tokio::join!(away, stage.app.run_jobs());
    let content = stage.content(&leader, &uid).await;
    assert_eq!((&content["processing"], &content["processingError"]), (&json!("done"), &json!(null)));
    assert_eq!(makings(&stage, &uid).len(), 1);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_full_disk_is_not_blamed_on_the_film() {
    let tools = tempfile::tempdir().unwrap();
    let full = "echo 'av_interleaved_write_frame(): No space left on device' >&2; exit 1";
    let stage = with_tool(tool(tools.path(), full)).await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &film()).await;
    for _ in 0..3 {
        stage.app.run_jobs().await;
        let content = stage.content(&leader, &uid).await;
        assert_eq!((&content["processing"], &content["processingError"]), (&json!("queued"), &json!(null)));
        let waiting = stage.app.kit.jobs.list(false, None, 10).await.unwrap();
        assert_eq!(waiting.iter().map(|job| job.attempts).collect::<Vec<_>>(), [0], "no try is spent");
        stage.app.clock.pass(5 * MINUTE);
    }
    tool(tools.path(), "true");
    let leader = stage.leader().await;
    stage.app.run_jobs().await;
    assert_eq!(stage.content(&leader, &uid).await["processing"], "done");
    stage.app.settle().await;
}

#[tokio::test]
async fn no_film_begins_on_a_disk_that_is_short_of_room() {
    let stage = stage_with(Change::default()).await;
    let leader = stage.leader().await;
    let (uid, other) = {
        let one = stage.upload(&leader, "a.mp4", MP4, &film()).await;
        (one, stage.upload(&leader, "b.mp4", MP4, &film()).await)
    };
    let short = stage.room_on(stage.storage.with_reserve(u64::MAX / 2));
    let mut handlers = jobs::Handlers::default();
    short.register(&mut handlers);
    stage.app.kit.jobs.run_due(&handlers).await.unwrap();
    for uid in [&uid, &other] {
        let content = stage.content(&leader, uid).await;
        assert_eq!((&content["processing"], &content["durationMs"]), (&json!("queued"), &json!(null)));
    }
    leader.delete(&format!("/v1/content/{other}")).await.expect(204);
    stage.app.clock.pass(5 * MINUTE);
    stage.app.kit.jobs.run_due(&handlers).await.unwrap();
    assert_eq!(stage.app.kit.jobs.leftovers().await.unwrap().len(), 1, "the job of a deleted item is gone");
    stage.app.clock.pass(5 * MINUTE);
    stage.app.run_jobs().await;
    assert_eq!(stage.content(&leader, &uid).await["processing"], "done");
    stage.app.settle().await;
}
