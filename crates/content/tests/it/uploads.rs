//! File uploads, and everything that can be wrong with them.

use axum::body::Body;
use bytes::Bytes;
use content::{ContentSettings, Limits};
use futures::StreamExt as _;
use futures::stream;
use kernel::HOUR;
use orgs::Role;
use serde_json::{Value, json};

use crate::{MP4, TestApp, TestOptions, file, ingest, mp4, on_disk, put, put_body, test_app, test_app_with};

async fn status(app: &TestApp, uid: &Value) -> Value {
    let uid = uid.as_str().unwrap();
    app.leader().await.get(&format!("/v1/uploads/{uid}")).await.expect(200)
}

#[tokio::test]
async fn an_upload_becomes_an_item_that_can_be_played() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(3_000_000);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    assert_eq!(upload["status"], "pending");
    let draft = app.content(&leader, upload["uid"].as_str().unwrap()).await;
    assert_eq!((&draft["type"], &draft["url"]), (&json!("draft"), &json!("")));

    put(&app.http, ingest(&upload), MP4, &bytes).await.expect(200);
    assert_eq!(status(&app, &upload["uid"]).await, json!({"uid": upload["uid"], "status": "available"}));
    let content = app.content(&leader, upload["uid"].as_str().unwrap()).await;
    assert_eq!((&content["type"], &content["kind"]), (&json!("native"), &json!("video")));
    assert_eq!(content["file"], file("a.mp4", MP4, &bytes));
    let played = app.http.anonymous().get(content["url"].as_str().unwrap()).await;
    played.expect(200);
    assert!(played.bytes == bytes);
    app.http.settle().await;
}

#[tokio::test]
async fn bytes_that_are_not_what_was_announced_end_the_upload_with_a_code() {
    let app = test_app().await;
    let leader = app.leader().await;
    let bytes = mp4(100_000);
    let mut changed = bytes.clone();
    changed[50_000] ^= 1;
    let text = b"#EXTM3U\n#EXTINF:4,\nfile:///etc/passwd\n".repeat(100);
    let cases = [
        ("md5 differs", file("a.mp4", MP4, &bytes), MP4, &changed[..], 400, "checksum_mismatch"),
        ("too short", file("a.mp4", MP4, &bytes), MP4, &bytes[..99_999], 400, "length_mismatch"),
        ("nothing", file("a.mp4", MP4, &bytes), MP4, &[], 400, "length_mismatch"),
        ("too long", file("a.mp4", MP4, &bytes[..99_999]), MP4, &bytes, 413, "too_many_bytes"),
        ("another type", file("a.mp4", MP4, &bytes), "video/webm", &bytes, 400, "type_mismatch"),
        ("text named .mp4", file("x.mp4", MP4, &text), MP4, &text, 400, "content_mismatch"),
        (
            "text named .mp4 without a type",
            file("x.mp4", "", &text),
            "application/octet-stream",
            &text,
            400,
            "content_mismatch",
        ),
    ];
    for (what, announced, mime, sent, expected, code) in cases {
        let upload = app.announce(&leader, announced).await.expect(201);
        let answer = put(&app.http, ingest(&upload), mime, sent).await.expect(expected);
        assert_eq!(answer["code"], code, "{what}");
        let after = status(&app, &upload["uid"]).await;
        assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!(code)), "{what}");
        let again = put(&app.http, ingest(&upload), MP4, &bytes).await.expect(409);
        assert_eq!(again["code"], "already_rejected", "{what}");
    }
    assert_eq!(on_disk(&app), 0);
    app.http.settle().await;
}

