//! Temporary failures of the machine, and lost jobs: which status the file has, and how it gets processed in
//! the end.

use kernel::MINUTE;
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};

use crate::{MP4, TestApp, TestOptions, mp4, test_app_with};

impl TestApp {
    async fn execute(&self, sql: &str) {
        let tx = self.http.deps.db.write_tx().await.unwrap();
        tx.execute_unprepared(sql).await.unwrap();
        tx.commit().await.unwrap();
    }
}

fn processing(content: &Value) -> (&str, &Value) {
    (content["processing"].as_str().unwrap(), &content["processingError"])
}

#[tokio::test]
async fn a_file_that_will_be_tried_again_waits_and_has_not_failed() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    // A folder in place of the file: it can be opened but not read.
    let (org, id) = (app.org.uid.as_simple().to_string(), uid.replace('-', ""));
    let source =
        app.http.deps.folder.join("objects/content").join(org).join(&id).join(format!("source-{id}"));
    let aside = source.with_extension("aside");
    std::fs::rename(&source, &aside).unwrap();
    std::fs::create_dir(&source).unwrap();
    assert_eq!(app.http.run_jobs().await, 1);
    let content = app.content(&leader, &uid).await;
    assert_eq!(processing(&content), ("queued", &Value::Null), "{content}");

    std::fs::remove_dir(&source).unwrap();
    std::fs::rename(&aside, &source).unwrap();
    app.http.clock.advance(1_000);
    assert_eq!(app.http.run_jobs().await, 1);
    let content = app.content(&leader, &uid).await;
    assert_eq!(processing(&content), ("none", &Value::Null), "{content}");
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_whose_job_was_lost_is_marked_as_failed_and_can_be_retried() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    let path = format!("/v1/content/{uid}/processing");
    leader.post(&path, json!({})).await.expect(409);
    app.execute("UPDATE job SET state = 'dead' WHERE kind = 'content_process_file'").await;
    app.http.clock.advance(MINUTE);
    app.purge().await;
    let content = app.content(&leader, &uid).await;
    assert_eq!(
        (processing(&content).0, &content["processingError"]["code"]),
        ("failed", &json!("interrupted"))
    );

    // A file that is still marked as queued can be retried as well.
    app.execute("UPDATE content SET processing = 'queued', failure = NULL").await;
    leader.post(&path, json!({})).await.expect(200);
    leader.post(&path, json!({})).await.expect(409);
    app.purge().await;
    assert_eq!(processing(&app.content(&leader, &uid).await).0, "queued", "its new job is waiting");
    app.http.run_jobs().await;
    assert_eq!(processing(&app.content(&leader, &uid).await).0, "none");
    app.execute("DELETE FROM job WHERE state = 'dead'").await;
    app.http.settle().await;
}
