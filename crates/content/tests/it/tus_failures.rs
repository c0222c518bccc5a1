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

use crate::tus::{CHUNK_TYPE, begin, call, offset, plays, send_chunk, start_upload, status, test_app};
use crate::{MP4, TestApp, TestOptions, file, ingest, mp4, on_disk, put, test_app_with};

/// A body that ends with a connection error.
pub fn cut(bytes: &[u8]) -> Body {
    let first = Ok(Bytes::copy_from_slice(bytes));
    Body::from_stream(stream::iter([first, Err(std::io::Error::other("connection reset"))]))
}

/// A body that sends the beginning of a file and then stalls, with a receiver that resolves once it was read.
pub fn stalling_body(bytes: &[u8]) -> (Body, tokio::sync::oneshot::Receiver<()>) {
    let (sent, read) = tokio::sync::oneshot::channel();
    let first = Ok::<_, std::io::Error>(Bytes::copy_from_slice(bytes));
    let rest = stream::once(async move {
        let _ = sent.send(());
        std::future::pending().await
    });
    (Body::from_stream(stream::iter([first]).chain(rest)), read)
}

async fn with(settings: ContentSettings) -> TestApp {
    test_app_with(TestOptions { settings, without_ffmpeg: true, ..TestOptions::default() }).await
}

#[tokio::test]
async fn bytes_received_before_an_interruption_are_kept() {
    let app = test_app().await;
    let bytes = mp4(3_000_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    assert_eq!(send_chunk(&app, &url, 0, cut(&bytes[..1_000_001])).await.expect(408)["code"], "broken_off");
    assert_eq!(offset(&app, &url).await, 1_000_001);
    assert_eq!(send_chunk(&app, &url, 1_000_001, cut(&[])).await.expect(408)["code"], "broken_off");
    send_chunk(&app, &url, 1_000_001, cut(&bytes[1_000_001..2_000_000])).await.expect(408);
    send_chunk(&app, &url, 2_000_000, Bytes::copy_from_slice(&bytes[2_000_000..])).await.expect(204);
    assert!(plays(&app, &upload, &bytes).await);
    app.http.settle().await;
}

#[tokio::test]
async fn an_interruption_after_the_last_byte_costs_nothing() {
    let app = test_app().await;
    let bytes = mp4(10_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    send_chunk(&app, &url, 0, cut(&bytes)).await.expect(204);
    assert!(plays(&app, &upload, &bytes).await);
    app.http.settle().await;
}

#[tokio::test]
async fn an_incomplete_chunk_with_a_checksum_is_sent_again() {
    let app = test_app().await;
    let bytes = mp4(1_000);
    let (_, url) = start_upload(&app, &bytes).await;
    let headers = [
        ("content-type", CHUNK_TYPE),
        ("upload-offset", "0"),
        ("upload-checksum", "md5 1B2M2Y8AsgTpgAmY7PhCfg=="),
    ];
    for body in [cut(&bytes[..500]), cut(&bytes)] {
        call(&app, Method::PATCH, &url, &headers, body).await.expect(408);
        assert_eq!(offset(&app, &url).await, 0);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn an_aborted_request_keeps_what_was_received() {
    let app = test_app_with(TestOptions {
        settings: ContentSettings { upload_idle_seconds: 1, ..ContentSettings::default() },
        without_ffmpeg: true,
        ..TestOptions::default()
    })
    .await;
    let bytes = mp4(1_000);
    let (_, url) = start_upload(&app, &bytes).await;
    let (body, read) = stalling_body(&bytes[..600]);
    // Drops the request where it is, as the accept loop does when the connection is lost.
    tokio::select! {
        answer = send_chunk(&app, &url, 0, body) => panic!("{answer:?}"),
        read = read => read.unwrap(),
    }
    assert_eq!(offset(&app, &url).await, 600);
    app.http.settle().await;
}

#[tokio::test]
async fn bytes_written_after_the_last_acknowledgement_are_truncated() {
    let app = test_app().await;
    let bytes = mp4(100_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..60_000])).await.expect(204);
    let staging = app.http.deps.folder.join("objects/staging");
    let path = std::fs::read_dir(staging).unwrap().next().unwrap().unwrap().path();
    let mut all = std::fs::read(&path).unwrap();
    assert!(all == bytes[..60_000]);
    all.extend(std::iter::repeat_n(b'x', 100_000));
    std::fs::write(&path, all).unwrap();
    send_chunk(&app, &url, 60_000, Bytes::copy_from_slice(&bytes[60_000..])).await.expect(204);
    assert!(plays(&app, &upload, &bytes).await);
    app.http.settle().await;
}

#[tokio::test]
async fn a_lost_file_is_gone_and_can_be_started_again() {
    let app = test_app().await;
    let bytes = mp4(10_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..6_000])).await.expect(204);
    std::fs::remove_dir_all(app.http.deps.folder.join("objects/staging")).unwrap();
    std::fs::create_dir(app.http.deps.folder.join("objects/staging")).unwrap();
    let rest = Bytes::copy_from_slice(&bytes[6_000..]);
    assert_eq!(send_chunk(&app, &url, 6_000, rest).await.expect(410)["code"], "upload_gone");
    let again = begin(&app, &upload, bytes.len()).await;
    send_chunk(&app, &again, 0, bytes.clone()).await.expect(204);
    assert!(plays(&app, &upload, &bytes).await);
    app.http.settle().await;
}

