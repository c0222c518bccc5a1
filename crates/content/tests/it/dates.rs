//! Publish and expiry dates: who sees an item and gets its bytes before, between and after them.

use content::{PlaylistAccess, Schedule};
use http::header::CACHE_CONTROL;
use kernel::{HOUR, MINUTE, PlaylistId, Privacy, Timestamp, iso};
use orgs::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::delivery::value;
use crate::renditions::text;
use crate::{MP4, TestApp, TestOptions, mp4, test_app, test_app_with};

/// The files of an item that is processed completely.
const NAMES: [&str; 8] = [
    "source",
    "poster",
    "master.m3u8",
    "720.m3u8",
    "720-0.m4s",
    "storyboard.vtt",
    "waveform.json",
    "captions-en.vtt",
];
const PLAYLIST: PlaylistId = PlaylistId::from_u128(77);

async fn app_without_ffmpeg() -> TestApp {
    test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await
}

fn now(app: &TestApp) -> Timestamp {
    app.http.deps.ambient.now()
}

/// Returns the item as this person gets it in the playlist, if the person gets it.
async fn shown(app: &TestApp, client: &Client, uid: &str) -> Option<Value> {
    let items = client.get(&format!("/v1/test/{}/{PLAYLIST}/{uid}", app.org.uid)).await.expect(200);
    items.get(0).cloned()
}

async fn set_dates(leader: &Client, uid: &str, dates: Value) -> Value {
    leader.patch(&format!("/v1/content/{uid}"), json!({ "content": dates })).await.expect(200)
}

/// Puts the item into a playlist with dates.
fn put_into_playlist(app: &TestApp, uid: &str, schedule: Schedule) {
    let access = PlaylistAccess { privacy: Privacy::Public, schedule };
    app.fake_playlists.set_with_dates(PLAYLIST, access, &[uid.parse().unwrap()]);
}

/// Returns the status of each of the files at an address.
async fn statuses(app: &TestApp, source_url: &str) -> Vec<u16> {
    let base = source_url.strip_suffix("source").unwrap();
    let mut all = Vec::new();
    for name in NAMES {
        all.push(app.http.anonymous().get(&format!("{base}{name}")).await.status.as_u16());
    }
    all
}

#[tokio::test]
async fn dates_are_stored_returned_to_staff_and_cleared() {
    let app = test_app().await;
    let leader = app.leader().await;
    let body = |dates: Value| {
        let mut content = json!({ "title": "A", "url": "https://youtu.be/x" });
        content.as_object_mut().unwrap().extend(dates.as_object().unwrap().clone());
        json!({ "content": content, "orgId": app.org.uid, "file": null })
    };
    let dates = json!({ "publishAt": "2026-12-01T09:00:00+01:00", "expireAt": "2026-12-24T18:00:00Z" });
    let uid = text(&leader.post("/v1/content", body(dates)).await.expect(201), "uid");
    let item = app.content(&leader, &uid).await;
    assert_eq!(item["publishAt"], "2026-12-01T08:00:00.000Z");
    assert_eq!(item["expireAt"], "2026-12-24T18:00:00.000Z");

    let path = format!("/v1/content/{uid}");
    let change = |dates: Value| leader.patch(&path, json!({ "content": dates }));
    for (dates, field, code) in [
        (json!({ "publishAt": "2026-12-24T18:00:00Z" }), "expireAt", "expires_before_published"),
        (json!({ "expireAt": "2026-12-01T08:00:00Z" }), "expireAt", "expires_before_published"),
        (json!({ "publishAt": "2026-12-01" }), "publishAt", "invalid_time"),
        (json!({ "expireAt": "2100-01-01T00:00:00Z" }), "expireAt", "time_out_of_range"),
        (json!({ "publishAt": "1999-01-01T00:00:00Z" }), "publishAt", "time_out_of_range"),
    ] {
        let problem = change(dates.clone()).await.expect(400);
        assert_eq!(problem["code"], code, "{dates}");
        assert!(problem["fields"][field].is_string(), "{problem}");
    }
    let item = change(json!({ "title": "B" })).await.expect(200);
    assert_eq!(item["expireAt"], "2026-12-24T18:00:00.000Z", "fields that are left out stay");
    let item = change(json!({ "publishAt": null, "expireAt": "" })).await.expect(200);
    assert_eq!((&item["publishAt"], &item["expireAt"]), (&Value::Null, &Value::Null));
    let wrong = json!({ "publishAt": "2026-12-01T08:00:00Z", "expireAt": "2026-12-01T08:00:00Z" });
    leader.post("/v1/content", body(wrong)).await.expect(400);
    app.http.settle().await;
}

