//! Upload slots: a limit on concurrent uploads overall, per person and per organisation, and one slot per
//! announced file. They belong to this process; what must hold across processes is enforced in the database.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use kernel::{OrgId, PersonId, UploadId};
use parking_lot::Mutex;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::ContentSettings;

/// When to try again after no upload slot was free.
pub const RETRY_SECONDS: u32 = 5;

/// How long a request may take to yield: until the end of its current part, and until that part is safe.
const PREEMPT_TIMEOUT: Duration = Duration::from_secs(10);

/// The upload slots. Clones share them.
#[derive(Clone)]
pub struct UploadSlots {
    /// Number of slots taken per holder.
    taken: Arc<Mutex<HashMap<Holder, usize>>>,
    /// Requests that yield on demand, by upload.
    requests: Arc<Mutex<HashMap<UploadId, RequestHandle>>>,
    total: usize,
    person: usize,
    org: usize,
}

/// What a slot counts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Total,
    Person(PersonId),
    Org(OrgId),
    Upload(UploadId),
}

impl UploadSlots {
    /// Creates as many slots as the settings allow.
    pub fn new(settings: &ContentSettings) -> Self {
        Self {
            taken: Arc::default(),
            requests: Arc::default(),
            total: settings.uploads_at_once,
            person: settings.uploads_at_once_person,
            org: settings.uploads_at_once_org,
        }
    }

    /// Takes a slot, which is free again when the permit is dropped.
    ///
    /// # Errors
    /// Fails if this file is being uploaded already, or if a limit is reached.
    pub fn acquire(
        &self,
        upload: UploadId,
        person: PersonId,
        org: Option<OrgId>,
    ) -> Result<UploadPermit, SlotError> {
        let mut wanted = vec![
            (Holder::Upload(upload), 1),
            (Holder::Person(person), self.person),
            (Holder::Total, self.total),
        ];
        wanted.extend(org.map(|org| (Holder::Org(org), self.org)));
        let mut taken = self.taken.lock();
        if wanted.iter().any(|(holder, most)| taken.get(holder).is_some_and(|count| count >= most)) {
            let twice = taken.contains_key(&Holder::Upload(upload));
            return Err(if twice { SlotError::AlreadyUploading } else { SlotError::LimitReached });
        }
        for (holder, _) in &wanted {
            *taken.entry(*holder).or_default() += 1;
        }
        let holders = wanted.into_iter().map(|(holder, _)| holder).collect();
        Ok(UploadPermit { holders, taken: Arc::clone(&self.taken), registration: None })
    }

    /// Takes a slot for a request that yields on demand and keeps what it has received.
    ///
    /// # Errors
    /// Fails as [`acquire`](Self::acquire) does.
    pub fn acquire_preemptible(
        &self,
        upload: UploadId,
        person: PersonId,
        org: Option<OrgId>,
    ) -> Result<UploadPermit, SlotError> {
        let mut permit = self.acquire(upload, person, org)?;
        let request = RequestHandle::default();
        self.requests.lock().insert(upload, request.clone());
        permit.registration = Some(Registration {
            upload,
            cancel: request.cancel,
            requests: Arc::clone(&self.requests),
            _ended: request.ended.drop_guard(),
        });
        Ok(permit)
    }

    /// Returns whether a request that yields on demand is receiving this file.
    pub fn is_receiving(&self, upload: UploadId) -> bool {
        self.requests.lock().contains_key(&upload)
    }

    /// Asks the request that is receiving this file to yield, and waits for it.
    pub async fn preempt(&self, upload: UploadId) -> Preemption {
        let request = self.requests.lock().get(&upload).cloned();
        let Some(request) = request else { return Preemption::NoRequest };
        request.cancel.cancel();
        match tokio::time::timeout(PREEMPT_TIMEOUT, request.ended.cancelled()).await {
            Ok(()) => Preemption::Yielded,
            Err(_) => Preemption::Busy,
        }
    }
}

/// Why no slot is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotError {
    /// This file is being uploaded already.
    AlreadyUploading,
    /// The limit overall, of the person or of the organisation is reached.
    LimitReached,
}

