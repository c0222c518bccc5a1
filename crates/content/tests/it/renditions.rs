//! Renditions: progress is shown during processing, replacement has no gap, and deletion removes them.

use std::path::{Path, PathBuf};

use kernel::{MINUTE, Uid};
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use testkit::Client;

use crate::captions;
use crate::processing::made;
use crate::{Change, MP4, Stage, file, ingest, media_settings, mp4, put, stage, stage_with};

/// A second of video with audio.
pub fn film() -> Vec<u8> {
    made(
        "a.mp4",
        "-f lavfi -i testsrc2=size=320x180:rate=10 -f lavfi -i sine -t 1 -c:v libx264 -preset ultrafast \
         -pix_fmt yuv420p -c:a aac -movflags +faststart",
    )
}

/// Returns the number of files of each processing run in the item's folder.
pub fn makings(stage: &Stage, uid: &str) -> Vec<(String, usize)> {
    let folder = stage.app.kit.folder.join("objects/content").join(stage.org.uid.as_simple().to_string());
    let Ok(entries) = std::fs::read_dir(folder.join(uid.replace('-', ""))) else { return Vec::new() };
    let mut found: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read_dir(entry.path()).unwrap().count())
        })
        .collect();
    found.sort();
    found
}

async fn set(stage: &Stage, change: &str) {
    let tx = stage.app.kit.db.write_tx().await.unwrap();
    tx.execute_unprepared(&format!("UPDATE content SET {change}")).await.unwrap();
    tx.commit().await.unwrap();
}

async fn set_making(stage: &Stage, making: Uid) {
    let tx = stage.app.kit.db.write_tx().await.unwrap();
    let statement = sea_orm::Statement::from_sql_and_values(
        tx.get_database_backend(),
        "UPDATE content SET making = $1",
        [making.into()],
    );
    tx.execute_raw(statement).await.unwrap();
    tx.commit().await.unwrap();
}

pub fn text(content: &Value, name: &str) -> String {
    content[name].as_str().unwrap().to_owned()
}

/// Returns the address of another file of the same grant.
pub fn beside(url: &str, name: &str) -> String {
    format!("{}/{name}", url.rsplit_once('/').unwrap().0)
}

async fn retry(client: &Client, uid: &str) -> testkit::Answer {
    client.post(&format!("/v1/content/{uid}/processing"), json!({})).await
}

async fn replaced(stage: &Stage, leader: &Client, uid: &str, name: &str, mime: &str, bytes: &[u8]) {
    let body = json!({"file": file(name, mime, bytes)});
    let upload = leader.post(&format!("/v1/content/{uid}"), body).await.expect(200);
    put(&stage.app, ingest(&upload), mime, bytes).await.expect(200);
}

#[tokio::test]
async fn a_film_is_played_from_addresses_relative_to_its_grant() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &film()).await;
    let before = stage.content(&leader, &uid).await;
    assert_eq!(
        (&before["processing"], &before["hlsUrl"], &before["storyboardUrl"]),
        (&json!("queued"), &json!(""), &json!(""))
    );
    stage.app.run_jobs().await;
    let content = stage.content(&leader, &uid).await;
    assert_eq!((&content["processing"], &content["processingError"]), (&json!("done"), &json!(null)));
    assert_eq!((&content["progress"], &content["secondsLeft"]), (&json!(null), &json!(null)));
    let nobody = stage.app.anonymous();
    let mut next = vec![text(&content, "hlsUrl"), text(&content, "storyboardUrl")];
    let mut types = Vec::new();
    while let Some(url) = next.pop() {
        let answer = nobody.get(&url).await;
        answer.expect(200);
        let header = |name| answer.headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        types.push(header(http::header::CONTENT_TYPE));
        assert_eq!(
            header(http::header::CACHE_CONTROL),
            if url.contains("?v=") { "private, max-age=3600" } else { "private, no-cache" },
            "{url}"
        );
        assert!(header(http::header::CONTENT_DISPOSITION).starts_with("inline"), "{url}");
        if url.contains(".m3u8") || url.contains(".vtt") {
            let text = String::from_utf8(answer.bytes.clone()).unwrap();
            let inner = text
                .lines()
                .filter_map(|line| line.split_once("URI=\"").map(|(_, rest)| rest.trim_end_matches('"')));
            let plain = text.lines().filter(|line| line.contains("?v=") && !line.starts_with('#'));
            next.extend(inner.chain(plain).map(|name| beside(&url, name.split('#').next().unwrap())));
        }
    }
    types.sort();
    types.dedup();
    assert_eq!(
        types,
        ["application/vnd.apple.mpegurl", "image/jpeg", "text/vtt; charset=utf-8", "video/mp4"]
    );
    stage.app.settle().await;
}

