//! Backups that must not be restored: damaged, foreign or hostile ones, and targets that hold data.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use db::Db;
use testkit::SignedBucket;

use super::super::test_app::TestApp;
use super::installation::{Installation, count};
use super::{execute, filled_app};

/// A backup, and an empty place for it.
struct TestBackup {
    app: TestApp,
    folder: tempfile::TempDir,
    tar: PathBuf,
    target: Installation,
}

impl TestBackup {
    async fn new() -> Self {
        let app = filled_app().await;
        let folder = tempfile::tempdir().unwrap();
        let tar = folder.path().join("good.tar");
        let output = Installation::of(&app).run(&["backup", tar.to_str().unwrap()]).await;
        assert_eq!(output.code, 0, "{output:?}");
        let place = folder.path().join("target");
        let url = format!("sqlite://{}", place.join("vitrine.db").display());
        let target = Installation::new(&place, &url, None);
        Self { app, folder, tar, target }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Restores a source that must be refused, and checks that the target is still empty.
    async fn refused(&self, source: &Path) -> String {
        let output = self.target.run(&["restore", source.to_str().unwrap()]).await;
        assert_eq!(output.code, 1, "{} was restored: {output:?}", source.display());
        assert_eq!(output.stdout, "", "{output:?}");
        if self.target.folder.join("vitrine.db").exists() {
            let db = Db::connect(&self.target.database).await.unwrap();
            if !db::is_new(db.read()).await.unwrap() {
                for table in ["person", "stored_object", "job"] {
                    assert_eq!(count(&db, &format!("SELECT COUNT(*) FROM {table}")).await, 0);
                }
            }
            db.close().await;
        }
        assert_eq!(files(&self.target.folder.join("objects")), 0);
        output.stderr
    }

    async fn close(self) {
        // The intact one is restored after all refusals.
        let output = self.target.run(&["restore", self.tar.to_str().unwrap()]).await;
        assert_eq!(output.code, 0, "{output:?}");
        // A file, archived events, and the id of the storage.
        assert_eq!(files(&self.target.folder.join("objects")), 3);
        self.app.close().await;
    }
}

/// Returns the number of files below a folder.
fn files(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { 1 }).sum()
}

/// Returns the name, offset and length of each entry.
fn entries(tar: &Path) -> Vec<(String, usize, usize)> {
    let mut archive = tar::Archive::new(fs::File::open(tar).unwrap());
    let entries = archive.entries().unwrap().map(Result::unwrap);
    entries
        .map(|entry| {
            let name = entry.path().unwrap().to_str().unwrap().to_owned();
            (name, entry.raw_file_position() as usize, entry.size() as usize)
        })
        .collect()
}

#[tokio::test]
async fn a_truncated_or_changed_backup_is_refused_and_leaves_nothing() {
    let scene = TestBackup::new().await;
    let (good, bad) = (fs::read(&scene.tar).unwrap(), scene.path("bad.tar"));
    let entries = entries(&scene.tar);
    assert!(entries[0].0.starts_with("objects/content/"), "{entries:?}");
    assert_eq!(entries.last().unwrap().0, "manifest.json");
    let (_, last, len_of_last) = entries.last().unwrap();
    // The padding behind the last entry may be missing.
    for len in [0, 100, 512, 700, good.len() / 2, last + len_of_last - 1, last + 10] {
        fs::write(&bad, &good[..len]).unwrap();
        let message = scene.refused(&bad).await;
        assert!(message.contains("backup"), "{len}: {message}");
    }
    let of = |name: &str| entries.iter().find(|entry| entry.0.starts_with(name)).unwrap();
    for name in ["objects/", "tables/person.", "tables/job.", "files.jsonl.zst", "manifest.json"] {
        let (_, offset, len) = of(name);
        for at in [offset + len / 2, offset - 512 + 3] {
            let mut changed = good.clone();
            changed[at] ^= 1;
            fs::write(&bad, changed).unwrap();
            let message = scene.refused(&bad).await;
            assert!(message.contains("damaged") || message.contains("not a"), "{name} at {at}: {message}");
        }
    }
    scene.close().await;
}

