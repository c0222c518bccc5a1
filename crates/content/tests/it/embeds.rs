//! Titles and posters of embedded videos, from a stand-in for their hosts.

use content::EmbedLookup;
use kernel::{DAY, PlaylistId, Privacy, SECOND};
use orgs::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::image_kinds::size;
use crate::images::upload_image;
use crate::video_hosts::{VideoHosts, jpeg};
use crate::{TestApp, TestOptions, on_disk, test_app, test_app_with};

const YOUTUBE: &str = "https://youtu.be/dQw4w9WgXcQ?si=x";
const VIMEO: &str = "https://player.vimeo.com/video/76979871?h=8272103f6e";

async fn app_with_hosts() -> (TestApp, VideoHosts) {
    let hosts = VideoHosts::start().await;
    let app = test_app_with(TestOptions { embeds: Some(hosts.lookup()), ..TestOptions::default() }).await;
    (app, hosts)
}

/// Creates an embedded video and returns its path.
async fn embed(app: &TestApp, leader: &Client, url: &str) -> String {
    let new = json!({ "content": { "title": "Mine", "url": url }, "orgId": app.org.uid, "file": null });
    let made = leader.post("/v1/content", new).await.expect(201);
    format!("/v1/content/{}", made["uid"].as_str().unwrap())
}

async fn poster(leader: &Client, path: &str) -> String {
    leader.get(path).await.expect(200)["previewUrl"].as_str().unwrap().to_owned()
}

/// Returns the width of the poster, also of the one for a width of 400 pixels.
async fn widths(app: &TestApp, address: &str) -> (u32, u32) {
    let mut widths = Vec::new();
    for query in ["", "?width=400"] {
        let image = app.http.anonymous().get(&format!("{address}{query}")).await;
        assert_eq!(image.status, 200);
        assert_eq!(image.headers["content-type"], "image/jpeg");
        widths.push(size(&image.bytes).0);
    }
    (widths[0], widths[1])
}

#[tokio::test]
async fn the_thumbnail_of_an_embedded_video_becomes_its_poster() {
    let (app, hosts) = app_with_hosts().await;
    let leader = app.leader().await;
    hosts.describe("youtube", "A talk", 480);
    hosts.describe("vimeo", "Another", 1_280);
    let paths = [embed(&app, &leader, YOUTUBE).await, embed(&app, &leader, VIMEO).await];
    let before = leader.get(&paths[0]).await.expect(200);
    assert_eq!(before["previewUrl"], "", "the request does not wait for the host");
    app.http.run_jobs().await;
    assert_eq!(
        hosts.requests(),
        [
            "/youtube?url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ",
            "/youtube-480.jpg",
            "/vimeo?url=https%3A%2F%2Fvimeo.com%2F76979871%2F8272103f6e",
            "/vimeo-1280.jpg",
        ],
        "only the id is sent"
    );
    let after = leader.get(&paths[0]).await.expect(200);
    assert_eq!((&after["title"], &after["timeModified"]), (&json!("Mine"), &before["timeModified"]));
    assert_eq!(widths(&app, after["previewUrl"].as_str().unwrap()).await, (480, 400));
    assert_eq!(widths(&app, &poster(&leader, &paths[1]).await).await, (1_280, 400));
    assert_eq!(after["durationMs"], json!(null), "YouTube does not tell it");
    assert_eq!(leader.get(&paths[1]).await.expect(200)["durationMs"], 62_000);

    // An app user gets it like the poster of a file.
    let (playlist, uid) = (PlaylistId::from_u128(5), after["uid"].as_str().unwrap());
    app.fake_playlists.set(playlist, Privacy::Public, &[uid.parse().unwrap()]);
    let items = app.user().await.get(&format!("/v1/test/{}/{playlist}/{uid}", app.org.uid)).await.expect(200);
    assert_eq!(widths(&app, items[0]["previewUrl"].as_str().unwrap()).await, (480, 400));

    let used = app.content.storage_use(app.http.deps.db.read(), app.org.uid).await.unwrap();
    assert!(used.charged == 0 && used.stored > 1_000, "{used:?}");
    app.fake_playlists.set(playlist, Privacy::Public, &[]);
    for path in &paths {
        leader.delete(path).await.expect(204);
    }
    app.http.clock.advance(31 * DAY);
    app.purge().await;
    assert_eq!(on_disk(&app), 0);
    app.http.settle().await;
}

