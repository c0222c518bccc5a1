//! Positions to resume from, marks of what was seen, and the last visit.

use std::sync::Arc;

use audience::{Audience, Progress};
use content::{Content, ContentDeps, ContentSettings};
use kernel::MINUTE;
use media::{Media, MediaSettings};
use orgs::{Role, Standing};
use playlists::{Lookup, Playlists};
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{Client, Feature, Setup, TestApp, TestDeps, TestOrg};

pub async fn test_app() -> TestApp {
    Setup::default()
        .tables(content::migrations())
        .tables(playlists::migrations())
        .tables(audience::migrations())
        .person_data(Arc::new(audience::ConsentData))
        .playlists(Arc::new(Lookup))
        .start(async |deps| {
            let (db, ambient, orgs) = (deps.db.clone(), deps.ambient.clone(), deps.orgs.clone());
            let content = content(deps);
            let playlists = Playlists::new(
                db.clone(),
                ambient.clone(),
                deps.public.clone(),
                orgs.clone(),
                content.clone(),
            );
            let progress = Progress::new(db.clone(), ambient.clone(), orgs.clone(), playlists.clone());
            let audience = Audience::new(db, ambient, deps.public.clone(), deps.identity.clone(), orgs);
            let routes = content.routes().merge(playlists.routes()).merge(audience.routes());
            vec![Feature { routes: Some(routes.merge(progress.routes())), ..Feature::default() }]
        })
        .await
}

fn content(deps: &TestDeps) -> Content {
    Content::new(ContentDeps {
        db: deps.db.clone(),
        ambient: deps.ambient.clone(),
        public: deps.public.clone(),
        signer: deps.signer.clone(),
        jobs: deps.jobs.clone(),
        storage: Storage::open(&StorageSettings::default(), &deps.folder, deps.ambient.clone()).unwrap(),
        media: Media::open(MediaSettings::default(), &deps.folder.join("work")).unwrap(),
        orgs: deps.orgs.clone(),
        playlists: Arc::new(Lookup),
        quota: None,
        settings: ContentSettings::default(),
    })
}

pub fn path(org: TestOrg) -> String {
    format!("/v1/organizations/{}/users/me/progress", org.uid)
}

fn uid(json: &Value) -> String {
    json["uid"].as_str().unwrap().to_owned()
}

