//! Renditions: progress is shown during processing, replacement has no gap, and deletion removes them.

use std::path::{Path, PathBuf};

use kernel::{ContentId, MINUTE, RunId};
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use testkit::Client;

use crate::captions;
use crate::processing::generate_media;
use crate::{MP4, TestApp, TestOptions, file, ingest, media_settings, mp4, put, test_app, test_app_with};

/// A second of video with audio.
pub fn video() -> Vec<u8> {
    generate_media(
        "a.mp4",
        "-f lavfi -i testsrc2=size=320x180:rate=10 -f lavfi -i sine -t 1 -c:v libx264 -preset ultrafast \
         -pix_fmt yuv420p -c:a aac -movflags +faststart",
    )
}

/// Returns the number of files of each processing run in the item's folder.
pub fn run_folders(app: &TestApp, uid: &str) -> Vec<(String, usize)> {
    let folder = app.http.deps.folder.join("objects/content").join(app.org.uid.as_simple().to_string());
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

async fn set(app: &TestApp, change: &str) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared(&format!("UPDATE content SET {change}")).await.unwrap();
    tx.commit().await.unwrap();
}

async fn set_processing_run(app: &TestApp, run: RunId) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let statement = sea_orm::Statement::from_sql_and_values(
        tx.get_database_backend(),
        "UPDATE content SET processing_run = $1",
        [run.into()],
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

async fn retry(client: &Client, uid: &str) -> testkit::ApiResponse {
    client.post(&format!("/v1/content/{uid}/processing"), json!({})).await
}

pub async fn replaced(app: &TestApp, leader: &Client, uid: &str, name: &str, mime: &str, bytes: &[u8]) {
    let body = json!({"file": file(name, mime, bytes)});
    let upload = leader.post(&format!("/v1/content/{uid}"), body).await.expect(200);
    put(&app.http, ingest(&upload), mime, bytes).await.expect(200);
}

#[tokio::test]
async fn a_video_is_played_from_addresses_relative_to_its_grant() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    let before = app.content(&leader, &uid).await;
    assert_eq!(
        (&before["processing"], &before["hlsUrl"], &before["storyboardUrl"]),
        (&json!("queued"), &json!(""), &json!(""))
    );
    app.http.run_jobs().await;
    let content = app.content(&leader, &uid).await;
    assert_eq!((&content["processing"], &content["processingError"]), (&json!("done"), &json!(null)));
    assert_eq!((&content["progress"], &content["secondsLeft"]), (&json!(null), &json!(null)));
    let anonymous = app.http.anonymous();
    let mut next = vec![text(&content, "hlsUrl"), text(&content, "storyboardUrl")];
    let mut types = Vec::new();
    while let Some(url) = next.pop() {
        let answer = anonymous.get(&url).await;
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
    app.http.settle().await;
}

#[tokio::test]
async fn segments_have_ranges_conditions_and_heads_like_any_file() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    app.http.run_jobs().await;
    let url = text(&app.content(&leader, &uid).await, "hlsUrl");
    let anonymous = app.http.anonymous();
    let segment = beside(&url, "180-0.m4s");
    let whole = anonymous.get(&segment).await;
    let etag = whole.headers[http::header::ETAG].to_str().unwrap().to_owned();
    let asked = async |method: http::Method, name: http::HeaderName, value: &str| {
        let request = anonymous.request(method, &segment).header(name, value).body(axum::body::Body::empty());
        anonymous.send(request.unwrap()).await
    };
    let part = asked(http::Method::GET, http::header::RANGE, "bytes=4-7").await;
    assert_eq!((part.status.as_u16(), &part.bytes[..]), (206, &whole.bytes[4..8]));
    let same = asked(http::Method::GET, http::header::IF_NONE_MATCH, &etag).await;
    assert_eq!((same.status.as_u16(), same.bytes.len()), (304, 0));
    let head = asked(http::Method::HEAD, http::header::ACCEPT, "*/*").await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    assert_eq!(head.headers[http::header::CONTENT_LENGTH], whole.bytes.len().to_string());
    anonymous.get(&format!("{segment}?v=000000000000")).await.expect(404);
    anonymous.get(&beside(&url, "180-9.m4s")).await.expect(404);
    leader.patch(&format!("/v1/content/{uid}"), json!({"content": {"privacy": "private"}})).await.expect(200);
    assert_eq!(anonymous.get(&segment).await.status, 200, "staff see what is private");
    leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    assert_eq!(
        asked(http::Method::GET, http::header::IF_NONE_MATCH, &etag).await.status,
        404,
        "no 304 for a removed file"
    );
    app.http.settle().await;
}

