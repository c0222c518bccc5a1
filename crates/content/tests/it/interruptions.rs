//! Temporary failures of the machine, and lost jobs: which status the file has, and how it gets processed in
//! the end.

use kernel::MINUTE;
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};

use crate::{Change, MP4, Stage, mp4, stage_with};

impl Stage {
    async fn execute(&self, sql: &str) {
        let tx = self.app.kit.db.write_tx().await.unwrap();
        tx.execute_unprepared(sql).await.unwrap();
        tx.commit().await.unwrap();
    }
}

fn processing(content: &Value) -> (&str, &Value) {
    (content["processing"].as_str().unwrap(), &content["processingError"])
}

#[tokio::test]
async fn a_file_that_will_be_tried_again_waits_and_has_not_failed() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    // A folder in place of the file: it can be opened but not read.
    let (org, id) = (stage.org.uid.as_simple().to_string(), uid.replace('-', ""));
    let source =
        stage.app.kit.folder.join("objects/content").join(org).join(&id).join(format!("source-{id}"));
    let aside = source.with_extension("aside");
    std::fs::rename(&source, &aside).unwrap();
    std::fs::create_dir(&source).unwrap();
    assert_eq!(stage.app.run_jobs().await, 1);
    let content = stage.content(&leader, &uid).await;
    assert_eq!(processing(&content), ("queued", &Value::Null), "{content}");

    std::fs::remove_dir(&source).unwrap();
    std::fs::rename(&aside, &source).unwrap();
    stage.app.clock.pass(1_000);
    assert_eq!(stage.app.run_jobs().await, 1);
    let content = stage.content(&leader, &uid).await;
    assert_eq!(processing(&content), ("none", &Value::Null), "{content}");
    stage.app.settle().await;
}

#[tokio::test]
async fn a_file_whose_job_died_before_it_began_can_be_tried_again_and_says_so_after_a_while() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    let path = format!("/v1/content/{uid}/processing");
    leader.post(&path, json!({})).await.expect(409);
    stage.execute("UPDATE job SET state = 'dead' WHERE kind = 'content_process_file'").await;
    stage.app.clock.pass(MINUTE);
    stage.purge().await;
    let content = stage.content(&leader, &uid).await;
    assert_eq!(
        (processing(&content).0, &content["processingError"]["code"]),
        ("failed", &json!("interrupted"))
    );

    // A file that is still marked as queued can be retried as well.
    stage.execute("UPDATE content SET processing = 'queued', failure = NULL").await;
    leader.post(&path, json!({})).await.expect(200);
    leader.post(&path, json!({})).await.expect(409);
    stage.purge().await;
    assert_eq!(processing(&stage.content(&leader, &uid).await).0, "queued", "its new job is waiting");
    stage.app.run_jobs().await;
    assert_eq!(processing(&stage.content(&leader, &uid).await).0, "none");
    stage.execute("DELETE FROM job WHERE state = 'dead'").await;
    stage.app.settle().await;
}