#[tokio::test]
async fn lengths_are_enforced_even_without_a_content_length() {
    let app = test_app().await;
    let leader = app.leader().await;
    let bytes = mp4(100_000);
    for (announced, code, expected) in [(99_999, "too_many_bytes", 413), (100_001, "length_mismatch", 400)] {
        let mut announced_file = file("a.mp4", MP4, &bytes);
        announced_file["size"] = json!(announced);
        let upload = app.announce(&leader, announced_file).await.expect(201);
        let body = Body::from_stream(stream::iter([Ok::<_, std::io::Error>(Bytes::from(bytes.clone()))]));
        let answer = put_body(&app.http, ingest(&upload), MP4, None, body).await.expect(expected);
        assert_eq!(answer["code"], code);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn an_interrupted_upload_leaves_nothing_and_can_be_retried() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(3_000_000);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let cut =
        [Ok(Bytes::copy_from_slice(&bytes[..2_000_000])), Err(std::io::Error::other("connection reset"))];
    let body = Body::from_stream(stream::iter(cut));
    let answer = put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), body).await.expect(408);
    assert_eq!(answer["code"], "broken_off");
    assert_eq!(on_disk(&app), 0);
    assert_eq!(status(&app, &upload["uid"]).await["status"], "pending");
    put(&app.http, ingest(&upload), MP4, &bytes).await.expect(200);
    app.http.settle().await;
}

#[tokio::test]
async fn a_silent_sender_is_disconnected() {
    let settings = ContentSettings { upload_idle_seconds: 1, ..ContentSettings::default() };
    let app = test_app_with(TestOptions { settings, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(100_000);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let first = Ok::<_, std::io::Error>(Bytes::copy_from_slice(&bytes[..1_000]));
    let body = Body::from_stream(stream::iter([first]).chain(stream::pending()));
    put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), body).await.expect(408);
    assert_eq!(status(&app, &upload["uid"]).await["status"], "pending");
    app.http.settle().await;
}

#[tokio::test]
async fn a_sender_that_is_too_slow_is_disconnected() {
    let settings =
        ContentSettings { upload_idle_seconds: 1, upload_min_rate: 1_000_000, ..ContentSettings::default() };
    let app = test_app_with(TestOptions { settings, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(100_000);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let mut tick = tokio::time::interval(std::time::Duration::from_millis(20));
    let drip = stream::poll_fn(move |context| {
        tick.poll_tick(context).map(|_| Some(Ok::<_, std::io::Error>(Bytes::from_static(b"\0"))))
    });
    put_body(&app.http, ingest(&upload), MP4, Some(bytes.len()), Body::from_stream(drip)).await.expect(408);
    app.http.settle().await;
}

#[tokio::test]
async fn an_address_works_once_and_for_an_hour_and_cannot_be_forged() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(1_000);
    let used = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    put(&app.http, ingest(&used), MP4, &bytes).await.expect(200);
    let again = put(&app.http, ingest(&used), MP4, &bytes).await.expect(409);
    assert_eq!(again["code"], "already_available");

    let late = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let other = format!("{}x", ingest(&late));
    for made_up in [other.as_str(), "/v1/ingest/x", "/v1/ingest/AAAAAAAAAAAAAAAAAAAAAA"] {
        assert_eq!(put(&app.http, made_up, MP4, &bytes).await.expect(403)["code"], "ingest_expired");
    }
    app.http.clock.advance(HOUR);
    assert_eq!(put(&app.http, ingest(&late), MP4, &bytes).await.expect(403)["code"], "ingest_expired");
    assert_eq!(status(&app, &late["uid"]).await.get("ingest"), None);
    app.http.settle().await;
}

#[tokio::test]
async fn two_requests_with_the_same_address_give_one_item() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(2_000_000);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let (one, two) = tokio::join!(
        put(&app.http, ingest(&upload), MP4, &bytes),
        put(&app.http, ingest(&upload), MP4, &bytes),
    );
    // The later request replaces the earlier one, unless that has completed by then.
    let mut both = [one.status.as_u16(), two.status.as_u16()];
    both.sort_unstable();
    assert!(both[0] == 200 && [408, 409, 429].contains(&both[1]), "{both:?}");
    let content = app.content(&leader, upload["uid"].as_str().unwrap()).await;
    assert!(app.http.anonymous().get(content["url"].as_str().unwrap()).await.bytes == bytes);
    app.http.settle().await;
}