#[tokio::test]
async fn audio_gets_a_stream_and_a_waveform() {
    let app = test_app().await;
    let leader = app.leader().await;
    let audio = generate_media("a.mp3", "-f lavfi -i sine -t 1 -c:a libmp3lame");
    let uid = app.upload(&leader, "a.mp3", "audio/mpeg", &audio).await;
    app.http.run_jobs().await;
    let content = app.content(&leader, &uid).await;
    let anonymous = app.http.anonymous();
    let waveform = anonymous.get(&text(&content, "waveformUrl")).await.expect(200);
    assert!(waveform["peaks"].as_array().unwrap().len() > 50, "{waveform}");
    assert_eq!(content["storyboardUrl"], "");
    let init = anonymous.get(&beside(&text(&content, "hlsUrl"), "audio-init.mp4")).await;
    assert_eq!(init.headers[http::header::CONTENT_TYPE], "audio/mp4");
    app.http.settle().await;
}

#[tokio::test]
async fn nothing_of_the_old_video_is_shown_once_the_new_one_is_available() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    app.http.run_jobs().await;
    let srt = captions::SRT.as_bytes();
    let before = captions::put(&leader, &uid, "en", captions::TYPE, srt).await.expect(200);
    let old = run_folders(&app, &uid);
    let anonymous = app.http.anonymous();
    let names = ["hlsUrl", "storyboardUrl", "previewUrl"];
    let mut addresses: Vec<_> = names.iter().map(|name| text(&before, name)).collect();
    let playlist = String::from_utf8(anonymous.get(&beside(&addresses[0], "180.m3u8")).await.bytes).unwrap();
    let segment = playlist.lines().find(|line| line.contains(".m4s")).unwrap();
    addresses.extend([beside(&addresses[0], segment), beside(&addresses[0], "180-init.mp4")]);
    for url in &addresses {
        anonymous.get(url).await.expect(200);
    }
    replaced(&app, &leader, &uid, "b.mp4", MP4, &video()).await;
    let between = app.content(&leader, &uid).await;
    assert_eq!(between["processing"], "queued");
    assert_eq!(names.map(|name| between[name].clone()), [json!(""), json!(""), json!("")]);
    for url in &addresses {
        anonymous.get(url).await.expect(404);
    }
    anonymous.get(&text(&between["captions"][0], "url")).await.expect(200);
    app.http.run_jobs().await;
    let content = app.content(&leader, &uid).await;
    let new = run_folders(&app, &uid);
    assert!(old.len() == 1 && new.len() == 1 && old[0].0 != new[0].0, "{old:?} {new:?}");
    anonymous.get(&text(&content, "hlsUrl")).await.expect(200);
    // Replaced by an image, the item plays nothing, and the output for the video is removed.
    let image = generate_media("a.png", "-f lavfi -i testsrc2=size=64x64 -frames:v 1");
    replaced(&app, &leader, &uid, "a.png", "image/png", &image).await;
    assert_eq!(app.content(&leader, &uid).await["hlsUrl"], "");
    app.http.anonymous().get(&text(&content, "hlsUrl")).await.expect(404);
    app.http.run_jobs().await;
    app.http.run_jobs().await;
    assert!(run_folders(&app, &uid).is_empty());
    app.http.settle().await;
}

#[tokio::test]
async fn a_failure_has_a_reason_keeps_the_file_and_can_be_retried() {
    let app = test_app().await;
    let leader = app.leader().await;
    let video = video();
    let uid = app.upload(&leader, "cut.mp4", MP4, &video[..video.len() * 3 / 4]).await;
    assert_eq!(retry(&leader, &uid).await.expect(409)["code"], "already_processing");
    app.http.run_jobs().await;
    let content = app.content(&leader, &uid).await;
    assert_eq!(
        (&content["processing"], &content["processingError"]["code"]),
        (&json!("failed"), &json!("damaged"))
    );
    let message = content["processingError"]["message"].as_str().unwrap();
    assert!(message.contains("damaged or was cut off"), "{message}");
    assert_eq!(content["hlsUrl"], "");
    app.http.anonymous().get(&text(&content, "url")).await.expect(200);
    assert!(run_folders(&app, &uid).is_empty());

    let again = retry(&leader, &uid).await.expect(200);
    assert_eq!((&again["processing"], &again["processingError"]), (&json!("queued"), &json!(null)));
    retry(&leader, &uid).await.expect(409);
    set(&app, "processing = 'running'").await;
    retry(&leader, &uid).await.expect(409);
    app.http.run_jobs().await;
    assert_eq!(app.content(&leader, &uid).await["processing"], "failed");

    let noise = app.upload(&leader, "noise.mp4", MP4, &mp4(50_000)).await;
    app.http.run_jobs().await;
    assert_eq!(app.content(&leader, &noise).await["processingError"]["code"], "unreadable");
    app.http.settle().await;
}

