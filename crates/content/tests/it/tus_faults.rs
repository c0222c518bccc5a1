//! Failures of resumable uploads.

use axum::body::Body;
use bytes::Bytes;
use content::ContentSettings;
use futures::StreamExt as _;
use futures::stream;
use http::Method;
use kernel::DAY;
use sea_orm::ConnectionTrait as _;
use serde_json::json;

use crate::tus::{PIECE, begin, begun, call, offset, piece, plays, stage, status};
use crate::{Change, MP4, Stage, file, ingest, mp4, on_disk, put, stage_with};

/// A body that ends with a connection error.
pub fn cut(bytes: &[u8]) -> Body {
    let first = Ok(Bytes::copy_from_slice(bytes));
    Body::from_stream(stream::iter([first, Err(std::io::Error::other("connection reset"))]))
}

/// A body that sends some bytes and then stalls forever.
fn stuck(bytes: &[u8]) -> Body {
    let first = Ok::<_, std::io::Error>(Bytes::copy_from_slice(bytes));
    Body::from_stream(stream::iter([first]).chain(stream::pending()))
}

async fn with(settings: ContentSettings) -> Stage {
    stage_with(Change { settings, without_ffmpeg: true, ..Change::default() }).await
}

#[tokio::test]
async fn what_came_before_the_line_broke_is_kept() {
    let stage = stage().await;
    let bytes = mp4(3_000_000);
    let (upload, url) = begun(&stage, &bytes).await;
    assert_eq!(piece(&stage, &url, 0, cut(&bytes[..1_000_001])).await.expect(408)["code"], "broken_off");
    assert_eq!(offset(&stage, &url).await, 1_000_001);
    assert_eq!(piece(&stage, &url, 1_000_001, cut(&[])).await.expect(408)["code"], "broken_off");
    piece(&stage, &url, 1_000_001, cut(&bytes[1_000_001..2_000_000])).await.expect(408);
    piece(&stage, &url, 2_000_000, Bytes::copy_from_slice(&bytes[2_000_000..])).await.expect(204);
    assert!(plays(&stage, &upload, &bytes).await);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_line_that_breaks_behind_the_last_byte_costs_nothing() {
    let stage = stage().await;
    let bytes = mp4(10_000);
    let (upload, url) = begun(&stage, &bytes).await;
    piece(&stage, &url, 0, cut(&bytes)).await.expect(204);
    assert!(plays(&stage, &upload, &bytes).await);
    stage.app.settle().await;
}

#[tokio::test]
async fn half_a_piece_with_a_checksum_is_sent_again() {
    let stage = stage().await;
    let bytes = mp4(1_000);
    let (_, url) = begun(&stage, &bytes).await;
    let headers = [
        ("content-type", PIECE),
        ("upload-offset", "0"),
        ("upload-checksum", "md5 1B2M2Y8AsgTpgAmY7PhCfg=="),
    ];
    for body in [cut(&bytes[..500]), cut(&bytes)] {
        call(&stage, Method::PATCH, &url, &headers, body).await.expect(408);
        assert_eq!(offset(&stage, &url).await, 0);
    }
    stage.app.settle().await;
}

#[tokio::test]
async fn a_request_that_is_given_up_keeps_what_came() {
    let stage = stage_with(Change {
        settings: ContentSettings { upload_idle_seconds: 1, ..ContentSettings::default() },
        without_ffmpeg: true,
        ..Change::default()
    })
    .await;
    let bytes = mp4(1_000);
    let (_, url) = begun(&stage, &bytes).await;
    // Drops the request where it is, as the accept loop does when the connection is lost.
    let request = piece(&stage, &url, 0, stuck(&bytes[..600]));
    assert!(tokio::time::timeout(std::time::Duration::from_millis(200), request).await.is_err());
    assert_eq!(offset(&stage, &url).await, 600);
    stage.app.settle().await;
}

#[tokio::test]
async fn what_a_killed_process_wrote_behind_the_last_answer_is_cut_off() {
    let stage = stage().await;
    let bytes = mp4(100_000);
    let (upload, url) = begun(&stage, &bytes).await;
    piece(&stage, &url, 0, Bytes::copy_from_slice(&bytes[..60_000])).await.expect(204);
    let staging = stage.app.kit.folder.join("objects/staging");
    let path = std::fs::read_dir(staging).unwrap().next().unwrap().unwrap().path();
    let mut all = std::fs::read(&path).unwrap();
    assert!(all == bytes[..60_000]);
    all.extend(std::iter::repeat_n(b'x', 100_000));
    std::fs::write(&path, all).unwrap();
    piece(&stage, &url, 60_000, Bytes::copy_from_slice(&bytes[60_000..])).await.expect(204);
    assert!(plays(&stage, &upload, &bytes).await);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_file_that_was_lost_is_over_and_can_be_begun_anew() {
    let stage = stage().await;
    let bytes = mp4(10_000);
    let (upload, url) = begun(&stage, &bytes).await;
    piece(&stage, &url, 0, Bytes::copy_from_slice(&bytes[..6_000])).await.expect(204);
    std::fs::remove_dir_all(stage.app.kit.folder.join("objects/staging")).unwrap();
    std::fs::create_dir(stage.app.kit.folder.join("objects/staging")).unwrap();
    let rest = Bytes::copy_from_slice(&bytes[6_000..]);
    assert_eq!(piece(&stage, &url, 6_000, rest).await.expect(410)["code"], "upload_gone");
    let again = begin(&stage, &upload, bytes.len()).await;
    piece(&stage, &again, 0, bytes.clone()).await.expect(204);
    assert!(plays(&stage, &upload, &bytes).await);
    stage.app.settle().await;
}

#[tokio::test]
async fn silent_and_slow_senders_are_cut_and_keep_what_they_sent() {
    let settings =
        ContentSettings { upload_idle_seconds: 1, upload_min_rate: 1_000_000, ..ContentSettings::default() };
    let stage = with(settings).await;
    let bytes = mp4(100_000);
    let (upload, url) = begun(&stage, &bytes).await;
    assert_eq!(piece(&stage, &url, 0, stuck(&bytes[..50])).await.expect(408)["code"], "broken_off");
    assert_eq!(offset(&stage, &url).await, 50);
    let mut tick = tokio::time::interval(std::time::Duration::from_millis(20));
    let mut next = 50;
    let drops = bytes.clone();
    let drip = stream::poll_fn(move |context| {
        tick.poll_tick(context).map(|_| {
            next += 1;
            Some(Ok::<_, std::io::Error>(Bytes::copy_from_slice(&drops[next - 1..next])))
        })
    });
    piece(&stage, &url, 50, Body::from_stream(drip)).await.expect(408);
    let at = offset(&stage, &url).await;
    assert!((51..1_000).contains(&at), "{at}");
    piece(&stage, &url, at, Bytes::copy_from_slice(&bytes[at..])).await.expect(204);
    assert!(plays(&stage, &upload, &bytes).await);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_file_that_is_not_what_was_announced_is_refused_as_by_put() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let bytes = mp4(1_000);
    let mut changed = bytes.clone();
    changed[500] ^= 1;
    let text = b"#EXTM3U\n#EXTINF:4,\nfile:///etc/passwd\n".repeat(100);
    for (announced, sent, code) in [
        (file("a.mp4", MP4, &bytes), &changed, "checksum_mismatch"),
        (file("x.mp4", MP4, &text), &text, "content_mismatch"),
    ] {
        let upload = stage.announce(&leader, announced).await.expect(201);
        let url = begin(&stage, &upload, sent.len()).await;
        piece(&stage, &url, 0, Bytes::copy_from_slice(&sent[..200])).await.expect(204);
        let last = piece(&stage, &url, 200, Bytes::copy_from_slice(&sent[200..])).await.expect(400);
        assert_eq!(last["code"], code);
        let after = status(&stage, &upload).await;
        assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!(code)));
        call(&stage, Method::HEAD, &url, &[], Body::empty()).await.expect(410);
        assert_eq!(put(&stage.app, ingest(&upload), MP4, sent).await.expect(409)["code"], "already_rejected");
    }
    assert_eq!(on_disk(&stage), 0);
    stage.app.settle().await;
}