#[tokio::test]
async fn a_backup_of_another_secret_form_or_version_is_refused() {
    let scene = TestBackup::new().await;
    let other = Installation {
        secret: "ZZrSx0B1+T1yyLQxQFYkYtvAeYPVwV8Txnf0ZLwo5nE=".to_owned(),
        ..scene.target.clone()
    };
    let output = other.run(&["restore", scene.tar.to_str().unwrap()]).await;
    assert_eq!(output.code, 1);
    assert!(output.stderr.contains("made with another secret. Set VITRINE_SECRET"), "{output:?}");
    // Nor is one made that only another secret could restore.
    let wrong = Installation { secret: other.secret.clone(), ..Installation::of(&scene.app) };
    let output = wrong.run(&["backup", scene.path("wrong.tar").to_str().unwrap()]).await;
    assert!(output.code == 1 && output.stderr.contains("VITRINE_SECRET is not the one"), "{output:?}");

    let folder = scene.path("form");
    tar::Archive::new(fs::File::open(&scene.tar).unwrap()).unpack(&folder).unwrap();
    let manifest = folder.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"form\": 1", "\"form\": 2")).unwrap();
    let message = scene.refused(&folder).await;
    assert!(message.contains("has form 2, and this version of Vitrine reads form 1"), "{message}");
    fs::write(&manifest, text.replace("\"rows\": 1", "\"rows\": 2")).unwrap();
    let message = scene.refused(&folder).await;
    assert!(message.contains("manifest.json was changed"), "{message}");

    let step = "INSERT INTO schema_migration (name, applied_at) VALUES ('content_20991231_01_shape', 0)";
    execute(&scene.app, step, vec![]).await;
    let newer = scene.path("newer.tar");
    let output = Installation::of(&scene.app).run(&["backup", newer.to_str().unwrap()]).await;
    assert_eq!(output.code, 0, "{output:?}");
    let message = scene.refused(&newer).await;
    assert!(message.contains("does not know the migration content_20991231_01_shape"), "{message}");
    scene.close().await;
}

/// Writes a tar file with one entry, whatever its name.
fn hostile(path: &Path, name: &str, kind: tar::EntryType, link: &str) {
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
    header.set_size(u64::from(kind.is_file()));
    header.set_entry_type(kind);
    header.set_cksum();
    let mut file = fs::File::create(path).unwrap();
    file.write_all(header.as_bytes()).unwrap();
    file.write_all(&[b'x'; 1]).unwrap();
    file.write_all(&[0; 511 + 1024]).unwrap();
}

#[tokio::test]
async fn hostile_names_and_links_are_refused() {
    let scene = TestBackup::new().await;
    let bad = scene.path("bad.tar");
    let regular = tar::EntryType::Regular;
    for (name, kind, link) in [
        ("../escaped", regular, ""),
        ("/tmp/escaped", regular, ""),
        ("objects/../../escaped", regular, ""),
        ("objects/images/ab/../../../escaped", regular, ""),
        ("tables/../escaped.jsonl.zst", regular, ""),
        ("manifest.json", tar::EntryType::Symlink, "/etc/passwd"),
        ("manifest.json", tar::EntryType::Link, "/etc/passwd"),
        ("manifest.json", tar::EntryType::Fifo, ""),
        ("long", tar::EntryType::GNULongName, ""),
    ] {
        hostile(&bad, name, kind, link);
        let message = scene.refused(&bad).await;
        assert!(message.contains("not a backup of Vitrine"), "{name}: {message}");
        assert!(message.contains(name) && !scene.path("escaped").exists());
    }
    fs::write(&bad, "no tar file").unwrap();
    assert!(scene.refused(&bad).await.contains("backup"));

    // A link in a folder, even if the file behind it is the right one.
    let folder = scene.path("links");
    tar::Archive::new(fs::File::open(&scene.tar).unwrap()).unpack(&folder).unwrap();
    let table = folder.join("tables/person.jsonl.zst");
    let moved = scene.path("moved");
    fs::rename(&table, &moved).unwrap();
    symlink(&moved, &table).unwrap();
    let message = scene.refused(&folder).await;
    assert!(message.contains("person.jsonl.zst\" is a symbolic link"), "{message}");
    fs::remove_file(&table).unwrap();
    fs::rename(&moved, &table).unwrap();
    fs::rename(folder.join("objects"), &moved).unwrap();
    symlink(&moved, folder.join("objects")).unwrap();
    let message = scene.refused(&folder).await;
    assert!(message.contains("is a symbolic link"), "{message}");
    scene.close().await;
}