#[tokio::test]
async fn complete_items_cannot_be_retried() {
    let app = test_app().await;
    let leader = app.leader().await;
    let image = generate_media("a.png", "-f lavfi -i testsrc2=size=64x64 -frames:v 1");
    let done = app.upload(&leader, "a.png", "image/png", &image).await;
    app.http.run_jobs().await;
    let plain = app.upload(&leader, "a.bin", "application/x-thing", b"bytes").await;
    let draft = app.announce(&leader, file("b.mp4", MP4, &mp4(10))).await.expect(201);
    let video =
        json!({"content": {"title": "x", "url": "https://youtu.be/x"}, "orgId": app.org.uid, "file": null});
    let embed = leader.post("/v1/content", video).await.expect(201);
    for uid in [&done, &plain, draft["uid"].as_str().unwrap(), embed["uid"].as_str().unwrap()] {
        assert_eq!(retry(&leader, uid).await.expect(409)["code"], "nothing_to_process", "{uid}");
    }
    let team_user = app.http.member(app.org, orgs::Role::TeamUser).await;
    retry(&team_user, &done).await.expect(403);
    retry(&app.user().await, &done).await.expect(403);
    retry(&app.http.person("stranger@example.com").await, &done).await.expect_error(404, "Content not found");
    retry(&app.http.anonymous(), &done).await.expect(401);
    app.http.settle().await;
}

#[tokio::test]
async fn a_worker_killed_at_any_moment_leaves_nothing_half_visible_and_nothing_behind() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    let (content, dead) = (uid.parse::<ContentId>().unwrap(), RunId::from_u128(7));
    // What a killed worker leaves: the row says running, and a part of its output is stored.
    let name = storage::Name::parse("180-0.m4s").unwrap();
    let key = storage::Key::rendition(app.org.uid, content, dead, &name);
    app.storage.put(&key, bytes::Bytes::from_static(b"half")).await.unwrap();
    set(&app, "processing = 'running', progress = 40, seconds_left = 9, heartbeat_at = 1").await;
    set_processing_run(&app, dead).await;
    let running = app.content(&leader, &uid).await;
    assert_eq!(
        (&running["progress"], &running["secondsLeft"], &running["hlsUrl"]),
        (&json!(40), &json!(9), &json!(""))
    );
    app.http.anonymous().get(&beside(&text(&running, "url"), "180-0.m4s")).await.expect(404);
    app.http.run_jobs().await;
    assert_eq!(app.content(&leader, &uid).await["processing"], "done");
    // A worker that lost its lease writes until its next heartbeat; what it left is removed after that.
    app.storage.put(&key, bytes::Bytes::from_static(b"more")).await.unwrap();
    app.http.clock.advance(MINUTE);
    app.http.run_jobs().await;
    let left = run_folders(&app, &uid);
    assert!(left.len() == 1 && !left[0].0.contains(&dead.as_simple().to_string()), "{left:?}");
    app.http.settle().await;
}

#[tokio::test]
async fn a_worker_that_died_in_its_last_attempt_is_given_up_after_a_while() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    app.http.run_jobs().await;
    let now = testkit::START_TIME;
    set(&app, &format!("processing = 'running', heartbeat_at = {}", now.ms())).await;
    app.http.clock.advance(15 * MINUTE);
    app.purge().await;
    assert_eq!(app.content(&leader, &uid).await["processing"], "running");
    app.http.clock.advance(1);
    app.purge().await;
    let content = app.content(&leader, &uid).await;
    assert_eq!(
        (&content["processing"], &content["processingError"]["code"]),
        (&json!("failed"), &json!("interrupted"))
    );
    app.http.settle().await;
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
async fn progress_is_written_during_processing_which_stops_when_the_item_is_deleted() {
    let tools = tempfile::tempdir().unwrap();
    std::fs::set_permissions(tools.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let media = media::MediaSettings { ffmpeg: patient(tools.path()), ..media_settings(false) };
    let app = test_app_with(TestOptions { media: Some(media), ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    let seen = async {
        loop {
            let content = app.content(&leader, &uid).await;
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
    tokio::join!(watch, app.http.run_jobs());
    assert!(run_folders(&app, &uid).is_empty());
    app.http.settle().await;
}
