//! Decodes one image at a time per person: someone who sends many images waits for their own, and others wait
//! for at most one of them.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::PersonId;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

type People = Arc<Mutex<HashMap<PersonId, Arc<Semaphore>>>>;

/// One decoding permit per person. Clones share them.
#[derive(Clone, Default)]
pub struct DecodePermits(People);

/// A person's permit, released when dropped.
pub struct DecodePermit {
    // Released before the entry is removed.
    _permit: Option<OwnedSemaphorePermit>,
    _entry: Entry,
}

/// Keeps the person's semaphore in the map while someone holds or awaits it.
struct Entry {
    people: People,
    person: PersonId,
    own: Arc<Semaphore>,
}

impl DecodePermits {
    /// Waits until no other image of this person is being decoded.
    pub async fn acquire(&self, person: PersonId) -> DecodePermit {
        let own = {
            let mut people = self.0.lock();
            Arc::clone(people.entry(person).or_insert_with(|| Arc::new(Semaphore::new(1))))
        };
        let entry = Entry { people: Arc::clone(&self.0), person, own };
        // The semaphore is never closed.
        let permit = Arc::clone(&entry.own).acquire_owned().await.ok();
        DecodePermit { _permit: permit, _entry: entry }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut people = self.people.lock();
        // The two references are this one and the map's.
        if Arc::strong_count(&self.own) == 2 {
            people.remove(&self.person);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_person_waits_only_for_their_own_image() {
        let (permits, id) = (DecodePermits::default(), PersonId::from_u128);
        let soon = Duration::from_millis(20);
        let first = permits.acquire(id(1)).await;
        let other = tokio::time::timeout(soon, permits.acquire(id(2))).await;
        assert!(other.is_ok());
        assert!(tokio::time::timeout(soon, permits.acquire(id(1))).await.is_err(), "one at a time");
        let ((), second) = tokio::join!(async { drop(first) }, permits.acquire(id(1)));
        drop((second, other));
        assert!(permits.0.lock().is_empty(), "released permits leave no trace");
    }
}
