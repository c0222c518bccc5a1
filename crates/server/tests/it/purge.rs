//! Removal of an organisation's data: nothing of it is left, and nothing of another is missing.

use std::path::{Path, PathBuf};

use http::Method;
use kernel::{OrgId, Uid};
use orgs::Role;
use sea_orm::{QueryResult, Value};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use testkit::Client;

use super::tables::{columns, execute, naming, rows};
use super::test_app::{TestApp, test_app, uid};

/// Where an organisation is still named after its removal.
const KEPT: &[&str] = &[
    // The emptied row itself, to which these refer:
    "organisation.uid",
    "consent.org",
    "provision.org",
    // The log of the billing account.
    "audit_entry.target",
    // Finished jobs and sent emails, which are removed by their age.
    "job.payload",
    "mail_outbox.args",
];

/// Tables that only purchases, sign-ins and the sandbox fill.
const UNRELATED: &[&str] = &["provision", "organisation", "consent"];

/// Returns the files that were stored for an organisation, and its images.
fn files(folder: &Path, org: OrgId) -> Vec<PathBuf> {
    fn below(path: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            if entry.path().is_dir() { below(&entry.path(), found) } else { found.push(entry.path()) }
        }
    }
    let mut found = Vec::new();
    below(&folder.join("objects/content").join(org.as_simple().to_string()), &mut found);
    let mut archived = Vec::new();
    below(&folder.join("objects/events"), &mut archived);
    let name = format!("/{}-", org.as_simple());
    found.extend(archived.into_iter().filter(|path| path.to_str().is_some_and(|path| path.contains(&name))));
    found
}

fn images(folder: &Path) -> usize {
    fn count(path: &Path) -> usize {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
    }
    count(&folder.join("objects/images"))
}

pub async fn put(client: &Client, url: &str, media_type: &str, bytes: &[u8]) {
    let request = client.request(Method::PUT, url).header("content-type", media_type);
    let sent = client.send(request.body(axum::body::Body::from(bytes.to_vec())).unwrap()).await;
    assert!(sent.status.is_success(), "{sent:?}");
}

/// Creates an organisation with something in every table.
pub async fn filled_org(app: &TestApp, owner: &Client, name: &str) -> OrgId {
    let new = json!({ "organisation": { "name": name } });
    let org: OrgId = uid(&owner.post("/v1/organizations", new).await.expect(201)).parse().unwrap();
    let public = json!({ "organisation": { "privacy": "public" } });
    owner.patch(&format!("/v1/organizations/{org}"), public).await.expect(200);
    let invites = json!({ "userEmails": ["guest@example.com"], "role": "teamUser" });
    owner.post(&format!("/v1/organizations/{org}/invites"), invites).await.expect(200);
    // "hello", with its MD5.
    let file =
        json!({ "name": "a.txt", "size": 5, "type": "text/plain", "checksum": "XUFAKrxLKna5cZ2REBfFkg==" });
    let body = json!({ "content": { "title": "F" }, "orgId": org, "file": file, "notifyUsers": true });
    let item = owner.post("/v1/content", body.clone()).await.expect(201);
    put(owner, item["ingest"]["url"].as_str().unwrap(), "text/plain", b"hello").await;
    // One more, of which nothing arrives.
    owner.post("/v1/content", body).await.expect(201);
    let playlist = app.playlist(owner, org).await;
    let items = json!({ "playlist": { "items": [uid(&item)], "privacy": "public" } });
    owner.patch(&format!("/v1/playlists/{playlist}"), items).await.expect(200);
    // An address that does not name the organisation.
    let viewer = app.person(&format!("viewer-of-{name}@example.com")).await;
    app.appoint(org, &viewer, Role::User).await;
    let own = format!("/v1/organizations/{org}/users/me/consent");
    let given = viewer.patch(&own, testkit::answer(true)).await;
    assert!(given.status.is_success(), "{given:?}");
    fill_tables(app, org, &uid(&item), &viewer).await;
    org
}

