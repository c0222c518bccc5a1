//! Events move into the storage: completely, once, and without names.

mod flaky;
mod queries;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use analytics::{Analytics, ArchiveError, ArchiveSettings, Recounted};
use futures::TryStreamExt as _;
use kernel::DAY;
use orgs::OrgData;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use storage::{Key, ListedObject, Storage};

use crate::recount::live_through_a_history;
use crate::{TestApp, test_app};
use flaky::FlakyBucket;

const SETTINGS: ArchiveSettings = ArchiveSettings { enabled: true, after_days: 7, kept_days: Some(396) };

fn folder(app: &TestApp) -> Storage {
    Storage::open_folder(&app.http.deps.folder.join("objects"), app.http.deps.ambient.clone()).unwrap()
}

fn archiving(app: &TestApp, storage: &Storage) -> Analytics {
    app.analytics.clone().with_archive(storage.clone(), SETTINGS)
}

async fn listed(storage: &Storage) -> Vec<ListedObject> {
    let mut all: Vec<_> = storage.list_events().try_collect().await.unwrap();
    all.sort_by(|left, right| left.key.as_str().cmp(right.key.as_str()));
    all
}

/// Returns the lines of each segment.
async fn segments(storage: &Storage) -> Vec<Vec<Value>> {
    let mut segments = Vec::new();
    for object in listed(storage).await {
        let stream = storage.open_object(&object.key, None).await.unwrap().stream;
        let bytes = stream.try_collect::<Vec<_>>().await.unwrap().concat();
        let plain = String::from_utf8(zstd::stream::decode_all(&bytes[..]).unwrap()).unwrap();
        segments.push(plain.lines().map(|line| serde_json::from_str(line).unwrap()).collect());
    }
    segments
}

/// Returns all lines of the archive.
async fn lines(storage: &Storage) -> Vec<Value> {
    segments(storage).await.concat()
}

fn sum(lines: &[Value], field: &str, kind: &str) -> i64 {
    lines.iter().filter(|line| line["kind"] == kind).filter_map(|line| line[field].as_i64()).sum()
}

/// Returns the requests that are in the archive, and fails if one of them is in two segments.
async fn requests(storage: &Storage) -> BTreeSet<i64> {
    let mut all = BTreeSet::new();
    for lines in segments(storage).await {
        let of_one: BTreeSet<i64> = lines.iter().map(|line| line["request"].as_i64().unwrap()).collect();
        for request in of_one {
            assert!(all.insert(request), "{request} is in two segments");
        }
    }
    all
}

/// Has a person with consent watch once on each of some days.
async fn watch_on_days(app: &TestApp, days: usize) {
    app.joined("ada@example.com", true).await;
    for _ in 0..days {
        let ada = app.http.person("ada@example.com").await;
        app.player(&ada).watch(20).await;
        app.http.clock.advance(DAY);
    }
}

async fn stored(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM event_batch").await
}

#[tokio::test]
async fn events_of_old_days_move_into_segments_and_every_number_stays() {
    let app = test_app().await;
    let storage = folder(&app);
    let analytics = archiving(&app, &storage);
    live_through_a_history(&app, 1).await;
    let (before, all) = (app.totals().await, stored(&app).await);
    analytics.archive_events().await.unwrap();
    assert_eq!((listed(&storage).await.len(), stored(&app).await), (0, all), "no day is old enough");
    app.http.clock.advance(5 * DAY);
    analytics.archive_events().await.unwrap();
    let left = stored(&app).await;
    assert!(0 < left && left < all, "{left} of {all}: the youngest days stay");
    let recounted = analytics.recount(app.org.uid).await.unwrap();
    assert_eq!(recounted, Recounted { requests: left.unsigned_abs(), differences: 0 });
    app.http.clock.advance(5 * DAY);
    analytics.archive_events().await.unwrap();
    assert_eq!(stored(&app).await, 0);
    assert_eq!(requests(&storage).await.len() as i64, all, "every request is in the archive once");
    let (lines, days) = (lines(&storage).await, listed(&storage).await);
    let counted = lines.iter().filter(|line| line["verdict"] == "counted").count() as i64;
    assert_eq!((counted, sum(&lines, "credit_ms", "beat")), before);
    assert!(days.iter().any(|object| object.key.as_str().starts_with("events/2026-11-20/")), "{days:?}");
    let bytes: u64 = days.iter().map(|object| object.len).sum();
    assert_eq!(analytics.archived_bytes(app.org.uid).await.unwrap(), bytes);
    assert_eq!(analytics.recount(app.org.uid).await.unwrap(), Recounted::default());
    assert_eq!((app.totals().await, analytics.verify().await.unwrap()), (before, vec![]));
    assert_eq!(analytics.verify_archive(true).await.unwrap(), []);
    app.http.settle().await;
}

