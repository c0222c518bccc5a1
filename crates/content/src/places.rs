//! Places for files that are coming in: so many for everybody, fewer for one person and one organisation, and
//! one for each announced file. Kept by this process; what must hold between processes holds in the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::Uid;
use tokio::sync::{Notify, watch};

use crate::ContentSettings;

/// How long whoever is asked to leave may take: to the end of a part, and until it is safe.
const LEAVING: Duration = Duration::from_secs(10);

/// The places. Cloning shares them.
#[derive(Clone)]
pub struct Places {
    /// How many are taken, by whom.
    taken: Arc<Mutex<HashMap<Holder, usize>>>,
    /// Those who would leave if they were asked, by upload.
    guests: Arc<Mutex<HashMap<Uid, Guest>>>,
    everybody: usize,
    person: usize,
    org: usize,
}

/// Who takes a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Everybody,
    Person(Uid),
    Org(Uid),
    Upload(Uid),
}

impl Places {
    /// As many as the settings say.
    pub fn new(settings: &ContentSettings) -> Self {
        Self {
            taken: Arc::default(),
            guests: Arc::default(),
            everybody: settings.uploads_at_once,
            person: settings.uploads_at_once_person,
            org: settings.uploads_at_once_org,
        }
    }

    /// A place until it is dropped.
    ///
    /// # Errors
    /// Why there is none.
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

    /// The same for somebody who leaves when asked to, and keeps what has come.
    ///
    /// # Errors
    /// Why there is none.
    pub fn take_as_guest(&self, upload: Uid, person: Uid, org: Option<Uid>) -> Result<Place, Full> {
        let mut place = self.take(upload, person, org)?;
        let (here, gone) = watch::channel(());
        let asked = Arc::new(Notify::new());
        let guest = Guest { asked: Arc::clone(&asked), gone };
        self.guests.lock().unwrap_or_else(PoisonError::into_inner).insert(upload, guest);
        place.guest = Some(Seat { upload, asked, guests: Arc::clone(&self.guests), _here: here });
        Ok(place)
    }

    /// Whether somebody takes this file in who would leave if asked.
    pub fn is_held(&self, upload: Uid) -> bool {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&upload)
    }

    /// Asks the guest who takes this file in to leave, and waits for it.
    pub async fn clear(&self, upload: Uid) -> Cleared {
        let guest = self.guests.lock().unwrap_or_else(PoisonError::into_inner).get(&upload).cloned();
        let Some(mut guest) = guest else { return Cleared::NobodyThere };
        guest.asked.notify_one();
        // The other end is never written to: it only ends.
        match tokio::time::timeout(LEAVING, guest.gone.changed()).await {
            Ok(_) => Cleared::Left,
            Err(_) => Cleared::Stayed,
        }
    }
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// This very file is coming in already.
    ThisFile,
    /// All places, or all of this person or organisation, are taken.
    Others,
}

/// What came of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleared {
    /// Nobody took this file in, or nobody who can be asked.
    NobodyThere,
    /// Whoever did has left.
    Left,
    /// Whoever does is busy with the end of it.
    Stayed,
}

/// How to reach somebody who leaves when asked.
#[derive(Clone)]
struct Guest {
    asked: Arc<Notify>,
    gone: watch::Receiver<()>,
}

/// The guest's own end.
struct Seat {
    upload: Uid,
    asked: Arc<Notify>,
    guests: Arc<Mutex<HashMap<Uid, Guest>>>,
    _here: watch::Sender<()>,
}

/// A taken place.
pub struct Place {
    holders: Vec<Holder>,
    taken: Arc<Mutex<HashMap<Holder, usize>>>,
    guest: Option<Seat>,
}

impl Place {
    /// Returns once somebody asked the guest to leave; never for one who is no guest.
    pub async fn asked(&self) {
        match &self.guest {
            Some(seat) => seat.asked.notified().await,
            None => std::future::pending().await,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // First nobody finds the guest any more, then the place is free, then whoever waits for that is told.
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
        assert!(three.is_ok() && places.take(id(4), id(12), Some(id(20))).is_err(), "three of a house");
        let four = places.take(id(4), id(12), None);
        assert_eq!(places.take(id(5), id(13), None).err(), Some(Full::Others), "four of all");
        assert!(four.is_ok());
        drop((one, two, three, four));
        assert!(places.take(id(1), id(10), Some(id(20))).is_ok());
        assert!(places.taken.lock().unwrap().is_empty(), "nothing is remembered of those who left");
    }
    #[tokio::test]
    async fn a_guest_leaves_when_asked_and_the_others_stay() {
        let places = Places::new(&ContentSettings::default());
        let id = Uid::from_u128;
        let host = places.take(id(1), id(10), None).unwrap();
        assert_eq!(places.clear(id(1)).await, Cleared::NobodyThere, "who is no guest is not asked");
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