#[tokio::test]
async fn of_two_pieces_at_once_one_wins() {
    let stage = stage().await;
    let bytes = mp4(100_000);
    let (upload, url) = begun(&stage, &bytes).await;
    let (one, two) =
        tokio::join!(piece(&stage, &url, 0, bytes.clone()), piece(&stage, &url, 0, bytes.clone()));
    let mut both = [one.status.as_u16(), two.status.as_u16()];
    both.sort_unstable();
    assert_eq!(both, [204, 423]);
    assert!(plays(&stage, &upload, &bytes).await);
    stage.app.settle().await;
}

#[tokio::test]
async fn whoever_asks_how_far_it_is_ends_the_request_before() {
    let stage = stage().await;
    let bytes = mp4(100_000);
    let (upload, url) = begun(&stage, &bytes).await;
    let (sent, waits) = tokio::sync::oneshot::channel();
    let first = Ok::<_, std::io::Error>(Bytes::copy_from_slice(&bytes[..70_000]));
    let rest = stream::once(async move {
        sent.send(()).unwrap();
        std::future::pending().await
    });
    let body = Body::from_stream(stream::iter([first]).chain(rest));
    let after = async {
        waits.await.unwrap();
        assert_eq!(offset(&stage, &url).await, 70_000);
        piece(&stage, &url, 70_000, Bytes::copy_from_slice(&bytes[70_000..])).await.expect(204);
    };
    let (old, ()) = tokio::join!(piece(&stage, &url, 0, body), after);
    assert_eq!(old.expect(423)["code"], "upload_locked");
    assert!(plays(&stage, &upload, &bytes).await);
    stage.app.settle().await;
}

