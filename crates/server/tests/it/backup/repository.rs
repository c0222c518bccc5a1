//! Several backups in a folder or a bucket, which share their files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kernel::OrgId;
use serde_json::{Value, json};
use testkit::{Client, SignedBucket};

use super::super::test_app::{TestApp, uid};
use super::installation::{Installation, count};
use super::{execute, filled_app, owner};

/// An installation in use, and a place for its backups.
struct TestRepository {
    app: TestApp,
    ada: Client,
    org: OrgId,
    folder: tempfile::TempDir,
    first: Installation,
    /// The name of the place, and the folder with what is in it.
    place: String,
    stored: PathBuf,
    _bucket: Option<SignedBucket>,
}

impl TestRepository {
    async fn new(in_bucket: bool) -> Self {
        let app = filled_app().await;
        let (ada, _) = owner(&app).await;
        let new = json!({ "organisation": { "name": "Saved" } });
        let org = uid(&ada.post("/v1/organizations", new).await.expect(201)).parse().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let bucket = if in_bucket { Some(SignedBucket::open().await) } else { None };
        let (mut first, here) = (Installation::of(&app), folder.path().join("safe"));
        let (place, stored) = match &bucket {
            Some(bucket) => {
                first = first.with_backups_in(&bucket.settings());
                ("s3://media/a/prefix/safe".to_owned(), bucket.folder().join("safe"))
            }
            None => (here.display().to_string(), here),
        };
        Self { app, ada, org, folder, first, place, stored, _bucket: bucket }
    }

    /// Makes a backup, and returns what it says.
    async fn back_up(&self) -> Value {
        let lines = self.first.json(&["backup", "--to", &self.place, "--json"]).await;
        assert_eq!((lines.len(), &lines[0]["line"]), (1, &json!("saved")), "{lines:?}");
        lines.into_iter().next().unwrap()
    }

    /// Uploads a file of five bytes. Returns the item.
    async fn upload(&self) -> String {
        let file = json!({ "name": "a.txt", "size": 5, "type": "text/plain", "checksum": "XUFAKrxLKna5cZ2REBfFkg==" });
        let body =
            json!({ "content": { "title": "F" }, "orgId": self.org, "file": file, "notifyUsers": false });
        let item = self.ada.post("/v1/content", body).await.expect(201);
        super::super::purge::put(&self.ada, item["ingest"]["url"].as_str().unwrap(), "text/plain", b"hello")
            .await;
        uid(&item)
    }

    /// Deletes an item with its file.
    async fn delete(&self, item: &str) {
        self.ada.delete(&format!("/v1/content/{item}?permanent=true")).await.expect(204);
        self.app.inner.jobs.run_due(&self.app.inner.handlers).await.unwrap();
    }

    /// Returns the files of the backups that belong to an item.
    fn files_of(&self, item: &str) -> Vec<PathBuf> {
        let id = item.replace('-', "");
        let all = below(&self.stored.join("objects"));
        all.into_iter().filter(|path| path.to_str().unwrap().contains(&id)).collect()
    }

    /// Restores a source elsewhere, and returns how many items it has with this id.
    async fn restored(&self, source: &str, item: &str) -> i64 {
        let place = self.folder.path().join("restored");
        let url = format!("sqlite://{}", place.join("vitrine.db").display());
        let target =
            Installation { variables: self.first.variables.clone(), ..Installation::new(&place, &url, None) };
        let output = target.run(&["restore", source]).await;
        assert!(output.code == 0 && output.stdout.ends_with("nothing found\n"), "{output:?}");
        let db = db::Db::connect(&url).await.unwrap();
        let sql = format!("SELECT COUNT(*) FROM content WHERE uid = X'{}'", item.replace('-', ""));
        let found = count(&db, &sql).await;
        db.close().await;
        fs::remove_dir_all(&place).unwrap();
        found
    }
}

/// Returns all files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() { found.extend(below(&entry.path())) } else { found.push(entry.path()) }
    }
    found
}

