//! Public images: logos, wallpapers, photos, thumbnails.

use content::ContentSettings;
use http::header;
use kernel::{DAY, HOUR, SECOND};
use orgs::Role;
use serde_json::{Value, json};

use crate::{Change, Stage, file, ingest, on_disk, put, stage, stage_with};

/// A single-color PNG, written by hand to be independent of our encoder.
pub fn png() -> Vec<u8> {
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

/// Uploads an image and returns its absolute URL.
pub async fn picture(stage: &Stage, client: &testkit::Client, with_org: bool) -> String {
    let bytes = png();
    let announced = file("a.png", "image/png", &bytes);
    let upload = announce(stage, client, announced, with_org).await.expect(201);
    put(&stage.app, ingest(&upload), "image/png", &bytes).await.expect(200);
    format!("http://vitrine.test{}", upload["ingest"]["path"].as_str().unwrap())
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
    assert!(picture.bytes.starts_with(&[0xff, 0xd8, 0xff]), "an image without transparency becomes a JPEG");
    assert!(!picture.bytes.windows(8).any(|window| window == b"<script>"));
    assert_eq!(picture.headers[header::CONTENT_TYPE], "image/jpeg");
    assert_eq!(picture.headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
    // A webmail client, which is a page of another origin, shows the logo in an email.
    assert_eq!(picture.headers["cross-origin-resource-policy"], "cross-origin");
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

#[tokio::test]
async fn logos_are_the_organisations_pictures_and_photos_the_persons() {
    let stage = stage().await;
    let admin = stage.app.member(stage.org, Role::AccountAdmin).await;
    let other = stage.leader().await;
    let (logo, own) = (picture(&stage, &other, true).await, picture(&stage, &admin, false).await);
    let foreign = picture(&stage, &other, false).await;
    let unknown = format!("http://vitrine.test/images/{}", "0".repeat(32));
    let path = format!("/v1/organizations/{}", stage.org.uid);
    let odd = ["http://vitrine.test/images/..", "/images/x.svg", &unknown, &foreign];
    for field in ["logoUrl", "theme.backgroundUrl"] {
        let change = |url: &str| match field {
            "logoUrl" => json!({"organisation": {"logoUrl": url}}),
            _ => json!({"organisation": {"theme": {"backgroundUrl": url}}}),
        };
        for bad in odd.into_iter().chain([own.as_str()]) {
            let refused = admin.patch(&path, change(bad)).await.expect(400);
            assert!(refused["fields"][field].is_string(), "{bad}: {refused}");
        }
        admin.patch(&path, change(&logo)).await.expect(200);
        admin.patch(&path, change("")).await.expect(200);
    }
    let photo = |url: &str| json!({"user": {"photoURL": url}});
    for bad in odd.into_iter().chain([logo.as_str()]) {
        let refused = admin.patch("/v1/profiles", photo(bad)).await.expect(400);
        assert!(refused["fields"]["photoURL"].is_string(), "{bad}: {refused}");
    }
    assert_eq!(admin.patch("/v1/profiles", photo(&own)).await.expect(200)["photoURL"], own.as_str());
    stage.app.settle().await;
}

#[tokio::test]
async fn one_person_announces_so_many_pictures_a_day() {
    let settings = ContentSettings { pictures_per_day: 2, ..ContentSettings::default() };
    let stage = stage_with(Change { settings, ..Change::default() }).await;
    let announced = || file("a.png", "image/png", &png());
    let ada = stage.app.person("ada@example.com").await;
    announce(&stage, &ada, announced(), false).await.expect(201);
    stage.app.clock.pass(HOUR / 2);
    announce(&stage, &ada, announced(), false).await.expect(201);
    let refused = announce(&stage, &ada, announced(), false).await;
    refused.expect(429);
    assert_eq!(refused.headers[header::RETRY_AFTER], ((DAY - HOUR / 2) / SECOND).to_string());
    let eve = stage.app.person("eve@example.com").await;
    announce(&stage, &eve, announced(), false).await.expect(201);
    stage.app.clock.pass(DAY - HOUR / 2);
    let ada = stage.app.person("ada@example.com").await;
    announce(&stage, &ada, announced(), false).await.expect(201);
    announce(&stage, &ada, announced(), false).await.expect(429);
    stage.app.settle().await;
}

#[tokio::test]
async fn pictures_that_nobody_shows_go_after_a_day() {
    let stage = stage().await;
    let admin = stage.app.member(stage.org, Role::AccountAdmin).await;
    let (logo, photo) = (picture(&stage, &admin, true).await, picture(&stage, &admin, false).await);
    let (thumbnail, wallpaper) = (picture(&stage, &admin, true).await, picture(&stage, &admin, true).await);
    let shelf = picture(&stage, &admin, true).await;
    let (unused, own) = (picture(&stage, &admin, true).await, picture(&stage, &admin, false).await);
    let settings = json!({"organisation": {"logoUrl": logo, "theme": {"backgroundUrl": wallpaper}}});
    admin.patch(&format!("/v1/organizations/{}", stage.org.uid), settings).await.expect(200);
    admin.patch("/v1/profiles", json!({"user": {"photoURL": photo}})).await.expect(200);
    let film = json!({"content": {"title": "A", "url": "https://youtu.be/x", "previewUrl": thumbnail},
        "orgId": stage.org.uid, "file": null});
    admin.post("/v1/content", film).await.expect(201);
    stage.shop.show(shelf.strip_prefix("http://vitrine.test").unwrap());

    stage.app.clock.pass(DAY - HOUR);
    stage.purge().await;
    assert_eq!(on_disk(&stage), 7);
    stage.app.clock.pass(2 * HOUR);
    stage.purge().await;
    let nobody = stage.app.anonymous();
    for shown in [logo, photo, thumbnail, wallpaper, shelf] {
        nobody.get(&shown).await.expect(200);
    }
    for gone in [unused, own] {
        nobody.get(&gone).await.expect(404);
    }
    assert_eq!(on_disk(&stage), 5);
    stage.app.settle().await;
}
