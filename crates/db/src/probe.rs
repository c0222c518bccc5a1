//! Finds out whether writing works again.

use kernel::Timestamp;
use sea_orm::{ConnectionTrait as _, DbErr, Statement};

use crate::{Db, Engine, Outage};

impl Db {
    /// Writes a row containing `now` and reads it back, to find out whether writing works again.
    ///
    /// # Errors
    /// Fails if the row cannot be written or read.
    pub async fn probe_write(&self, now: Timestamp) -> Result<(), DbErr> {
        let backend = self.read.get_database_backend();
        let tx = self.write_tx().await?;
        let write = "INSERT INTO write_probe (id, written_at) VALUES (1, $1) \
                     ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at";
        tx.execute_raw(Statement::from_sql_and_values(backend, write, [now.into()])).await?;
        tx.commit().await?;
        let read = Statement::from_string(backend, "SELECT written_at FROM write_probe WHERE id = 1");
        let found = self
            .read
            .query_one_raw(read)
            .await?
            .map(|row| row.try_get_by_index::<Timestamp>(0))
            .transpose()?;
        // On PostgreSQL another server may have overwritten the row since.
        match found {
            Some(at) if at == now || self.engine == Engine::Postgres => Ok(()),
            _ => {
                self.failures.record_outage(Outage::Unavailable);
                Err(DbErr::Custom("a row that was just written cannot be read".to_owned()))
            }
        }
    }
}