async fn check_sharing(scene: TestRepository) {
    let item = scene.upload().await;
    let first = scene.back_up().await;
    assert_eq!((&first["files"], &first["copiedFiles"]), (&json!(3), &json!(3)), "{first}");
    assert_eq!(scene.files_of(&item).len(), 1);
    let second = scene.back_up().await;
    assert_eq!((&second["copiedFiles"], &second["copiedBytes"]), (&json!(0), &json!(0)), "{second}");
    assert_eq!((&second["files"], &second["bytes"]), (&first["files"], &first["bytes"]));
    let later = scene.upload().await;
    let third = scene.back_up().await;
    assert_eq!((&third["files"], &third["copiedFiles"]), (&json!(4), &json!(1)), "{third}");
    // What is damaged or gone where the backups are is copied again.
    let file = scene.files_of(&item).remove(0);
    fs::write(&file, "hell").unwrap();
    fs::remove_file(scene.files_of(&later).remove(0)).unwrap();
    let fourth = scene.back_up().await;
    assert_eq!(fourth["copiedFiles"], json!(2), "{fourth}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "hello");

    let listed = scene.first.json(&["backup", "--list", "--to", &scene.place, "--json"]).await;
    let names: Vec<_> = listed.iter().filter_map(|line| line["name"].as_str()).collect();
    assert_eq!(names, [&first, &second, &third, &fourth].map(|one| one["name"].as_str().unwrap()));
    assert!(listed[..4].iter().all(|line| line["state"] == "whole"), "{listed:?}");
    assert_eq!(scene.restored(&scene.place, &later).await, 1, "the newest");
    let oldest = format!("{}/backups/{}", scene.place, names[0]);
    assert_eq!(scene.restored(&oldest, &later).await, 0, "an older one");
    let checked = scene.first.run(&["backup", "--check", &oldest]).await;
    assert!(checked.code == 0 && checked.stdout.ends_with("nothing found\n"), "{checked:?}");
    scene.app.close().await;
}

#[tokio::test]
async fn backups_in_a_folder_share_their_files() {
    check_sharing(TestRepository::new(false).await).await;
}

#[tokio::test]
async fn backups_in_a_bucket_share_their_files() {
    check_sharing(TestRepository::new(true).await).await;
}

async fn check_pruning(scene: TestRepository) {
    let (shared, gone) = (scene.upload().await, scene.upload().await);
    let first = scene.back_up().await;
    scene.delete(&gone).await;
    let later = scene.upload().await;
    let second = scene.back_up().await;
    let prune = |more: &[&'static str]| {
        let mut args = vec!["backup", "--prune", "--to", scene.place.as_str()];
        args.extend(more);
        args.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let pruned = async |more: &[&'static str]| {
        let args = prune(more);
        scene.first.run(&args.iter().map(String::as_str).collect::<Vec<_>>()).await
    };
    let (first, second) = (first["name"].as_str().unwrap(), second["name"].as_str().unwrap());

    let dry = pruned(&["--keep", "1", "--dry"]).await;
    let says =
        format!("would remove {first}\nwould remove 1 backups and 1 files with 5 bytes; 1 backups stay\n");
    assert_eq!((dry.code, dry.stdout.as_str()), (0, says.as_str()), "{dry:?}");
    assert_eq!(scene.files_of(&gone).len(), 1, "nothing was removed");
    assert_eq!(
        pruned(&["--keep", "2"]).await.stdout,
        "removed 0 backups and 0 files with 0 bytes; 2 backups stay\n"
    );
    assert_eq!(pruned(&["--keep", "0"]).await.code, 2);
    let of_a_day = pruned(&["--keep", "1d", "--dry"]).await;
    assert_eq!(of_a_day.stdout, says, "the newest of one day");

    // A backup that was interrupted before its manifest, and a file of it.
    let third = scene.back_up().await;
    let third = third["name"].as_str().unwrap();
    fs::remove_file(scene.stored.join("backups").join(third).join("manifest.json")).unwrap();
    let id = "0".repeat(32);
    let orphan = scene.stored.join(format!("objects/content/{id}/{id}/source-{id}"));
    fs::create_dir_all(orphan.parent().unwrap()).unwrap();
    fs::write(&orphan, "left").unwrap();
    assert_eq!(scene.restored(&scene.place, &later).await, 1, "it is not taken for the newest");
    let args = prune(&["--keep", "1", "--json"]);
    let lines = scene.first.json(&args.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let removed: Vec<_> = lines.iter().filter_map(|line| line["name"].as_str()).collect();
    assert_eq!(removed, [first, third], "{lines:?}");
    let end = json!({ "line": "pruned", "backups": 2, "files": 2, "bytes": 9, "kept": 1, "dry": false });
    assert_eq!(lines.last(), Some(&end));
    assert_eq!((scene.files_of(&gone).len(), scene.files_of(&shared).len(), orphan.exists()), (0, 1, false));
    assert_eq!(scene.restored(&scene.place, &later).await, 1);

    // While one cannot be read, the files that it may refer to stay, and so does the newest that can.
    scene.delete(&shared).await;
    let newest = scene.upload().await;
    let fourth = scene.back_up().await;
    let fourth = fourth["name"].as_str().unwrap();
    let manifest = scene.stored.join("backups").join(fourth).join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"rows\": 1", "\"rows\": 7")).unwrap();
    let output = pruned(&["--keep", "1"]).await;
    assert!(output.code == 1 && output.stdout.contains(&format!("{fourth} cannot be read")), "{output:?}");
    assert_eq!(scene.restored(&format!("{}/backups/{second}", scene.place), &later).await, 1);
    assert_eq!((scene.files_of(&shared).len(), scene.files_of(&newest).len()), (1, 1));
    fs::write(&manifest, text).unwrap();
    assert_eq!(pruned(&["--keep", "1"]).await.code, 0);
    assert_eq!((scene.files_of(&shared).len(), scene.files_of(&newest).len()), (0, 1));
    assert_eq!(scene.restored(&scene.place, &later).await, 1);
    scene.app.close().await;
}

#[tokio::test]
async fn old_backups_are_removed_from_a_folder_and_what_others_need_stays() {
    check_pruning(TestRepository::new(false).await).await;
}

#[tokio::test]
async fn old_backups_are_removed_from_a_bucket_and_what_others_need_stays() {
    check_pruning(TestRepository::new(true).await).await;
}

#[tokio::test]
async fn a_killed_backup_leaves_none_that_looks_whole() {
    let scene = TestRepository::new(false).await;
    let item = scene.upload().await;
    scene.back_up().await;
    for round in 0..8 {
        let mut command = scene.first.command(&["backup", "--to", &scene.place]);
        let mut running = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        tokio::time::sleep(Duration::from_millis(40 * round)).await;
        running.kill().await.unwrap();
        let listed = scene.first.json(&["backup", "--list", "--to", &scene.place, "--json"]).await;
        assert!(listed.iter().all(|line| line["state"] != "unreadable"), "{listed:?}");
        assert_eq!(scene.restored(&scene.place, &item).await, 1);
    }
    scene.back_up().await;
    let output = scene.first.run(&["backup", "--prune", "--keep", "1", "--to", &scene.place]).await;
    assert!(output.code == 0 && output.stdout.ends_with("; 1 backups stay\n"), "{output:?}");
    assert_eq!(fs::read_dir(scene.stored.join("backups")).unwrap().count(), 1);
    for staging in ["staging", "objects/staging"] {
        assert_eq!(fs::read_dir(scene.stored.join(staging)).unwrap().count(), 0, "{staging}");
    }
    scene.app.close().await;
}

#[tokio::test]
async fn a_place_belongs_to_one_installation_and_is_never_its_storage() {
    let scene = TestRepository::new(false).await;
    scene.back_up().await;
    let before = below(&scene.stored).len();
    let to = |place: &Path| place.display().to_string();

    // A restored copy, with the settings of the original.
    let place = scene.folder.path().join("copy");
    let url = format!("sqlite://{}", place.join("vitrine.db").display());
    let copy = Installation::new(&place, &url, None);
    assert_eq!(copy.run(&["restore", &scene.place]).await.code, 0);
    for args in [&["--to", &scene.place][..], &["--prune", "--keep", "1", "--to", &scene.place]] {
        let says = copy.refused(&[&["backup"], args].concat()).await;
        assert!(says.contains("are those of another installation"), "{says}");
    }
    assert_eq!(below(&scene.stored).len(), before);

    // The folder of the files, and the one around it.
    for storage in [place.join("objects"), place.clone()] {
        for args in [&["--to"][..], &["--prune", "--keep", "1", "--to"]] {
            let says = copy.refused(&[&["backup"], args, &[&to(&storage)]].concat()).await;
            assert!(says.contains("holds the files of an installation"), "{says}");
        }
    }
    let unmounted = scene.folder.path().join("disk/backups");
    let says = scene.first.refused(&["backup", "--to", &to(&unmounted)]).await;
    assert!(says.contains("cannot write") && !unmounted.parent().unwrap().exists(), "{says}");
    assert!(copy.refused(&["backup"]).await.contains("set VITRINE_BACKUP_TO"));
    assert!(copy.refused(&["backup", "s3://safe/v"]).await.contains("vitrine backup --to s3://safe/v"));
    let says = copy.refused(&["backup", "--prune", "--to", &scene.place]).await;
    assert!(says.contains("--keep NUMBER"), "{says}");
    let empty = scene.folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let says = copy.refused(&["backup", "--prune", "--keep", "1", "--to", &to(&empty)]).await;
    assert!(says.contains("has no backup"), "{says}");
    scene.app.close().await;
}

#[tokio::test]
async fn two_backups_of_an_installation_are_not_made_at_once() {
    let scene = TestRepository::new(false).await;
    let database = scene.app.bootstrap.settings.database_url();
    let lock = backup::RepositoryLock::take(&database).await.unwrap();
    for args in [&["--to", &scene.place][..], &["--prune", "--keep", "1", "--to", &scene.place]] {
        let says = scene.first.refused(&[&["backup"], args].concat()).await;
        assert!(says.contains("another process is making or removing backups"), "{says}");
    }
    assert!(!scene.stored.exists());
    drop(lock);
    scene.back_up().await;
    scene.app.close().await;
}

#[tokio::test]
async fn wrong_keys_of_the_bucket_name_the_settings_of_backups() {
    let scene = TestRepository::new(true).await;
    let mut wrong = scene.first.clone();
    wrong.variables.push(("VITRINE_BACKUP_S3_SECRET_KEY", "another".to_owned()));
    let says = wrong.refused(&["backup", "--to", &scene.place]).await;
    assert!(says.contains("check backup_s3_access_key, backup_s3_secret_key"), "{says}");
    execute(&scene.app, "DELETE FROM storage_identity", vec![]).await;
    let says = scene.first.refused(&["backup", "--to", &scene.place]).await;
    assert!(says.contains("the storage has no id yet"), "{says}");
    scene.app.close().await;
}