#[tokio::test]
async fn a_crash_between_the_disk_and_the_database_costs_another_try_and_nothing_else() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(10_000);
    let upload = app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    // What a process leaves that was killed right after the storage commit: a file that no row refers to.
    let uid = upload["uid"].as_str().unwrap();
    let name = storage::Name::version(storage::Version::Source, uid.parse().unwrap());
    let key = storage::Key::content(app.org.uid, uid.parse().unwrap(), &name);
    app.storage.put(&key, Bytes::from_static(b"what a killed process left")).await.unwrap();
    assert_eq!(app.content(&leader, upload["uid"].as_str().unwrap()).await["type"], "draft");
    put(&app.http, ingest(&upload), MP4, &bytes).await.expect(200);
    let content = app.content(&leader, upload["uid"].as_str().unwrap()).await;
    assert!(app.http.anonymous().get(content["url"].as_str().unwrap()).await.bytes == bytes);
    assert_eq!(on_disk(&app), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn an_announced_file_is_validated() {
    let settings = ContentSettings { file_max_bytes: 1_000, ..ContentSettings::default() };
    let app = test_app_with(TestOptions { settings, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let good = file("a.mp4", MP4, b"x");
    for (field, value, status, code) in [
        ("size", json!(0), 400, "empty_file"),
        ("size", json!(1_001), 413, "above_server_limit"),
        ("size", json!(null), 400, "invalid_file"),
        ("size", json!(-1), 400, "invalid_body"),
        ("name", json!(" "), 400, "invalid_file"),
        ("name", json!("a\nb"), 400, "invalid_file"),
        ("type", json!("video"), 400, "invalid_file"),
        ("checksum", json!("d41d8cd98f00b204e9800998ecf8427e"), 400, "invalid_file"),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        assert_eq!(app.announce(&leader, bad).await.expect(status)["code"], code, "{field}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn announced_files_reserve_space_in_the_plan() {
    let limits = Limits { file_bytes: 1_000, total_bytes: Some(1_500) };
    let app = test_app_with(TestOptions { limits: Some(limits), ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(1_000);
    app.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    assert_eq!(
        app.announce(&leader, file("a.mp4", MP4, &mp4(1_001))).await.expect(402)["code"],
        "file_too_large"
    );
    let full = app.announce(&leader, file("a.mp4", MP4, &mp4(501))).await.expect(402);
    assert_eq!((full["code"].as_str(), full["unit"].as_str()), (Some("quota_exceeded"), Some("bytes")));
    let numbers = ["used", "allowed"].map(|name| full[name].as_u64().unwrap());
    assert_eq!((full["limit"].as_str(), numbers), (Some("storage"), [1_000, 1_500]));
    app.announce(&leader, file("a.mp4", MP4, &mp4(500))).await.expect(201);
    app.http.settle().await;
}

#[tokio::test]
async fn a_new_version_replaces_the_old_one_once_it_is_there() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let (old, new) = (mp4(10_000), mp4(20_000));
    let uid = app.upload(&leader, "old.mp4", MP4, &old).await;
    let url = app.content(&leader, &uid).await["url"].as_str().unwrap().to_owned();
    // Size and type are optional.
    let mut announced = file("new.mp4", MP4, &new);
    announced.as_object_mut().unwrap().retain(|key, _| key == "name" || key == "checksum");
    let path = format!("/v1/content/{uid}");
    let upload = leader.post(&path, json!({"file": announced})).await.expect(200);
    assert_ne!(upload["uid"], uid.as_str());
    assert!(app.http.anonymous().get(&url).await.bytes == old, "the old one is served until then");
    put(&app.http, ingest(&upload), MP4, &new).await.expect(200);
    assert!(app.http.anonymous().get(&url).await.bytes == new, "the address stays the same");
    assert_eq!(app.content(&leader, &uid).await["file"]["name"], "new.mp4");
    app.http.run_jobs().await;
    assert_eq!(on_disk(&app), 1, "the old one is removed");

    let video =
        json!({"content": {"title": "B", "url": "https://youtu.be/x"}, "orgId": app.org.uid, "file": null});
    let embed = leader.post("/v1/content", video).await.expect(201);
    let path = format!("/v1/content/{}", embed["uid"].as_str().unwrap());
    let refused = leader.post(&path, json!({"file": file("a", "", b"x")})).await.expect(409);
    assert_eq!(refused["code"], "not_native");
    app.http.settle().await;
}

#[tokio::test]
async fn an_upload_is_visible_to_its_creator_and_to_staff() {
    let app = test_app().await;
    let leader = app.leader().await;
    let upload = app.announce(&leader, file("a.mp4", MP4, &mp4(100))).await.expect(201);
    let path = format!("/v1/uploads/{}", upload["uid"].as_str().unwrap());
    assert_eq!(leader.get(&path).await.expect(200)["ingest"], upload["ingest"]);
    app.http.member(app.org, Role::TeamUser).await.get(&path).await.expect(200);
    app.user().await.get(&path).await.expect(403);
    app.http.anonymous().get(&path).await.expect(401);
    let stranger = app.http.person("stranger@example.com").await;
    stranger.get(&path).await.expect_error(404, "Upload not found");
    stranger
        .get(&format!("/v1/uploads/{}", kernel::UploadId::nil()))
        .await
        .expect_error(404, "Upload not found");
    app.http.settle().await;
}

#[tokio::test]
async fn staff_can_read_the_report_of_an_upload() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let bytes = mp4(100_000);
    let uid = app.upload(&leader, "a.mp4", MP4, &bytes).await;
    let path = format!("/v1/content/{uid}/upload");
    let report = leader.get(&path).await.expect(200);
    assert_eq!(report.get("newer"), None);
    let served = &report["served"];
    assert_eq!((&served["uid"], &served["status"]), (&json!(uid), &json!("available")));
    assert_eq!(served["declared"], file("a.mp4", MP4, &bytes));
    let sha256: String = {
        use sha2::Digest as _;
        sha2::Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let received = json!({
        "size": 100_000, "checksum": file("", "", &bytes)["checksum"], "sha256": sha256, "type": MP4,
    });
    assert_eq!(served["received"], received);
    assert!(served["timeAnnounced"].is_string() && served["timeFinished"].is_string());

    // A new version that is not the announced file, and one that never arrives completely.
    let text = b"#EXTM3U\n#EXTINF:4,\nfile:///etc/passwd\n".repeat(100);
    let version = json!({"file": file("b.mp4", MP4, &text)});
    let upload = leader.post(&format!("/v1/content/{uid}"), version).await.expect(200);
    assert_eq!(leader.get(&path).await.expect(200)["newer"]["status"], "pending");
    put(&app.http, ingest(&upload), MP4, &text).await.expect(400);
    let report = leader.get(&path).await.expect(200);
    let newer = &report["newer"];
    assert_eq!(report["served"]["uid"], json!(uid));
    assert_eq!(
        (&newer["reason"], &newer["received"]["type"]),
        (&json!("content_mismatch"), &json!("text/plain"))
    );
    assert_eq!(newer["message"], "The file does not match its type and name.");
    assert_eq!(status(&app, &upload["uid"]).await["message"], newer["message"]);

    // Records are removed after a month. The record of a served file stays, including what was declared.
    app.http.clock.advance(40 * kernel::DAY);
    app.purge().await;
    let leader = app.leader().await;
    assert_eq!(leader.get(&path).await.expect(200), json!({"served": report["served"]}));

    app.http.member(app.org, Role::TeamUser).await.get(&path).await.expect(200);
    app.user().await.get(&path).await.expect(403);
    app.http.anonymous().get(&path).await.expect(401);
    let stranger = app.http.person("stranger@example.com").await;
    stranger.get(&path).await.expect_error(404, "Content not found");
    app.http.settle().await;
}
