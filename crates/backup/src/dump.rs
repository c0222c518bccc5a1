//! Writes the rows of a table.

use std::path::Path;

use futures::TryStreamExt as _;
use sea_orm::{ConnectionTrait, DatabaseTransaction, Statement, StreamTrait as _};

use crate::Error;
use crate::catalog::Table;
use crate::part::{PartWriter, SpooledPart};

/// Writes all rows of a table to a temporary file in the folder.
pub(crate) async fn table(
    conn: &DatabaseTransaction,
    table: &Table,
    folder: &Path,
) -> Result<SpooledPart, Error> {
    let mut part = PartWriter::new(tempfile::tempfile_in(folder)?)?;
    let backend = ConnectionTrait::get_database_backend(conn);
    let mut rows = conn.stream_raw(Statement::from_string(backend, table.select(backend))).await?;
    while let Some(row) = rows.try_next().await? {
        part.push(&table.row(&row)?)?;
    }
    Ok(part.finish()?)
}
