//! What is cleaned up, and when.

use kernel::{DAY, HOUR};

use crate::{Change, MP4, file, mp4, stage_with};

#[tokio::test]
async fn drafts_go_after_a_day_and_bytes_of_deleted_content_after_thirty() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let objects = stage.app.kit.folder.join("objects/content");
    let leader = stage.leader().await;
    let draft = stage.announce(&leader, file("a.mp4", MP4, &mp4(10))).await.expect(201);
    let uid = stage.upload(&leader, "b.mp4", MP4, &mp4(1_000)).await;
    leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    let folder = objects.join(stage.org.uid.as_simple().to_string()).join(uid.replace('-', ""));
    let draft = format!("/v1/content/{}", draft["uid"].as_str().unwrap());

    stage.app.clock.pass(DAY - HOUR);
    stage.purge().await;
    stage.leader().await.get(&draft).await.expect(200);
    stage.app.clock.pass(2 * HOUR);
    stage.purge().await;
    stage.leader().await.get(&draft).await.expect(404);
    assert!(folder.exists());
    stage.app.clock.pass(30 * DAY);
    stage.purge().await;
    assert!(!folder.exists());
    stage.purge().await;
    stage.app.settle().await;
}