#[tokio::test]
async fn a_larger_thumbnail_is_preferred_where_youtube_has_one() {
    let (app, hosts) = app_with_hosts().await;
    let leader = app.leader().await;
    let description = json!({ "title": "A", "thumbnail_url": hosts.url("/vi/x/hqdefault.jpg") });
    hosts.answer("/youtube", 200, description.to_string());
    hosts.answer("/vi/x/hqdefault.jpg", 200, jpeg(480));
    let old = embed(&app, &leader, YOUTUBE).await;
    app.http.run_jobs().await;
    hosts.answer("/vi/x/maxresdefault.jpg", 200, jpeg(1_280));
    let new = embed(&app, &leader, YOUTUBE).await;
    app.http.run_jobs().await;
    assert_eq!(widths(&app, &poster(&leader, &old).await).await, (480, 400));
    assert_eq!(widths(&app, &poster(&leader, &new).await).await, (1_280, 400));
    app.http.settle().await;
}

#[tokio::test]
async fn a_chosen_thumbnail_stays() {
    let (app, hosts) = app_with_hosts().await;
    let leader = app.leader().await;
    hosts.describe("youtube", "A talk", 480);
    let image = upload_image(&app, &leader, true).await;
    let content = json!({ "title": "Mine", "url": YOUTUBE, "previewUrl": image });
    let new = json!({ "content": content, "orgId": app.org.uid, "file": null });
    let made = leader.post("/v1/content", new).await.expect(201);
    let path = format!("/v1/content/{}", made["uid"].as_str().unwrap());
    app.http.run_jobs().await;
    assert_eq!(poster(&leader, &path).await, image);
    leader.patch(&path, json!({ "content": { "previewUrl": "" } })).await.expect(200);
    assert_eq!(widths(&app, &poster(&leader, &path).await).await, (480, 400));
    app.http.settle().await;
}

#[tokio::test]
async fn what_a_host_refuses_or_should_not_send_leaves_the_video_without_a_poster() {
    let (app, hosts) = app_with_hosts().await;
    let leader = app.leader().await;
    let other = VideoHosts::start().await;
    other.describe("youtube", "Elsewhere", 480);
    let thumbnail = |address: &str| json!({ "title": "A", "thumbnail_url": address }).to_string();
    let own = thumbnail(&hosts.url("/thumbnail"));
    hosts.answer("/small", 200, jpeg(480));
    let long = "x".repeat(300 * 1024);
    let large = json!({ "title": long, "thumbnail_url": hosts.url("/small") }).to_string();
    let large_image = [jpeg(480), vec![0; 5 * 1024 * 1024]].concat();
    // Status and body of the description, and of the thumbnail.
    for (case, description, image) in [
        ("not found", (404, String::new()), None),
        ("private", (401, "Unauthorized".to_owned()), None),
        ("forbidden", (403, String::new()), None),
        ("a page", (200, "<!doctype html>".to_owned()), None),
        ("too large", (200, large), None),
        ("no thumbnail", (200, json!({ "title": "A" }).to_string()), None),
        ("another host", (200, thumbnail(&other.url("/youtube-480.jpg"))), None),
        ("another scheme", (200, thumbnail("file:///etc/passwd")), None),
        ("no image", (200, own.clone()), Some((404, Vec::new()))),
        ("a text", (200, own.clone()), Some((200, b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()))),
        ("a large image", (200, own.clone()), Some((200, large_image))),
    ] {
        hosts.answer("/youtube", description.0, description.1);
        if let Some((status, body)) = image {
            hosts.answer("/thumbnail", status, body);
        }
        let path = embed(&app, &leader, YOUTUBE).await;
        app.http.run_jobs().await;
        assert_eq!(poster(&leader, &path).await, "", "{case}");
    }
    hosts.redirect("/youtube", &other.url("/youtube"));
    let redirected = embed(&app, &leader, YOUTUBE).await;
    app.http.run_jobs().await;
    hosts.answer("/youtube", 200, own);
    hosts.redirect("/thumbnail", &other.url("/youtube-480.jpg"));
    embed(&app, &leader, YOUTUBE).await;
    app.http.run_jobs().await;
    assert_eq!(poster(&leader, &redirected).await, "");
    assert_eq!(other.requests(), [""; 0], "redirects are not followed");
    assert_eq!(on_disk(&app), 0);
    assert_eq!(app.http.deps.jobs.leftovers().await.unwrap(), [], "none is tried again");
    app.http.settle().await;
}

