//! Length and poster of real and of broken files. These tests need ffmpeg, which `make deps` installs.

use std::process::Command;

use http::header::ETAG;
use orgs::Role;
use serde_json::json;

use crate::image_kinds::size;
use crate::renditions::replaced;
use crate::{MP4, TestApp, TestOptions, mp4, on_disk, test_app, test_app_with};

pub fn generate_media(name: &str, args: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    let done = Command::new("ffmpeg")
        .args(["-nostdin", "-v", "error"])
        .args(args.split_whitespace())
        .arg(&path)
        .status()
        .unwrap();
    assert!(done.success());
    std::fs::read(path).unwrap()
}

fn video() -> Vec<u8> {
    generate_media(
        "a.mp4",
        "-f lavfi -i testsrc2=size=640x360:rate=25 -f lavfi -i sine -t 4 -c:v libx264 -preset ultrafast \
         -pix_fmt yuv420p -c:a aac -movflags +faststart",
    )
}

async fn processed(app: &TestApp, name: &str, mime: &str, bytes: &[u8]) -> serde_json::Value {
    let leader = app.leader().await;
    let uid = app.upload(&leader, name, mime, bytes).await;
    app.http.run_jobs().await;
    app.content(&leader, &uid).await
}

#[tokio::test]
async fn a_video_gets_its_length_and_a_poster() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    let before = app.content(&leader, &uid).await;
    assert_eq!((&before["processing"], &before["previewUrl"]), (&json!("queued"), &json!("")));
    app.http.run_jobs().await;
    let content = app.content(&leader, &uid).await;
    assert_eq!(content["processing"], "done");
    let duration = content["durationMs"].as_i64().unwrap();
    assert!((3_900..4_200).contains(&duration), "{duration}");
    let poster = app.http.anonymous().get(content["previewUrl"].as_str().unwrap()).await;
    poster.expect(200);
    assert_eq!(poster.headers[http::header::CONTENT_TYPE], "image/jpeg");
    assert!(poster.bytes.starts_with(&[0xff, 0xd8, 0xff]));
    app.http.settle().await;
}

#[tokio::test]
async fn a_poster_is_served_at_the_width_it_is_shown_and_removed_with_its_file() {
    let app = test_app().await;
    let leader = app.leader().await;
    let bytes = generate_media("a.png", "-f lavfi -i testsrc2=size=2000x1000 -frames:v 1");
    let uid = app.upload(&leader, "a.png", "image/png", &bytes).await;
    app.http.run_jobs().await;
    let content = app.content(&leader, &uid).await;
    let address = content["previewUrl"].as_str().unwrap();
    let anonymous = app.http.anonymous();
    let whole = anonymous.get(address).await;
    for (query, width) in
        [("", 1_600), ("?width=1", 400), ("?width=400", 400), ("?width=401", 800), ("?width=801", 1_600)]
    {
        let poster = anonymous.get(&format!("{address}{query}")).await;
        assert_eq!(size(&poster.bytes), (width, width / 2), "{query}");
        assert_eq!(poster.headers[ETAG] == whole.headers[ETAG], width == 1_600, "{query}");
    }
    anonymous.get(&format!("{address}?width=wide")).await.expect(400);
    assert_eq!(on_disk(&app), 4, "the file, and its poster in three sizes");

    // The video is 640 pixels wide.
    replaced(&app, &leader, &uid, "b.mp4", MP4, &video()).await;
    app.http.run_jobs().await;
    let content = app.content(&leader, &uid).await;
    let address = content["previewUrl"].as_str().unwrap();
    for (query, width) in [("", 640), ("?width=400", 400), ("?width=401", 640)] {
        assert_eq!(size(&anonymous.get(&format!("{address}{query}")).await.bytes).0, width, "{query}");
    }
    let folder = app.http.deps.folder.join("objects/content").join(app.org.uid.as_simple().to_string());
    let posters = std::fs::read_dir(folder.join(uid.replace('-', ""))).unwrap();
    let names = posters.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let posters: Vec<String> = names.filter(|name| name.starts_with("poster-")).collect();
    assert_eq!(posters.len(), 2, "those of the old file are gone: {posters:?}");
    app.http.settle().await;
}

#[tokio::test]
async fn a_job_that_died_half_way_is_done_again_with_the_same_result() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    // What a process leaves that was killed during the job: the row says running, and there may be half a
    // poster.
    let name = storage::Name::version(storage::Version::Poster, uid.parse().unwrap());
    let key = storage::Key::content(app.org.uid, uid.parse().unwrap(), &name);
    app.storage.put(&key, bytes::Bytes::from_static(b"half a poster")).await.unwrap();
    let tx = app.http.deps.db.write_tx().await.unwrap();
    sea_orm::ConnectionTrait::execute_unprepared(&tx, "UPDATE content SET processing = 'running'")
        .await
        .unwrap();
    tx.commit().await.unwrap();
    app.http.run_jobs().await;
    let content = app.content(&leader, &uid).await;
    assert_eq!(content["processing"], "done");
    let poster = app.http.anonymous().get(content["previewUrl"].as_str().unwrap()).await;
    assert!(poster.bytes.starts_with(&[0xff, 0xd8, 0xff]));
    app.http.settle().await;
}