/// Creates an embedded video.
async fn video(leader: &Client, org: TestOrg, title: &str) -> String {
    let link = json!({ "title": title, "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let body = json!({ "content": link, "orgId": org.uid, "file": null, "notifyUsers": false });
    uid(&leader.post("/v1/content", body).await.expect(201))
}

async fn playlist(leader: &Client, org: TestOrg, title: &str, items: &[&String]) -> String {
    let body = json!({ "playlist": { "title": title, "items": items }, "orgId": org.uid });
    uid(&leader.post("/v1/playlists", body).await.expect(201))
}

/// Returns a request that reports this share, in percent, of a video of ten minutes.
fn at(content: &str, playlist: &str, percent: i64, time: &str) -> Value {
    json!({ "items": [{
        "contentId": content, "playlistId": playlist, "position": percent * 6000, "length": 600_000, "time": time,
    }] })
}

fn shown(answer: &Value, list: &str) -> Vec<String> {
    let rows = answer[list].as_array().unwrap().iter();
    rows.map(|row| row["content"]["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn another_device_resumes_where_the_newest_one_stopped() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let (a, b) = (video(&leader, org, "A").await, video(&leader, org, "B").await);
    let list = playlist(&leader, org, "T", &[&a, &b]).await;
    let phone = app.member(org, Role::User).await;
    let tablet = app.member(org, Role::User).await;
    assert_eq!(phone.uid(), tablet.uid());

    phone.put(&path(org), at(&a, &list, 50, "2026-11-20T07:00:00.000Z")).await.expect(204);
    tablet.put(&path(org), at(&b, &list, 95, "2026-11-20T07:01:00.000Z")).await.expect(204);
    tablet.put(&path(org), at(&a, &list, 70, "2026-11-20T07:02:00.000Z")).await.expect(204);
    // Sent late, because the phone was offline.
    phone.put(&path(org), at(&a, &list, 60, "2026-11-20T07:01:30.000Z")).await.expect(204);

    let answer = phone.get(&path(org)).await.expect(200);
    assert_eq!(
        answer["items"],
        json!([
            {
                "contentId": a, "playlistId": list, "position": 420_000, "length": 600_000, "seen": false,
                "time": "2026-11-20T07:02:00.000Z",
            },
            {
                "contentId": b, "playlistId": list, "position": 0, "length": 600_000, "seen": true,
                "time": "2026-11-20T07:01:00.000Z",
            },
        ])
    );
    assert_eq!(shown(&answer, "continueWatching"), ["A"]);
    let item = &answer["continueWatching"][0];
    assert_eq!((&item["playlistId"], &item["playlistTitle"]), (&json!(list), &json!("T")));
    app.settle().await;
}

#[tokio::test]
async fn progress_is_the_persons_alone_and_needs_no_consent() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let leader = app.member(org, Role::TeamLeader).await;
    let a = video(&leader, org, "A").await;
    let list = playlist(&leader, org, "T", &[&a]).await;
    let user = app.member(org, Role::User).await;
    let report = at(&a, &list, 50, "2026-11-20T07:00:00.000Z");
    user.put(&path(org), report.clone()).await.expect(204);
    assert_eq!(leader.get(&path(org)).await.expect(200)["items"], json!([]));
    for (stranger, status) in [
        (app.anonymous(), 401),
        (app.person("x@example.com").await, 404),
        (app.member(other, Role::SuperAdmin).await, 404),
    ] {
        stranger.get(&path(org)).await.expect(status);
        stranger.put(&path(org), report.clone()).await.expect(status);
    }
    // An item of another organisation is ignored.
    let foreign = app.member(other, Role::SuperAdmin).await;
    foreign.put(&path(other), report).await.expect(204);
    assert_eq!(foreign.get(&path(other)).await.expect(200)["items"], json!([]));
    app.settle().await;
}

#[tokio::test]
async fn what_a_person_may_no_longer_see_is_not_offered() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let (a, b) = (video(&leader, org, "A").await, video(&leader, org, "B").await);
    let list = playlist(&leader, org, "T", &[&a, &b]).await;
    let user = app.member(org, Role::User).await;
    for item in [&a, &b] {
        user.put(&path(org), at(item, &list, 50, "2026-11-20T07:00:00.000Z")).await.expect(204);
    }
    leader
        .patch(&format!("/v1/content/{a}"), json!({ "content": { "privacy": "private" } }))
        .await
        .expect(200);
    assert_eq!(shown(&user.get(&path(org)).await.expect(200), "continueWatching"), ["B"]);
    leader
        .patch(&format!("/v1/playlists/{list}"), json!({ "playlist": { "privacy": "private" } }))
        .await
        .expect(200);
    assert_eq!(shown(&user.get(&path(org)).await.expect(200), "continueWatching"), [""; 0]);

    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.set_standing(&tx, org.uid, Standing::Ended.into()).await.unwrap();
    tx.commit().await.unwrap();
    user.get(&path(org)).await.expect(404);
    user.put(&path(org), json!({ "items": [] })).await.expect(404);
    app.settle().await;
}

#[tokio::test]
async fn what_is_not_between_its_dates_is_neither_offered_nor_saved() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let (a, b) = (video(&leader, org, "A").await, video(&leader, org, "B").await);
    let (first, second) =
        (playlist(&leader, org, "T", &[&a]).await, playlist(&leader, org, "U", &[&b]).await);
    let user = app.member(org, Role::User).await;
    for (item, list) in [(&a, &first), (&b, &second)] {
        user.put(&path(org), at(item, list, 50, "2026-11-20T07:00:00.000Z")).await.expect(204);
    }
    let dates = json!({ "expireAt": "2026-11-20T08:01:00Z" });
    leader.patch(&format!("/v1/content/{a}"), json!({ "content": dates })).await.expect(200);
    leader.patch(&format!("/v1/playlists/{second}"), json!({ "playlist": dates })).await.expect(200);
    assert_eq!(shown(&user.get(&path(org)).await.expect(200), "continueWatching").len(), 2);
    app.clock.advance(MINUTE);
    assert_eq!(shown(&user.get(&path(org)).await.expect(200), "continueWatching"), [""; 0]);
    user.put(&path(org), at(&a, &first, 70, "2026-11-20T08:00:30.000Z")).await.expect(204);
    let kept = user.get(&path(org)).await.expect(200)["items"].clone();
    assert!(kept.as_array().unwrap().iter().all(|item| item["position"] == 300_000), "{kept}");
    app.settle().await;
}

#[tokio::test]
async fn what_was_published_by_its_date_is_new() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let dated = video(&leader, org, "Dated").await;
    playlist(&leader, org, "T", &[&dated]).await;
    let dates = json!({ "publishAt": "2026-11-20T08:35:00Z" });
    leader.patch(&format!("/v1/content/{dated}"), json!({ "content": dates })).await.expect(200);
    let user = app.member(org, Role::User).await;
    user.put(&path(org), json!({ "items": [] })).await.expect(204);
    app.clock.advance(34 * MINUTE);
    assert_eq!(shown(&user.get(&path(org)).await.expect(200), "newItems"), [""; 0]);
    app.clock.advance(MINUTE);
    assert_eq!(shown(&user.get(&path(org)).await.expect(200), "newItems"), ["Dated"]);
    app.settle().await;
}

