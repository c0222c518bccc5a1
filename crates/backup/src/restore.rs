//! Restores a backup into an empty database and an empty storage.

use std::path::Path;

use db::{Db, Migration, WriteTx};
use futures::TryStreamExt as _;
use kernel::{Ambient, Signer};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use storage::{Key, ReceiveError, Storage};

use crate::catalog::{self, Table};
use crate::files::FileEntry;
use crate::manifest::Manifest;
use crate::source::{FILES, Source, table_part};
use crate::{BackupSettings, Error, Repository, Totals, load};

/// Where to restore to.
pub struct Restore<'a> {
    /// The database, empty.
    pub db: &'a Db,
    /// Its name for messages, and what to use instead if it is not empty.
    pub named: (String, String),
    /// The storage, empty.
    pub storage: &'a Storage,
    /// Returns the migrations of this version.
    pub migrations: fn() -> Vec<Migration>,
    /// Tells the time.
    pub ambient: &'a Ambient,
}

/// Opens a backup and checks that this version can restore it with this secret. The source is a tar file, a folder, a
/// repository, of which the newest backup is taken, or `backups/NAME` in a repository.
///
/// # Errors
/// Fails with a sentence that says what to do.
pub async fn open(
    source: &str,
    settings: &BackupSettings,
    signer: &Signer,
    known: &[Migration],
    ambient: &Ambient,
) -> Result<(Source, Manifest), Error> {
    let source = match in_repository(source) {
        Some((repository, name)) => {
            let repository = Repository::open(&repository, settings, ambient).await?;
            Source::open_stored(repository, name, signer).await?
        }
        None => Source::open(Path::new(source))?,
    };
    let manifest = source.manifest(signer)?;
    let is_known = |step: &&String| known.iter().any(|one| one.name() == step.as_str());
    let steps: Vec<String> = manifest.migrations.iter().filter(|step| !is_known(step)).cloned().collect();
    if steps.is_empty() {
        Ok((source, manifest))
    } else {
        Err(Error::UnknownMigrations { version: manifest.version, steps })
    }
}

/// Returns the repository and the name of the backup if the source is one, or in one.
fn in_repository(source: &str) -> Option<(String, Option<String>)> {
    let trimmed = source.trim_end_matches('/');
    let one = trimmed.rsplit_once('/').and_then(|(folder, name)| {
        folder.strip_suffix("/backups").map(|repository| (repository.to_owned(), name.to_owned()))
    });
    let is_bucket = source.starts_with("s3://");
    let is_marked = |folder: &str| Path::new(folder).join(Key::backups_identity().as_str()).exists();
    match one {
        Some((repository, name)) if is_bucket || is_marked(&repository) => Some((repository, Some(name))),
        _ if is_bucket || is_marked(source) => Some((trimmed.to_owned(), None)),
        _ => None,
    }
}

/// Restores all files, then all rows in one transaction, in which `adapt` may change what a copy must not
/// keep. Then applies the migrations that are newer than the backup.
///
/// # Errors
/// Fails if the target is not empty, or if anything differs from what was saved. Then the files that were
/// restored are removed again, and the database has no rows.
pub async fn restore(
    target: &Restore<'_>,
    source: &Source,
    manifest: &Manifest,
    adapt: impl AsyncFnOnce(&WriteTx) -> Result<(), Error>,
) -> Result<Totals, Error> {
    refuse_data(target, manifest).await?;
    let restored = async {
        restore_files(target.storage, source, manifest).await?;
        restore_rows(target, source, manifest, adapt).await
    };
    if let Err(error) = Box::pin(restored).await {
        remove_files(target.storage, source, manifest).await;
        return Err(error);
    }
    db::migrate(target.db, target.ambient, &(target.migrations)()).await?;
    Ok(manifest.totals())
}