#[tokio::test]
async fn silent_and_slow_senders_are_cut_and_keep_what_they_sent() {
    let settings =
        ContentSettings { upload_idle_seconds: 1, upload_min_rate: 1_000_000, ..ContentSettings::default() };
    let app = with(settings).await;
    let bytes = mp4(100_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    assert_eq!(
        send_chunk(&app, &url, 0, stalling_body(&bytes[..50]).0).await.expect(408)["code"],
        "broken_off"
    );
    assert_eq!(offset(&app, &url).await, 50);
    let mut tick = tokio::time::interval(std::time::Duration::from_millis(20));
    let mut next = 50;
    let drops = bytes.clone();
    let drip = stream::poll_fn(move |context| {
        tick.poll_tick(context).map(|_| {
            next += 1;
            Some(Ok::<_, std::io::Error>(Bytes::copy_from_slice(&drops[next - 1..next])))
        })
    });
    send_chunk(&app, &url, 50, Body::from_stream(drip)).await.expect(408);
    let at = offset(&app, &url).await;
    assert!((51..1_000).contains(&at), "{at}");
    send_chunk(&app, &url, at, Bytes::copy_from_slice(&bytes[at..])).await.expect(204);
    assert!(plays(&app, &upload, &bytes).await);
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_that_is_not_what_was_announced_is_refused_as_by_put() {
    let app = test_app().await;
    let leader = app.leader().await;
    let bytes = mp4(1_000);
    let mut changed = bytes.clone();
    changed[500] ^= 1;
    let text = b"#EXTM3U\n#EXTINF:4,\nfile:///etc/passwd\n".repeat(100);
    for (announced, sent, code) in [
        (file("a.mp4", MP4, &bytes), &changed, "checksum_mismatch"),
        (file("x.mp4", MP4, &text), &text, "content_mismatch"),
    ] {
        let upload = app.announce(&leader, announced).await.expect(201);
        let url = begin(&app, &upload, sent.len()).await;
        send_chunk(&app, &url, 0, Bytes::copy_from_slice(&sent[..200])).await.expect(204);
        let last = send_chunk(&app, &url, 200, Bytes::copy_from_slice(&sent[200..])).await.expect(400);
        assert_eq!(last["code"], code);
        let after = status(&app, &upload).await;
        assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!(code)));
        call(&app, Method::HEAD, &url, &[], Body::empty()).await.expect(410);
        assert_eq!(put(&app.http, ingest(&upload), MP4, sent).await.expect(409)["code"], "already_rejected");
    }
    assert_eq!(on_disk(&app), 0);
    app.http.settle().await;
}