/// Adds rows that need a player, a sender of emails or a resumable upload.
async fn fill_tables(app: &TestApp, org: OrgId, item: &str, viewer: &Client) {
    let item: Uid = item.parse().unwrap();
    let fresh = || -> Uid { app.bootstrap.ambient.uid() };
    let person: Uid = viewer.uid().into();
    let (org_id, some): (Value, Value) = (org.into(), fresh().into());
    let of_org = [
        (
            "viewing (org, uid, viewer, content, began_at, noted_at, hour, beats, watched, claims_ms, credit_ms, \
             over_ms, sections, is_finished, verdict, device)",
            "$1, $2, $2, $4, 1, 1, 1, '', '', 1, 1, 0, '', FALSE, 'counted', 'mobile'",
        ),
        ("view_pack (org, subject, week, data, audience)", "$1, $4, 0, 'x', 'x'"),
        ("view_unpacked (org, subject, day)", "$1, $2, 0"),
        ("total_pack (org, since, data)", "$1, 0, $5"),
        ("total_unpacked (org, content, views, watch_ms)", "$1, $4, 1, 1"),
        ("zone_cut (org, time_zone)", "$1, 'UTC'"),
        ("counted_start (day, org, viewer, content, at)", "1, $1, $2, $4, 1"),
        ("viewer_hour (day, org, viewer, hour, watch_ms)", "1, $1, $2, 1, 1"),
        ("viewer_key (org, person, since, viewer)", "$1, $3, 1, $2"),
        ("content_length (org, content, duration_ms)", "$1, $4, 1000"),
        ("coverage (org, viewer, content, sections, covered, watched_day)", "$1, $2, $4, '', 1, 1"),
        ("visitor (org, person, since, last_at, active_day, visits)", "$1, $3, 1, 1, 1, ''"),
        ("interaction (org, uid, day)", "$1, $2, 1"),
        ("activity (org, person, since, at, uid, kind)", "$1, $3, 1, 1, $2, 'visit'"),
        ("watch_hour (org, subject, hour, watch_ms, late_ms, views)", "$1, $4, 1, 1, 0, 1"),
        ("watch_hour (org, subject, hour, watch_ms, late_ms, views)", "$1, $1, 1, 1, 0, 1"),
        ("watch_day (org, list, day, item, watch_ms, late_ms, views)", "$1, 'content', 1, $4, 1, 0, 1"),
        ("watch_day (org, list, day, item, watch_ms, late_ms, views)", "$1, 'organisation', 1, $1, 1, 0, 1"),
        ("watch_period (org, list, item, period, watch_ms, late_ms, views)", "$1, 'content', $4, 0, 1, 0, 1"),
        ("watch_slot (org, period, slot, watch_ms)", "$1, 0, 1, 1"),
        ("watch_playlist (org, playlist, watch_ms, late_ms, views)", "$1, $2, 1, 0, 1"),
        (
            "watch_playlist_period (org, playlist, period, content, watch_ms, late_ms, views)",
            "$1, $2, 0, $4, 1, 0, 1",
        ),
        (
            "watch_playlist_content (org, playlist, day, content, watch_ms, late_ms, views)",
            "$1, $2, 1, $4, 1, 0, 1",
        ),
        (
            "watch_person (org, person, since, hour, content, playlist, watch_ms, views, visits)",
            "$1, $3, 1, 1, $4, $2, 1, 1, 1",
        ),
        ("person_pack (org, person, since, period, data)", "$1, $3, 1, 0, 'x'"),
        ("watch_verdict (org, day, verdict, views, watch_ms)", "$1, 1, 'staff', 1, 1"),
        ("event_batch (org, day, viewer, since, received_at, events)", "$1, 1, $2, 1, 1, '{}'"),
        (
            "lead (org, person, since, points, day, score, temperature, modified_at)",
            "$1, $3, 1, 1, 1, 1, 'cold', 1",
        ),
        ("lead_ledger (org, person, since, day, cause, item, points)", "$1, $3, 1, 1, 'watched', $4, 1"),
        ("lead_email (topic, org, person, written, created_at)", "$2, $1, $3, FALSE, 1"),
        ("lead_email_setting (org, person, hot_leads, weekly_summary)", "$1, $3, TRUE, TRUE"),
        ("lead_summary (org, due_at)", "$1, 9000000000000000"),
        ("lead_tally (org, temperature, leads)", "$1, 'cold', 1"),
        ("unsubscribe (org, person, created_at)", "$1, $3, 1"),
        ("item_progress (org, person, content, playlist, position, taken_at)", "$1, $3, $4, $2, 1, 1"),
        ("last_visit (org, person, active_at)", "$1, $3, 1"),
        ("removal (org, person, kind, at, is_listed)", "$1, $3, 'consent', 1, TRUE"),
        (
            "image (name, org, person, media_type, created_at, widths)",
            &format!("'{}', $1, $3, 'image/png', 1, ''", fresh().as_simple()),
        ),
        (
            "stored_object (path, org, kind, bytes)",
            &format!("'images/{}', $1, 'image', 1", fresh().as_simple()),
        ),
        ("content_grant (uid, content, expires_at)", "$2, $4, 9000000000000000"),
    ];
    for (into, values) in of_org {
        // Each statement binds what it names.
        let no_items = Value::from(vec![1_u8, 0]);
        let bound = [&org_id, &some, &Value::from(person), &Value::from(item), &no_items];
        let (mut sql, mut used) = (format!("INSERT INTO {into} VALUES ({values})"), Vec::new());
        for (index, value) in bound.into_iter().enumerate() {
            let name = format!("${}", index + 1);
            if sql.contains(&name) {
                used.push(value.clone());
                sql = sql.replace(&name, &format!("$!{}", used.len()));
            }
        }
        execute(app, &sql.replace("$!", "$"), used).await;
    }
    fill_archive(app, org).await;
    let counted = "UPDATE content SET views = 1, watch_ms = 1 WHERE uid = $1";
    execute(app, counted, vec![item.into()]).await;
}