#[tokio::test]
async fn new_is_what_was_created_after_the_visit_before() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let old = video(&leader, org, "Old").await;
    let list = playlist(&leader, org, "T", &[&old]).await;
    let user = app.member(org, Role::User).await;
    let first = user.get(&path(org)).await.expect(200);
    assert_eq!((&first["lastVisit"], shown(&first, "newItems").len()), (&Value::Null, 0));
    user.put(&path(org), json!({ "items": [] })).await.expect(204);

    app.clock.advance(40 * MINUTE);
    let new = video(&leader, org, "New").await;
    let items = json!({ "playlist": { "items": [old, new] } });
    leader.patch(&format!("/v1/playlists/{list}"), items).await.expect(200);
    app.clock.advance(MINUTE);
    for _ in 0..2 {
        let second = user.get(&path(org)).await.expect(200);
        assert_eq!(second["lastVisit"], "2026-11-20T08:00:00.000Z");
        assert_eq!(shown(&second, "newItems"), ["New"]);
        user.put(&path(org), json!({ "items": [] })).await.expect(204);
    }
    app.settle().await;
}

#[tokio::test]
async fn leaving_deletes_the_progress_and_withdrawing_does_not() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let a = video(&leader, org, "A").await;
    let list = playlist(&leader, org, "T", &[&a]).await;
    let user = app.member(org, Role::User).await;
    user.put(&path(org), at(&a, &list, 50, "2026-11-20T07:00:00.000Z")).await.expect(204);
    let me = format!("/v1/organizations/{}/users/me", org.uid);
    user.patch(&format!("{me}/consent"), json!({ "consent": false })).await.expect(200);
    assert_eq!(shown(&user.get(&path(org)).await.expect(200), "continueWatching"), ["A"]);
    user.delete(&me).await.expect(204);
    for table in ["item_progress", "last_visit"] {
        let backend = app.deps.db.read().get_database_backend();
        let statement = sea_orm::Statement::from_string(backend, format!("SELECT COUNT(*) FROM {table}"));
        let row = app.deps.db.read().query_one_raw(statement).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), 0, "{table}");
    }
    app.settle().await;
}

#[tokio::test]
async fn a_report_is_limited_and_a_clock_that_is_ahead_does_not_win_for_ever() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let a = video(&leader, org, "A").await;
    let list = playlist(&leader, org, "T", &[&a]).await;
    let user = app.member(org, Role::User).await;
    let one = at(&a, &list, 50, "2026-11-20T07:00:00.000Z")["items"][0].clone();
    let many = user.put(&path(org), json!({ "items": vec![one; 51] })).await.expect(400);
    assert_eq!(many["code"], "too_many_items");
    assert!(many["fields"]["items"].is_string(), "{many}");
    user.put(&path(org), at(&a, &list, 50, "soon")).await.expect(400);
    user.put(&path(org), at(&a, &list, 50, "2030-01-01T00:00:00.000Z")).await.expect(204);
    app.clock.advance(MINUTE);
    user.put(&path(org), at(&a, &list, 60, "2026-11-20T08:01:00.000Z")).await.expect(204);
    assert_eq!(user.get(&path(org)).await.expect(200)["items"][0]["position"], 360_000);
    app.settle().await;
}
