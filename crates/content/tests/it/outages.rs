//! Failures while a video is transcoded: a short outage of the database, a full disk.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kernel::MINUTE;
use sea_orm::ConnectionTrait as _;
use serde_json::json;

use crate::renditions::{run_folders, video};
use crate::{MP4, TestApp, TestOptions, media_settings, test_app_with};

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

async fn with_tool(tool: PathBuf) -> TestApp {
    let media = media::MediaSettings { ffmpeg: tool, ..media_settings(false) };
    test_app_with(TestOptions { media: Some(media), ..TestOptions::default() }).await
}

async fn run(app: &TestApp, statement: &str) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared(statement).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_video_whose_result_could_not_be_written_is_not_transcoded_again() {
    let tools = tempfile::tempdir().unwrap();
    let app = with_tool(tool(tools.path(), "sleep 3")).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    let away = async {
        while app.content(&leader, &uid).await["durationMs"] == json!(null) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        run(&app, "ALTER TABLE content RENAME TO content_away").await;
        // Meanwhile the heartbeats fail, and so does recording the result.
        tokio::time::sleep(Duration::from_secs(7)).await;
        run(&app, "ALTER TABLE content_away RENAME TO content").await;
    };
    tokio::join!(away, app.http.run_jobs());
    let content = app.content(&leader, &uid).await;
    assert_eq!((&content["processing"], &content["processingError"]), (&json!("done"), &json!(null)));
    assert_eq!(run_folders(&app, &uid).len(), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_full_disk_is_not_blamed_on_the_video() {
    let tools = tempfile::tempdir().unwrap();
    let full = "echo 'av_interleaved_write_frame(): No space left on device' >&2; exit 1";
    let app = with_tool(tool(tools.path(), full)).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    for _ in 0..3 {
        app.http.run_jobs().await;
        let content = app.content(&leader, &uid).await;
        assert_eq!((&content["processing"], &content["processingError"]), (&json!("queued"), &json!(null)));
        let waiting = app.http.deps.jobs.list(false, None, 10).await.unwrap();
        assert_eq!(waiting.iter().map(|job| job.attempts).collect::<Vec<_>>(), [0], "no try is spent");
        app.http.clock.advance(5 * MINUTE);
    }
    tool(tools.path(), "true");
    let leader = app.leader().await;
    app.http.run_jobs().await;
    assert_eq!(app.content(&leader, &uid).await["processing"], "done");
    app.http.settle().await;
}

#[tokio::test]
async fn no_processing_starts_on_a_disk_that_is_nearly_full() {
    let app = test_app_with(TestOptions::default()).await;
    let leader = app.leader().await;
    let (uid, other) = {
        let one = app.upload(&leader, "a.mp4", MP4, &video()).await;
        (one, app.upload(&leader, "b.mp4", MP4, &video()).await)
    };
    let short = app.content_on(app.storage.with_reserve(u64::MAX / 2));
    let mut handlers = jobs::Handlers::default();
    short.register(&mut handlers);
    app.http.deps.jobs.run_due(&handlers).await.unwrap();
    for uid in [&uid, &other] {
        let content = app.content(&leader, uid).await;
        assert_eq!((&content["processing"], &content["durationMs"]), (&json!("queued"), &json!(null)));
    }
    leader.delete(&format!("/v1/content/{other}")).await.expect(204);
    app.http.clock.advance(5 * MINUTE);
    app.http.deps.jobs.run_due(&handlers).await.unwrap();
    assert_eq!(app.http.deps.jobs.leftovers().await.unwrap().len(), 1, "the job of a deleted item is gone");
    app.http.clock.advance(5 * MINUTE);
    app.http.run_jobs().await;
    assert_eq!(app.content(&leader, &uid).await["processing"], "done");
    app.http.settle().await;
}
