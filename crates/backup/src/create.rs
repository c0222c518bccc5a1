//! Makes a backup, also while servers are running.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use db::{Engine, Snapshot};
use kernel::{Ambient, Signer};
use storage::Storage;

use crate::catalog;
use crate::files::{CopiedFiles, NamedFiles};
use crate::manifest::{FORM, Manifest};
use crate::part::SpooledPart;
use crate::source::{FILES, MANIFEST, table_part};
use crate::target::Target;
use crate::{Error, NamedObjects, Totals, dump};

/// How long to wait before a file that is missing is looked for again: servers remove files meanwhile.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

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
/// removal could come in between. If one is gone, the rows are read again: either they no longer refer to it,
/// or it is really missing.
///
/// # Errors
/// Fails if the target exists, if a file is missing or damaged, or if anything cannot be read or written.
/// Nothing is left of the backup then.
pub async fn create(backup: &Backup<'_>, target: &Path) -> Result<Totals, Error> {
    let mut target = Target::create(target)?;
    let mut copied = CopiedFiles::new(target.spool())?;
    let mut waits = WAITS.into_iter();
    let mut rows = loop {
        let mut rows = rows(backup, &target).await?;
        let problems = copied.copy(&mut rows.files, backup.storage, &mut target).await?;
        if problems.is_empty() {
            break rows;
        }
        let Some(wait) = waits.next() else { return Err(Error::Files(problems)) };
        tracing::info!(files = problems.len(), "files are missing; the rows are read again");
        copied.remember()?;
        tokio::time::sleep(wait).await;
    };
    for (table, part) in &mut rows.tables {
        target.part(&table_part(table), part)?;
    }
    let (mut files, file_bytes) = copied.finish(&mut rows.files, &target)?;
    target.part(FILES, &mut files)?;
    let manifest = Manifest {
        form: FORM,
        version: backup.version.to_owned(),
        created_at: rows.created_at,
        engine: match rows.engine {
            Engine::Sqlite => "sqlite".to_owned(),
            Engine::Postgres => "postgres".to_owned(),
        },
        migrations: rows.migrations,
        tables: rows.tables.into_iter().map(|(table, part)| (table, part.part)).collect(),
        numbers: rows.numbers,
        files: files.part,
        file_bytes,
        key: String::new(),
        seal: String::new(),
    };
    let manifest = manifest.sealed(backup.signer);
    let text = manifest.bytes();
    target.begin(MANIFEST, text.len() as u64)?;
    target.write(&text)?;
    target.end(text.len() as u64)?;
    target.finish()?;
    Ok(manifest.totals())
}

/// Reads all rows in one transaction, and what they refer to.
async fn rows(backup: &Backup<'_>, target: &Target) -> Result<Rows, Error> {
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
