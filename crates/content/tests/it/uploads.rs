//! File uploads, and everything that can be wrong with them.

use axum::body::Body;
use bytes::Bytes;
use content::{ContentSettings, Limits};
use futures::StreamExt as _;
use futures::stream;
use kernel::HOUR;
use orgs::Role;
use serde_json::{Value, json};

use crate::{Change, MP4, Stage, file, ingest, mp4, on_disk, put, put_body, stage, stage_with};

async fn status(stage: &Stage, uid: &Value) -> Value {
    let uid = uid.as_str().unwrap();
    stage.leader().await.get(&format!("/v1/uploads/{uid}")).await.expect(200)
}

#[tokio::test]
async fn an_upload_becomes_a_content_that_can_be_played() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let bytes = mp4(3_000_000);
    let upload = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    assert_eq!(upload["status"], "pending");
    let draft = stage.content(&leader, upload["uid"].as_str().unwrap()).await;
    assert_eq!((&draft["type"], &draft["url"]), (&json!("draft"), &json!("")));

    put(&stage.app, ingest(&upload), MP4, &bytes).await.expect(200);
    assert_eq!(status(&stage, &upload["uid"]).await, json!({"uid": upload["uid"], "status": "available"}));
    let content = stage.content(&leader, upload["uid"].as_str().unwrap()).await;
    assert_eq!((&content["type"], &content["kind"]), (&json!("native"), &json!("video")));
    assert_eq!(content["file"], file("a.mp4", MP4, &bytes));
    let played = stage.app.anonymous().get(content["url"].as_str().unwrap()).await;
    played.expect(200);
    assert!(played.bytes == bytes);
    stage.app.settle().await;
}

#[tokio::test]
async fn bytes_that_are_not_what_was_announced_end_the_upload_with_a_code() {
    let stage = stage().await;
    let leader = stage.leader().await;
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
        let upload = stage.announce(&leader, announced).await.expect(201);
        let answer = put(&stage.app, ingest(&upload), mime, sent).await.expect(expected);
        assert_eq!(answer["code"], code, "{what}");
        let after = status(&stage, &upload["uid"]).await;
        assert_eq!((&after["status"], &after["reason"]), (&json!("rejected"), &json!(code)), "{what}");
        let again = put(&stage.app, ingest(&upload), MP4, &bytes).await.expect(409);
        assert_eq!(again["code"], "already_rejected", "{what}");
    }
    assert_eq!(on_disk(&stage), 0);
    stage.app.settle().await;
}

#[tokio::test]
async fn lengths_are_held_even_where_the_request_does_not_name_one() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let bytes = mp4(100_000);
    for (announced, code, expected) in [(99_999, "too_many_bytes", 413), (100_001, "length_mismatch", 400)] {
        let mut announced_file = file("a.mp4", MP4, &bytes);
        announced_file["size"] = json!(announced);
        let upload = stage.announce(&leader, announced_file).await.expect(201);
        let body = Body::from_stream(stream::iter([Ok::<_, std::io::Error>(Bytes::from(bytes.clone()))]));
        let answer = put_body(&stage.app, ingest(&upload), MP4, None, body).await.expect(expected);
        assert_eq!(answer["code"], code);
    }
    stage.app.settle().await;
}

#[tokio::test]
async fn an_upload_that_breaks_off_leaves_nothing_and_works_the_second_time() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let bytes = mp4(3_000_000);
    let upload = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let cut =
        [Ok(Bytes::copy_from_slice(&bytes[..2_000_000])), Err(std::io::Error::other("connection reset"))];
    let body = Body::from_stream(stream::iter(cut));
    let answer = put_body(&stage.app, ingest(&upload), MP4, Some(bytes.len()), body).await.expect(408);
    assert_eq!(answer["code"], "broken_off");
    assert_eq!(on_disk(&stage), 0);
    assert_eq!(status(&stage, &upload["uid"]).await["status"], "pending");
    put(&stage.app, ingest(&upload), MP4, &bytes).await.expect(200);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_silent_sender_is_cut() {
    let settings = ContentSettings { upload_idle_seconds: 1, ..ContentSettings::default() };
    let stage = stage_with(Change { settings, ..Change::default() }).await;
    let leader = stage.leader().await;
    let bytes = mp4(100_000);
    let upload = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let first = Ok::<_, std::io::Error>(Bytes::copy_from_slice(&bytes[..1_000]));
    let body = Body::from_stream(stream::iter([first]).chain(stream::pending()));
    put_body(&stage.app, ingest(&upload), MP4, Some(bytes.len()), body).await.expect(408);
    assert_eq!(status(&stage, &upload["uid"]).await["status"], "pending");
    stage.app.settle().await;
}

