//! Backups by the real program, restored on other engines and other storage, and made while people work.

mod damage;
pub mod installation;
mod removals;
mod repository;
mod scheduled;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use testkit::{Database, SignedBucket};

use super::purge::{filled_org, owner};
use super::tables::{execute, rows};
use super::test_app::{TestApp, test_app, uid};
use installation::{Installation, Output};

/// Rows of a table with the objects of the storage, read from a backup in a folder.
struct Contents {
    tables: BTreeMap<String, Vec<Value>>,
    objects: BTreeMap<String, Vec<u8>>,
}

impl Contents {
    fn read(folder: &Path) -> Self {
        let mut tables = BTreeMap::new();
        for entry in std::fs::read_dir(folder.join("tables")).unwrap() {
            let path = entry.unwrap().path();
            let lines = zstd::decode_all(std::fs::File::open(&path).unwrap()).unwrap();
            let mut rows: Vec<Value> = String::from_utf8(lines)
                .unwrap()
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            rows.sort_by_key(ToString::to_string);
            let name = path.file_name().unwrap().to_str().unwrap().strip_suffix(".jsonl.zst").unwrap();
            tables.insert(name.to_owned(), rows);
        }
        let mut objects = BTreeMap::new();
        collect(&folder.join("objects"), &folder.join("objects"), &mut objects);
        Self { tables, objects }
    }
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            let key = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            found.insert(key, std::fs::read(&path).unwrap());
        }
    }
}

/// Starts an installation with a row in nearly every table, and a file.
async fn filled_app() -> TestApp {
    let app = test_app().await;
    fill(&app).await;
    // Values that engines write differently.
    let bytes = Value::String("\u{0}".to_owned()).to_string();
    execute(&app, "UPDATE event_batch SET events = $1", vec![json!({ "b": bytes, "a": 1e300 }).into()]).await;
    app
}

/// Adds an organisation with a file.
async fn fill(app: &TestApp) {
    let (ada, _) = owner(app).await;
    filled_org(app, &ada, "Acme").await;
    // Records of files that do not exist.
    execute(app, "DELETE FROM stored_object WHERE kind = 'image'", vec![]).await;
    execute(app, "DELETE FROM image", vec![]).await;
}

async fn saved(installation: &Installation, folder: &Path, name: &str) -> (PathBuf, Contents) {
    let (tar, listing) = (folder.join(format!("{name}.tar")), folder.join(name));
    for target in [tar.display().to_string(), format!("{}/", listing.display())] {
        let Output { code, stdout, stderr } = installation.run(&["backup", &target]).await;
        assert_eq!(code, 0, "{stdout} {stderr}");
    }
    (tar, Contents::read(&listing))
}

#[tokio::test]
async fn a_backup_moves_between_engines_and_kinds_of_storage_without_a_difference() {
    let app = filled_app().await;
    let folder = tempfile::tempdir().unwrap();
    let first = Installation::of(&app);
    let (mut tar, original) = saved(&first, folder.path(), "original").await;
    assert_eq!(original.objects.len(), 2, "a file and a segment of events");
    let filled = original.tables.values().filter(|rows| !rows.is_empty()).count();
    assert!(filled > 35, "{filled} tables have rows");
    for table in ["person_pack", "person_packed"] {
        assert!(!original.tables.contains_key(table), "a copy packs {table} anew");
    }

    let (mut databases, mut ids) = (Vec::new(), Vec::new());
    for (step, in_bucket) in [true, false, false, true].into_iter().enumerate() {
        let place = folder.path().join(step.to_string());
        std::fs::create_dir(&place).unwrap();
        let bucket = if in_bucket { Some(SignedBucket::open().await) } else { None };
        let url = if step % 2 == 0 {
            format!("sqlite://{}", place.join("moved.db").display())
        } else {
            databases.push(Database::fresh(&place).await);
            databases.last().unwrap().url().to_owned()
        };
        let next = Installation::new(&place, &url, bucket.as_ref().map(SignedBucket::settings));
        let source = tar.to_str().unwrap().to_owned();
        let Output { code, stdout, stderr } =
            next.run(&["restore", &source, "--keep-sessions", "--keep-mail"]).await;
        assert_eq!(code, 0, "{stdout} {stderr}");
        assert!(stdout.starts_with("restored ") && stdout.ends_with("nothing found\n"), "{stdout}");
        let (next_tar, moved) = saved(&next, folder.path(), &format!("moved-{step}")).await;
        for (table, rows) in &original.tables {
            match table.as_str() {
                // A restored copy is not the storage of the original.
                "storage_identity" => {}
                // Packs are not in a backup: their weeks are unpacked.
                "view_unpacked" => {
                    let moved = &moved.tables[table];
                    assert!(rows.iter().all(|row| moved.contains(row)), "{moved:?} after step {step}");
                    assert_eq!(moved.len(), 2, "{moved:?} after step {step}");
                }
                _ => assert_eq!(moved.tables.get(table), Some(rows), "{table} after step {step}"),
            }
        }
        assert_eq!(moved.tables.len(), original.tables.len());
        let objects = bucket.as_ref().map_or_else(|| place.join("objects"), SignedBucket::folder);
        let id = std::fs::read_to_string(objects.join(".vitrine")).unwrap();
        assert_eq!(moved.tables["storage_identity"][0]["id"], json!(id.trim()), "step {step}");
        assert!(!ids.contains(&id), "the copy has the id of another storage: {id}");
        ids.push(id);
        assert_eq!(moved.objects, original.objects);
        tar = next_tar;
    }
    for database in databases {
        database.remove().await;
    }
    app.close().await;
}