#[tokio::test]
async fn segments_have_ranges_conditions_and_heads_like_any_file() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &film()).await;
    stage.app.run_jobs().await;
    let url = text(&stage.content(&leader, &uid).await, "hlsUrl");
    let nobody = stage.app.anonymous();
    let segment = beside(&url, "180-0.m4s");
    let whole = nobody.get(&segment).await;
    let etag = whole.headers[http::header::ETAG].to_str().unwrap().to_owned();
    let asked = async |method: http::Method, name: http::HeaderName, value: &str| {
        let request = nobody.request(method, &segment).header(name, value).body(axum::body::Body::empty());
        nobody.send(request.unwrap()).await
    };
    let part = asked(http::Method::GET, http::header::RANGE, "bytes=4-7").await;
    assert_eq!((part.status.as_u16(), &part.bytes[..]), (206, &whole.bytes[4..8]));
    let same = asked(http::Method::GET, http::header::IF_NONE_MATCH, &etag).await;
    assert_eq!((same.status.as_u16(), same.bytes.len()), (304, 0));
    let head = asked(http::Method::HEAD, http::header::ACCEPT, "*/*").await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    assert_eq!(head.headers[http::header::CONTENT_LENGTH], whole.bytes.len().to_string());
    nobody.get(&format!("{segment}?v=000000000000")).await.expect(404);
    nobody.get(&beside(&url, "180-9.m4s")).await.expect(404);
    leader.patch(&format!("/v1/content/{uid}"), json!({"content": {"privacy": "private"}})).await.expect(200);
    assert_eq!(nobody.get(&segment).await.status, 200, "staff see what is private");
    leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    assert_eq!(
        asked(http::Method::GET, http::header::IF_NONE_MATCH, &etag).await.status,
        404,
        "no 304 for a removed file"
    );
    stage.app.settle().await;
}

#[tokio::test]
async fn a_sound_gets_a_stream_and_a_waveform() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let sound = made("a.mp3", "-f lavfi -i sine -t 1 -c:a libmp3lame");
    let uid = stage.upload(&leader, "a.mp3", "audio/mpeg", &sound).await;
    stage.app.run_jobs().await;
    let content = stage.content(&leader, &uid).await;
    let nobody = stage.app.anonymous();
    let waveform = nobody.get(&text(&content, "waveformUrl")).await.expect(200);
    assert!(waveform["peaks"].as_array().unwrap().len() > 50, "{waveform}");
    assert_eq!(content["storyboardUrl"], "");
    let init = nobody.get(&beside(&text(&content, "hlsUrl"), "audio-init.mp4")).await;
    assert_eq!(init.headers[http::header::CONTENT_TYPE], "audio/mp4");
    stage.app.settle().await;
}

