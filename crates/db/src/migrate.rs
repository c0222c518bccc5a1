//! Runs the migrations of all crates: each once, in the given order, in its own transaction.

use kernel::{Ambient, Timestamp};
use sea_orm::sea_query::{Index, IndexCreateStatement};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};
use sea_orm_migration::{MigrationTrait, SchemaManager};

use crate::{Db, WriteTx};

/// One schema change of one crate.
pub type Migration = Box<dyn MigrationTrait>;

/// Advisory lock that prevents two starting servers from migrating at the same time ("vitrine!" in ASCII).
const LOCK: u128 = 0x7669_7472_696e_6521;

/// Reason the database could not be migrated.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// The database records steps that are not among the known ones: another version created it.
    #[error("another version created the database: unknown migration {}", .0.join(", "))]
    Unknown(Vec<String>),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DbErr),
}

/// Returns an index on the columns, for the migration that creates the table.
pub fn index(name: &'static str, table: &'static str, columns: &[&'static str]) -> IndexCreateStatement {
    let mut index = Index::create();
    index.name(name).table(table);
    for column in columns {
        index.col(*column);
    }
    index
}

/// Applies the pending steps and returns their names.
///
/// # Errors
/// Fails without applying a step if the database contains a step that is not among `steps`. Otherwise fails
/// on the first step that fails. That step is rolled back; the steps before it stay applied.
pub async fn migrate(db: &Db, ambient: &Ambient, steps: &[Migration]) -> Result<Vec<String>, MigrateError> {
    let tx = db.write_tx().await?;
    lift_timeouts(&tx).await?;
    tx.lock(kernel::Uid::from_u128(LOCK)).await?;
    for table in [
        "CREATE TABLE IF NOT EXISTS schema_migration (name TEXT PRIMARY KEY, applied_at BIGINT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS write_probe (id BIGINT PRIMARY KEY, written_at BIGINT NOT NULL)",
    ] {
        tx.execute_unprepared(table).await?;
    }
    let recorded = applied_steps(&tx).await?;
    reject_unknown(&recorded, steps)?;
    tx.commit().await?;

    let mut applied = Vec::new();
    for step in steps.iter().filter(|step| !recorded.iter().any(|name| name == step.name())) {
        let tx = db.write_tx().await?;
        lift_timeouts(&tx).await?;
        tx.lock(kernel::Uid::from_u128(LOCK)).await?;
        let backend = tx.get_database_backend();
        let select = Statement::from_sql_and_values(
            backend,
            "SELECT name FROM schema_migration WHERE name = $1",
            [step.name().into()],
        );
        // Another server may have applied the step in the meantime.
        if tx.query_one_raw(select).await?.is_some() {
            continue;
        }
        step.up(&SchemaManager::new(tx.inner())).await?;
        let insert = Statement::from_sql_and_values(
            backend,
            "INSERT INTO schema_migration (name, applied_at) VALUES ($1, $2)",
            [step.name().into(), ambient.now().into()],
        );
        tx.execute_raw(insert).await?;
        tx.commit().await?;
        applied.push(step.name().to_owned());
    }
    Ok(applied)
}

/// Returns whether the database has no table yet.
///
/// # Errors
/// Fails if the database cannot be read.
pub async fn is_new(conn: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let select = match conn.get_database_backend() {
        DbBackend::Postgres => "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() LIMIT 1",
        _ => "SELECT 1 FROM sqlite_master WHERE type = 'table' LIMIT 1",
    };
    let select = Statement::from_string(conn.get_database_backend(), select);
    Ok(conn.query_one_raw(select).await?.is_none())
}

/// Returns the names of the steps that were applied, in that order.
///
/// # Errors
/// Fails if the database was never migrated or cannot be read.
pub async fn applied_steps(conn: &impl ConnectionTrait) -> Result<Vec<String>, DbErr> {
    let select = Statement::from_string(
        conn.get_database_backend(),
        "SELECT name FROM schema_migration ORDER BY applied_at, name",
    );
    conn.query_all_raw(select).await?.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Returns when a step was applied, or `None` if it was not.
///
/// # Errors
/// Fails if the database was never migrated or cannot be read.
pub async fn applied_at(conn: &impl ConnectionTrait, step: &str) -> Result<Option<Timestamp>, DbErr> {
    let select = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT applied_at FROM schema_migration WHERE name = $1",
        [step.into()],
    );
    conn.query_one_raw(select).await?.map(|row| row.try_get_by_index(0)).transpose()
}

/// Fails if a recorded step is not among `steps`.
fn reject_unknown(recorded: &[String], steps: &[Migration]) -> Result<(), MigrateError> {
    let is_known = |name: &String| steps.iter().any(|step| step.name() == name);
    let unknown: Vec<String> = recorded.iter().filter(|name| !is_known(name)).cloned().collect();
    if unknown.is_empty() { Ok(()) } else { Err(MigrateError::Unknown(unknown)) }
}

/// Lifts the session's time limits: a migration, and the wait for another server's migrations, may take long.
async fn lift_timeouts(tx: &WriteTx) -> Result<(), DbErr> {
    if tx.get_database_backend() == DbBackend::Postgres {
        for setting in ["lock_timeout", "statement_timeout"] {
            tx.execute_unprepared(&format!("SET LOCAL {setting} = 0")).await?;
        }
    }
    Ok(())
}