#[tokio::test]
async fn a_sender_that_only_holds_a_place_is_cut_although_it_is_never_silent() {
    let settings =
        ContentSettings { upload_idle_seconds: 1, upload_min_rate: 1_000_000, ..ContentSettings::default() };
    let stage = stage_with(Change { settings, ..Change::default() }).await;
    let leader = stage.leader().await;
    let bytes = mp4(100_000);
    let upload = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let mut tick = tokio::time::interval(std::time::Duration::from_millis(20));
    let drip = stream::poll_fn(move |context| {
        tick.poll_tick(context).map(|_| Some(Ok::<_, std::io::Error>(Bytes::from_static(b"\0"))))
    });
    put_body(&stage.app, ingest(&upload), MP4, Some(bytes.len()), Body::from_stream(drip)).await.expect(408);
    stage.app.settle().await;
}

#[tokio::test]
async fn an_address_works_once_and_for_an_hour_and_cannot_be_made_up() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let bytes = mp4(1_000);
    let used = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    put(&stage.app, ingest(&used), MP4, &bytes).await.expect(200);
    let again = put(&stage.app, ingest(&used), MP4, &bytes).await.expect(409);
    assert_eq!(again["code"], "already_available");

    let late = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let other = format!("{}x", ingest(&late));
    for made_up in [other.as_str(), "/v1/ingest/x", "/v1/ingest/AAAAAAAAAAAAAAAAAAAAAA"] {
        assert_eq!(put(&stage.app, made_up, MP4, &bytes).await.expect(403)["code"], "ingest_expired");
    }
    stage.app.clock.pass(HOUR);
    assert_eq!(put(&stage.app, ingest(&late), MP4, &bytes).await.expect(403)["code"], "ingest_expired");
    assert_eq!(status(&stage, &late["uid"]).await.get("ingest"), None);
    stage.app.settle().await;
}

#[tokio::test]
async fn two_requests_with_the_same_address_give_one_content() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let bytes = mp4(2_000_000);
    let upload = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    let (one, two) = tokio::join!(
        put(&stage.app, ingest(&upload), MP4, &bytes),
        put(&stage.app, ingest(&upload), MP4, &bytes),
    );
    // The later request replaces the earlier one, unless that has completed by then.
    let mut both = [one.status.as_u16(), two.status.as_u16()];
    both.sort_unstable();
    assert!(both[0] == 200 && [408, 409, 429].contains(&both[1]), "{both:?}");
    let content = stage.content(&leader, upload["uid"].as_str().unwrap()).await;
    assert!(stage.app.anonymous().get(content["url"].as_str().unwrap()).await.bytes == bytes);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_crash_between_the_disk_and_the_database_costs_another_try_and_nothing_else() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let bytes = mp4(10_000);
    let upload = stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    // What a process leaves that was killed right after the storage commit: a file that no row refers to.
    let uid: kernel::Uid = upload["uid"].as_str().unwrap().parse().unwrap();
    let name = storage::Name::version(storage::Version::Source, uid);
    let key = storage::Key::content(stage.org.uid, uid, &name);
    stage.storage.put(&key, Bytes::from_static(b"what a killed process left")).await.unwrap();
    assert_eq!(stage.content(&leader, upload["uid"].as_str().unwrap()).await["type"], "draft");
    put(&stage.app, ingest(&upload), MP4, &bytes).await.expect(200);
    let content = stage.content(&leader, upload["uid"].as_str().unwrap()).await;
    assert!(stage.app.anonymous().get(content["url"].as_str().unwrap()).await.bytes == bytes);
    assert_eq!(on_disk(&stage), 1);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_file_must_make_sense_before_it_is_sent() {
    let settings = ContentSettings { file_max_bytes: 1_000, ..ContentSettings::default() };
    let stage = stage_with(Change { settings, ..Change::default() }).await;
    let leader = stage.leader().await;
    let good = file("a.mp4", MP4, b"x");
    for (field, value, status, code) in [
        ("size", json!(0), 400, "empty_file"),
        ("size", json!(1_001), 413, "file_too_large"),
        ("size", json!(null), 400, "invalid_file"),
        ("size", json!(-1), 400, "invalid_body"),
        ("name", json!(" "), 400, "invalid_file"),
        ("name", json!("a\nb"), 400, "invalid_file"),
        ("type", json!("video"), 400, "invalid_file"),
        ("checksum", json!("d41d8cd98f00b204e9800998ecf8427e"), 400, "invalid_file"),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        assert_eq!(stage.announce(&leader, bad).await.expect(status)["code"], code, "{field}");
    }
    stage.app.settle().await;
}

