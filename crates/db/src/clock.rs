//! The clock of a database that several servers share.

use kernel::{Clock, Millis, Timestamp};
use sea_orm::{ConnectionTrait as _, DbErr, Statement};

use crate::{Db, Engine};

/// Number of times the database is asked; the fastest answer is the most accurate one.
const QUESTIONS: usize = 3;

/// By how much a database's clock is ahead of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockDifference {
    /// The difference as it was measured.
    pub ahead: Millis,
    /// By how much the measurement may be wrong: half of the time that the answer took.
    pub error: Millis,
}

impl Db {
    /// Returns by how much the database's clock is ahead of `clock`. `None` on SQLite, whose clock is that of this machine, and
    /// if `clock` was set back while it was measured.
    ///
    /// # Errors
    /// Fails if the database cannot be reached.
    pub async fn clock_ahead_of(&self, clock: &dyn Clock) -> Result<Option<ClockDifference>, DbErr> {
        if self.engine == Engine::Sqlite {
            return Ok(None);
        }
        let mut best: Option<ClockDifference> = None;
        for _ in 0..QUESTIONS {
            let asked = clock.now();
            let told = self.read_clock().await?;
            let error = (clock.now() - asked) / 2;
            if error >= 0 && best.is_none_or(|best| error < best.error) {
                best = Some(ClockDifference { ahead: told - (asked + error), error });
            }
        }
        Ok(best)
    }

    async fn read_clock(&self) -> Result<Timestamp, DbErr> {
        let sql = "SELECT CAST(EXTRACT(EPOCH FROM pg_catalog.clock_timestamp()) * 1000 AS BIGINT)";
        let question = Statement::from_string(self.read.get_database_backend(), sql);
        let answer = self.read.query_one_raw(question).await?;
        let missing = || DbErr::RecordNotFound("the database's clock could not be read".to_owned());
        answer.ok_or_else(missing)?.try_get_by_index(0)
    }
}
