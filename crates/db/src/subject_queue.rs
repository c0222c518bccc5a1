//! Queues this process's transactions on the same subject before they take a connection.
//!
//! Without the queue, many requests waiting for one organisation's lock in PostgreSQL would hold every
//! connection of the write pool and block the writes of all other organisations.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use kernel::Uid;
use parking_lot::Mutex;
use sea_orm::{ConnAcquireErr, DbErr};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// How long a transaction waits in the queue: as long as PostgreSQL lets it wait for a lock.
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);
/// Number of subjects at which unused ones are removed.
const SWEEP_AT: usize = 1_024;

#[derive(Default)]
pub(crate) struct SubjectQueues(Mutex<HashMap<Uid, Weak<AsyncMutex<()>>>>);

impl SubjectQueues {
    /// Waits until no other transaction of this process holds the subject.
    pub(crate) async fn wait(&self, subject: Uid) -> Result<OwnedMutexGuard<()>, DbErr> {
        tokio::time::timeout(WAIT_TIMEOUT, self.queue(subject).lock_owned())
            .await
            .map_err(|_| DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))
    }

    fn queue(&self, subject: Uid) -> Arc<AsyncMutex<()>> {
        let mut queues = self.0.lock();
        if let Some(queue) = queues.get(&subject).and_then(Weak::upgrade) {
            return queue;
        }
        if queues.len() >= SWEEP_AT {
            queues.retain(|_, queue| queue.strong_count() > 0);
        }
        let queue = Arc::default();
        queues.insert(subject, Arc::downgrade(&queue));
        queue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_transaction_waits_only_for_its_own_subject() {
        let queues = SubjectQueues::default();
        let (one, two) = (Uid::from_u128(1), Uid::from_u128(2));
        let held = queues.wait(one).await.unwrap();
        assert!(queues.wait(two).await.is_ok());
        let mut second = std::pin::pin!(queues.wait(one));
        assert!(
            poll_briefly(second.as_mut()).await.is_none(),
            "the first transaction still holds the subject"
        );
        drop(held);
        assert!(second.await.is_ok());
    }

    #[tokio::test]
    async fn unused_subjects_are_removed() {
        let queues = SubjectQueues::default();
        for n in 0..3 * SWEEP_AT as u128 {
            drop(queues.wait(Uid::from_u128(n)).await.unwrap());
        }
        assert!(queues.0.lock().len() <= SWEEP_AT);
    }

    async fn poll_briefly<T>(future: std::pin::Pin<&mut impl Future<Output = T>>) -> Option<T> {
        tokio::time::timeout(Duration::from_millis(20), future).await.ok()
    }
}
