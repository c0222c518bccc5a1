//! Images built to cost the server memory or time are refused by their headers, or decoded in a separate
//! process.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};

use crate::processing::made;
use crate::{Change, Stage, file, ingest, media_settings, put, stage, stage_with};

const PNG: &str = "image/png";

/// Creates a single-color PNG of this size: many pixels in few bytes.
fn flat(size: &str, format: &str) -> Vec<u8> {
    made("a.png", &format!("-f lavfi -i color=red:size={size} -frames:v 1 -pix_fmt {format}"))
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
async fn upload(stage: &Stage, client: &testkit::Client, bytes: &[u8]) -> (testkit::Answer, Value) {
    let announced = client.post("/v1/uploads", json!({"file": file("a.png", PNG, bytes)})).await.expect(201);
    let answer = put(&stage.app, ingest(&announced), PNG, bytes).await;
    let told = client.get(&format!("/v1/uploads/{}", announced["uid"].as_str().unwrap())).await.expect(200);
    (answer, told)
}

#[tokio::test]
async fn an_image_that_would_take_much_memory_is_refused_by_its_header() {
    let stage = stage().await;
    let ada = stage.app.person("ada@example.com").await;
    let profile = [b"sRGB\0\0", &packed(200 << 20)[..]].concat();
    let text = [b"Comment\0\0", &packed(8 << 20)[..]].concat();
    for (bytes, code) in [
        (flat("10000x10000", "rgb24"), "image_too_many_pixels"),
        (flat("5100x10000", "rgba64be"), "image_too_many_pixels"),
        (with_chunk(b"iCCP", &profile), "image_profile_too_large"),
        (with_chunk(b"zTXt", &text), "image_profile_too_large"),
    ] {
        let began = Instant::now();
        let (answer, told) = upload(&stage, &ada, &bytes).await;
        let refused = answer.expect(400);
        assert_eq!(refused["code"], code);
        assert_eq!((&told["status"], &told["reason"]), (&json!("rejected"), &json!(code)));
        assert_eq!(told["message"], refused["message"]);
        assert!(began.elapsed() < Duration::from_secs(30), "{code} took {:?}", began.elapsed());
    }
    let small = [b"sRGB\0\0", &packed(1 << 20)[..]].concat();
    let refused = upload(&stage, &ada, &with_chunk(b"iCCP", &small[..small.len() / 2])).await.0;
    assert_eq!(refused.status, 200, "an image with half a profile is accepted");
    stage.app.settle().await;
}

#[tokio::test]
async fn a_large_image_that_may_be_is_taken() {
    let stage = stage().await;
    let ada = stage.app.person("ada@example.com").await;
    for bytes in [flat("2000x1500", "rgba64be"), flat("20000x2", "rgb24")] {
        upload(&stage, &ada, &bytes).await.0.expect(200);
    }
    stage.app.settle().await;
}

#[tokio::test]
async fn an_image_of_too_many_pixels_stays_a_file_without_a_picture() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let uid = stage.upload(&leader, "a.png", PNG, &flat("10000x10000", "rgb24")).await;
    stage.app.run_jobs().await;
    let content = stage.content(&leader, &uid).await;
    assert_eq!(
        (&content["processing"], &content["processingError"]["code"], &content["previewUrl"]),
        (&json!("failed"), &json!("excessive"), &json!(""))
    );
    stage.app.settle().await;
}

/// Creates a stand-in for the confinement program that reports these layers, records each command line, and
/// passes it on.
fn recording(folder: &Path, walls: &str) -> (PathBuf, PathBuf) {
    let (program, orders) = (folder.join("box"), folder.join("orders"));
    let real = media_settings(false).box_path;
    let script = format!(
        "#!/bin/sh\necho \"$@\" >> {}\n[ \"$2\" = --check ] && {{ echo '{walls}'; exit 0; }}\nexec {} \"$@\"\n",
        orders.display(),
        real.display()
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    (program, orders)
}

#[tokio::test]
async fn an_image_is_decoded_by_another_process_with_limits_where_there_are_few_walls() {
    let folder = tempfile::tempdir().unwrap();
    let walls = r#"{"landlock":{"holds":false,"note":""},"namespaces":{"holds":false,"note":""},
        "seccomp":{"holds":true,"note":""},"stuck":[]}"#;
    let (box_path, orders) = recording(folder.path(), &walls.replace('\n', ""));
    let media = media::MediaSettings { box_path, without_walls: false, ..media_settings(false) };
    let stage = stage_with(Change { media: Some(media), ..Change::default() }).await;
    let ada = stage.app.person("ada@example.com").await;
    upload(&stage, &ada, &flat("64x64", "rgb24")).await.0.expect(200);
    let orders = std::fs::read_to_string(orders).unwrap();
    let order = orders.lines().find(|order| order.contains("--redraw")).unwrap();
    assert!(order.contains(&format!("--as {} ", 512 << 20)) && order.contains("--walls seccomp "), "{order}");
    stage.app.settle().await;
}

#[tokio::test]
async fn a_person_with_many_images_does_not_keep_others_waiting() {
    let stage = stage().await;
    let (eve, ada) = (stage.app.person("eve@example.com").await, stage.app.person("ada@example.com").await);
    let (large, small) = (flat("1500x1500", "rgb24"), flat("64x64", "rgb24"));
    let many = futures::future::join_all((0..5).map(|_| upload(&stage, &eve, &large)));
    let one = async {
        // Ada's image is sent after all of Eve's.
        tokio::time::sleep(Duration::from_millis(300)).await;
        upload(&stage, &ada, &small).await.0.expect(200);
        Instant::now()
    };
    let began = Instant::now();
    let (all, one) = tokio::join!(many, one);
    let (all_took, one_took) = (began.elapsed(), one - began);
    assert!(all.iter().all(|(answer, _)| answer.status == 200), "the others wait and are accepted");
    assert!(one_took < all_took / 2, "{one_took:?} of {all_took:?}");
    stage.app.settle().await;
}
