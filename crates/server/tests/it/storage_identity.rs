//! The id that a database and its storage share: a new installation gets one, and no process works on another storage.

use std::path::Path;
use std::time::Duration;

use kernel::Uid;
use sea_orm::ConnectionTrait as _;
use storage::StorageSettings;
use testkit::SignedBucket;

use super::backup::installation::{Installation, Output, count};

/// Longer than the program takes to refuse.
const TIMEOUT: Duration = Duration::from_mins(1);

/// An installation with SQLite, and the folder of its objects.
struct TestInstallation {
    installation: Installation,
    objects: std::path::PathBuf,
}

impl TestInstallation {
    fn new(folder: &Path, storage: Option<(StorageSettings, std::path::PathBuf)>) -> Self {
        let database = format!("sqlite://{}", folder.join("vitrine.db").display());
        let (storage, objects) = storage.unzip();
        let installation = Installation::new(folder, &database, storage);
        Self { installation, objects: objects.unwrap_or_else(|| folder.join("objects")) }
    }

    async fn run(&self, args: &[&str]) -> Output {
        tokio::time::timeout(TIMEOUT, self.installation.run(args)).await.unwrap()
    }

    /// Runs a command that needs the storage of the database.
    async fn accepted(&self) {
        let output = self.run(&["admin", "org", "list"]).await;
        assert_eq!((output.code, output.stdout.as_str()), (0, "0 organisations\n"), "{output:?}");
    }

    /// Checks that no process works on this storage, and that doctor and verify say so.
    async fn refused(&self, says: &[&str]) {
        let way_out = ["vitrine admin storage adopt", "VITRINE_STORAGE_URL"];
        for args in [&["serve"][..], &["worker"], &["admin", "storage", "sweep"], &["verify", "--repair"]] {
            let Output { code, stdout, stderr } = self.run(args).await;
            assert_eq!((code, stdout.as_str()), (1, ""), "{args:?} {stderr}");
            for part in says.iter().chain(&way_out) {
                assert!(stderr.contains(part), "{args:?} does not say {part}: {stderr}");
            }
        }
        let doctor = self.run(&["doctor"]).await;
        let line = doctor.stdout.lines().find(|line| line.contains("storage: ")).unwrap();
        assert!(doctor.code == 1 && line.starts_with("FAIL") && line.contains(says[0]), "{doctor:?}");
        let found = self.run(&["verify"]).await;
        assert_eq!(found.code, 1, "{found:?}");
        assert!(
            found.stdout.starts_with("storage_identity: ") && found.stdout.contains(says[0]),
            "{found:?}"
        );
    }

    /// Returns the id in the storage.
    fn stored(&self) -> Option<Uid> {
        let text = std::fs::read_to_string(self.objects.join(".vitrine")).ok()?;
        Some(text.trim().parse().unwrap())
    }

    /// Runs a statement on the database, which no process uses.
    async fn execute(&self, sql: &str) {
        let db = db::Db::connect(&self.installation.database).await.unwrap();
        let tx = db.write_tx().await.unwrap();
        tx.execute_unprepared(sql).await.unwrap();
        tx.commit().await.unwrap();
        db.close().await;
    }

    /// Returns whether the database has the id of the storage, and knows that it is there.
    async fn is_known(&self) -> bool {
        let db = db::Db::connect(&self.installation.database).await.unwrap();
        let id = self.stored().unwrap().as_simple().to_string().to_uppercase();
        let hex =
            format!("REPLACE(UPPER(CASE typeof(id) WHEN 'blob' THEN HEX(id) ELSE id END), '-', '') = '{id}'");
        let known = format!("SELECT COUNT(*) FROM storage_identity WHERE is_stored AND {hex}");
        let found = count(&db, &known).await == 1;
        db.close().await;
        found
    }
}

/// Returns the settings of another storage of the same kind.
fn beside(site: &TestInstallation, folder: &Path) -> TestInstallation {
    let in_bucket = site.installation.storage.storage_url.starts_with("s3://");
    let objects = if in_bucket { site.objects.join("other") } else { folder.join("other") };
    let url = if in_bucket {
        "s3://media/a/prefix/other".to_owned()
    } else {
        format!("file://{}", objects.display())
    };
    let storage = StorageSettings { storage_url: url, ..site.installation.storage.clone() };
    TestInstallation { installation: Installation { storage, ..site.installation.clone() }, objects }
}

/// An installation gets an id, keeps it, and is refused on another storage until that is adopted.
async fn check_other_storage(site: &TestInstallation, folder: &Path) {
    site.accepted().await;
    let id = site.stored().unwrap();
    assert!(site.is_known().await);
    site.accepted().await;
    assert_eq!(site.stored(), Some(id), "the id stays");
    assert_eq!(site.run(&["verify"]).await.stdout, "nothing found\n");

    let other = beside(site, folder);
    other.refused(&[&id.to_string(), "has no id", &other.installation.storage.storage_url]).await;
    assert_eq!(other.stored(), None, "nothing was written into it");
    let adopted = other.run(&["admin", "storage", "adopt"]).await;
    let new = other.stored().unwrap();
    assert!(adopted.code == 0 && adopted.stdout.contains(&new.to_string()), "{adopted:?}");
    assert!(new != id && other.is_known().await);
    other.accepted().await;
    let log = other.run(&["admin", "audit"]).await.stdout;
    assert!(log.contains(&format!("storage adopt on {new}, 1 changes")), "{log}");
    // The one before is another's now.
    site.refused(&[&id.to_string(), &new.to_string()]).await;
}

#[tokio::test]
async fn a_process_with_another_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let site = TestInstallation::new(folder.path(), None);
    check_other_storage(&site, folder.path()).await;
}