/// Adds a segment to the archive of events.
async fn fill_archive(app: &TestApp, org: OrgId) {
    let content = zstd::encode_all(&b"{}\n"[..], 3).unwrap();
    let values = vec![
        org.into(),
        Value::from(i64::try_from(content.len()).unwrap()),
        hex::encode(Sha256::digest(&content)).into(),
    ];
    let insert = "INSERT INTO event_segment (org, day, state, first_event, last_event, requests, lines, bytes, sha256) \
                  VALUES ($1, 1, 'stored', 1, 1, 1, 1, $2, $3)";
    execute(app, insert, values).await;
    let found = rows(app, "SELECT number FROM event_segment WHERE org = $1", vec![org.into()]).await;
    let key = storage::Key::events("1970-01-02", org, found[0].try_get_by_index(0).unwrap()).unwrap();
    let path = app.bootstrap.settings.server.data_dir.join("objects").join(key.as_str());
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// Makes a deletion 31 days older.
async fn age(app: &TestApp, org: OrgId) {
    let sql = "UPDATE organisation SET deleted_at = deleted_at - 2678400000 WHERE uid = $1";
    execute(app, sql, vec![org.into()]).await;
}

pub async fn owner(app: &TestApp) -> (Client, String) {
    let ada = app.person("ada@example.com").await;
    let account = json!({ "friendlyName": "A", "billingName": "A", "billingEmail": "ada@example.com",
        "billingPhone": "+44 20 7946 0958", "type": "agency" });
    let account = ada.post("/v1/accounts", json!({ "account": account })).await.expect(201);
    (ada, uid(&account))
}

#[tokio::test]
async fn after_30_days_nothing_of_a_deleted_organisation_is_left_and_others_keep_everything() {
    let app = test_app().await;
    let (ada, account) = owner(&app).await;
    let folder = app.bootstrap.settings.server.data_dir.clone();
    let (org, other) = (filled_org(&app, &ada, "Gone").await, filled_org(&app, &ada, "Stays").await);
    let before = naming(&app, org.uid()).await;
    let with_org = columns(&app).await.into_iter().filter(|(_, column)| column == "org");
    for (table, _) in with_org.filter(|(table, _)| !UNRELATED.contains(&table.as_str())) {
        let column = format!("{table}.org");
        assert!(before.iter().any(|(name, _)| *name == column), "the test has no row in {table}");
    }
    let (kept, kept_images) = (naming(&app, other.uid()).await, images(&folder));
    assert!(!files(&folder, org).is_empty());

    let delete = format!("/v1/organizations/{org}");
    ada.json(Method::DELETE, &delete, &json!({ "name": "Gone" })).await.expect(204);
    app.inner.jobs.run_due(&app.inner.handlers).await.unwrap();
    let pending = "SELECT COUNT(*) FROM upload WHERE org = $1 AND status = 'pending'";
    let count = |rows: Vec<QueryResult>| -> i64 { rows[0].try_get_by_index(0).unwrap() };
    assert_eq!(count(rows(&app, pending, vec![org.into()]).await), 0);
    assert_eq!(count(rows(&app, pending, vec![other.into()]).await), 1);
    app.inner.features.orgs.purge_organisations().await.unwrap();
    assert!(!files(&folder, org).is_empty(), "it can still be restored");

    age(&app, org).await;
    ada.post(&format!("{delete}/restore"), json!({})).await.expect(404);
    app.inner.features.orgs.purge_organisations().await.unwrap();
    app.inner.features.orgs.purge_organisations().await.unwrap();
    let left = naming(&app, org.uid()).await;
    let unexpected: Vec<_> = left.iter().filter(|(name, _)| !KEPT.contains(&name.as_str())).collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
    assert!(left.iter().any(|(name, _)| name == "consent.org"), "the record of consent stays");
    assert!(files(&folder, org).is_empty());

    let unchanged = |all: Vec<(String, i64)>| -> Vec<_> {
        all.into_iter().filter(|(name, _)| !name.starts_with("job.") && name != "upload.org").collect()
    };
    assert_eq!(unchanged(naming(&app, other.uid()).await), unchanged(kept));
    assert_eq!((files(&folder, other).len(), images(&folder)), (2, kept_images));
    let log = ada.get(&format!("/v1/accounts/{account}/audit")).await.expect(200)["data"].clone();
    let actions: Vec<_> =
        log.as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions[..2], ["organization.purged", "organization.deleted"]);
    app.close().await;
}