/// Fails if the database has a row or a newer schema, or the storage has a file.
async fn refuse_data(target: &Restore<'_>, manifest: &Manifest) -> Result<(), Error> {
    let conn = target.db.read();
    let not_empty = || Error::NotEmpty(target.named.0.clone(), target.named.1.clone());
    if !db::is_new(conn).await? {
        // The rows of an older backup need the schema of then.
        let applied = db::applied_steps(conn).await?;
        if applied.iter().any(|step| !manifest.migrations.contains(step)) {
            return Err(not_empty());
        }
    }
    for table in catalog::tables(conn).await? {
        let sql = format!("SELECT 1 FROM \"{}\" LIMIT 1", table.name);
        let row = conn.query_one_raw(Statement::from_string(conn.get_database_backend(), sql)).await?;
        if row.is_some() {
            return Err(not_empty());
        }
    }
    if target.storage.list().try_next().await?.is_some() {
        let remedy = "an empty folder (VITRINE_DATA_DIR) or a bucket without files (VITRINE_STORAGE_URL)";
        return Err(Error::NotEmpty("the storage".to_owned(), remedy.to_owned()));
    }
    Ok(())
}

/// Restores the files. Each becomes visible when its hash is right.
async fn restore_files(storage: &Storage, source: &Source, manifest: &Manifest) -> Result<(), Error> {
    let mut list = source.part(FILES, manifest.files.clone())?;
    let mut objects = source.objects()?;
    while let Some(entry) = list.next::<FileEntry>()? {
        let key = key(&entry)?;
        let found = objects.find(&key).await?;
        if found.len != entry.bytes {
            return Err(Error::Damaged(format!("{key} has {} bytes, not {}", found.len, entry.bytes)));
        }
        let staged = match storage.receive(&key, entry.bytes, found.stream).await {
            Ok(staged) => staged,
            Err(ReceiveError::Broken(error)) => return Err(Error::Damaged(format!("{key}: {error}"))),
            Err(error) => return Err(error.into()),
        };
        if hex::encode(staged.received().sha256) != entry.sha256 {
            return Err(Error::Damaged(format!("{key}: its SHA-256 differs")));
        }
        staged.commit().await?;
    }
    Ok(())
}

fn key(entry: &FileEntry) -> Result<Key, Error> {
    Key::parse(&entry.key).ok_or_else(|| Error::Foreign(format!("its list of files names {:?}", entry.key)))
}

/// Removes what was restored of a backup that turned out to be damaged.
async fn remove_files(storage: &Storage, source: &Source, manifest: &Manifest) {
    let Ok(mut list) = source.part(FILES, manifest.files.clone()) else { return };
    while let Ok(Some(entry)) = list.next::<FileEntry>() {
        let Ok(key) = key(&entry) else { return };
        if let Err(error) = storage.delete(&key).await {
            tracing::warn!(%key, %error, "a restored file could not be removed");
        }
    }
}

async fn restore_rows(
    target: &Restore<'_>,
    source: &Source,
    manifest: &Manifest,
    adapt: impl AsyncFnOnce(&WriteTx) -> Result<(), Error>,
) -> Result<(), Error> {
    // The schema of the backup first; newer migrations then change its rows as they would have then.
    let is_applied = |step: &Migration| manifest.migrations.iter().any(|name| name == step.name());
    let steps: Vec<Migration> = (target.migrations)().into_iter().filter(is_applied).collect();
    db::migrate(target.db, target.ambient, &steps).await?;
    let tx = target.db.write_tx().await?;
    let tables = catalog::tables(&tx).await?;
    check_tables(&tables, manifest)?;
    if tx.get_database_backend() == DbBackend::Sqlite {
        tx.execute_unprepared("PRAGMA defer_foreign_keys = ON").await?;
    }
    for table in &tables {
        let expected = manifest.tables.get(&table.name).cloned().unwrap_or_default();
        load::table(&tx, table, source.part(&table_part(&table.name), expected)?).await?;
    }
    for (table, last) in &manifest.numbers {
        catalog::set_number(&tx, table, *last).await?;
    }
    adapt(&tx).await?;
    Ok(tx.commit().await?)
}

/// Fails if the backup has other tables than the schema of its migrations.
fn check_tables(tables: &[Table], manifest: &Manifest) -> Result<(), Error> {
    let is_missing = tables.iter().find(|table| !manifest.tables.contains_key(&table.name));
    if let Some(Table { name, .. }) = is_missing {
        return Err(Error::Damaged(format!("it lacks the table {name}")));
    }
    match manifest.tables.keys().find(|name| tables.iter().all(|table| &&table.name != name)) {
        Some(name) => Err(Error::Damaged(format!("it has an unknown table {name}"))),
        None => Ok(()),
    }
}