async fn viewers(app: &TestApp, sql: &str) -> Vec<String> {
    let conn = app.http.deps.db.read();
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index::<kernel::Uid>(0).unwrap().to_string()).collect()
}

#[tokio::test]
async fn no_line_of_the_archive_has_a_name_that_lasts_longer_than_a_day() {
    let app = test_app().await;
    let storage = folder(&app);
    let analytics = archiving(&app, &storage);
    let id = app.joined("ada@example.com", true).await.uid();
    for _ in 0..2 {
        let ada = app.http.person("ada@example.com").await;
        app.player(&ada).watch(20).await;
        app.player(&ada).watch(20).await;
        app.http.clock.advance(DAY);
    }
    let named = "SELECT COUNT(DISTINCT viewer) FROM event_batch WHERE since > 0";
    assert_eq!(app.count(named).await, 1, "in the database she has one name");
    let names_in_database = "SELECT COUNT(*) FROM event_batch e JOIN viewer_key k ON k.viewer = e.viewer";
    assert_eq!(app.count(names_in_database).await, 12);
    app.http.clock.advance(10 * DAY);
    analytics.archive_events().await.unwrap();
    let lines = lines(&storage).await;
    let names: BTreeSet<_> =
        lines.iter().map(|line| (line["day"].to_string(), line["viewer"].to_string())).collect();
    assert_eq!(names.len(), 2, "one name a day: {names:?}");
    assert_eq!(names.iter().map(|(_, name)| name).collect::<BTreeSet<_>>().len(), 2, "and each day another");
    let text = json!(lines).to_string();
    assert!(!text.contains(&id.to_string()) && !text.contains("since"));
    let key = viewers(&app, "SELECT viewer FROM viewer_key").await;
    assert!(key.len() == 1 && !text.contains(&key[0]));
    // After the withdrawal nothing in the database has a name of the archive either.
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    app.http.person("ada@example.com").await.patch(&mine, json!({"consent": false})).await.expect(200);
    assert!(viewers(&app, "SELECT viewer FROM viewer_key").await.is_empty());
    let views = viewers(&app, "SELECT viewer FROM viewing").await;
    assert!(views.len() == 4 && views.iter().all(|name| *name != key[0] && !text.contains(name)));
    app.http.settle().await;
}

#[tokio::test]
async fn a_storage_that_refuses_or_damages_a_segment_loses_nothing() {
    let app = test_app().await;
    let bucket = FlakyBucket::new();
    let storage = Storage::from_store(bucket.clone(), app.http.deps.ambient.clone());
    let analytics = archiving(&app, &storage);
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(30).await;
    app.http.clock.advance(10 * DAY);
    let all = stored(&app).await;
    bucket.refuses.store(true, Ordering::Relaxed);
    assert!(matches!(analytics.archive_events().await, Err(ArchiveError::Storage(_))));
    bucket.refuses.store(false, Ordering::Relaxed);
    bucket.damages.store(true, Ordering::Relaxed);
    let damaged = analytics.archive_events().await;
    assert!(matches!(damaged, Err(ArchiveError::Different(_) | ArchiveError::Io(_))), "{damaged:?}");
    assert_eq!((stored(&app).await, listed(&storage).await.len()), (all, 1));
    bucket.damages.store(false, Ordering::Relaxed);
    analytics.archive_events().await.unwrap();
    assert_eq!(stored(&app).await, 0);
    assert_eq!(requests(&storage).await.len() as i64, all);
    assert_eq!(app.count("SELECT COUNT(*) FROM event_segment").await, 1, "what was damaged is gone");
    assert_eq!(analytics.verify_archive(true).await.unwrap(), []);
    app.http.settle().await;
}