#[tokio::test]
async fn an_organisation_is_removed_90_days_after_its_plan_ended_unless_one_was_bought() {
    let app = test_app().await;
    let (ada, _) = owner(&app).await;
    let new = |name: &str| json!({ "organisation": { "name": name } });
    let mut orgs = Vec::<OrgId>::new();
    for name in ["Ended", "Ending"] {
        orgs.push(uid(&ada.post("/v1/organizations", new(name)).await.expect(201)).parse().unwrap());
    }
    let now = app.bootstrap.ambient.now();
    for (org, days) in [(orgs[0], 91), (orgs[1], 89)] {
        let ended = "UPDATE provision SET plan = 'essentials-monthly', recorded_state = 'ended', status = 'canceled', \
                     period_end = $2, ended_at = $2 WHERE org = $1";
        execute(&app, ended, vec![org.into(), (now - days * kernel::DAY).into()]).await;
        execute(&app, "UPDATE organisation SET standing = 'ended' WHERE uid = $1", vec![org.into()]).await;
    }
    app.inner.features.orgs.purge_organisations().await.unwrap();
    let names =
        |column: &str| format!("SELECT COUNT(*) FROM membership WHERE org = $1 AND {column} IS NOT NULL");
    for (org, left) in [(orgs[0], 0), (orgs[1], 1)] {
        let found: i64 = rows(&app, &names("uid"), vec![org.into()]).await[0].try_get_by_index(0).unwrap();
        assert_eq!(found, left);
    }
    app.close().await;
}

#[tokio::test]
async fn an_operator_restores_an_organisation_by_name_or_id() {
    use server::admin::{Command, Line};
    let app = test_app().await;
    let (ada, _) = owner(&app).await;
    let run = async |organisation: &str| {
        let (out, mut lines) = tokio::sync::mpsc::channel(8);
        let organisation = organisation.to_owned();
        app.inner.admin.run(Command::RestoreOrganisation { organisation }, "root".to_owned(), &out).await;
        lines.recv().await.unwrap()
    };
    let mut orgs = Vec::new();
    for _ in 0..2 {
        let new = json!({ "organisation": { "name": "Twin" } });
        let org = uid(&ada.post("/v1/organizations", new).await.expect(201));
        ada.json(Method::DELETE, &format!("/v1/organizations/{org}"), &json!({ "name": "Twin" }))
            .await
            .expect(204);
        orgs.push(org);
    }
    let failed = |line: &Line, word: &str| matches!(line, Line::Failed { error } if error.contains(word));
    assert!(failed(&run("Nothing").await, "no organisation"));
    assert!(failed(&run("Twin").await, &orgs[1]));
    assert!(matches!(run(&orgs[0]).await, Line::Restored { name, .. } if name == "Twin"));
    assert!(failed(&run("Twin").await, "no plan"), "the only plan is used again");
    assert!(failed(&run(&orgs[0]).await, "no organisation"), "it is not deleted");
    app.close().await;
}