#[tokio::test]
async fn a_host_that_is_down_is_asked_again_for_a_day() {
    let (app, hosts) = app_with_hosts().await;
    let leader = app.leader().await;
    hosts.answer("/youtube", 503, "");
    let path = embed(&app, &leader, YOUTUBE).await;
    app.http.run_jobs().await;
    hosts.describe("youtube", "A talk", 480);
    app.http.clock.advance(5 * SECOND);
    app.http.run_jobs().await;
    assert_eq!(widths(&app, &poster(&leader, &path).await).await, (480, 400));

    hosts.answer("/youtube", 429, "");
    let path = embed(&app, &leader, YOUTUBE).await;
    for _ in 0..60 {
        app.http.run_jobs().await;
        app.http.clock.advance(DAY / 24);
    }
    assert_eq!(app.http.deps.jobs.leftovers().await.unwrap(), [], "given up without a dead job");
    assert_eq!(poster(&app.leader().await, &path).await, "");
    app.http.settle().await;
}

#[tokio::test]
async fn a_new_address_replaces_the_poster_and_the_same_one_keeps_it() {
    let (app, hosts) = app_with_hosts().await;
    let leader = app.leader().await;
    hosts.describe("youtube", "A talk", 480);
    hosts.describe("vimeo", "Another", 1_280);
    let path = embed(&app, &leader, YOUTUBE).await;
    app.http.run_jobs().await;
    let (asked, files) = (hosts.requests().len(), on_disk(&app));
    let change = |url: &str| json!({ "content": { "url": url, "title": "Yours" } });
    leader.patch(&path, change(YOUTUBE)).await.expect(200);
    app.http.run_jobs().await;
    assert_eq!((hosts.requests().len(), on_disk(&app)), (asked, files));
    let changed = leader.patch(&path, change(VIMEO)).await.expect(200);
    assert_eq!(changed["previewUrl"], "", "the poster of another video is not shown");
    app.http.run_jobs().await;
    assert_eq!(widths(&app, &poster(&leader, &path).await).await, (1_280, 400));
    // 480 and 400 became 1,280, 800 and 400.
    assert_eq!((files, on_disk(&app)), (2, 3));
    assert_eq!(leader.get(&path).await.expect(200)["durationMs"], 62_000);
    let changed = leader.patch(&path, change("https://example.com/vimeo")).await.expect(200);
    assert_eq!(changed["durationMs"], json!(null), "the length of another video is not shown");
    app.http.run_jobs().await;
    assert_eq!((poster(&leader, &path).await.as_str(), on_disk(&app)), ("", 0));
    app.http.settle().await;
}

/// Changes the item with `change` while the host is asked.
async fn meanwhile(app: &TestApp, hosts: &VideoHosts, change: impl Future<Output = ()>) {
    let gate = hosts.hold();
    tokio::join!(app.http.run_jobs(), async {
        gate.reached.notified().await;
        hosts.release();
        change.await;
        gate.opened.notify_one();
    });
}

#[tokio::test]
async fn a_video_that_was_changed_meanwhile_does_not_get_the_poster_of_the_old_one() {
    let (app, hosts) = app_with_hosts().await;
    let leader = app.leader().await;
    hosts.describe("youtube", "A talk", 480);
    hosts.describe("vimeo", "Another", 1_280);
    let path = embed(&app, &leader, YOUTUBE).await;
    meanwhile(&app, &hosts, async {
        leader.patch(&path, json!({ "content": { "url": VIMEO } })).await.expect(200);
    })
    .await;
    app.http.run_jobs().await;
    assert_eq!(widths(&app, &poster(&leader, &path).await).await, (1_280, 400));
    assert_eq!(on_disk(&app), 3);
    app.http.settle().await;
}