#[tokio::test]
async fn a_run_that_was_killed_at_any_point_is_finished_by_the_next_one() {
    for (killed, has_object) in [
        ("UPDATE event_segment SET state = 'writing'", false),
        ("UPDATE event_segment SET state = 'writing'", true),
        // After the segment was stored, before the first and before the last events were removed.
        ("UPDATE event_segment SET state = 'stored'", true),
        ("DELETE FROM event_batch WHERE number < (SELECT MAX(number) FROM event_batch)", true),
    ] {
        let app = test_app().await;
        let storage = folder(&app);
        let analytics = archiving(&app, &storage);
        let ada = app.joined("ada@example.com", true).await;
        app.player(&ada).watch(30).await;
        app.execute("CREATE TABLE copy_of_events AS SELECT * FROM event_batch").await;
        app.http.clock.advance(10 * DAY);
        let all = stored(&app).await;
        analytics.archive_events().await.unwrap();
        app.execute("INSERT INTO event_batch SELECT * FROM copy_of_events").await;
        app.execute(killed).await;
        if !has_object {
            storage.delete(&listed(&storage).await[0].key).await.unwrap();
        }
        analytics.archive_events().await.unwrap();
        assert_eq!(stored(&app).await, 0, "{killed}");
        assert_eq!(requests(&storage).await.len() as i64, all, "{killed}");
        assert_eq!(app.count("SELECT COUNT(*) FROM event_segment").await, 1, "{killed}");
        assert_eq!(analytics.verify_archive(true).await.unwrap(), [], "{killed}");
        app.http.settle().await;
    }
}

#[tokio::test]
async fn an_organisation_that_is_removed_meanwhile_leaves_nothing_in_the_archive() {
    let app = test_app().await;
    let bucket = FlakyBucket::new();
    let storage = Storage::from_store(bucket.clone(), app.http.deps.ambient.clone());
    let analytics = archiving(&app, &storage);
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(30).await;
    app.http.clock.advance(10 * DAY);
    bucket.waits.store(true, Ordering::Relaxed);
    let run = tokio::spawn({
        let analytics = analytics.clone();
        async move { analytics.archive_events().await }
    });
    bucket.reached.notified().await;
    bucket.waits.store(false, Ordering::Relaxed);
    OrgData::purge(&analytics, app.org.uid).await.unwrap();
    bucket.proceed.notify_one();
    run.await.unwrap().unwrap();
    assert_eq!(listed(&storage).await, []);
    assert_eq!((stored(&app).await, app.count("SELECT COUNT(*) FROM event_segment").await), (0, 0));
    app.http.settle().await;
}

#[tokio::test]
async fn a_run_that_another_one_overtook_neither_loses_events_nor_stores_them_twice() {
    let app = test_app().await;
    let bucket = FlakyBucket::new();
    let storage = Storage::from_store(bucket.clone(), app.http.deps.ambient.clone());
    let analytics = archiving(&app, &storage);
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(30).await;
    let all = stored(&app).await;
    app.http.clock.advance(10 * DAY);
    bucket.waits.store(true, Ordering::Relaxed);
    let stalled = tokio::spawn({
        let analytics = analytics.clone();
        async move { analytics.archive_events().await }
    });
    bucket.reached.notified().await;
    bucket.waits.store(false, Ordering::Relaxed);
    analytics.archive_events().await.unwrap();
    bucket.proceed.notify_one();
    stalled.await.unwrap().unwrap();
    assert_eq!((stored(&app).await, requests(&storage).await.len() as i64), (0, all));
    assert_eq!(app.count("SELECT COUNT(*) FROM event_segment WHERE state = 'stored'").await, 1);
    assert_eq!(analytics.verify_archive(true).await.unwrap(), []);
    app.http.settle().await;
}