#[tokio::test]
async fn a_backup_is_checked_beside_a_running_installation_and_nothing_is_left() {
    let app = filled_app().await;
    let folder = tempfile::tempdir().unwrap();
    let first = Installation::of(&app);
    let (tar, original) = saved(&first, folder.path(), "original").await;
    let check = ["backup", "--check", tar.to_str().unwrap()];
    let Output { code, stdout, stderr } = first.run(&check).await;
    assert_eq!(code, 0, "{stdout} {stderr}");
    assert!(stdout.starts_with("restored ") && stdout.ends_with("nothing found\n"), "{stdout}");
    let (_, after) = saved(&first, folder.path(), "after").await;
    assert_eq!((after.tables, after.objects), (original.tables, original.objects), "it changes nothing here");

    execute(&app, "UPDATE organisation SET person_count = person_count + 1", vec![]).await;
    let (wrong, _) = saved(&first, folder.path(), "wrong").await;
    let found = first.run(&["backup", "--check", "--json", wrong.to_str().unwrap()]).await;
    assert!(found.code == 1 && found.stdout.contains("\"check\":\"person_count\""), "{found:?}");
    std::fs::File::options().write(true).open(&tar).unwrap().set_len(1_000).unwrap();
    assert_eq!(first.run(&check).await.code, 1);
    let left = std::fs::read_dir(&first.folder).unwrap().flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name().into_string().unwrap()).collect();
    assert!(!left.iter().any(|name| name.starts_with("vitrine-check")), "{left:?}");
    app.close().await;
}

#[tokio::test]
async fn a_restored_copy_has_no_sessions_no_waiting_email_and_new_numbers() {
    let app = filled_app().await;
    execute(&app, "UPDATE mail_outbox SET state = 'waiting', text_body = 'secret link'", vec![]).await;
    // As if a worker were busy, and the backup old.
    let busy = "UPDATE job SET state = 'running', lease_until = 1 WHERE kind = 'send_mail'";
    execute(&app, busy, vec![]).await;
    let folder = tempfile::tempdir().unwrap();
    let tar = folder.path().join("copy.tar");
    let output = Installation::of(&app).run(&["backup", tar.to_str().unwrap()]).await;
    assert_eq!(output.code, 0, "{output:?}");
    let database = Database::fresh(&folder.path().join("")).await;
    let copy = Installation::new(&folder.path().join("copy"), database.url(), None);
    let output = copy.run(&["restore", tar.to_str().unwrap()]).await;
    assert_eq!(output.code, 0, "{output:?}");
    let db = db::Db::connect(database.url()).await.unwrap();
    let count = async |sql: &str| installation::count(&db, sql).await;
    assert_eq!(count("SELECT COUNT(*) FROM job WHERE state = 'running'").await, 0);
    assert_ne!(count("SELECT COUNT(*) FROM session").await, 0);
    assert_eq!(count("SELECT COUNT(*) FROM session WHERE ended_at IS NULL").await, 0);
    assert_ne!(count("SELECT COUNT(*) FROM mail_outbox WHERE state = 'withdrawn'").await, 0);
    assert_eq!(count("SELECT COUNT(*) FROM mail_outbox WHERE state = 'waiting'").await, 0);
    assert_eq!(count("SELECT COUNT(*) FROM mail_outbox WHERE text_body = 'secret link'").await, 0);
    // The next batch gets the next number.
    let last = count("SELECT MAX(number) FROM event_batch").await;
    let tx = db.write_tx().await.unwrap();
    let insert = "INSERT INTO event_batch (org, viewer, received_at, day, since, events) \
                  SELECT org, viewer, received_at, day, since, events FROM event_batch LIMIT 1";
    sea_orm::ConnectionTrait::execute_unprepared(&tx, insert).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(count("SELECT MAX(number) FROM event_batch").await, last + 1);
    db.close().await;
    database.remove().await;
    app.close().await;
}

