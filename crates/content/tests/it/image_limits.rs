//! Images built to cost the server memory or time are refused by their headers, or decoded in a separate
//! process.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};

use crate::processing::generate_media;
use crate::{TestApp, TestOptions, file, ingest, media_settings, put, test_app, test_app_with};

const PNG: &str = "image/png";

/// Creates a single-color PNG of this size: many pixels in few bytes.
fn flat(size: &str, format: &str) -> Vec<u8> {
    generate_media("a.png", &format!("-f lavfi -i color=red:size={size} -frames:v 1 -pix_fmt {format}"))
}

fn packed(len: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    for _ in 0..len >> 20 {
        encoder.write_all(&[0; 1 << 20]).unwrap();
    }
    encoder.finish().unwrap()
}

/// Creates a small PNG with one more chunk after its header.
fn with_chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(name);
    crc.update(data);
    let chunk =
        [&u32::try_from(data.len()).unwrap().to_be_bytes(), &name[..], data, &crc.sum().to_be_bytes()];
    let mut bytes = flat("32x32", "rgb24");
    let behind_header = 8 + 12 + 13;
    bytes.splice(behind_header..behind_header, chunk.concat());
    bytes
}

/// Uploads an image as the person's own photo. Returns the response, and the upload as it is reported
/// afterwards.
async fn upload(app: &TestApp, client: &testkit::Client, bytes: &[u8]) -> (testkit::ApiResponse, Value) {
    let announced = client.post("/v1/uploads", json!({"file": file("a.png", PNG, bytes)})).await.expect(201);
    let answer = put(&app.http, ingest(&announced), PNG, bytes).await;
    let report = client.get(&format!("/v1/uploads/{}", announced["uid"].as_str().unwrap())).await.expect(200);
    (answer, report)
}

#[tokio::test]
async fn an_image_that_would_take_much_memory_is_refused_by_its_header() {
    let app = test_app().await;
    let ada = app.http.person("ada@example.com").await;
    let profile = [b"sRGB\0\0", &packed(200 << 20)[..]].concat();
    let text = [b"Comment\0\0", &packed(8 << 20)[..]].concat();
    for (bytes, code) in [
        (flat("10000x10000", "rgb24"), "image_too_many_pixels"),
        (flat("5100x10000", "rgba64be"), "image_too_many_pixels"),
        (with_chunk(b"iCCP", &profile), "image_profile_too_large"),
        (with_chunk(b"zTXt", &text), "image_profile_too_large"),
    ] {
        let began = Instant::now();
        let (answer, report) = upload(&app, &ada, &bytes).await;
        let refused = answer.expect(400);
        assert_eq!(refused["code"], code);
        assert_eq!((&report["status"], &report["reason"]), (&json!("rejected"), &json!(code)));
        assert_eq!(report["message"], refused["message"]);
        assert!(began.elapsed() < Duration::from_secs(30), "{code} took {:?}", began.elapsed());
    }
    let small = [b"sRGB\0\0", &packed(1 << 20)[..]].concat();
    let refused = upload(&app, &ada, &with_chunk(b"iCCP", &small[..small.len() / 2])).await.0;
    assert_eq!(refused.status, 200, "an image with half a profile is accepted");
    app.http.settle().await;
}

#[tokio::test]
async fn a_large_image_within_the_limits_is_accepted() {
    let app = test_app().await;
    let ada = app.http.person("ada@example.com").await;
    for bytes in [flat("2000x1500", "rgba64be"), flat("20000x2", "rgb24")] {
        upload(&app, &ada, &bytes).await.0.expect(200);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn an_image_of_too_many_pixels_stays_a_file_without_a_poster() {
    let app = test_app().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.png", PNG, &flat("10000x10000", "rgb24")).await;
    app.http.run_jobs().await;
    let content = app.content(&leader, &uid).await;
    assert_eq!(
        (&content["processing"], &content["processingError"]["code"], &content["previewUrl"]),
        (&json!("failed"), &json!("excessive"), &json!(""))
    );
    app.http.settle().await;
}

/// Creates a stand-in for the confinement program that reports these layers, records each command line, and
/// passes it on.
fn recording(folder: &Path, layers: &str) -> (PathBuf, PathBuf) {
    let (program, command_lines) = (folder.join("box"), folder.join("command_lines"));
    let real = media_settings(false).confine_path;
    let script = format!(
        "#!/bin/sh\necho \"$@\" >> {}\n[ \"$2\" = --check ] && {{ echo '{layers}'; exit 0; }}\nexec {} \"$@\"\n",
        command_lines.display(),
        real.display()
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    (program, command_lines)
}

#[tokio::test]
async fn an_image_is_decoded_in_a_limited_process_even_with_little_confinement() {
    let folder = tempfile::tempdir().unwrap();
    let layers = r#"{"landlock":{"holds":false,"note":""},"namespaces":{"holds":false,"note":""},
        "seccomp":{"holds":true,"note":""},"unusable":[]}"#;
    let (confine_path, command_lines) = recording(folder.path(), &layers.replace('\n', ""));
    let media = media::MediaSettings { confine_path, without_confinement: false, ..media_settings(false) };
    let app = test_app_with(TestOptions { media: Some(media), ..TestOptions::default() }).await;
    let ada = app.http.person("ada@example.com").await;
    upload(&app, &ada, &flat("64x64", "rgb24")).await.0.expect(200);
    let command_lines = std::fs::read_to_string(command_lines).unwrap();
    let command_line =
        command_lines.lines().find(|command_line| command_line.contains("--reencode")).unwrap();
    for part in [&format!("--as {} ", 512 << 20), "--nice 3 ", "--layers seccomp "] {
        assert!(command_line.contains(part), "{part}: {command_line}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_person_with_many_images_does_not_keep_others_waiting() {
    let app = test_app().await;
    let (eve, ada) = (app.http.person("eve@example.com").await, app.http.person("ada@example.com").await);
    let (large, small) = (flat("1500x1500", "rgb24"), flat("64x64", "rgb24"));
    let done = AtomicUsize::new(0);
    let many = futures::future::join_all((0..5).map(async |_| {
        let (answer, _) = upload(&app, &eve, &large).await;
        done.fetch_add(1, Ordering::SeqCst);
        answer
    }));
    let one = async {
        // Ada's image is sent after all of Eve's.
        tokio::time::sleep(Duration::from_millis(300)).await;
        upload(&app, &ada, &small).await.0.expect(200);
        done.load(Ordering::SeqCst)
    };
    let (all, before) = tokio::join!(many, one);
    assert!(all.iter().all(|answer| answer.status == 200), "the others wait and are accepted");
    assert!(before < 4, "{before} of Eve's images were stored before Ada's");
    app.http.settle().await;
}