#[tokio::test]
async fn nothing_of_the_old_film_is_shown_once_the_new_one_has_come() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &film()).await;
    stage.app.run_jobs().await;
    let srt = captions::SRT.as_bytes();
    let before = captions::put(&leader, &uid, "en", captions::TYPE, srt).await.expect(200);
    let old = makings(&stage, &uid);
    let nobody = stage.app.anonymous();
    let names = ["hlsUrl", "storyboardUrl", "previewUrl"];
    let mut addresses: Vec<_> = names.iter().map(|name| text(&before, name)).collect();
    let playlist = String::from_utf8(nobody.get(&beside(&addresses[0], "180.m3u8")).await.bytes).unwrap();
    let segment = playlist.lines().find(|line| line.contains(".m4s")).unwrap();
    addresses.extend([beside(&addresses[0], segment), beside(&addresses[0], "180-init.mp4")]);
    for url in &addresses {
        nobody.get(url).await.expect(200);
    }
    replaced(&stage, &leader, &uid, "b.mp4", MP4, &film()).await;
    let between = stage.content(&leader, &uid).await;
    assert_eq!(between["processing"], "queued");
    assert_eq!(names.map(|name| between[name].clone()), [json!(""), json!(""), json!("")]);
    for url in &addresses {
        nobody.get(url).await.expect(404);
    }
    nobody.get(&text(&between["captions"][0], "url")).await.expect(200);
    stage.app.run_jobs().await;
    let content = stage.content(&leader, &uid).await;
    let new = makings(&stage, &uid);
    assert!(old.len() == 1 && new.len() == 1 && old[0].0 != new[0].0, "{old:?} {new:?}");
    nobody.get(&text(&content, "hlsUrl")).await.expect(200);
    // Replaced by an image, the item plays nothing, and the output for the video is removed.
    let picture = made("a.png", "-f lavfi -i testsrc2=size=64x64 -frames:v 1");
    replaced(&stage, &leader, &uid, "a.png", "image/png", &picture).await;
    assert_eq!(stage.content(&leader, &uid).await["hlsUrl"], "");
    stage.app.anonymous().get(&text(&content, "hlsUrl")).await.expect(404);
    stage.app.run_jobs().await;
    stage.app.run_jobs().await;
    assert!(makings(&stage, &uid).is_empty());
    stage.app.settle().await;
}

#[tokio::test]
async fn what_fails_says_why_keeps_the_file_and_can_be_tried_again() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let film = film();
    let uid = stage.upload(&leader, "cut.mp4", MP4, &film[..film.len() * 3 / 4]).await;
    assert_eq!(retry(&leader, &uid).await.expect(409)["code"], "already_processing");
    stage.app.run_jobs().await;
    let content = stage.content(&leader, &uid).await;
    assert_eq!(
        (&content["processing"], &content["processingError"]["code"]),
        (&json!("failed"), &json!("damaged"))
    );
    let message = content["processingError"]["message"].as_str().unwrap();
    assert!(message.contains("damaged or was cut off"), "{message}");
    assert_eq!(content["hlsUrl"], "");
    stage.app.anonymous().get(&text(&content, "url")).await.expect(200);
    assert!(makings(&stage, &uid).is_empty());

    let again = retry(&leader, &uid).await.expect(200);
    assert_eq!((&again["processing"], &again["processingError"]), (&json!("queued"), &json!(null)));
    retry(&leader, &uid).await.expect(409);
    set(&stage, "processing = 'running'").await;
    retry(&leader, &uid).await.expect(409);
    stage.app.run_jobs().await;
    assert_eq!(stage.content(&leader, &uid).await["processing"], "failed");

    let noise = stage.upload(&leader, "noise.mp4", MP4, &mp4(50_000)).await;
    stage.app.run_jobs().await;
    assert_eq!(stage.content(&leader, &noise).await["processingError"]["code"], "unreadable");
    stage.app.settle().await;
}