#[tokio::test]
async fn of_two_concurrent_chunks_one_wins() {
    let app = test_app().await;
    let bytes = mp4(100_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    let (one, two) =
        tokio::join!(send_chunk(&app, &url, 0, bytes.clone()), send_chunk(&app, &url, 0, bytes.clone()));
    let mut both = [one.status.as_u16(), two.status.as_u16()];
    both.sort_unstable();
    // The loser meets the lock, or the new offset if the winner was done before it began.
    assert!(matches!(both, [204, 409 | 423]), "{both:?}");
    assert!(plays(&app, &upload, &bytes).await);
    app.http.settle().await;
}

#[tokio::test]
async fn asking_for_the_offset_ends_the_earlier_request() {
    let app = test_app().await;
    let bytes = mp4(100_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    let (sent, waits) = tokio::sync::oneshot::channel();
    let first = Ok::<_, std::io::Error>(Bytes::copy_from_slice(&bytes[..70_000]));
    let rest = stream::once(async move {
        sent.send(()).unwrap();
        std::future::pending().await
    });
    let body = Body::from_stream(stream::iter([first]).chain(rest));
    let after = async {
        waits.await.unwrap();
        assert_eq!(offset(&app, &url).await, 70_000);
        send_chunk(&app, &url, 70_000, Bytes::copy_from_slice(&bytes[70_000..])).await.expect(204);
    };
    let (old, ()) = tokio::join!(send_chunk(&app, &url, 0, body), after);
    assert_eq!(old.expect(423)["code"], "upload_locked");
    assert!(plays(&app, &upload, &bytes).await);
    app.http.settle().await;
}

#[tokio::test]
async fn starting_again_discards_the_earlier_upload() {
    let app = test_app().await;
    let bytes = mp4(1_000);
    let (upload, before) = start_upload(&app, &bytes).await;
    send_chunk(&app, &before, 0, Bytes::copy_from_slice(&bytes[..600])).await.expect(204);
    let url = begin(&app, &upload, bytes.len()).await;
    assert_eq!(on_disk(&app), 0);
    call(&app, Method::HEAD, &before, &[], Body::empty()).await.expect(404);
    send_chunk(&app, &url, 0, bytes.clone()).await.expect(204);
    assert!(plays(&app, &upload, &bytes).await);
    app.http.settle().await;
}

#[tokio::test]
async fn a_cancelled_upload_leaves_nothing_and_frees_its_space() {
    let app = test_app_with(TestOptions {
        limits: Some(content::Limits { file_bytes: 1_000, total_bytes: Some(1_500) }),
        without_ffmpeg: true,
        ..TestOptions::default()
    })
    .await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(500)).await;
    let bytes = mp4(1_000);
    let new = json!({"file": file("b.mp4", MP4, &bytes)});
    let upload = leader.post(&format!("/v1/content/{uid}"), new).await.expect(200);
    let url = begin(&app, &upload, bytes.len()).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..600])).await.expect(204);
    assert_eq!(on_disk(&app), 2);
    call(&app, Method::DELETE, &url, &[], Body::empty()).await.expect(204);
    assert_eq!(on_disk(&app), 1);
    call(&app, Method::HEAD, &url, &[], Body::empty()).await.expect(404);
    let after = status(&app, &upload).await;
    assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!("cancelled")));
    app.announce(&leader, file("c.mp4", MP4, &mp4(1_000))).await.expect(201);
    app.http.settle().await;
}