#[tokio::test]
async fn whoever_begins_anew_forgets_what_was_before() {
    let stage = stage().await;
    let bytes = mp4(1_000);
    let (upload, before) = begun(&stage, &bytes).await;
    piece(&stage, &before, 0, Bytes::copy_from_slice(&bytes[..600])).await.expect(204);
    let url = begin(&stage, &upload, bytes.len()).await;
    assert_eq!(on_disk(&stage), 0);
    call(&stage, Method::HEAD, &before, &[], Body::empty()).await.expect(404);
    piece(&stage, &url, 0, bytes.clone()).await.expect(204);
    assert!(plays(&stage, &upload, &bytes).await);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_cancelled_upload_leaves_nothing_and_frees_its_room() {
    let stage = stage_with(Change {
        limits: Some(content::Limits { file_bytes: 1_000, total_bytes: Some(1_500) }),
        without_ffmpeg: true,
        ..Change::default()
    })
    .await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &mp4(500)).await;
    let bytes = mp4(1_000);
    let new = json!({"file": file("b.mp4", MP4, &bytes)});
    let upload = leader.post(&format!("/v1/content/{uid}"), new).await.expect(200);
    let url = begin(&stage, &upload, bytes.len()).await;
    piece(&stage, &url, 0, Bytes::copy_from_slice(&bytes[..600])).await.expect(204);
    assert_eq!(on_disk(&stage), 2);
    call(&stage, Method::DELETE, &url, &[], Body::empty()).await.expect(204);
    assert_eq!(on_disk(&stage), 1);
    call(&stage, Method::HEAD, &url, &[], Body::empty()).await.expect(404);
    let after = status(&stage, &upload).await;
    assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!("cancelled")));
    stage.announce(&leader, file("c.mp4", MP4, &mp4(1_000))).await.expect(201);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_finished_upload_cannot_be_cancelled() {
    let stage = stage().await;
    let bytes = mp4(1_000);
    let (upload, url) = begun(&stage, &bytes).await;
    piece(&stage, &url, 0, bytes.clone()).await.expect(204);
    call(&stage, Method::DELETE, &url, &[], Body::empty()).await.expect(409);
    assert!(plays(&stage, &upload, &bytes).await);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_file_that_came_in_one_piece_meanwhile_is_whole() {
    let stage = stage().await;
    let bytes = mp4(1_000);
    let (upload, url) = begun(&stage, &bytes).await;
    piece(&stage, &url, 0, Bytes::copy_from_slice(&bytes[..600])).await.expect(204);
    put(&stage.app, ingest(&upload), MP4, &bytes).await.expect(200);
    assert_eq!(offset(&stage, &url).await, 1_000);
    stage.app.clock.pass(DAY + 1);
    stage.purge().await;
    assert!(plays(&stage, &upload, &bytes).await);
    assert_eq!(on_disk(&stage), 1);
    stage.app.settle().await;
}

#[tokio::test]
async fn one_person_sends_so_many_pieces_at_once() {
    let settings = ContentSettings { uploads_at_once_person: 1, ..ContentSettings::default() };
    let stage = with(settings).await;
    let leader = stage.leader().await;
    let bytes = mp4(1_000);
    let mut urls = Vec::new();
    for _ in 0..2 {
        let upload = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
        urls.push(begin(&stage, &upload, 1_000).await);
    }
    let (first, rest) = bytes.split_at(500);
    let (first, rest) = (Bytes::copy_from_slice(first), Bytes::copy_from_slice(rest));
    let (other, nobody) = (urls[1].clone(), stage.app.anonymous());
    let request = nobody
        .request(Method::PATCH, &other)
        .header("tus-resumable", "1.0.0")
        .header("content-type", PIECE)
        .header("upload-offset", "0")
        .body(Body::from(bytes.clone()))
        .unwrap();
    let rest = stream::once(async move {
        let answer = nobody.send(request).await;
        assert_eq!(answer.headers["retry-after"], "5");
        answer.expect(429);
        Ok::<_, std::io::Error>(rest)
    });
    piece(&stage, &urls[0], 0, Body::from_stream(stream::iter([Ok(first)]).chain(rest))).await.expect(204);
    piece(&stage, &urls[1], 0, bytes).await.expect(204);
    stage.app.settle().await;
}

#[tokio::test]
async fn whoever_lost_the_right_sends_no_more() {
    let stage = stage().await;
    let bytes = mp4(1_000);
    let (upload, url) = begun(&stage, &bytes).await;
    piece(&stage, &url, 0, Bytes::copy_from_slice(&bytes[..500])).await.expect(204);
    let tx = stage.app.kit.db.write_tx().await.unwrap();
    tx.execute_unprepared("UPDATE membership SET role = 'teamUser' WHERE role = 'teamLeader'").await.unwrap();
    tx.commit().await.unwrap();
    let answer = piece(&stage, &url, 500, Bytes::copy_from_slice(&bytes[500..])).await.expect(403);
    assert_eq!(answer["code"], "right_withdrawn");
    let after = status(&stage, &upload).await;
    assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!("right_withdrawn")));
    assert_eq!(on_disk(&stage), 0);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_content_deleted_meanwhile_ends_its_upload() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let bytes = mp4(1_000);
    let upload = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let url = begin(&stage, &upload, 1_000).await;
    piece(&stage, &url, 0, Bytes::copy_from_slice(&bytes[..500])).await.expect(204);
    leader.delete(&format!("/v1/content/{}", upload["uid"].as_str().unwrap())).await.expect(204);
    piece(&stage, &url, 500, Bytes::copy_from_slice(&bytes[500..])).await.expect(410);
    call(&stage, Method::HEAD, &url, &[], Body::empty()).await.expect(410);
    assert_eq!(on_disk(&stage), 0);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_row_that_another_server_moved_on_is_not_overwritten() {
    let stage = stage().await;
    let bytes = mp4(1_000);
    let (_, url) = begun(&stage, &bytes).await;
    let db = stage.app.kit.db.clone();
    let (first, rest) = (Bytes::copy_from_slice(&bytes[..400]), Bytes::copy_from_slice(&bytes[400..500]));
    let rest = stream::once(async move {
        let tx = db.write_tx().await.unwrap();
        tx.execute_unprepared("UPDATE resumable SET arrived = 300").await.unwrap();
        tx.commit().await.unwrap();
        Ok::<_, std::io::Error>(rest)
    });
    let answer = piece(&stage, &url, 0, Body::from_stream(stream::iter([Ok(first)]).chain(rest))).await;
    assert_eq!(answer.expect(409)["code"], "offset_mismatch");
    assert_eq!(offset(&stage, &url).await, 300);
    stage.app.settle().await;
}
