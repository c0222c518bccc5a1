//! Public images: logos, wallpapers, photos, thumbnails.

use content::ContentSettings;
use http::header;
use kernel::{DAY, HOUR, SECOND};
use orgs::Role;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};

use crate::image_kinds::size;
use crate::{TestApp, TestOptions, file, ingest, on_disk, put, test_app, test_app_with};

/// A single-color PNG, written by hand to be independent of our encoder.
pub fn png() -> Vec<u8> {
    let hex = "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0\
               000003010100c9fe92ef0000000049454e44ae426082";
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

async fn announce(
    app: &TestApp,
    client: &testkit::Client,
    file: Value,
    with_org: bool,
) -> testkit::ApiResponse {
    let mut body = json!({"file": file});
    if with_org {
        body["orgId"] = json!(app.org.uid);
    }
    client.post("/v1/uploads", body).await
}

/// Uploads an image and returns its absolute URL.
pub async fn upload_image(app: &TestApp, client: &testkit::Client, with_org: bool) -> String {
    let bytes = png();
    let announced = file("a.png", "image/png", &bytes);
    let upload = announce(app, client, announced, with_org).await.expect(201);
    put(&app.http, ingest(&upload), "image/png", &bytes).await.expect(200);
    format!("http://vitrine.test{}", upload["ingest"]["path"].as_str().unwrap())
}

#[tokio::test]
async fn an_image_is_encoded_again_and_public_under_its_path() {
    let app = test_app().await;
    let leader = app.leader().await;
    let mut bytes = png();
    bytes.extend_from_slice(b"<script>hidden behind the image</script>");
    let upload = announce(&app, &leader, file("logo.png", "image/png", &bytes), true).await.expect(201);
    let path = upload["ingest"]["path"].as_str().unwrap();
    let anonymous = app.http.anonymous();
    anonymous.get(path).await.expect_error(404, "Image not found");
    put(&app.http, ingest(&upload), "image/png", &bytes).await.expect(200);

    let image = anonymous.get(path).await;
    image.expect(200);
    assert!(image.bytes.starts_with(&[0xff, 0xd8, 0xff]), "an image without transparency becomes a JPEG");
    assert!(!image.bytes.windows(8).any(|window| window == b"<script>"));
    assert_eq!(image.headers[header::CONTENT_TYPE], "image/jpeg");
    assert_eq!(image.headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
    // A webmail client, which is a page of another origin, shows the logo in an email.
    assert_eq!(image.headers["cross-origin-resource-policy"], "cross-origin");
    assert_eq!(
        put(&app.http, ingest(&upload), "image/png", &bytes).await.expect(409)["code"],
        "already_available"
    );
    app.http.settle().await;
}

#[tokio::test]
async fn an_image_is_served_at_the_width_it_is_shown_and_purged_with_all_its_widths() {
    let app = test_app().await;
    let leader = app.leader().await;
    let mut bytes = Vec::new();
    let row = [200, 90, 10].repeat(1_000);
    jpeg_encoder::Encoder::new(&mut bytes, 90)
        .encode(&row.repeat(500), 1_000, 500, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    for (with_org, shown) in [
        (true, [(96, 192), (192, 192), (193, 400), (400, 400), (750, 800), (801, 1_000), (4_000, 1_000)]),
        (false, [(1, 96), (96, 96), (97, 192), (192, 192), (193, 1_000), (400, 1_000), (4_000, 1_000)]),
    ] {
        let upload = announce(&app, &leader, file("a.jpg", "image/jpeg", &bytes), with_org).await.expect(201);
        put(&app.http, ingest(&upload), "image/jpeg", &bytes).await.expect(200);
        let path = upload["ingest"]["path"].as_str().unwrap();
        let anonymous = app.http.anonymous();
        let whole = anonymous.get(path).await;
        assert_eq!(size(&whole.bytes), (1_000, 500));
        for (asked, width) in shown {
            let image = anonymous.get(&format!("{path}?width={asked}")).await;
            assert_eq!(size(&image.bytes), (width, width / 2), "{asked}");
            assert_eq!(image.headers[header::ETAG] == whole.headers[header::ETAG], width == 1_000, "{asked}");
        }
        anonymous.get(&format!("{path}?width=wide")).await.expect(400);
    }
    // 192, 400, 512, 720, 800 and 1,000 pixels of one, 96, 192 and 1,000 of the other.
    assert_eq!(on_disk(&app), 9);
    app.http.clock.advance(DAY + SECOND);
    app.purge().await;
    assert_eq!(on_disk(&app), 0);
    app.http.settle().await;
}

#[tokio::test]
async fn an_app_icon_is_made_from_a_logo_and_from_nothing_else() {
    let app = test_app().await;
    let url = upload_image(&app, &app.leader().await, true).await;
    let path = url.strip_prefix("http://vitrine.test").unwrap();
    let shape = media::IconShape { side: 192, background: [0, 0, 255], fill_percent: 80 };
    let icon = app.content.icon_of(path, shape).await.unwrap().unwrap();
    assert_eq!(icon[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!((&icon[16..20], &icon[20..24]), (&192_u32.to_be_bytes()[..], &192_u32.to_be_bytes()[..]));
    for missing in ["/images/00000000000000000000000000000000", "/images/x", "logo.png", ""] {
        assert_eq!(app.content.icon_of(missing, shape).await.unwrap(), None, "{missing}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_thumbnail_is_an_image_of_the_same_organisation() {
    let app = test_app().await;
    let leader = app.leader().await;
    let bytes = png();
    let mut paths = Vec::new();
    for with_org in [true, false] {
        let upload = announce(&app, &leader, file("t.png", "image/png", &bytes), with_org).await.expect(201);
        put(&app.http, ingest(&upload), "image/png", &bytes).await.expect(200);
        paths.push(format!("http://vitrine.test{}", upload["ingest"]["path"].as_str().unwrap()));
    }
    let new = |preview: &str| json!({"content": {"title": "A", "url": "https://youtu.be/x", "previewUrl": preview}, "orgId": app.org.uid, "file": null});
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
    app.http.settle().await;
}

#[tokio::test]
async fn files_that_are_no_images_are_refused_before_or_after_the_upload() {
    let app = test_app().await;
    let leader = app.leader().await;
    let mut large = file("a.png", "image/png", b"x");
    large["size"] = json!(5_242_881);
    let refused = announce(&app, &leader, large.clone(), true).await;
    refused.expect_error(413, "File size too large. Maximum file size should be within 5mb.");
    large["size"] = json!(5_242_880);
    announce(&app, &leader, large, true).await.expect(201);
    let drawing = file("a.svg", "image/svg+xml", b"<svg/>");
    announce(&app, &leader, drawing, true).await.expect_error(400, "File type is not supported.");

    let half = &png()[..40];
    for (bytes, code) in [(&b"<html>"[..], "content_mismatch"), (half, "not_an_image")] {
        let upload = announce(&app, &leader, file("a.png", "image/png", bytes), true).await.expect(201);
        assert_eq!(put(&app.http, ingest(&upload), "image/png", bytes).await.expect(400)["code"], code);
        let path = upload["ingest"]["path"].as_str().unwrap();
        app.http.anonymous().get(path).await.expect(404);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn anyone_can_upload_their_photo_and_only_leaders_an_organisations_images() {
    let app = test_app().await;
    let image = file("a.png", "image/png", &png());
    let stranger = app.http.person("stranger@example.com").await;
    announce(&app, &stranger, image.clone(), false).await.expect(201);
    announce(&app, &stranger, image.clone(), true).await.expect(404);
    announce(&app, &app.http.member(app.org, Role::TeamUser).await, image.clone(), true).await.expect(403);
    announce(&app, &app.http.anonymous(), image, false).await.expect(401);
    app.http.settle().await;
}

#[tokio::test]
async fn logos_are_images_of_the_organisation_and_photos_of_the_person() {
    let app = test_app().await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let other = app.leader().await;
    let (logo, own) = (upload_image(&app, &other, true).await, upload_image(&app, &admin, false).await);
    let foreign = upload_image(&app, &other, false).await;
    let unknown = format!("http://vitrine.test/images/{}", "0".repeat(32));
    let path = format!("/v1/organizations/{}", app.org.uid);
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
    app.http.settle().await;
}

#[tokio::test]
async fn one_person_can_announce_a_limited_number_of_images_a_day() {
    let settings = ContentSettings { images_per_day: 2, ..ContentSettings::default() };
    let app = test_app_with(TestOptions { settings, ..TestOptions::default() }).await;
    let announced = || file("a.png", "image/png", &png());
    let ada = app.http.person("ada@example.com").await;
    announce(&app, &ada, announced(), false).await.expect(201);
    app.http.clock.advance(HOUR / 2);
    announce(&app, &ada, announced(), false).await.expect(201);
    let refused = announce(&app, &ada, announced(), false).await;
    refused.expect(429);
    assert_eq!(refused.headers[header::RETRY_AFTER], ((DAY - HOUR / 2) / SECOND).to_string());
    let eve = app.http.person("eve@example.com").await;
    announce(&app, &eve, announced(), false).await.expect(201);
    app.http.clock.advance(DAY - HOUR / 2);
    let ada = app.http.person("ada@example.com").await;
    announce(&app, &ada, announced(), false).await.expect(201);
    announce(&app, &ada, announced(), false).await.expect(429);
    app.http.settle().await;
}

#[tokio::test]
async fn unused_images_are_removed_after_a_day() {
    let app = test_app().await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let (logo, photo) = (upload_image(&app, &admin, true).await, upload_image(&app, &admin, false).await);
    let (thumbnail, wallpaper) =
        (upload_image(&app, &admin, true).await, upload_image(&app, &admin, true).await);
    let playlist_image = upload_image(&app, &admin, true).await;
    let (unused, own) = (upload_image(&app, &admin, true).await, upload_image(&app, &admin, false).await);
    let settings = json!({"organisation": {"logoUrl": logo, "theme": {"backgroundUrl": wallpaper}}});
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), settings).await.expect(200);
    admin.patch("/v1/profiles", json!({"user": {"photoURL": photo}})).await.expect(200);
    let video = json!({"content": {"title": "A", "url": "https://youtu.be/x", "previewUrl": thumbnail},
        "orgId": app.org.uid, "file": null});
    admin.post("/v1/content", video).await.expect(201);
    app.fake_playlists.show(playlist_image.strip_prefix("http://vitrine.test").unwrap());

    app.http.clock.advance(DAY - HOUR);
    app.purge().await;
    assert_eq!(on_disk(&app), 7);
    app.http.clock.advance(2 * HOUR);
    app.purge().await;
    let anonymous = app.http.anonymous();
    for shown in [logo, photo, thumbnail, wallpaper, playlist_image] {
        anonymous.get(&shown).await.expect(200);
    }
    for gone in [unused, own] {
        anonymous.get(&gone).await.expect(404);
    }
    assert_eq!(on_disk(&app), 5);
    app.http.settle().await;
}

#[tokio::test]
async fn a_day_with_many_unused_images_is_cleaned_up_and_what_is_used_stays() {
    let app = test_app().await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let logo = upload_image(&app, &admin, true).await;
    let settings = json!({"organisation": {"logoUrl": logo}});
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), settings).await.expect(200);
    let (stranger, tx) = (admin.uid(), app.http.deps.db.write_tx().await.unwrap());
    // More than a page of each owner; the names are on both sides of the logo's.
    for n in 0..450_u32 {
        let name = format!("{:02x}{n:030x}", n % 256);
        let org = (n % 2 == 0).then_some(app.org.uid);
        let image = Statement::from_sql_and_values(
            tx.get_database_backend(),
            "INSERT INTO image (name, org, person, media_type, created_at, widths) \
             VALUES ($1, $2, $3, 'image/png', 1, '96,192')",
            [name.into(), org.into(), stranger.into()],
        );
        tx.execute_raw(image).await.unwrap();
    }
    tx.commit().await.unwrap();
    app.http.clock.advance(DAY + SECOND);
    app.purge().await;
    let count = "SELECT COUNT(*) AS n FROM image".to_owned();
    let db = app.http.deps.db.read();
    let left = db.query_one_raw(Statement::from_string(db.get_database_backend(), count)).await.unwrap();
    assert_eq!(left.unwrap().try_get::<i64>("", "n").unwrap(), 1);
    app.http.anonymous().get(&logo).await.expect(200);
    app.http.settle().await;
}
