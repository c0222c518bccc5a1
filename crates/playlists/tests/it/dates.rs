//! Publish and expiry dates of playlists and items: every list, read, search and count.

use kernel::{ContentId, MINUTE, PlaylistId, iso};
use orgs::Role;
use serde_json::{Value, json};
use testkit::{Client, TestApp, TestOrg};

use super::{leader, playlist, test_app, titles, uid, video};

async fn set_playlist_dates(leader: &Client, id: PlaylistId, dates: Value) {
    leader.patch(&format!("/v1/playlists/{id}"), json!({ "playlist": dates })).await.expect(200);
}

async fn set_item_dates(leader: &Client, id: ContentId, dates: Value) {
    leader.patch(&format!("/v1/content/{id}"), json!({ "content": dates })).await.expect(200);
}

/// What a client gets of the playlists: titles in the list with their number of items, titles found by search, and
/// titles of the items found by search.
#[derive(Debug, PartialEq)]
struct Seen {
    listed: Vec<(String, u64)>,
    playlists_found: Vec<String>,
    items_found: Vec<String>,
}

async fn seen(client: &Client, org: TestOrg) -> Seen {
    let list = client.get(&format!("/v1/playlists?orgId={}&sort=title", org.uid)).await.expect(200);
    let found = client.get(&format!("/v1/viewer/search?orgId={}&search=t", org.uid)).await.expect(200);
    let mut seen = Seen {
        listed: list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                assert_eq!(
                    row["stats"]["contentCount"].as_u64(),
                    row["items"].as_array().map(|ids| ids.len() as u64)
                );
                (row["title"].as_str().unwrap().to_owned(), row["stats"]["contentCount"].as_u64().unwrap())
            })
            .collect(),
        playlists_found: titles(&json!({ "data": found["playlists"] })),
        items_found: found["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["content"]["title"].as_str().unwrap().to_owned())
            .collect(),
    };
    seen.playlists_found.sort();
    seen.items_found.sort();
    seen
}

fn expected(listed: &[(&str, u64)], items: &[&str]) -> Seen {
    Seen {
        listed: listed.iter().map(|(title, count)| ((*title).to_owned(), *count)).collect(),
        playlists_found: listed.iter().map(|(title, _)| (*title).to_owned()).collect(),
        items_found: items.iter().map(|title| (*title).to_owned()).collect(),
    }
}

/// Returns dates that begin in a minute and end in three.
fn soon(app: &TestApp) -> Value {
    let now = app.deps.ambient.now();
    json!({ "publishAt": iso(now + MINUTE), "expireAt": iso(now + 3 * MINUTE) })
}

#[tokio::test]
async fn a_playlist_is_there_between_its_dates_and_its_items_elsewhere_stay() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (leader, user) = (leader(&app, org).await, app.member(org, Role::User).await);
    let shared = video(&leader, org, "Shared tip", "public").await;
    let only = video(&leader, org, "Only tip", "public").await;
    let dated = uid(&playlist(&leader, org, "Dated talks", json!({ "items": [shared, only] })).await);
    playlist(&leader, org, "Other talks", json!({ "items": [shared] })).await;
    let path = format!("/v1/playlists/{dated}");
    set_playlist_dates(&leader, dated, soon(&app)).await;
    let others_only = expected(&[("Other talks", 1)], &["Shared tip"]);
    let all = expected(&[("Dated talks", 2), ("Other talks", 1)], &["Only tip", "Shared tip"]);

    assert_eq!(seen(&user, org).await, others_only);
    user.get(&path).await.expect_error(404, "Playlist not found");
    user.get(&format!("{path}/content")).await.expect(404);
    assert_eq!(seen(&leader, org).await, all);
    let own = leader.get(&path).await.expect(200);
    assert_eq!(own["publishAt"], "2026-11-20T08:01:00.000Z");

    app.clock.advance(MINUTE);
    assert_eq!(seen(&user, org).await, all);
    let read = user.get(&path).await.expect(200);
    assert_eq!((&read["publishAt"], &read["expireAt"]), (&Value::Null, &Value::Null));
    assert_eq!(titles(&user.get(&format!("{path}/content")).await.expect(200)).len(), 2);

    app.clock.advance(2 * MINUTE);
    assert_eq!(seen(&user, org).await, others_only);
    user.get(&path).await.expect(404);
    assert_eq!(seen(&leader, org).await, all);
    app.settle().await;
}