#[tokio::test]
async fn a_process_with_another_bucket_is_refused() {
    let (folder, bucket) = (tempfile::tempdir().unwrap(), SignedBucket::open().await);
    let site = TestInstallation::new(folder.path(), Some((bucket.settings(), bucket.folder())));
    check_other_storage(&site, folder.path()).await;
}

#[tokio::test]
async fn a_new_database_is_refused_beside_the_storage_of_another() {
    let bucket = SignedBucket::open().await;
    for storage in [None, Some((bucket.settings(), bucket.folder()))] {
        let folder = tempfile::tempdir().unwrap();
        let site = TestInstallation::new(folder.path(), storage.clone());
        site.accepted().await;
        let id = site.stored().unwrap();
        std::fs::remove_file(folder.path().join("vitrine.db")).unwrap();
        site.refused(&[&id.to_string(), "another database"]).await;
        assert_eq!(site.run(&["admin", "storage", "adopt"]).await.code, 0);
        site.accepted().await;
        assert_ne!(site.stored(), Some(id));
    }
}

#[tokio::test]
async fn an_installation_without_an_id_gets_one_also_if_that_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let site = TestInstallation::new(folder.path(), None);
    site.accepted().await;
    let first = site.stored().unwrap();
    // As before the upgrade, with a file.
    site.execute("DELETE FROM storage_identity").await;
    std::fs::remove_file(site.objects.join(".vitrine")).unwrap();
    std::fs::create_dir_all(site.objects.join("images/ab")).unwrap();
    std::fs::write(site.objects.join("images/ab").join("ab".repeat(16)), b"image").unwrap();
    site.accepted().await;
    let second = site.stored().unwrap();
    assert!(second != first && site.is_known().await);
    // Killed after the row was written.
    site.execute("UPDATE storage_identity SET is_stored = 0").await;
    std::fs::remove_file(site.objects.join(".vitrine")).unwrap();
    site.accepted().await;
    assert_eq!(site.stored(), Some(second));
    assert!(site.is_known().await);
    std::fs::write(site.objects.join(".vitrine"), "unreadable").unwrap();
    let output = site.run(&["serve"]).await;
    assert!(output.code == 1 && output.stderr.contains(".vitrine"), "{output:?}");
}

#[tokio::test]
async fn a_restored_copy_is_refused_beside_the_files_of_the_original() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let original = TestInstallation::new(&here, None);
    std::fs::create_dir_all(&here).unwrap();
    original.accepted().await;
    let tar = folder.path().join("a.tar");
    assert_eq!(original.run(&["backup", tar.to_str().unwrap()]).await.code, 0);
    let copy = TestInstallation::new(&there, None);
    let restored = copy.run(&["restore", tar.to_str().unwrap()]).await;
    assert_eq!(restored.code, 0, "{restored:?}");
    copy.accepted().await;
    let (first, second) = (original.stored().unwrap(), copy.stored().unwrap());
    assert_ne!(first, second);
    let url = format!("file://{}", original.objects.display());
    let storage = StorageSettings { storage_url: url, ..StorageSettings::default() };
    let wrong = TestInstallation {
        installation: Installation { storage, ..copy.installation.clone() },
        objects: original.objects.clone(),
    };
    wrong.refused(&[&first.to_string(), &second.to_string()]).await;
}

#[tokio::test]
async fn of_several_first_starts_with_different_folders_one_takes_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let database = testkit::Database::fresh(folder.path()).await;
    // Another process on an SQLite database is refused before it looks at the storage.
    if database.url().starts_with("sqlite:") {
        return;
    }
    let sites: Vec<TestInstallation> = (0..4)
        .map(|number| {
            let place = folder.path().join(number.to_string());
            let mut site = TestInstallation::new(&place, None);
            database.url().clone_into(&mut site.installation.database);
            site
        })
        .collect();
    // The schema first, so that all look at the storage at the same moment.
    assert_eq!(sites[0].run(&["migrate"]).await.code, 0);
    let starts = sites.iter().map(|site| site.run(&["admin", "org", "list"]));
    let outputs = futures::future::join_all(starts).await;
    let accepted: Vec<bool> = outputs.iter().map(|output| output.code == 0).collect();
    assert_eq!(accepted.iter().filter(|accepted| **accepted).count(), 1, "{outputs:?}");
    for (site, accepted) in sites.iter().zip(accepted) {
        assert_eq!(site.stored().is_some(), accepted, "only the accepted folder has the id");
    }
    let refused = outputs.iter().filter(|output| output.code != 0);
    assert!(refused.clone().all(|output| output.stderr.contains("has no id")), "{outputs:?}");
    database.remove().await;
}

#[tokio::test]
async fn several_first_starts_with_the_same_bucket_agree() {
    let (folder, bucket) = (tempfile::tempdir().unwrap(), SignedBucket::open().await);
    let database = testkit::Database::fresh(folder.path()).await;
    if database.url().starts_with("sqlite:") {
        return;
    }
    let sites: Vec<TestInstallation> = (0..4)
        .map(|number| {
            let place = folder.path().join(number.to_string());
            let mut site = TestInstallation::new(&place, Some((bucket.settings(), bucket.folder())));
            database.url().clone_into(&mut site.installation.database);
            site
        })
        .collect();
    assert_eq!(sites[0].run(&["migrate"]).await.code, 0);
    let outputs =
        futures::future::join_all(sites.iter().map(|site| site.run(&["admin", "org", "list"]))).await;
    assert!(outputs.iter().all(|output| output.code == 0), "{outputs:?}");
    let id = sites[0].stored();
    assert!(id.is_some());
    for site in &sites {
        site.accepted().await;
        assert_eq!(site.stored(), id, "the id stays");
    }
    database.remove().await;
}
