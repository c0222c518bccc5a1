//! Notices between the processes that share a PostgreSQL database. With SQLite there is only one process, so it needs none.

use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DbErr, RuntimeErr, Statement};
use sqlx::postgres::{PgListener, PgPoolOptions};

use crate::{Db, Engine, WriteTx};

/// How often a connection without notices is checked, and how long the answer may take.
const CHECK_EVERY: Duration = Duration::from_mins(1);
const ANSWER: Duration = Duration::from_secs(10);

/// Receives the notices of one channel, on a separate connection.
pub struct Notices(PgListener);

impl Db {
    /// Begins to listen on a channel; `None` on SQLite.
    ///
    /// # Errors
    /// Fails if the database cannot be reached.
    pub async fn listen(&self, channel: &str) -> Result<Option<Notices>, DbErr> {
        if self.engine == Engine::Sqlite {
            return Ok(None);
        }
        let shared = self.read.get_postgres_connection_pool().connect_options();
        let options = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
        let own = options.connect_with(shared.as_ref().clone()).await.map_err(failed)?;
        let mut listener = PgListener::connect_with(&own).await.map_err(failed)?;
        listener.listen(channel).await.map_err(failed)?;
        Ok(Some(Notices(listener)))
    }
}

impl Notices {
    /// Waits for the next notice. A lost connection counts as one, because notices may have been missed; the next
    /// call connects again.
    ///
    /// # Errors
    /// Fails if the database cannot be reached.
    pub async fn next(&mut self) -> Result<(), DbErr> {
        loop {
            if let Ok(notice) = tokio::time::timeout(CHECK_EVERY, self.0.try_recv()).await {
                return notice.map(drop).map_err(failed);
            }
            // A machine that has vanished is as silent as one without notices.
            let question = sqlx::query("SELECT 1").execute(&mut self.0);
            tokio::time::timeout(ANSWER, question).await.map_err(|_| silent())?.map_err(failed)?;
        }
    }
}

impl WriteTx {
    /// Notifies all processes that listen on the channel, once this transaction is committed. Does nothing on SQLite.
    ///
    /// # Errors
    /// Fails if the database cannot be reached.
    pub async fn notify(&self, channel: &str) -> Result<(), DbErr> {
        let backend = self.get_database_backend();
        if backend == sea_orm::DbBackend::Postgres {
            let notice = "SELECT pg_notify($1, '')";
            self.execute_raw(Statement::from_sql_and_values(backend, notice, [channel.into()])).await?;
        }
        Ok(())
    }
}

fn failed(error: sqlx::Error) -> DbErr {
    DbErr::Conn(RuntimeErr::SqlxError(error.into()))
}

fn silent() -> DbErr {
    DbErr::Conn(RuntimeErr::Internal("the database does not answer".to_owned()))
}