#[tokio::test]
async fn an_item_is_counted_and_found_between_its_dates_in_every_playlist() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (leader, user) = (leader(&app, org).await, app.member(org, Role::User).await);
    let dated = video(&leader, org, "Dated tip", "public").await;
    let plain = video(&leader, org, "Plain tip", "public").await;
    let both = uid(&playlist(&leader, org, "Talks", json!({ "items": [dated, plain] })).await);
    set_item_dates(&leader, dated, soon(&app)).await;
    let path = format!("/v1/playlists/{both}");
    let without = expected(&[("Talks", 1)], &["Plain tip"]);
    let with = expected(&[("Talks", 2)], &["Dated tip", "Plain tip"]);
    for (advance, expected) in [(0, &without), (MINUTE, &with), (2 * MINUTE, &without)] {
        app.clock.advance(advance);
        assert_eq!(&seen(&user, org).await, expected);
        assert_eq!(&seen(&leader, org).await, &with);
        let count = usize::try_from(expected.listed[0].1).unwrap();
        assert_eq!(user.get(&path).await.expect(200)["items"].as_array().unwrap().len(), count);
        let items = user.get(&format!("{path}/content")).await.expect(200);
        assert_eq!(titles(&items).len(), count);
        let images = user.get(&path).await.expect(200)["itemPreviews"].as_array().unwrap().len();
        assert_eq!(images, 0);
    }
    app.settle().await;
}

#[tokio::test]
async fn dates_are_checked_stored_and_cleared() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let dates = json!({ "publishAt": "2026-12-01T09:00:00+01:00", "expireAt": "2026-12-24T18:00:00Z" });
    let made = playlist(&leader, org, "T", dates).await;
    assert_eq!(
        (&made["publishAt"], &made["expireAt"]),
        (&json!("2026-12-01T08:00:00.000Z"), &json!("2026-12-24T18:00:00.000Z"))
    );
    let path = format!("/v1/playlists/{}", uid(&made));
    let change = |dates: Value| leader.patch(&path, json!({ "playlist": dates }));
    for (dates, field, code) in [
        (json!({ "expireAt": "2026-12-01T08:00:00Z" }), "expireAt", "expires_before_published"),
        (json!({ "publishAt": "soon" }), "publishAt", "invalid_time"),
        (json!({ "expireAt": "3000-01-01T00:00:00Z" }), "expireAt", "time_out_of_range"),
    ] {
        let problem = change(dates).await.expect(400);
        assert_eq!(problem["code"], code);
        assert!(problem["fields"][field].is_string(), "{problem}");
    }
    let items = change(json!({ "items": [] })).await.expect(200);
    assert_eq!(items["expireAt"], "2026-12-24T18:00:00.000Z");
    let cleared = change(json!({ "publishAt": null, "expireAt": "" })).await.expect(200);
    assert_eq!((&cleared["publishAt"], &cleared["expireAt"]), (&Value::Null, &Value::Null));
    app.settle().await;
}

#[tokio::test]
async fn dates_of_one_organisation_do_not_touch_another() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let (leader, theirs) = (leader(&app, org).await, leader(&app, other).await);
    let item = video(&theirs, other, "Their tip", "public").await;
    let made = uid(&playlist(&theirs, other, "Their talks", json!({ "items": [item] })).await);
    let own = uid(&playlist(&leader, org, "Own talks", json!({})).await);
    set_playlist_dates(&leader, own, json!({ "expireAt": iso(app.deps.ambient.now()) })).await;
    let user = app.member(other, Role::User).await;
    assert_eq!(seen(&user, other).await, expected(&[("Their talks", 1)], &["Their tip"]));
    let dates = json!({ "playlist": { "expireAt": iso(app.deps.ambient.now()) } });
    leader.patch(&format!("/v1/playlists/{made}"), dates).await.expect(404);
    assert_eq!(seen(&user, other).await, expected(&[("Their talks", 1)], &["Their tip"]));
    app.settle().await;
}