/// Result of asking a request to yield.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preemption {
    /// No request was receiving this file, or none that yields on demand.
    NoRequest,
    /// The request has ended.
    Yielded,
    /// The request is busy completing the file.
    Busy,
}

/// A handle to a request that yields on demand.
#[derive(Clone, Default)]
struct RequestHandle {
    /// Asks the request to yield.
    cancel: CancellationToken,
    /// Cancelled when the request has ended.
    ended: CancellationToken,
}

/// The end of the handle that the request itself holds.
struct Registration {
    upload: UploadId,
    cancel: CancellationToken,
    requests: Arc<Mutex<HashMap<UploadId, RequestHandle>>>,
    _ended: DropGuard,
}

/// A slot that is taken until this is dropped.
pub struct UploadPermit {
    holders: Vec<Holder>,
    taken: Arc<Mutex<HashMap<Holder, usize>>>,
    registration: Option<Registration>,
}

impl UploadPermit {
    /// Completes when the request should yield; never, if it does not yield on demand.
    pub async fn cancelled(&self) {
        match &self.registration {
            Some(registration) => registration.cancel.cancelled().await,
            None => std::future::pending().await,
        }
    }
}

impl Drop for UploadPermit {
    fn drop(&mut self) {
        // In this order: the request can no longer be found, then its slot is free, then waiters are
        // notified.
        if let Some(registration) = &self.registration {
            registration.requests.lock().remove(&registration.upload);
        }
        let mut taken = self.taken.lock();
        for holder in &self.holders {
            let left = taken.get(holder).map_or(0, |count| count.saturating_sub(1));
            if left == 0 {
                taken.remove(holder);
            } else {
                taken.insert(*holder, left);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_people_and_organisations_have_separate_limits() {
        let settings = ContentSettings {
            uploads_at_once: 4,
            uploads_at_once_person: 2,
            uploads_at_once_org: 3,
            ..ContentSettings::default()
        };
        let slots = UploadSlots::new(&settings);
        let (upload, person, org) = (UploadId::from_u128, PersonId::from_u128, OrgId::from_u128);
        let one = slots.acquire(upload(1), person(10), Some(org(20)));
        assert_eq!(
            slots.acquire(upload(1), person(11), None).err(),
            Some(SlotError::AlreadyUploading),
            "a file once"
        );
        assert!(one.is_ok());
        let two = slots.acquire(upload(2), person(10), Some(org(20)));
        assert!(two.is_ok() && slots.acquire(upload(3), person(10), None).is_err(), "a person twice");
        let three = slots.acquire(upload(3), person(11), Some(org(20)));
        assert!(
            three.is_ok() && slots.acquire(upload(4), person(12), Some(org(20))).is_err(),
            "three of an organisation"
        );
        let four = slots.acquire(upload(4), person(12), None);
        assert_eq!(
            slots.acquire(upload(5), person(13), None).err(),
            Some(SlotError::LimitReached),
            "four of all"
        );
        assert!(four.is_ok());
        drop((one, two, three, four));
        assert!(slots.acquire(upload(1), person(10), Some(org(20))).is_ok());
        assert!(slots.taken.lock().is_empty(), "released slots leave no trace");
    }
    #[tokio::test]
    async fn only_preemptible_requests_yield() {
        let slots = UploadSlots::new(&ContentSettings::default());
        let (upload, person) = (UploadId::from_u128, PersonId::from_u128);
        let plain = slots.acquire(upload(1), person(10), None).unwrap();
        assert_eq!(
            slots.preempt(upload(1)).await,
            Preemption::NoRequest,
            "a request that does not yield is not asked"
        );
        drop(plain);
        let request = slots.acquire_preemptible(upload(1), person(10), None).unwrap();
        let yielding = async {
            request.cancelled().await;
            drop(request);
        };
        assert_eq!(tokio::join!(slots.preempt(upload(1)), yielding).0, Preemption::Yielded);
        assert_eq!(slots.preempt(upload(1)).await, Preemption::NoRequest);
        assert!(slots.requests.lock().is_empty());
    }
}