#[tokio::test]
async fn a_finished_upload_cannot_be_cancelled() {
    let app = test_app().await;
    let bytes = mp4(1_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    send_chunk(&app, &url, 0, bytes.clone()).await.expect(204);
    call(&app, Method::DELETE, &url, &[], Body::empty()).await.expect(409);
    assert!(plays(&app, &upload, &bytes).await);
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_completed_by_put_in_the_meantime_is_whole() {
    let app = test_app().await;
    let bytes = mp4(1_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..600])).await.expect(204);
    put(&app.http, ingest(&upload), MP4, &bytes).await.expect(200);
    assert_eq!(offset(&app, &url).await, 1_000);
    app.http.clock.advance(DAY + 1);
    app.purge().await;
    assert!(plays(&app, &upload, &bytes).await);
    assert_eq!(on_disk(&app), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn one_person_can_send_a_limited_number_of_chunks_at_once() {
    let settings = ContentSettings { uploads_at_once_person: 1, ..ContentSettings::default() };
    let app = with(settings).await;
    let leader = app.leader().await;
    let bytes = mp4(1_000);
    let mut urls = Vec::new();
    for _ in 0..2 {
        let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
        urls.push(begin(&app, &upload, 1_000).await);
    }
    let (first, rest) = bytes.split_at(500);
    let (first, rest) = (Bytes::copy_from_slice(first), Bytes::copy_from_slice(rest));
    let (other, anonymous) = (urls[1].clone(), app.http.anonymous());
    let request = anonymous
        .request(Method::PATCH, &other)
        .header("tus-resumable", "1.0.0")
        .header("content-type", CHUNK_TYPE)
        .header("upload-offset", "0")
        .body(Body::from(bytes.clone()))
        .unwrap();
    let rest = stream::once(async move {
        let answer = anonymous.send(request).await;
        assert_eq!(answer.headers["retry-after"], "5");
        answer.expect(429);
        Ok::<_, std::io::Error>(rest)
    });
    send_chunk(&app, &urls[0], 0, Body::from_stream(stream::iter([Ok(first)]).chain(rest))).await.expect(204);
    send_chunk(&app, &urls[1], 0, bytes).await.expect(204);
    app.http.settle().await;
}

#[tokio::test]
async fn people_who_lost_the_right_cannot_continue() {
    let app = test_app().await;
    let bytes = mp4(1_000);
    let (upload, url) = start_upload(&app, &bytes).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..500])).await.expect(204);
    let tx = app.http.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared("UPDATE membership SET role = 'teamUser' WHERE role = 'teamLeader'").await.unwrap();
    tx.commit().await.unwrap();
    let answer = send_chunk(&app, &url, 500, Bytes::copy_from_slice(&bytes[500..])).await.expect(403);
    assert_eq!(answer["code"], "right_withdrawn");
    let after = status(&app, &upload).await;
    assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!("right_withdrawn")));
    assert_eq!(on_disk(&app), 0);
    app.http.settle().await;
}

#[tokio::test]
async fn an_item_deleted_in_the_meantime_ends_its_upload() {
    let app = test_app().await;
    let leader = app.leader().await;
    let bytes = mp4(1_000);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let url = begin(&app, &upload, 1_000).await;
    send_chunk(&app, &url, 0, Bytes::copy_from_slice(&bytes[..500])).await.expect(204);
    leader.delete(&format!("/v1/content/{}", upload["uid"].as_str().unwrap())).await.expect(204);
    send_chunk(&app, &url, 500, Bytes::copy_from_slice(&bytes[500..])).await.expect(410);
    call(&app, Method::HEAD, &url, &[], Body::empty()).await.expect(410);
    assert_eq!(on_disk(&app), 0);
    app.http.settle().await;
}

#[tokio::test]
async fn a_row_that_another_server_moved_on_is_not_overwritten() {
    let app = test_app().await;
    let bytes = mp4(1_000);
    let (_, url) = start_upload(&app, &bytes).await;
    let db = app.http.deps.db.clone();
    let (first, rest) = (Bytes::copy_from_slice(&bytes[..400]), Bytes::copy_from_slice(&bytes[400..500]));
    let rest = stream::once(async move {
        let tx = db.write_tx().await.unwrap();
        tx.execute_unprepared("UPDATE resumable SET upload_offset = 300").await.unwrap();
        tx.commit().await.unwrap();
        Ok::<_, std::io::Error>(rest)
    });
    let answer = send_chunk(&app, &url, 0, Body::from_stream(stream::iter([Ok(first)]).chain(rest))).await;
    assert_eq!(answer.expect(409)["code"], "offset_mismatch");
    assert_eq!(offset(&app, &url).await, 300);
    app.http.settle().await;
}
