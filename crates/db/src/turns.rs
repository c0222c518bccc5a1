//! Queues this process's transactions on the same subject before they take a connection.
//!
//! Without the queue, many requests waiting for one organisation's lock in PostgreSQL would hold every
//! connection of the write pool and block the writes of all other organisations.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use kernel::Uid;
use sea_orm::{ConnAcquireErr, DbErr};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// How long a transaction waits in the queue: as long as PostgreSQL lets it wait for a lock.
const PATIENCE: Duration = Duration::from_secs(5);
/// Number of subjects at which unused ones are removed.
const SWEEP_AT: usize = 1_024;

#[derive(Default)]
pub(crate) struct Turns(Mutex<HashMap<Uid, Weak<Turn<()>>>>);

impl Turns {
    /// Waits until no other transaction of this process holds the subject.
    pub(crate) async fn wait(&self, subject: Uid) -> Result<OwnedMutexGuard<()>, DbErr> {
        tokio::time::timeout(PATIENCE, self.turn(subject).lock_owned())
            .await
            .map_err(|_| DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))
    }

    fn turn(&self, subject: Uid) -> Arc<Turn<()>> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = turns.get(&subject).and_then(Weak::upgrade) {
            return turn;
        }
        if turns.len() >= SWEEP_AT {
            turns.retain(|_, turn| turn.strong_count() > 0);
        }
        let turn = Arc::default();
        turns.insert(subject, Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_subject_waits_for_itself_and_for_no_other() {
        let turns = Turns::default();
        let (one, two) = (Uid::from_u128(1), Uid::from_u128(2));
        let held = turns.wait(one).await.unwrap();
        assert!(turns.wait(two).await.is_ok());
        let mut second = std::pin::pin!(turns.wait(one));
        assert!(
            futures_now(second.as_mut()).await.is_none(),
            "the first transaction still holds the subject"
        );
        drop(held);
        assert!(second.await.is_ok());
    }

    #[tokio::test]
    async fn subjects_nobody_waits_for_are_forgotten() {
        let turns = Turns::default();
        for n in 0..3 * SWEEP_AT as u128 {
            drop(turns.wait(Uid::from_u128(n)).await.unwrap());
        }
        assert!(turns.0.lock().unwrap().len() <= SWEEP_AT);
    }

    async fn futures_now<T>(future: std::pin::Pin<&mut impl Future<Output = T>>) -> Option<T> {
        tokio::time::timeout(Duration::from_millis(20), future).await.ok()
    }
}
