//! Upload slots: a limit on concurrent uploads overall, per person and per organisation, and one slot per
//! announced file. They belong to this process; what must hold across processes is enforced in the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::Uid;
use tokio::sync::{Notify, watch};

use crate::ContentSettings;

/// How long a request may take to yield: until the end of its current part, and until that part is safe.
const LEAVING: Duration = Duration::from_secs(10);

/// The upload slots. Clones share them.
#[derive(Clone)]
pub struct Places {
    /// Number of slots taken per holder.
    taken: Arc<Mutex<HashMap<Holder, usize>>>,
    /// Requests that yield on demand, by upload.
    guests: Arc<Mutex<HashMap<Uid, Guest>>>,
    everybody: usize,
    person: usize,
    org: usize,
}

/// What a slot counts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Everybody,
    Person(Uid),
    Org(Uid),
    Upload(Uid),
}

impl Places {
    /// Creates as many slots as the settings allow.
    pub fn new(settings: &ContentSettings) -> Self {
        Self {
            taken: Arc::default(),
            guests: Arc::default(),
            everybody: settings.uploads_at_once,
            person: settings.uploads_at_once_person,
            org: settings.uploads_at_once_org,
        }
    }

    /// Takes a slot, which is free again when the permit is dropped.
    ///
    /// # Errors
    /// Fails if this file is being uploaded already, or if a limit is reached.
    pub fn take(&self, upload: Uid, person: Uid, org: Option<Uid>) -> Result<Place, Full> {
        let mut wanted = vec![
            (Holder::Upload(upload), 1),
            (Holder::Person(person), self.person),
            (Holder::Everybody, self.everybody),
        ];
        wanted.extend(org.map(|org| (Holder::Org(org), self.org)));
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if wanted.iter().any(|(holder, most)| taken.get(holder).is_some_and(|count| count >= most)) {
            let twice = taken.contains_key(&Holder::Upload(upload));
            return Err(if twice { Full::ThisFile } else { Full::Others });
        }
        for (holder, _) in &wanted {
            *taken.entry(*holder).or_default() += 1;
        }
        let holders = wanted.into_iter().map(|(holder, _)| holder).collect();
        Ok(Place { holders, taken: Arc::clone(&self.taken), guest: None })
    }

    /// Takes a slot for a request that yields on demand and keeps what it has received.
    ///
    /// # Errors
    /// Fails as [`take`](Self::take) does.
    pub fn take_as_guest(&self, upload: Uid, person: Uid, org: Option<Uid>) -> Result<Place, Full> {
        let mut place = self.take(upload, person, org)?;
        let (here, gone) = watch::channel(());
        let asked = Arc::new(Notify::new());
        let guest = Guest { asked: Arc::clone(&asked), gone };
        self.guests.lock().unwrap_or_else(PoisonError::into_inner).insert(upload, guest);
        place.guest = Some(Seat { upload, asked, guests: Arc::clone(&self.guests), _here: here });
        Ok(place)
    }

    /// Returns whether a request that yields on demand is receiving this file.
    pub fn is_held(&self, upload: Uid) -> bool {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&upload)
    }

    /// Asks the request that is receiving this file to yield, and waits for it.
    pub async fn clear(&self, upload: Uid) -> Cleared {
        let guest = self.guests.lock().unwrap_or_else(PoisonError::into_inner).get(&upload).cloned();
        let Some(mut guest) = guest else { return Cleared::NobodyThere };
        guest.asked.notify_one();
        // Nothing is ever sent: the channel only closes.
        match tokio::time::timeout(LEAVING, guest.gone.changed()).await {
            Ok(_) => Cleared::Left,
            Err(_) => Cleared::Stayed,
        }
    }
}

/// Why no slot is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// This file is being uploaded already.
    ThisFile,
    /// The limit overall, of the person or of the organisation is reached.
    Others,
}

/// Result of asking a request to yield.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleared {
    /// No request was receiving this file, or none that yields on demand.
    NobodyThere,
    /// The request has ended.
    Left,
    /// The request is busy completing the file.
    Stayed,
}

/// A handle to a request that yields on demand.
#[derive(Clone)]
struct Guest {
    asked: Arc<Notify>,
    gone: watch::Receiver<()>,
}

/// The end of the handle that the request itself holds.
struct Seat {
    upload: Uid,
    asked: Arc<Notify>,
    guests: Arc<Mutex<HashMap<Uid, Guest>>>,
    _here: watch::Sender<()>,
}

/// A slot that is taken until this is dropped.
pub struct Place {
    holders: Vec<Holder>,
    taken: Arc<Mutex<HashMap<Holder, usize>>>,
    guest: Option<Seat>,
}

impl Place {
    /// Completes when the request should yield; never, if it does not yield on demand.
    pub async fn asked(&self) {
        match &self.guest {
            Some(seat) => seat.asked.notified().await,
            None => std::future::pending().await,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // In this order: the request can no longer be found, then its slot is free, then waiters are
        // notified.
        if let Some(seat) = &self.guest {
            seat.guests.lock().unwrap_or_else(PoisonError::into_inner).remove(&seat.upload);
        }
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
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
    fn a_file_a_person_and_an_organisation_have_their_own_limits() {
        let settings = ContentSettings {
            uploads_at_once: 4,
            uploads_at_once_person: 2,
            uploads_at_once_org: 3,
            ..ContentSettings::default()
        };
        let places = Places::new(&settings);
        let id = Uid::from_u128;
        let one = places.take(id(1), id(10), Some(id(20)));
        assert_eq!(places.take(id(1), id(11), None).err(), Some(Full::ThisFile), "a file once");
        assert!(one.is_ok());
        let two = places.take(id(2), id(10), Some(id(20)));
        assert!(two.is_ok() && places.take(id(3), id(10), None).is_err(), "a person twice");
        let three = places.take(id(3), id(11), Some(id(20)));
        assert!(
            three.is_ok() && places.take(id(4), id(12), Some(id(20))).is_err(),
            "three of an organisation"
        );
        let four = places.take(id(4), id(12), None);
        assert_eq!(places.take(id(5), id(13), None).err(), Some(Full::Others), "four of all");
        assert!(four.is_ok());
        drop((one, two, three, four));
        assert!(places.take(id(1), id(10), Some(id(20))).is_ok());
        assert!(places.taken.lock().unwrap().is_empty(), "released slots leave no trace");
    }
    #[tokio::test]
    async fn a_guest_leaves_when_asked_and_the_others_stay() {
        let places = Places::new(&ContentSettings::default());
        let id = Uid::from_u128;
        let host = places.take(id(1), id(10), None).unwrap();
        assert_eq!(
            places.clear(id(1)).await,
            Cleared::NobodyThere,
            "a request that does not yield is not asked"
        );
        drop(host);
        let guest = places.take_as_guest(id(1), id(10), None).unwrap();
        let leaving = async {
            guest.asked().await;
            drop(guest);
        };
        assert_eq!(tokio::join!(places.clear(id(1)), leaving).0, Cleared::Left);
        assert_eq!(places.clear(id(1)).await, Cleared::NobodyThere);
        assert!(places.guests.lock().unwrap().is_empty());
    }
}
