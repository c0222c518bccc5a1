//! Places for files that are coming in: so many for everybody, fewer for one person and one organisation, and
//! one for each announced file. Kept by this process; what must hold between processes holds in the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::Uid;

use crate::ContentSettings;

/// The places. Cloning shares them.
#[derive(Clone)]
pub struct Places {
    /// How many are taken, by whom.
    taken: Arc<Mutex<HashMap<Holder, usize>>>,
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
            everybody: settings.uploads_at_once,
            person: settings.uploads_at_once_person,
            org: settings.uploads_at_once_org,
        }
    }

    /// A place until it is dropped; `None` when the file is coming in already or all places are taken.
    pub fn take(&self, upload: Uid, person: Uid, org: Option<Uid>) -> Option<Place> {
        let mut wanted = vec![
            (Holder::Upload(upload), 1),
            (Holder::Person(person), self.person),
            (Holder::Everybody, self.everybody),
        ];
        wanted.extend(org.map(|org| (Holder::Org(org), self.org)));
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if wanted.iter().any(|(holder, most)| taken.get(holder).is_some_and(|count| count >= most)) {
            return None;
        }
        for (holder, _) in &wanted {
            *taken.entry(*holder).or_default() += 1;
        }
        let holders = wanted.into_iter().map(|(holder, _)| holder).collect();
        Some(Place { holders, taken: Arc::clone(&self.taken) })
    }
}

/// A taken place.
pub struct Place {
    holders: Vec<Holder>,
    taken: Arc<Mutex<HashMap<Holder, usize>>>,
}

impl Drop for Place {
    fn drop(&mut self) {
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
        assert!(one.is_some() && places.take(id(1), id(11), None).is_none(), "a file once");
        let two = places.take(id(2), id(10), Some(id(20)));
        assert!(two.is_some() && places.take(id(3), id(10), None).is_none(), "a person twice");
        let three = places.take(id(3), id(11), Some(id(20)));
        assert!(three.is_some() && places.take(id(4), id(12), Some(id(20))).is_none(), "three of a house");
        let four = places.take(id(4), id(12), None);
        assert!(four.is_some() && places.take(id(5), id(13), None).is_none(), "four of all");
        drop((one, two, three, four));
        assert!(places.take(id(1), id(10), Some(id(20))).is_some());
        assert!(places.taken.lock().unwrap().is_empty(), "nothing is remembered of those who left");
    }
}