#[tokio::test]
async fn a_plan_has_room_for_so_much_and_announced_files_take_their_room() {
    let limits = Limits { file_bytes: 1_000, total_bytes: Some(1_500) };
    let stage = stage_with(Change { limits: Some(limits), ..Change::default() }).await;
    let leader = stage.leader().await;
    let bytes = mp4(1_000);
    stage.announce(&leader, file("a.mp4", MP4, &bytes)).await.expect(201);
    assert_eq!(
        stage.announce(&leader, file("a.mp4", MP4, &mp4(1_001))).await.expect(413)["code"],
        "file_too_large"
    );
    assert_eq!(
        stage.announce(&leader, file("a.mp4", MP4, &mp4(501))).await.expect(402)["code"],
        "quota_exceeded"
    );
    stage.announce(&leader, file("a.mp4", MP4, &mp4(500))).await.expect(201);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_new_version_replaces_the_old_one_once_it_is_there() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let (old, new) = (mp4(10_000), mp4(20_000));
    let uid = stage.upload(&leader, "old.mp4", MP4, &old).await;
    let url = stage.content(&leader, &uid).await["url"].as_str().unwrap().to_owned();
    // Size and type are optional.
    let mut announced = file("new.mp4", MP4, &new);
    announced.as_object_mut().unwrap().retain(|key, _| key == "name" || key == "checksum");
    let path = format!("/v1/content/{uid}");
    let upload = leader.post(&path, json!({"file": announced})).await.expect(200);
    assert_ne!(upload["uid"], uid.as_str());
    assert!(stage.app.anonymous().get(&url).await.bytes == old, "the old one is served until then");
    put(&stage.app, ingest(&upload), MP4, &new).await.expect(200);
    assert!(stage.app.anonymous().get(&url).await.bytes == new, "the address stays the same");
    assert_eq!(stage.content(&leader, &uid).await["file"]["name"], "new.mp4");
    stage.app.run_jobs().await;
    assert_eq!(on_disk(&stage), 1, "the old one is removed");

    let film =
        json!({"content": {"title": "B", "url": "https://youtu.be/x"}, "orgId": stage.org.uid, "file": null});
    let embed = leader.post("/v1/content", film).await.expect(201);
    let path = format!("/v1/content/{}", embed["uid"].as_str().unwrap());
    let refused = leader.post(&path, json!({"file": file("a", "", b"x")})).await.expect(409);
    assert_eq!(refused["code"], "not_native");
    stage.app.settle().await;
}

#[tokio::test]
async fn an_upload_is_its_makers_and_the_staffs() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let upload = stage.announce(&leader, file("a.mp4", MP4, &mp4(100))).await.expect(201);
    let path = format!("/v1/uploads/{}", upload["uid"].as_str().unwrap());
    assert_eq!(leader.get(&path).await.expect(200)["ingest"], upload["ingest"]);
    stage.app.member(stage.org, Role::TeamUser).await.get(&path).await.expect(200);
    stage.user().await.get(&path).await.expect(403);
    stage.app.anonymous().get(&path).await.expect(401);
    let stranger = stage.app.person("stranger@example.com").await;
    stranger.get(&path).await.refuse(404, "Upload not found");
    stranger.get(&format!("/v1/uploads/{}", kernel::Uid::nil())).await.refuse(404, "Upload not found");
    stage.app.settle().await;
}

#[tokio::test]
async fn the_truth_about_an_upload_is_told_to_the_staff() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let bytes = mp4(100_000);
    let uid = stage.upload(&leader, "a.mp4", MP4, &bytes).await;
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
    put(&stage.app, ingest(&upload), MP4, &text).await.expect(400);
    let report = leader.get(&path).await.expect(200);
    let newer = &report["newer"];
    assert_eq!(report["served"]["uid"], json!(uid));
    assert_eq!(
        (&newer["reason"], &newer["received"]["type"]),
        (&json!("content_mismatch"), &json!("text/plain"))
    );
    assert_eq!(newer["message"], "The file does not match its type and name.");
    assert_eq!(status(&stage, &upload["uid"]).await["message"], newer["message"]);

    // Records are removed after a month. The record of a served file stays, including what was declared.
    stage.app.clock.pass(40 * kernel::DAY);
    stage.purge().await;
    let leader = stage.leader().await;
    assert_eq!(leader.get(&path).await.expect(200), json!({"served": report["served"]}));

    stage.app.member(stage.org, Role::TeamUser).await.get(&path).await.expect(200);
    stage.user().await.get(&path).await.expect(403);
    stage.app.anonymous().get(&path).await.expect(401);
    let stranger = stage.app.person("stranger@example.com").await;
    stranger.get(&path).await.refuse(404, "Content not found");
    stage.app.settle().await;
}
