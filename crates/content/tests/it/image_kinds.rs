//! More than a hundred images of all kinds: each is re-encoded the right way up or refused with a reason. Takes a
//! while, so it runs only with `VITRINE_TEST_LONG`.

use jpeg_encoder::{ColorType, Encoder};
use kernel::SECOND;

use crate::processing::generate_media;
use crate::{TestApp, TestOptions, file, ingest, put, test_app_with};

/// What becomes of an image: its size after the upload, or the code of the refusal.
type Outcome = Result<(u32, u32), String>;

async fn upload(app: &TestApp, client: &testkit::Client, mime: &str, bytes: &[u8]) -> Outcome {
    let announced = serde_json::json!({ "file": file("a", mime, bytes), "orgId": app.org.uid });
    let response = client.post("/v1/uploads", announced).await;
    if response.status != 201 {
        return Err(response.expect(400)["code"].as_str().unwrap().to_owned());
    }
    let announced = response.json();
    let answer = put(&app.http, ingest(&announced), mime, bytes).await;
    assert!(answer.status.as_u16() < 500, "{mime}: {}", answer.json());
    if answer.status != 200 {
        return Err(answer.json()["code"].as_str().unwrap().to_owned());
    }
    let image = app.http.anonymous().get(announced["ingest"]["path"].as_str().unwrap()).await;
    assert_eq!(image.status, 200);
    Ok(size(&image.bytes))
}

/// Returns width and height from the header of a PNG or JPEG.
pub fn size(bytes: &[u8]) -> (u32, u32) {
    let number =
        |at: usize, len: usize| bytes[at..at + len].iter().fold(0, |sum, b| sum << 8 | u32::from(*b));
    if bytes.starts_with(b"\x89PNG") {
        return (number(16, 4), number(20, 4));
    }
    let mut at = 2;
    while !matches!(bytes[at + 1], 0xc0..=0xc2) {
        at += 2 + number(at + 2, 2) as usize;
    }
    (number(at + 7, 2), number(at + 5, 2))
}

/// Returns a JPEG that says how it is to be turned, as a phone writes it.
fn turned(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let mut exif =
        b"\xff\xe1\x00\x22Exif\0\0MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"
            .to_vec();
    exif.extend([orientation, 0, 0, 0, 0, 0, 0]);
    [&jpeg[..2], &exif, &jpeg[2..]].concat()
}

fn cmyk() -> Vec<u8> {
    let mut jpeg = Vec::new();
    Encoder::new(&mut jpeg, 90)
        .encode(&[[0, 200, 200, 0]; 64 * 32].concat(), 64, 32, ColorType::Cmyk)
        .unwrap();
    jpeg
}

/// Every format and pixel layout that the decoder knows, as a name, a media type and the file.
fn all_kinds() -> Vec<(String, &'static str, Vec<u8>)> {
    let still = |size: &str, rest: &str| format!("-f lavfi -i testsrc2=size={size} -frames:v 1 {rest}");
    let moving = |rest: &str| format!("-f lavfi -i testsrc2=size=64x32:rate=5 -t 1 {rest}");
    let mut kinds = Vec::new();
    let mut add = |name: &str, mime, bytes| kinds.push((name.to_owned(), mime, bytes));
    for layout in ["rgb24", "rgba", "gray", "ya8", "rgb48be", "rgba64be", "gray16be", "pal8", "monob"] {
        let bytes = generate_media("a.png", &still("64x32", &format!("-pix_fmt {layout}")));
        add(&format!("png {layout}"), "image/png", bytes);
    }
    for layout in ["yuvj420p", "yuvj422p", "yuvj444p", "gray"] {
        let bytes = generate_media("a.jpg", &still("64x32", &format!("-pix_fmt {layout}")));
        add(&format!("jpeg {layout}"), "image/jpeg", bytes);
    }
    add("jpeg cmyk", "image/jpeg", cmyk());
    for rest in ["-lossless 1 -pix_fmt bgra", "-lossless 0 -pix_fmt yuv420p", "-lossless 0 -pix_fmt yuva420p"]
    {
        let bytes = generate_media("a.webp", &still("64x32", &format!("-c:v libwebp {rest}")));
        add(&format!("webp {rest}"), "image/webp", bytes);
    }
    add("gif", "image/gif", generate_media("a.gif", &still("64x32", "")));
    add("animated gif", "image/gif", generate_media("a.gif", &moving("")));
    add("animated png", "image/png", generate_media("a.apng", &moving("-plays 0")));
    add("animated webp", "image/webp", generate_media("a.webp", &moving("-c:v libwebp_anim")));
    kinds
}

#[tokio::test]
async fn images_of_all_kinds_are_encoded_again_or_refused_with_a_reason() {
    if std::env::var_os("VITRINE_TEST_LONG").is_none() {
        return;
    }
    let mut options = TestOptions::default();
    options.settings.images_per_day = 1_000;
    let app = test_app_with(options).await;
    let leader = app.leader().await;
    let kinds = all_kinds();
    let mut seen = 0;
    for (name, mime, bytes) in &kinds {
        let outcome = upload(&app, &leader, mime, bytes).await;
        assert_eq!(outcome, Ok((64, 32)), "{name}");
        seen += 1;
        // Cut off anywhere: an image as far as it goes, or refused.
        for part in [1, 3, 5, 7] {
            let outcome = upload(&app, &leader, mime, &bytes[..bytes.len() * part / 8]).await;
            let is_known = |code: &str| matches!(code, "not_an_image" | "content_mismatch");
            assert!(
                outcome.as_ref().map_or_else(|code| is_known(code), |size| *size == (64, 32)),
                "{name}: {outcome:?}"
            );
            seen += 1;
        }
        app.http.clock.advance(SECOND);
    }
    let jpeg = &kinds.iter().find(|(name, ..)| name == "jpeg yuvj420p").unwrap().2;
    for orientation in 1..=8 {
        let outcome = upload(&app, &leader, "image/jpeg", &turned(jpeg, orientation)).await;
        assert_eq!(
            outcome,
            Ok(if orientation < 5 { (64, 32) } else { (32, 64) }),
            "orientation {orientation}"
        );
        seen += 1;
    }
    let huge =
        |size: &str| generate_media("a.png", &format!("-f lavfi -i color=red:size={size} -frames:v 1"));
    assert_eq!(upload(&app, &leader, "image/png", &huge("7000x7000")).await, Ok((2_560, 2_560)));
    assert_eq!(upload(&app, &leader, "image/png", &huge("2x2")).await, Ok((2, 2)));
    let refused = |code: &str| Err(code.to_owned());
    assert_eq!(
        upload(&app, &leader, "image/png", &huge("8000x8000")).await,
        refused("image_too_many_pixels")
    );
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
    assert_eq!(upload(&app, &leader, "image/svg+xml", svg).await, refused("not_an_image"));
    assert_eq!(upload(&app, &leader, "image/png", svg).await, refused("content_mismatch"));
    // The kind of image is read from the file.
    assert_eq!(upload(&app, &leader, "image/jpeg", &huge("8x8")).await, Ok((8, 8)));
    assert!(seen + 6 > 100, "{seen}");
    app.http.settle().await;
}
