//! What is cleaned up, and when.

use kernel::{DAY, HOUR};
use serde_json::json;

use crate::{MP4, TestOptions, file, mp4, test_app_with};

#[tokio::test]
async fn drafts_go_after_a_day_and_bytes_of_deleted_content_after_thirty() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let objects = app.http.deps.folder.join("objects/content");
    let leader = app.leader().await;
    let draft = app.announce(&leader, file("a.mp4", MP4, &mp4(10))).await.expect(201);
    let uid = app.upload(&leader, "b.mp4", MP4, &mp4(1_000)).await;
    leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    let folder = objects.join(app.org.uid.as_simple().to_string()).join(uid.replace('-', ""));
    let draft = format!("/v1/content/{}", draft["uid"].as_str().unwrap());

    app.http.clock.advance(DAY - HOUR);
    app.purge().await;
    app.leader().await.get(&draft).await.expect(200);
    app.http.clock.advance(2 * HOUR);
    app.purge().await;
    app.leader().await.get(&draft).await.expect(404);
    assert!(folder.exists());
    app.http.clock.advance(30 * DAY);
    app.purge().await;
    assert!(!folder.exists());
    app.purge().await;
    app.http.settle().await;
}

#[tokio::test]
async fn an_item_deleted_while_its_file_waited_is_processed_once_it_is_restored() {
    let app = test_app_with(TestOptions::default()).await;
    let leader = app.leader().await;
    let path = format!("/v1/content/{}", app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await);
    leader.delete(&path).await.expect(204);
    app.http.run_jobs().await;
    let restored = leader.post(&format!("{path}/restore"), json!({})).await.expect(200);
    assert_eq!(restored["processing"], "queued");
    app.http.run_jobs().await;
    // Its bytes are no video.
    assert_eq!(leader.get(&path).await.expect(200)["processing"], "failed");
    app.http.settle().await;
}