#[tokio::test]
async fn app_users_see_an_item_and_its_bytes_between_its_dates_only() {
    let app = app_without_ffmpeg().await;
    let (leader, user) = (app.leader().await, app.user().await);
    let uid = crate::delivery_table::item_with_all_files(&app).await.to_string();
    put_into_playlist(&app, &uid, Schedule::default());
    let address = text(&shown(&app, &user, &uid).await.unwrap(), "url");
    let dates = json!({ "publishAt": iso(now(&app) + MINUTE), "expireAt": iso(now(&app) + 10 * MINUTE) });
    let of_staff = text(&set_dates(&leader, &uid, dates).await, "url");

    // Before.
    assert_eq!(shown(&app, &user, &uid).await, None);
    assert_eq!(statuses(&app, &address).await, [404; 8], "of the address from before the change too");
    assert_eq!(statuses(&app, &of_staff).await, [200; 8]);
    assert!(shown(&app, &leader, &uid).await.is_some());

    // Between: from the first instant.
    app.http.clock.advance(MINUTE);
    let item = shown(&app, &user, &uid).await.unwrap();
    assert_eq!((&item["publishAt"], &item["expireAt"]), (&Value::Null, &Value::Null), "for staff only");
    let address = text(&item, "url");
    assert_eq!(statuses(&app, &address).await, [200; 8]);
    let renewed = user.post("/v1/media/grants/renew", json!({ "url": address })).await.expect(200);
    assert_eq!(renewed["expiresIn"], 9 * 60, "not for an hour");

    // After: from the last instant.
    app.http.clock.advance(9 * MINUTE - 1);
    assert_eq!(statuses(&app, &address).await, [200; 8]);
    app.http.clock.advance(1);
    assert_eq!(shown(&app, &user, &uid).await, None);
    assert_eq!(statuses(&app, &address).await, [404; 8]);
    user.post("/v1/media/grants/renew", json!({ "url": address })).await.expect(404);
    assert_eq!(statuses(&app, &of_staff).await, [200; 8]);
    assert_eq!(app.content(&leader, &uid).await["uid"], json!(uid));

    // An expiry that is taken back opens it again.
    set_dates(&leader, &uid, json!({ "expireAt": null })).await;
    let item = shown(&app, &user, &uid).await.unwrap();
    assert_eq!(statuses(&app, &text(&item, "url")).await, [200; 8]);
    app.http.settle().await;
}

#[tokio::test]
async fn the_dates_of_the_playlist_close_its_addresses_too() {
    let app = app_without_ffmpeg().await;
    let user = app.user().await;
    let uid = app.upload(&app.leader().await, "a.mp4", MP4, &mp4(100)).await;
    let opens = now(&app) + MINUTE;
    let closes = now(&app) + 10 * MINUTE;
    put_into_playlist(&app, &uid, Schedule { publish_at: Some(opens), expire_at: Some(closes) });
    assert_eq!(shown(&app, &user, &uid).await, None);
    app.http.clock.advance(MINUTE);
    let address = text(&shown(&app, &user, &uid).await.unwrap(), "url");
    let status = async || app.http.anonymous().get(&address).await.status.as_u16();
    assert_eq!(status().await, 200);
    // Even if the playlist is prolonged, the address that was handed out ends when it said.
    put_into_playlist(&app, &uid, Schedule { publish_at: Some(opens), expire_at: Some(closes + HOUR) });
    app.http.clock.advance(9 * MINUTE - 1);
    assert_eq!(status().await, 200);
    app.http.clock.advance(1);
    assert_eq!(status().await, 403);
    put_into_playlist(&app, &uid, Schedule { publish_at: Some(opens), expire_at: Some(closes) });
    assert_eq!(status().await, 404);
    app.http.settle().await;
}

#[tokio::test]
async fn browsers_keep_no_file_longer_than_until_the_expiry() {
    let app = app_without_ffmpeg().await;
    let (leader, user) = (app.leader().await, app.user().await);
    let uid = crate::delivery_table::item_with_all_files(&app).await.to_string();
    put_into_playlist(&app, &uid, Schedule::default());
    // The tag of the processing run with the id 9.
    let tag = "000000000009";
    let cached = async |client: &Client| {
        let url = text(&shown(&app, client, &uid).await.unwrap(), "url");
        let segment = format!("{}720-0.m4s?v={tag}", url.strip_suffix("source").unwrap());
        let answer = app.http.anonymous().get(&segment).await;
        assert_eq!(answer.status, 200);
        value(&answer.headers, CACHE_CONTROL).to_owned()
    };
    assert_eq!(cached(&user).await, "private, max-age=3600");
    set_dates(&leader, &uid, json!({ "expireAt": iso(now(&app) + 90 * MINUTE) })).await;
    assert_eq!(cached(&user).await, "private, max-age=3600");
    set_dates(&leader, &uid, json!({ "expireAt": iso(now(&app) + 10 * MINUTE) })).await;
    assert_eq!(cached(&user).await, "private, max-age=600");
    assert_eq!(cached(&leader).await, "private, max-age=3600");
    app.http.settle().await;
}

#[tokio::test]
async fn dates_change_nothing_in_another_organisation() {
    let app = app_without_ffmpeg().await;
    let other = app.http.org("Other").await;
    let stranger = app.http.member(other, Role::SuperAdmin).await;
    let uid = app.upload(&app.leader().await, "a.mp4", MP4, &mp4(100)).await;
    let path = format!("/v1/content/{uid}");
    stranger.patch(&path, json!({ "content": { "expireAt": iso(now(&app)) } })).await.expect(404);
    assert_eq!(app.content(&app.leader().await, &uid).await["expireAt"], Value::Null);
    let link = json!({ "title": "Theirs", "url": "https://youtu.be/x" });
    let body = json!({ "content": link, "orgId": other.uid, "file": null });
    let theirs = text(&stranger.post("/v1/content", body).await.expect(201), "uid");
    set_dates(&app.leader().await, &uid, json!({ "expireAt": iso(now(&app)) })).await;
    assert_eq!(app.content(&stranger, &theirs).await["expireAt"], Value::Null);

    app.http.settle().await;
}