#[tokio::test]
async fn a_missing_file_is_named_and_there_is_no_backup() {
    let app = filled_app().await;
    let folder = tempfile::tempdir().unwrap();
    let key = "SELECT path FROM stored_object WHERE kind = 'source' AND unreferenced_at IS NULL";
    let key: String = rows(&app, key, vec![]).await[0].try_get_by_index(0).unwrap();
    let path = app.bootstrap.settings.server.data_dir.join("objects").join(&key);
    let first = Installation::of(&app);
    let tar = folder.path().join("a.tar");
    for (problem, damage) in [("has 4 bytes, not 5", Some(&b"hell"[..])), ("is missing", None)] {
        std::fs::remove_file(&path).unwrap();
        if let Some(bytes) = damage {
            std::fs::write(&path, bytes).unwrap();
        }
        let output = first.run(&["backup", tar.to_str().unwrap()]).await;
        assert_eq!(output.code, 1);
        assert!(output.stderr.contains(&format!("{key} {problem}")), "{}", output.stderr);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
    app.close().await;
}

/// Creates, deletes and purges items until told to stop. Returns the playlists whose creation was acknowledged.
async fn work(app: &TestApp, stop: &AtomicBool, known: &Acknowledged) {
    let (ada, _) = owner(app).await;
    let new = json!({ "organisation": { "name": "Busy" } });
    let org = uid(&ada.post("/v1/organizations", new).await.expect(201)).parse().unwrap();
    let file =
        json!({ "name": "a.txt", "size": 5, "type": "text/plain", "checksum": "XUFAKrxLKna5cZ2REBfFkg==" });
    while !stop.load(Ordering::Relaxed) {
        let body = json!({ "content": { "title": "F" }, "orgId": org, "file": file, "notifyUsers": false });
        let item = ada.post("/v1/content", body).await.expect(201);
        super::purge::put(&ada, item["ingest"]["url"].as_str().unwrap(), "text/plain", b"hello").await;
        known.add(app.playlist(&ada, org).await);
        let path = format!("/v1/content/{}?permanent=true", uid(&item));
        ada.delete(&path).await.expect(204);
        app.inner.jobs.run_due(&app.inner.handlers).await.unwrap();
    }
}

/// The ids that were acknowledged so far.
#[derive(Default)]
struct Acknowledged(std::sync::Mutex<Vec<String>>);

impl Acknowledged {
    fn add(&self, uid: String) {
        self.0.lock().unwrap().push(uid);
    }

    fn so_far(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

#[tokio::test]
async fn a_backup_while_people_work_has_everything_acknowledged_before_and_no_finding() {
    let app = test_app().await;
    let (stop, known) = (Arc::new(AtomicBool::new(false)), Acknowledged::default());
    let first = Installation::of(&app);
    let folder = tempfile::tempdir().unwrap();
    let backups = async {
        for round in 0..3 {
            while known.so_far().len() < 5 * (round + 1) {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            let before = known.so_far();
            let tar = folder.path().join(format!("{round}.tar"));
            let output = first.run(&["backup", tar.to_str().unwrap()]).await;
            assert_eq!(output.code, 0, "{output:?}");
            let place = folder.path().join(round.to_string());
            let url = format!("sqlite://{}", place.join("vitrine.db").display());
            let output = Installation::new(&place, &url, None).run(&["restore", tar.to_str().unwrap()]).await;
            assert_eq!(output.code, 0, "{output:?}");
            let db = db::Db::connect(&url).await.unwrap();
            for uid in before {
                let sql = format!("SELECT COUNT(*) FROM playlist WHERE uid = X'{}'", uid.replace('-', ""));
                assert_eq!(installation::count(&db, &sql).await, 1, "{uid} was acknowledged");
            }
            db.close().await;
        }
        stop.store(true, Ordering::Relaxed);
    };
    tokio::join!(work(&app, &stop, &known), backups);
    app.close().await;
}