#[tokio::test]
async fn a_broken_video_is_kept_as_uploaded_and_marked_as_failed() {
    let app = test_app().await;
    let video = video();
    let cut = processed(&app, "cut.mp4", MP4, &video[..video.len() / 2]).await;
    assert_eq!((&cut["processing"], &cut["kind"]), (&json!("failed"), &json!("video")));
    assert_ne!(cut["previewUrl"], "", "its first half has a poster");
    let noise = processed(&app, "noise.mp4", MP4, &mp4(100_000)).await;
    assert_eq!(
        (&noise["processing"], &noise["durationMs"], &noise["previewUrl"]),
        (&json!("failed"), &json!(null), &json!(""))
    );
    app.http.anonymous().get(noise["url"].as_str().unwrap()).await.expect(200);
    let staff = app.http.member(app.org, Role::TeamUser).await;
    for (processing, count) in [("failed", 2), ("done", 0)] {
        let path = format!("/v1/content?orgId={}&processing={processing}", app.org.uid);
        let list = staff.get(&path).await.expect(200);
        assert_eq!(list["data"].as_array().unwrap().len(), count, "{list}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn images_audio_and_documents_get_posters_where_possible() {
    let app = test_app().await;
    let image = generate_media("a.png", "-f lavfi -i testsrc2=size=1600x800 -frames:v 1");
    let image = processed(&app, "a.png", "image/png", &image).await;
    assert_eq!((&image["kind"], &image["processing"]), (&json!("image"), &json!("done")));
    let poster = app.http.anonymous().get(image["previewUrl"].as_str().unwrap()).await;
    assert!(poster.bytes.starts_with(&[0xff, 0xd8, 0xff]));
    let audio = generate_media("a.mp3", "-f lavfi -i sine -t 3 -c:a libmp3lame");
    let audio = processed(&app, "a.mp3", "audio/mpeg", &audio).await;
    assert_eq!(
        (&audio["kind"], &audio["processing"], &audio["previewUrl"]),
        (&json!("audio"), &json!("done"), &json!(""))
    );
    let page = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>\
                 endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj trailer<</Root 1 0 R>>\n";
    let document = processed(&app, "a.pdf", "application/pdf", page).await;
    assert_eq!(
        (&document["kind"], &document["processing"], &document["pages"]),
        (&json!("pdf"), &json!("done"), &json!(1))
    );
    let poster = app.http.anonymous().get(document["previewUrl"].as_str().unwrap()).await;
    assert!(poster.bytes.starts_with(&[0xff, 0xd8, 0xff]));
    let locked = processed(&app, "b.pdf", "application/pdf", b"%PDF-1.7\nnothing").await;
    assert_eq!(
        (&locked["processing"], &locked["processingError"]["code"], &locked["previewUrl"]),
        (&json!("failed"), &json!("unreadable"), &json!(""))
    );
    app.http.settle().await;
}

#[tokio::test]
async fn without_ffmpeg_a_video_still_uploads_and_plays() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let video = video();
    let content = processed(&app, "a.mp4", MP4, &video).await;
    assert_eq!((&content["type"], &content["processing"]), (&json!("native"), &json!("none")));
    assert!(app.http.anonymous().get(content["url"].as_str().unwrap()).await.bytes == video);
    app.http.settle().await;
}

#[tokio::test]
async fn the_report_of_an_upload_names_the_codecs_of_the_file_that_is_served() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &video()).await;
    let path = format!("/v1/content/{uid}/upload");
    let codecs = async || leader.get(&path).await.expect(200)["served"].get("codecs").cloned();
    assert_eq!(codecs().await, None, "not inspected yet");
    app.http.run_jobs().await;
    assert_eq!(codecs().await, Some(json!("h264, aac")));

    let silent =
        generate_media("b.webm", "-f lavfi -i testsrc2=size=64x64:rate=10 -t 1 -c:v libvpx -b:v 200k");
    let body = json!({"file": crate::file("b.webm", "video/webm", &silent)});
    let upload = leader.post(&format!("/v1/content/{uid}"), body).await.expect(200);
    assert_eq!(codecs().await, Some(json!("h264, aac")), "the old file is still served");
    crate::put(&app.http, crate::ingest(&upload), "video/webm", &silent).await.expect(200);
    assert_eq!(codecs().await, None, "codecs of the old file do not apply to the new one");
    app.http.run_jobs().await;
    assert_eq!(codecs().await, Some(json!("vp8")));
    app.http.run_jobs().await;
    app.http.settle().await;
}
