//! The clock of a database that several servers share.

use kernel::{Clock, Millis, Timestamp};
use sea_orm::{ConnectionTrait as _, DbErr, Statement};

use crate::{Db, Engine};

/// How often the database is asked; the fastest answer is the most accurate one.
const QUESTIONS: usize = 3;

impl Db {
    /// Returns by how much the database's clock is ahead of `clock`, to within half of the time that an answer takes.
    /// `None` on SQLite, whose clock is that of this machine.
    ///
    /// # Errors
    /// Fails if the database cannot be reached.
    pub async fn clock_ahead_of(&self, clock: &dyn Clock) -> Result<Option<Millis>, DbErr> {
        if self.engine == Engine::Sqlite {
            return Ok(None);
        }
        let mut best: Option<(Millis, Millis)> = None;
        for _ in 0..QUESTIONS {
            let asked = clock.now();
            let told = self.read_clock().await?;
            let took = clock.now() - asked;
            if best.is_none_or(|(fastest, _)| took < fastest) {
                best = Some((took, told - (asked + took / 2)));
            }
        }
        Ok(best.map(|(_, ahead)| ahead))
    }

    async fn read_clock(&self) -> Result<Timestamp, DbErr> {
        let sql = "SELECT CAST(EXTRACT(EPOCH FROM pg_catalog.clock_timestamp()) * 1000 AS BIGINT)";
        let question = Statement::from_string(self.read.get_database_backend(), sql);
        let answer = self.read.query_one_raw(question).await?;
        let missing = || DbErr::RecordNotFound("the database did not tell its time".to_owned());
        answer.ok_or_else(missing)?.try_get_by_index(0)
    }
}
