//! Makes a backup, also while servers are running.

use std::collections::BTreeMap;
use std::path::Path;

use db::{Engine, Snapshot};
use futures::TryStreamExt as _;
use kernel::{Ambient, Signer};
use storage::Storage;

use crate::file_target::FileTarget;
use crate::files::{CopiedFiles, NamedFiles};
use crate::known::KnownFiles;
use crate::manifest::{FORM, Manifest};
use crate::missing::MissingFiles;
use crate::part::SpooledPart;
use crate::source::{FILES, table_part};
use crate::target::{RepositoryTarget, Target};
use crate::{BackupState, Error, NamedObjects, Repository, RepositoryLock, Totals, catalog, dump};

/// What to back up.
pub struct Backup<'a> {
    /// URL of the database.
    pub database: &'a str,
    /// The storage.
    pub storage: &'a Storage,
    /// What the rows refer to in the storage.
    pub objects: &'a dyn NamedObjects,
    /// Seals the backup.
    pub signer: &'a Signer,
    /// Tells the time.
    pub ambient: &'a Ambient,
    /// Version of Vitrine.
    pub version: &'a str,
}

/// A backup that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its name in the repository.
    pub name: String,
    /// What it consists of.
    pub totals: Totals,
    /// Number of files that were copied. The others were in the repository already.
    pub copied_files: u64,
    /// Length of the files that were copied, in bytes.
    pub copied_bytes: u64,
}

/// The database as it was at one moment.
struct Rows {
    engine: Engine,
    created_at: String,
    migrations: Vec<String>,
    tables: Vec<(String, SpooledPart)>,
    numbers: BTreeMap<String, i64>,
    files: NamedFiles,
}

/// Saves all rows and files to `target`: a tar file, or a folder if the path ends with a slash or is an empty
/// folder.
///
/// Rows are those of one moment, and the files are those that they refer to. Files never change; only their
/// removal could come in between. If one is gone, the rows are read again, until they no longer refer to it or it is
/// certain that it is lost.
///
/// # Errors
/// Fails if the target exists, if a file is missing or damaged, or if anything cannot be read or written.
/// Nothing is left of the backup then.
pub async fn create(backup: &Backup<'_>, target: &Path) -> Result<Totals, Error> {
    Ok(write(backup, Target::File(FileTarget::create(target)?)).await?.totals)
}

/// Adds a backup of all rows and files to a repository. Files that the newest backup in it has are not copied again.
///
/// # Errors
/// Fails if a file is missing or damaged, or if anything cannot be read or written. What was written then is no backup,
/// and is removed together with old backups.
pub async fn create_in(
    backup: &Backup<'_>,
    repository: &Repository,
    lock: &RepositoryLock,
) -> Result<Made, Error> {
    repository.sweep().await?;
    let all = repository.list(backup.signer).await?;
    let number = |name: &str| name.split('-').next().and_then(|number| number.parse::<u64>().ok());
    let last = all.iter().filter_map(|one| number(&one.name)).max().unwrap_or(0);
    let newest = all.into_iter().rev().find_map(|one| match one.state {
        BackupState::Whole(manifest) => Some((one.name, manifest)),
        _ => None,
    });
    let known = match newest {
        Some((name, manifest)) => known_files(repository, &name, *manifest).await?,
        None => KnownFiles::default(),
    };
    // The number orders backups also if the clock was set back.
    let time: String = kernel::iso(backup.ambient.now()).chars().filter(char::is_ascii_digit).collect();
    let name = format!("{:06}-{}-{}", last + 1, &time[..8], &time[8..14]);
    let target = RepositoryTarget { repository, lock, name, known, copied: (0, 0) };
    write(backup, Target::Repository(target)).await
}

/// Returns the files of a backup that are in the repository. Those of a damaged list are copied again.
async fn known_files(repository: &Repository, name: &str, manifest: Manifest) -> Result<KnownFiles, Error> {
    let read = match repository.files(name, manifest.files).await {
        Ok(list) => KnownFiles::read(list),
        Err(error) => Err(error),
    };
    let mut known = match read {
        Ok(known) => known,
        Err(error @ Error::Damaged(_)) => {
            tracing::warn!(%error, backup = name, "all files are copied again");
            return Ok(KnownFiles::default());
        }
        Err(error) => return Err(error),
    };
    let mut listed = repository.objects.list();
    while let Some(object) = listed.try_next().await.map_err(|error| repository.failed(error))? {
        known.found(object.key.as_str(), object.len);
    }
    Ok(known)
}

async fn write(backup: &Backup<'_>, mut target: Target<'_>) -> Result<Made, Error> {
    let mut copied = CopiedFiles::new(target.spool())?;
    let mut missing = MissingFiles::default();
    let mut rows = loop {
        let mut rows = rows(backup, &target).await?;
        let problems = copied.copy(&mut rows.files, backup.storage, &mut target).await?;
        if problems.is_empty() {
            break rows;
        }
        let files = problems.len();
        let wait = missing.wait_for(problems)?;
        tracing::info!(files, "files are missing; the rows are read again");
        copied.remember()?;
        tokio::time::sleep(wait).await;
    };
    let mut tables = BTreeMap::new();
    for (table, spooled) in rows.tables {
        tables.insert(table.clone(), spooled.part.clone());
        target.part(&table_part(&table), spooled).await?;
    }
    let (files, file_bytes) = copied.finish(&mut rows.files, &target)?;
    let list = files.part.clone();
    target.part(FILES, files).await?;
    let manifest = Manifest {
        form: FORM,
        version: backup.version.to_owned(),
        created_at: rows.created_at,
        engine: match rows.engine {
            Engine::Sqlite => "sqlite".to_owned(),
            Engine::Postgres => "postgres".to_owned(),
        },
        migrations: rows.migrations,
        tables,
        numbers: rows.numbers,
        files: list,
        file_bytes,
        key: String::new(),
        seal: String::new(),
    };
    let manifest = manifest.sealed(backup.signer);
    let (name, (copied_files, copied_bytes)) = target.finish(&manifest).await?;
    Ok(Made { name, totals: manifest.totals(), copied_files, copied_bytes })
}

/// Reads all rows in one transaction, and what they refer to.
async fn rows(backup: &Backup<'_>, target: &Target<'_>) -> Result<Rows, Error> {
    let snapshot = Snapshot::open(backup.database).await?;
    let created_at = kernel::iso(backup.ambient.now());
    let mut tables = Vec::new();
    for table in catalog::tables(snapshot.conn()).await? {
        let part = dump::table(snapshot.conn(), &table, target.spool()).await?;
        tables.push((table.name, part));
    }
    let rows = Rows {
        engine: snapshot.engine(),
        created_at,
        migrations: db::applied_steps(snapshot.conn()).await?,
        tables,
        numbers: catalog::numbers(snapshot.conn()).await?,
        files: NamedFiles::read(backup.objects, snapshot.conn(), target.spool()).await?,
    };
    snapshot.close().await?;
    Ok(rows)
}