#[tokio::test]
async fn a_video_that_was_deleted_meanwhile_gets_its_poster_when_it_is_restored() {
    let (app, hosts) = app_with_hosts().await;
    let leader = app.leader().await;
    hosts.describe("youtube", "A talk", 480);
    let path = embed(&app, &leader, YOUTUBE).await;
    meanwhile(&app, &hosts, async {
        leader.delete(&path).await.expect(204);
    })
    .await;
    assert_eq!(on_disk(&app), 0);
    let restored = leader.post(&format!("{path}/restore"), json!({})).await.expect(200);
    assert_eq!(restored["previewUrl"], "");
    app.http.run_jobs().await;
    assert_eq!(widths(&app, &poster(&leader, &path).await).await, (480, 400));
    app.http.settle().await;
}

#[tokio::test]
async fn hosts_are_not_asked_if_that_is_switched_off_or_for_a_plain_link() {
    let (app, hosts) = app_with_hosts().await;
    let leader = app.leader().await;
    embed(&app, &leader, "https://example.com/vimeo/76979871").await;
    app.http.run_jobs().await;
    assert_eq!(hosts.requests(), [""; 0]);
    app.http.settle().await;

    let app = test_app().await;
    let path = embed(&app, &app.leader().await, YOUTUBE).await;
    assert_eq!(app.http.run_jobs().await, 0);
    assert_eq!(poster(&app.leader().await, &path).await, "");
    let body = json!({ "orgId": app.org.uid, "url": YOUTUBE });
    let answer = app.leader().await.post("/v1/content/embeds/lookup", body).await.expect(200);
    assert_eq!(answer, json!({ "title": null }));
    app.http.settle().await;
}

#[tokio::test]
async fn leaders_look_up_the_title_of_a_video() {
    let (app, hosts) = app_with_hosts().await;
    let (leader, path) = (app.leader().await, "/v1/content/embeds/lookup");
    hosts.describe("youtube", " A\n talk ", 480);
    let body = |url: &str| json!({ "orgId": app.org.uid, "url": url });
    assert_eq!(leader.post(path, body(YOUTUBE)).await.expect(200), json!({ "title": "A talk" }));
    let none: Value = json!({ "title": null });
    assert_eq!(leader.post(path, body(VIMEO)).await.expect(200), none, "unknown to the host");
    assert_eq!(leader.post(path, body("https://example.com/vimeo")).await.expect(200), none);
    hosts.answer("/youtube", 503, "");
    assert_eq!(leader.post(path, body(YOUTUBE)).await.expect(200), none);
    leader.post(path, body("https://example.com/")).await.expect_error(400, "URL is invalid.");

    let asked = hosts.requests().len();
    let staff = app.http.member(app.org, Role::TeamUser).await;
    let stranger = app.http.person("stranger@example.com").await;
    for (who, client, status) in [
        ("anonymous", app.http.anonymous(), 401),
        ("stranger", stranger, 404),
        ("user", app.user().await, 403),
        ("team user", staff, 403),
    ] {
        assert_eq!(client.post(path, body(YOUTUBE)).await.status.as_u16(), status, "{who}");
    }
    assert_eq!(hosts.requests().len(), asked, "a host is asked for leaders only");
    app.http.settle().await;
}

#[tokio::test]
async fn a_slow_host_is_not_waited_for() {
    let (app, hosts) = app_with_hosts().await;
    hosts.describe("youtube", "A talk", 480);
    let gate = hosts.hold();
    let body = json!({ "orgId": app.org.uid, "url": YOUTUBE });
    let answer = app.leader().await.post("/v1/content/embeds/lookup", body).await.expect(200);
    assert_eq!(answer, json!({ "title": null }));
    gate.opened.notify_one();
    app.http.settle().await;
}

#[test]
fn the_client_for_the_real_hosts_can_be_created() {
    assert!(EmbedLookup::new().is_ok() && EmbedLookup::stand_in("no address").is_err());
}
