//! Serving bytes: ranges, conditional requests, headers, and addresses that stop working with the permission.

use http::header::{self, HeaderName};
use http::{HeaderMap, Method};
use kernel::{ContentId, HOUR, MINUTE, PlaylistId, Privacy};
use orgs::{Role, Standing};
use serde_json::json;
use testkit::{ApiResponse, Client};

use crate::{MP4, TestApp, TestOptions, file, ingest, mp4, put, test_app_with};

async fn app_without_ffmpeg() -> TestApp {
    test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await
}

pub async fn fetch(
    client: &Client,
    method: Method,
    url: &str,
    headers: &[(HeaderName, &str)],
) -> ApiResponse {
    let mut request = client.request(method, url);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    client.send(request.body(axum::body::Body::empty()).unwrap()).await
}

pub fn value(headers: &HeaderMap, name: HeaderName) -> &str {
    headers.get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn ranges_conditions_and_heads_are_answered_as_the_standard_says() {
    let app = app_without_ffmpeg().await;
    let leader = app.leader().await;
    let bytes = mp4(2_000_000);
    let uid = app.upload(&leader, "a video.mp4", MP4, &bytes).await;
    let url = app.content(&leader, &uid).await["url"].as_str().unwrap().to_owned();
    let anonymous = app.http.anonymous();

    let whole = fetch(&anonymous, Method::GET, &url, &[]).await;
    assert!(whole.status == 200 && whole.bytes == bytes);
    let etag = value(&whole.headers, header::ETAG).to_owned();
    let head = fetch(&anonymous, Method::HEAD, &url, &[]).await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    assert_eq!(value(&head.headers, header::CONTENT_LENGTH), "2000000");
    assert_eq!(value(&head.headers, header::ACCEPT_RANGES), "bytes");

    for (range, expected, first, end) in [
        ("bytes=0-1", "bytes 0-1/2000000", 0, 2),
        ("bytes=1999999-", "bytes 1999999-1999999/2000000", 1_999_999, 2_000_000),
        ("bytes=-500", "bytes 1999500-1999999/2000000", 1_999_500, 2_000_000),
        ("bytes=600000-1700000", "bytes 600000-1700000/2000000", 600_000, 1_700_001),
    ] {
        let part = fetch(&anonymous, Method::GET, &url, &[(header::RANGE, range)]).await;
        assert_eq!(part.status, 206, "{range}");
        assert_eq!(value(&part.headers, header::CONTENT_RANGE), expected);
        assert!(part.bytes == bytes[first..end], "{range}");
    }
    let outside = fetch(&anonymous, Method::GET, &url, &[(header::RANGE, "bytes=2000000-")]).await;
    assert_eq!(outside.expect(416)["code"], "range_outside");
    assert_eq!(value(&outside.headers, header::CONTENT_RANGE), "bytes */2000000");
    let odd = fetch(&anonymous, Method::GET, &url, &[(header::RANGE, "bytes=0-1,4-5")]).await;
    assert_eq!((odd.status.as_u16(), odd.bytes.len()), (200, bytes.len()));

    let same = fetch(&anonymous, Method::GET, &url, &[(header::IF_NONE_MATCH, &etag)]).await;
    assert_eq!((same.status.as_u16(), same.bytes.len()), (304, 0));
    let part = [(header::RANGE, "bytes=0-1"), (header::IF_RANGE, etag.as_str())];
    assert_eq!(fetch(&anonymous, Method::GET, &url, &part).await.status, 206);
    let part = [(header::RANGE, "bytes=0-1"), (header::IF_RANGE, "\"old\"")];
    assert_eq!(fetch(&anonymous, Method::GET, &url, &part).await.status, 200);
    app.http.settle().await;
}

#[tokio::test]
async fn files_are_kept_from_acting_on_our_pages() {
    let app = app_without_ffmpeg().await;
    let leader = app.leader().await;
    let page = b"<html><script>alert(document.cookie)</script>";
    for (name, mime, bytes, media_type, shown) in [
        ("a.mp4", MP4, &mp4(100)[..], "video/mp4", "inline"),
        ("page.html", "text/html", &page[..], "application/octet-stream", "attachment"),
        ("x.svg", "image/svg+xml", b"<svg onload='alert(1)'/>", "application/octet-stream", "attachment"),
        ("a.pdf", "application/pdf", b"%PDF-1.7 x", "application/pdf", "inline"),
    ] {
        let uid = app.upload(&leader, name, mime, bytes).await;
        let url = app.content(&leader, &uid).await["url"].as_str().unwrap().to_owned();
        let answer = fetch(&app.http.anonymous(), Method::GET, &url, &[]).await;
        assert_eq!(value(&answer.headers, header::CONTENT_TYPE), media_type, "{name}");
        let disposition = value(&answer.headers, header::CONTENT_DISPOSITION);
        assert!(disposition.starts_with(shown) && disposition.contains(name), "{disposition}");
        assert_eq!(value(&answer.headers, header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert!(value(&answer.headers, header::CONTENT_SECURITY_POLICY).contains("sandbox"));
        let saved = fetch(&app.http.anonymous(), Method::GET, &format!("{url}?download"), &[]).await;
        assert!(value(&saved.headers, header::CONTENT_DISPOSITION).starts_with("attachment"), "{name}");
    }
    app.http.settle().await;
}

/// Shows an item in a playlist of the given privacy, and returns the address an app user gets for it.
async fn shown_to_user(
    app: &TestApp,
    user: &Client,
    uid: &str,
    privacy: Privacy,
) -> (PlaylistId, Option<String>) {
    let (playlist, id) = (PlaylistId::from_u128(77), uid.parse().unwrap());
    app.fake_playlists.set(playlist, privacy, &[id]);
    let path = format!("/v1/test/{}/{playlist}/{uid}", app.org.uid);
    let items = user.get(&path).await.expect(200);
    (playlist, items[0]["url"].as_str().map(str::to_owned))
}

#[tokio::test]
async fn an_app_users_address_stops_working_with_playlist_content_membership_and_plan() {
    let app = app_without_ffmpeg().await;
    let (leader, user) = (app.leader().await, app.user().await);
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    let id: ContentId = uid.parse().unwrap();
    let (playlist, url) = shown_to_user(&app, &user, &uid, Privacy::Public).await;
    let url = url.unwrap();
    let anonymous = app.http.anonymous();
    let opens = async || anonymous.get(&url).await.status.as_u16();
    assert_eq!(opens().await, 200);

    app.fake_playlists.set(playlist, Privacy::Private, &[id]);
    assert_eq!(opens().await, 404);
    app.fake_playlists.set(playlist, Privacy::Unlisted, &[id]);
    assert_eq!(opens().await, 200);
    app.fake_playlists.set(playlist, Privacy::Public, &[]);
    assert_eq!(opens().await, 404, "no longer in the playlist");
    app.fake_playlists.set(playlist, Privacy::Public, &[id]);

    let path = format!("/v1/content/{uid}");
    leader.patch(&path, json!({"content": {"privacy": "private"}})).await.expect(200);
    assert_eq!(opens().await, 404, "a private item in a public playlist is private");
    leader.patch(&path, json!({"content": {"privacy": "public"}})).await.expect(200);
    assert_eq!(opens().await, 200);

    for (standing, expected) in [
        (Standing::PastDue, 200),
        (Standing::Suspended, 404),
        (Standing::Ended, 404),
        (Standing::Active, 200),
    ] {
        let tx = app.http.deps.db.write_tx().await.unwrap();
        app.http.deps.orgs.set_standing(&tx, app.org.uid, standing.into()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(opens().await, expected, "{standing:?}");
    }
    let tx = app.http.deps.db.write_tx().await.unwrap();
    app.http.deps.orgs.appoint(&tx, app.org.uid, user.uid(), None).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(opens().await, 404, "left the organisation");
    app.http.settle().await;
}

#[tokio::test]
async fn app_users_see_only_public_and_available_content() {
    let app = app_without_ffmpeg().await;
    let (leader, user) = (app.leader().await, app.user().await);
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    let draft = app.announce(&leader, file("b.mp4", MP4, &mp4(10))).await.expect(201);
    let draft = draft["uid"].as_str().unwrap();
    for (privacy, seen) in [(Privacy::Public, true), (Privacy::Unlisted, true), (Privacy::Private, false)] {
        assert_eq!(shown_to_user(&app, &user, &uid, privacy).await.1.is_some(), seen, "{privacy:?}");
        assert!(shown_to_user(&app, &user, draft, privacy).await.1.is_none(), "a draft");
        assert!(shown_to_user(&app, &leader, draft, privacy).await.1.is_some(), "staff see drafts");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn an_address_is_valid_for_an_hour_and_only_its_holder_can_renew_it() {
    let app = app_without_ffmpeg().await;
    let (leader, other) = (app.leader().await, app.http.member(app.org, Role::SuperAdmin).await);
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    let url = app.content(&leader, &uid).await["url"].as_str().unwrap().to_owned();
    let anonymous = app.http.anonymous();
    app.http.clock.advance(30 * MINUTE);
    let renew = json!({"url": url});
    other.post("/v1/media/grants/renew", renew.clone()).await.expect(403);
    anonymous.post("/v1/media/grants/renew", renew.clone()).await.expect(401);
    let renewed = leader.post("/v1/media/grants/renew", renew.clone()).await.expect(200);
    assert_eq!(renewed, json!({"expiresIn": 3600}));
    leader.post("/v1/media/grants/renew", renew.clone()).await.expect(200);
    app.http.clock.advance(HOUR - 1);
    assert_eq!(anonymous.get(&url).await.status, 200);
    app.http.clock.advance(1);
    assert_eq!(anonymous.get(&url).await.expect(403)["code"], "grant_expired");
    for bad in ["", "http://vitrine.test/media/x", "http://vitrine.test/media/x/source"] {
        // The access token has expired by now as well, so a new one is needed.
        let leader = app.leader().await;
        leader.post("/v1/media/grants/renew", json!({"url": bad})).await.expect(403);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn forged_addresses_and_other_names_open_nothing() {
    let app = app_without_ffmpeg().await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    let url = app.content(&leader, &uid).await["url"].as_str().unwrap().to_owned();
    let upload = app.announce(&leader, file("b.mp4", MP4, &mp4(10))).await.expect(201);
    let anonymous = app.http.anonymous();
    let token = ingest(&upload).rsplit('/').next().unwrap();
    for (bad, status) in [
        (url.replace("source", "poster"), 404),
        (url.replace("source", ".."), 404),
        (url.replace("source", "source%2F..%2Fx"), 404),
        (format!("/media/{token}/source"), 403),
        ("/media/x/source".to_owned(), 403),
    ] {
        assert_eq!(anonymous.get(&bad).await.status.as_u16(), status, "{bad}");
    }
    put(&app.http, &url, MP4, b"x").await.expect(405);
    leader.delete(&format!("/v1/content/{uid}")).await.expect(204);
    anonymous.get(&url).await.expect(404);
    app.http.settle().await;
}