#[tokio::test]
async fn requests_that_cannot_be_read_stay_and_the_others_move() {
    let app = test_app().await;
    let storage = folder(&app);
    let analytics = archiving(&app, &storage);
    let ada = app.joined("ada@example.com", true).await;
    app.player(&ada).watch(40).await;
    let all = stored(&app).await;
    let damaged = "UPDATE event_batch SET events = '{' WHERE number IN (SELECT MIN(number) FROM event_batch \
                   UNION SELECT MIN(number) + 3 FROM event_batch)";
    assert_eq!(app.execute(damaged).await, 2);
    app.http.clock.advance(10 * DAY);
    for _ in 0..2 {
        let error = analytics.archive_events().await.unwrap_err();
        assert!(matches!(error, ArchiveError::Unreadable(2)), "{error}");
        assert_eq!((stored(&app).await, requests(&storage).await.len() as i64), (2, all - 2));
    }
    app.http.settle().await;
}

#[tokio::test]
async fn segments_are_removed_when_their_time_is_over_and_with_their_organisation() {
    let app = test_app().await;
    let storage = folder(&app);
    let analytics = archiving(&app, &storage);
    watch_on_days(&app, 2).await;
    app.http.clock.advance(20 * DAY);
    analytics.archive_events().await.unwrap();
    assert_eq!(listed(&storage).await.len(), 2);
    let day = app.http.deps.folder.join("objects/events/2026-11-20");
    assert!(day.is_dir());
    app.http.clock.advance(375 * DAY);
    let kept =
        analytics.clone().with_archive(storage.clone(), ArchiveSettings { kept_days: None, ..SETTINGS });
    kept.archive_events().await.unwrap();
    assert_eq!(listed(&storage).await.len(), 2, "for ever");
    // Also after the archive was turned off.
    let off = ArchiveSettings { enabled: false, ..SETTINGS };
    analytics.clone().with_archive(storage.clone(), off).archive_events().await.unwrap();
    assert_eq!((listed(&storage).await.len(), day.is_dir()), (1, false), "396 days");
    OrgData::purge(&analytics, app.org.uid).await.unwrap();
    assert_eq!(listed(&storage).await.len(), 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM event_segment").await, 0);
    app.http.settle().await;
}

#[tokio::test]
async fn verify_finds_what_is_missing_damaged_or_not_known() {
    let app = test_app().await;
    let storage = folder(&app);
    let analytics = archiving(&app, &storage);
    watch_on_days(&app, 3).await;
    app.http.clock.advance(10 * DAY);
    analytics.archive_events().await.unwrap();
    let keys: Vec<Key> = listed(&storage).await.into_iter().map(|object| object.key).collect();
    let path = |key: &Key| app.http.deps.folder.join("objects").join(key.as_str());
    std::fs::remove_file(path(&keys[0])).unwrap();
    std::fs::write(path(&keys[1]), "short").unwrap();
    let mut changed = std::fs::read(path(&keys[2])).unwrap();
    *changed.last_mut().unwrap() ^= 1;
    std::fs::write(path(&keys[2]), changed).unwrap();
    let unknown = Key::events("2026-11-20", app.org.uid, 999).unwrap();
    storage.put(&unknown, "x".into()).await.unwrap();
    let found = async |deep| -> Vec<(String, String)> {
        let found = analytics.verify_archive(deep).await.unwrap();
        found.into_iter().map(|finding| (finding.check, finding.id)).collect()
    };
    let segment = |key: &Key| ("segment".to_owned(), key.to_string());
    assert_eq!(found(false).await, [segment(&keys[0]), segment(&keys[1])], "an object may still get its row");
    // Long ago.
    let old = std::time::UNIX_EPOCH;
    std::fs::File::options().write(true).open(path(&unknown)).unwrap().set_modified(old).unwrap();
    let orphans = ("segment_orphans".to_owned(), unknown.to_string());
    let all = [segment(&keys[0]), segment(&keys[1]), segment(&keys[2]), orphans];
    assert_eq!(found(true).await, all);
    app.http.settle().await;
}
