//! Which files app users may download.

use http::header::CONTENT_DISPOSITION;
use kernel::{PlaylistId, Privacy};
use serde_json::{Value, json};
use testkit::Client;

use crate::delivery::value;
use crate::renditions::text;
use crate::{MP4, TestApp, TestOptions, mp4, test_app_with};

/// Returns the item as this person gets it.
async fn shown(app: &TestApp, client: &Client, uid: &str) -> Value {
    let playlist = PlaylistId::from_u128(77);
    app.fake_playlists.set(playlist, Privacy::Public, &[uid.parse().unwrap()]);
    client.get(&format!("/v1/test/{}/{playlist}/{uid}", app.org.uid)).await.expect(200)[0].clone()
}

/// Returns the status of the file as it is shown, and of its download.
async fn statuses(app: &TestApp, client: &Client, uid: &str) -> (u16, u16) {
    let url = text(&shown(app, client, uid).await, "url");
    let status = async |url: &str| app.http.anonymous().get(url).await.status.as_u16();
    (status(&url).await, status(&format!("{url}?download")).await)
}

#[tokio::test]
async fn app_users_download_what_staff_allow() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let (leader, user) = (app.leader().await, app.user().await);
    let files = [
        ("a.mp4", MP4, &mp4(100)[..], false, (200, 403)),
        ("a.pdf", "application/pdf", b"%PDF-1.7 x", true, (200, 403)),
        ("a.bin", "application/octet-stream", b"bytes", true, (403, 403)),
    ];
    for (name, mime, bytes, by_default, when_off) in files {
        let uid = app.upload(&leader, name, mime, bytes).await;
        let set = async |downloadable: bool| {
            let change = json!({ "content": { "downloadable": downloadable } });
            let item = leader.patch(&format!("/v1/content/{uid}"), change).await.expect(200);
            assert_eq!(item["downloadable"], downloadable);
        };
        assert_eq!(shown(&app, &user, &uid).await["downloadable"], by_default, "{name}");
        let at_first = statuses(&app, &user, &uid).await;
        assert_eq!(at_first, if by_default { (200, 200) } else { when_off }, "{name}");
        set(false).await;
        assert_eq!(statuses(&app, &user, &uid).await, when_off, "{name}");
        assert_eq!(statuses(&app, &leader, &uid).await, (200, 200), "staff, {name}");
        set(true).await;
        assert_eq!(statuses(&app, &user, &uid).await, (200, 200), "{name}");
        let url = text(&shown(&app, &user, &uid).await, "url");
        let saved = app.http.anonymous().get(&format!("{url}?download")).await;
        let disposition = value(&saved.headers, CONTENT_DISPOSITION);
        assert!(disposition.starts_with("attachment") && disposition.contains(name), "{disposition}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn an_embedded_video_has_nothing_to_download() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let link = json!({ "title": "A", "url": "https://youtu.be/x" });
    let body = json!({ "content": link, "orgId": app.org.uid, "file": null });
    let uid = text(&leader.post("/v1/content", body).await.expect(201), "uid");
    let change = json!({ "content": { "downloadable": true } });
    let item = leader.patch(&format!("/v1/content/{uid}"), change).await.expect(200);
    assert_eq!(item["downloadable"], false);
    app.http.settle().await;
}
