//! How much work is waiting, for the operator's metrics.

use kernel::Millis;
use sea_orm::{ConnectionTrait, DbErr};

use crate::{Handlers, Jobs, Queue, store};

/// Jobs of one queue that are due and wait for a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// How many.
    pub jobs: u64,
    /// How long the one that is due the longest has been waiting.
    pub oldest: Millis,
}

/// The state of the queues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Short jobs, and jobs of kinds that this version does not know.
    pub quick: Waiting,
    /// Jobs that run media tools.
    pub heavy: Waiting,
    /// Jobs that were given up.
    pub dead: u64,
}

/// Counts the jobs that were given up.
///
/// # Errors
/// If the query fails.
pub async fn count_dead(conn: &impl ConnectionTrait) -> Result<u64, DbErr> {
    store::count_dead(conn).await
}

impl Jobs {
    /// Returns how much work is waiting. Schedules without work do not count.
    ///
    /// # Errors
    /// If a query fails.
    pub async fn backlog(&self, handlers: &Handlers) -> Result<Backlog, DbErr> {
        let now = self.ambient.now();
        let mut backlog = Backlog { dead: store::count_dead(self.db.read()).await?, ..Backlog::default() };
        for (kind, jobs, due) in store::due_by_kind(self.db.read(), now).await? {
            let queue = match handlers.get(&kind).map(|handler| handler.queue) {
                Some(Queue::Heavy) => &mut backlog.heavy,
                Some(Queue::Quick) | None => &mut backlog.quick,
            };
            queue.jobs += jobs;
            queue.oldest = queue.oldest.max(now - due);
        }
        Ok(backlog)
    }
}
