//! Public pictures: logos, wallpapers, photos, thumbnails.

use http::header;
use orgs::Role;
use serde_json::{Value, json};

use crate::{Stage, file, ingest, put, stage};

/// A PNG of one colour, written by hand so that the test owes nothing to our encoder.
fn png() -> Vec<u8> {
    let hex = "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0\
               000003010100c9fe92ef0000000049454e44ae426082";
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

async fn announce(stage: &Stage, client: &testkit::Client, file: Value, with_org: bool) -> testkit::Answer {
    let mut body = json!({"file": file});
    if with_org {
        body["orgId"] = json!(stage.org.uid);
    }
    client.post("/v1/uploads", body).await
}

#[tokio::test]
async fn a_picture_is_drawn_anew_and_public_under_its_path() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let mut bytes = png();
    bytes.extend_from_slice(b"<script>hidden behind the picture</script>");
    let upload = announce(&stage, &leader, file("logo.png", "image/png", &bytes), true).await.expect(201);
    let path = upload["ingest"]["path"].as_str().unwrap();
    let nobody = stage.app.anonymous();
    nobody.get(path).await.refuse(404, "Image not found");
    put(&stage.app, ingest(&upload), "image/png", &bytes).await.expect(200);

    let picture = nobody.get(path).await;
    picture.expect(200);
    assert!(picture.bytes.starts_with(&[0xff, 0xd8, 0xff]), "a picture without transparency becomes a JPEG");
    assert!(!picture.bytes.windows(8).any(|window| window == b"<script>"));
    assert_eq!(picture.headers[header::CONTENT_TYPE], "image/jpeg");
    assert_eq!(picture.headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
    assert_eq!(
        put(&stage.app, ingest(&upload), "image/png", &bytes).await.expect(409)["code"],
        "already_available"
    );
    stage.app.settle().await;
}

#[tokio::test]
async fn a_thumbnail_is_a_picture_of_the_same_organisation() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let bytes = png();
    let mut paths = Vec::new();
    for with_org in [true, false] {
        let upload =
            announce(&stage, &leader, file("t.png", "image/png", &bytes), with_org).await.expect(201);
        put(&stage.app, ingest(&upload), "image/png", &bytes).await.expect(200);
        paths.push(format!("http://vitrine.test{}", upload["ingest"]["path"].as_str().unwrap()));
    }
    let new = |preview: &str| json!({"content": {"title": "A", "url": "https://youtu.be/x", "previewUrl": preview}, "orgId": stage.org.uid, "file": null});
    let made = leader.post("/v1/content", new(&paths[0])).await.expect(201);
    let path = format!("/v1/content/{}", made["uid"].as_str().unwrap());
    assert_eq!(leader.get(&path).await.expect(200)["previewUrl"], paths[0]);
    let unknown = format!("http://vitrine.test/images/{}", "0".repeat(32));
    for bad in [paths[1].as_str(), &unknown, "https://evil.example/a.png", "/images/x"] {
        assert_eq!(leader.post("/v1/content", new(bad)).await.expect(400)["code"], "foreign_image", "{bad}");
        let change = json!({"content": {"previewUrl": bad}});
        assert_eq!(leader.patch(&path, change).await.expect(400)["code"], "foreign_image", "{bad}");
    }
    let cleared = leader.patch(&path, json!({"content": {"previewUrl": ""}})).await.expect(200);
    assert_eq!(cleared["previewUrl"], "");
    stage.app.settle().await;
}

#[tokio::test]
async fn what_is_no_picture_is_refused_before_or_after_it_came() {
    let stage = stage().await;
    let leader = stage.leader().await;
    let mut large = file("a.png", "image/png", b"x");
    large["size"] = json!(5_242_881);
    let refused = announce(&stage, &leader, large.clone(), true).await;
    refused.refuse(413, "File size too large. Maximum file size should be within 5mb.");
    large["size"] = json!(5_242_880);
    announce(&stage, &leader, large, true).await.expect(201);
    let drawing = file("a.svg", "image/svg+xml", b"<svg/>");
    announce(&stage, &leader, drawing, true).await.refuse(400, "File type is not supported.");

    let half = &png()[..40];
    for (bytes, code) in [(&b"<html>"[..], "content_mismatch"), (half, "not_an_image")] {
        let upload = announce(&stage, &leader, file("a.png", "image/png", bytes), true).await.expect(201);
        assert_eq!(put(&stage.app, ingest(&upload), "image/png", bytes).await.expect(400)["code"], code);
        let path = upload["ingest"]["path"].as_str().unwrap();
        stage.app.anonymous().get(path).await.expect(404);
    }
    stage.app.settle().await;
}

#[tokio::test]
async fn own_photos_are_for_everybody_and_an_organisations_pictures_for_its_leaders() {
    let stage = stage().await;
    let picture = file("a.png", "image/png", &png());
    let stranger = stage.app.person("stranger@example.com").await;
    announce(&stage, &stranger, picture.clone(), false).await.expect(201);
    announce(&stage, &stranger, picture.clone(), true).await.expect(404);
    announce(&stage, &stage.app.member(stage.org, Role::TeamUser).await, picture.clone(), true)
        .await
        .expect(403);
    announce(&stage, &stage.app.anonymous(), picture, false).await.expect(401);
    stage.app.settle().await;
}