#[tokio::test]
async fn there_is_nothing_to_try_again_where_nothing_is_missing() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let picture = made("a.png", "-f lavfi -i testsrc2=size=64x64 -frames:v 1");
    let done = stage.upload(&leader, "a.png", "image/png", &picture).await;
    stage.app.run_jobs().await;
    let plain = stage.upload(&leader, "a.bin", "application/x-thing", b"bytes").await;
    let draft = stage.announce(&leader, file("b.mp4", MP4, &mp4(10))).await.expect(201);
    let film =
        json!({"content": {"title": "x", "url": "https://youtu.be/x"}, "orgId": stage.org.uid, "file": null});
    let embed = leader.post("/v1/content", film).await.expect(201);
    for uid in [&done, &plain, draft["uid"].as_str().unwrap(), embed["uid"].as_str().unwrap()] {
        assert_eq!(retry(&leader, uid).await.expect(409)["code"], "nothing_to_process", "{uid}");
    }
    let team_user = stage.app.member(stage.org, orgs::Role::TeamUser).await;
    retry(&team_user, &done).await.expect(403);
    retry(&stage.user().await, &done).await.expect(403);
    retry(&stage.app.person("stranger@example.com").await, &done).await.refuse(404, "Content not found");
    retry(&stage.app.anonymous(), &done).await.expect(401);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_worker_killed_at_any_moment_leaves_nothing_half_visible_and_nothing_behind() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &film()).await;
    let (content, dead) = (uid.parse::<Uid>().unwrap(), Uid::from_u128(7));
    // What a killed worker leaves: the row says running, and a part of its output is stored.
    let name = storage::Name::parse("180-0.m4s").unwrap();
    let key = storage::Key::rendition(stage.org.uid, content, dead, &name);
    stage.storage.put(&key, bytes::Bytes::from_static(b"half")).await.unwrap();
    set(&stage, "processing = 'running', progress = 40, seconds_left = 9, making_at = 1").await;
    set_making(&stage, dead).await;
    let running = stage.content(&leader, &uid).await;
    assert_eq!(
        (&running["progress"], &running["secondsLeft"], &running["hlsUrl"]),
        (&json!(40), &json!(9), &json!(""))
    );
    stage.app.anonymous().get(&beside(&text(&running, "url"), "180-0.m4s")).await.expect(404);
    stage.app.run_jobs().await;
    assert_eq!(stage.content(&leader, &uid).await["processing"], "done");
    // A worker that lost its lease writes until its next heartbeat; what it left is removed after that.
    stage.storage.put(&key, bytes::Bytes::from_static(b"more")).await.unwrap();
    stage.app.clock.pass(MINUTE);
    stage.app.run_jobs().await;
    let left = makings(&stage, &uid);
    assert!(left.len() == 1 && !left[0].0.contains(&dead.as_simple().to_string()), "{left:?}");
    stage.app.settle().await;
}

#[tokio::test]
async fn a_worker_that_died_in_its_last_attempt_is_given_up_after_a_while() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    stage.app.run_jobs().await;
    let now = testkit::BEGINNING;
    set(&stage, &format!("processing = 'running', making_at = {now}")).await;
    stage.app.clock.pass(15 * MINUTE);
    stage.purge().await;
    assert_eq!(stage.content(&leader, &uid).await["processing"], "running");
    stage.app.clock.pass(1);
    stage.purge().await;
    let content = stage.content(&leader, &uid).await;
    assert_eq!(
        (&content["processing"], &content["processingError"]["code"]),
        (&json!("failed"), &json!("interrupted"))
    );
    stage.app.settle().await;
}

/// Creates a stand-in for ffmpeg that keeps reporting progress and never ends.
fn patient(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let tool = folder.join("patient-ffmpeg");
    let script = "#!/bin/sh\ncase \"$*\" in *-progress*) ;; *) exit 1;; esac\n\
                  at=500000\nwhile :; do echo out_time_us=$at; at=$((at + 20000)); sleep 1; done\n";
    std::fs::write(&tool, script).unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    tool
}

#[tokio::test]
async fn progress_is_written_while_a_worker_is_at_it_and_the_work_stops_when_its_content_goes() {
    let tools = tempfile::tempdir().unwrap();
    std::fs::set_permissions(tools.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let media = media::MediaSettings { ffmpeg: patient(tools.path()), ..media_settings(false) };
    let stage = stage_with(Change { media: Some(media), ..Change::default() }).await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.mp4", MP4, &film()).await;
    let seen = async {
        loop {
            let content = stage.content(&leader, &uid).await;
            if content["progress"] != json!(null) {
                break content;
            }
        }
    };
    let watch = async {
        let content = seen.await;
        assert_eq!(content["processing"], "running");
        assert!((50..60).contains(&content["progress"].as_i64().unwrap()), "{content}");
        assert!(content["secondsLeft"].as_i64().is_some(), "{content}");
        assert!(
            (900..1_100).contains(&content["durationMs"].as_i64().unwrap()),
            "the first inspection is done"
        );
        leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    };
    // The worker ends although the tool never does.
    tokio::join!(watch, stage.app.run_jobs());
    assert!(makings(&stage, &uid).is_empty());
    stage.app.settle().await;
}