#[tokio::test]
async fn a_target_with_data_is_refused_and_a_backup_never_overwrites() {
    let scene = TestBackup::new().await;
    let tar = scene.tar.to_str().unwrap();
    let bucket = SignedBucket::open().await;
    let in_use = Installation { storage: bucket.settings(), ..Installation::of(&scene.app) };
    let before = fs::read(&scene.tar).unwrap();
    let output = in_use.run(&["backup", tar]).await;
    assert!(output.code == 1 && output.stderr.contains("exists already"), "{output:?}");
    assert_eq!(fs::read(&scene.tar).unwrap(), before);

    let id = "0".repeat(32);
    let file = scene.target.folder.join(format!("objects/content/{id}/{id}/source-{id}"));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "x").unwrap();
    let output = scene.target.run(&["restore", tar]).await;
    assert!(
        output.code == 1 && output.stderr.contains("the storage is not empty. Nothing was"),
        "{output:?}"
    );
    fs::remove_file(&file).unwrap();

    let restored = scene.target.run(&["restore", tar]).await;
    assert_eq!(restored.code, 0, "{restored:?}");
    let output = scene.target.run(&["restore", tar]).await;
    let sentence = "is not empty. Nothing was restored; use an empty database and data folder.";
    assert!(output.code == 1 && output.stderr.contains(sentence), "{output:?}");
    scene.app.close().await;
}

#[tokio::test]
async fn doctor_tells_the_age_of_the_backup_and_reads_a_database_in_use() {
    let scene = TestBackup::new().await;
    let running = Installation::of(&scene.app);
    let checks = async |installation: &Installation| {
        let output = installation.run(&["doctor", "--json"]).await;
        let line = |line: &str| -> serde_json::Value { serde_json::from_str(line).unwrap() };
        output.stdout.lines().map(line).collect::<Vec<_>>()
    };
    let of = |all: &[serde_json::Value], check: &str| {
        let found = all.iter().find(|one| one["check"] == check).unwrap();
        (found["result"].as_str().unwrap().to_owned(), found["text"].as_str().unwrap().to_owned())
    };
    let all = checks(&running).await;
    let (result, text) = of(&all, "database");
    assert!(result == "ok" && text.ends_with("is reachable and up to date"), "{text}");
    assert_eq!(of(&all, "backup"), ("ok".to_owned(), "made 0 hours ago".to_owned()));
    assert_eq!(of(&all, "jobs").0, "ok");
    fs::write(running.folder.join("last_backup"), "1700000000\n").unwrap();
    execute(&scene.app, "UPDATE job SET state = 'dead' WHERE schedule IS NULL", vec![]).await;
    execute(&scene.app, "DELETE FROM schema_migration WHERE name LIKE 'leads%'", vec![]).await;
    let all = checks(&running).await;
    assert!(of(&all, "backup").1.starts_with("the last one was made "), "{all:?}");
    assert_eq!(of(&all, "jobs").0, "warn", "{all:?}");
    assert!(of(&all, "database").1.contains("the next start applies"), "{all:?}");
    let step = "INSERT INTO schema_migration (name, applied_at) VALUES ('content_20991231_01_shape', 0)";
    execute(&scene.app, step, vec![]).await;
    assert_eq!(of(&checks(&running).await, "database").0, "fail");
    // No check creates a database.
    let all = checks(&scene.target).await;
    assert_eq!(of(&all, "database"), ("ok".to_owned(), "will be created by the first start".to_owned()));
    assert!(of(&all, "backup").1.starts_with("none was made"), "{all:?}");
    assert!(!scene.target.folder.join("vitrine.db").exists());
    scene.app.close().await;
}

#[tokio::test]
async fn a_backup_of_an_older_schema_is_migrated_and_needs_a_new_database() {
    let scene = TestBackup::new().await;
    // As before a step of leads that adds tables only.
    let step = "leads_20261125_02_emails";
    for table in ["lead_email", "lead_email_setting", "lead_summary"] {
        execute(&scene.app, &format!("DROP TABLE {table}"), vec![]).await;
    }
    execute(&scene.app, "DELETE FROM schema_migration WHERE name = $1", vec![step.into()]).await;
    let older = scene.path("older.tar");
    let output = Installation::of(&scene.app).run(&["backup", older.to_str().unwrap()]).await;
    assert_eq!(output.code, 0, "{output:?}");
    let migrated = scene.target.run(&["migrate"]).await;
    assert_eq!(migrated.code, 0, "{migrated:?}");
    let message = scene.refused(&older).await;
    assert!(message.contains("is not empty. Nothing was restored"), "{message}");
    fs::remove_dir_all(&scene.target.folder).unwrap();
    let output = scene.target.run(&["restore", older.to_str().unwrap()]).await;
    assert_eq!(output.code, 0, "{output:?}");
    let db = Db::connect(&scene.target.database).await.unwrap();
    assert!(db::applied_steps(db.read()).await.unwrap().iter().any(|applied| applied == step));
    assert_eq!(count(&db, "SELECT COUNT(*) FROM lead_summary").await, 0);
    assert_ne!(count(&db, "SELECT COUNT(*) FROM lead").await, 0);
    db.close().await;
    scene.app.close().await;
}
