//! Which viewers of an item or playlist came in more than one packed week. In the stored audiences, the others are only
//! parts of sums: a viewer who is only in the sums of a week is in no other pack of the item or playlist. After a pack was
//! removed, viewers may be kept one by one without need. No async, no SQL, no HTTP.

use hashbrown::HashSet;
use kernel::Timestamp;

use crate::audience_of_item::Audience;
use crate::audience_of_item::stored;
use crate::view_pack::{Pack, ViewerKey};

/// A packed week of an item or playlist.
pub struct StoredWeek {
    pub week: Timestamp,
    pub data: Vec<u8>,
    pub audience: Vec<u8>,
}

/// What changes when a week is packed.
pub struct Audiences {
    /// The audience of the week.
    pub audience: Vec<u8>,
    /// Those of other weeks with viewers who are no longer only in the sums.
    pub changed: Vec<(Timestamp, Vec<u8>)>,
    /// Weeks whose packs cannot be read.
    pub damaged: Vec<Timestamp>,
}

/// Returns the audience of a week with this pack, and what it changes. Returns `None` if it has no place for everything.
pub fn audiences(data: &[u8], is_item: bool, others: &[StoredWeek]) -> Option<Audiences> {
    let (pack, _) = Pack::read(data)?;
    let audience = Audience::of_pack(&pack, is_item)?;
    let viewers: HashSet<ViewerKey> = audience.viewers().collect();
    let (mut returning, mut changed, mut damaged) = (HashSet::new(), Vec::new(), Vec::new());
    for other in others {
        match both(&viewers, other, is_item) {
            Some(Both { viewers, audience }) => {
                returning.extend(viewers);
                changed.extend(audience.map(|audience| (other.week, audience)));
            }
            None => damaged.push(other.week),
        }
    }
    Some(Audiences { audience: audience.write(&returning)?, changed, damaged })
}

/// The viewers of two weeks.
struct Both {
    viewers: HashSet<ViewerKey>,
    /// The new audience of the other week, if one of them was only in the sums there.
    audience: Option<Vec<u8>>,
}

/// Returns those of the viewers who are in the pack of another week. Returns `None` if it is damaged.
fn both(viewers: &HashSet<ViewerKey>, other: &StoredWeek, is_item: bool) -> Option<Both> {
    let (pack, _) = Pack::read(&other.data)?;
    let mut found = HashSet::new();
    for view in pack.views() {
        found.extend(Some(view?.viewer).filter(|viewer| viewers.contains(viewer)));
    }
    if found.is_empty() {
        return Some(Both { viewers: found, audience: None });
    }
    let known = stored::returning(&other.audience, is_item)?;
    if found.is_subset(&known) {
        return Some(Both { viewers: found, audience: None });
    }
    let returning = known.union(&found).copied().collect();
    let audience = Audience::of_pack(&pack, is_item)?.write(&returning)?;
    Some(Both { viewers: found, audience: Some(audience) })
}

/// Returns whether all viewers who are only in the sums of one of the weeks are in no other.
pub fn agree(weeks: &[StoredWeek]) -> bool {
    let (mut seen, mut kept) = (HashSet::new(), Vec::new());
    let mut several = HashSet::new();
    for week in weeks {
        let Some((pack, _)) = Pack::read(&week.data) else { return false };
        let viewers: HashSet<ViewerKey> = pack.views().flatten().map(|view| view.viewer).collect();
        several.extend(viewers.intersection(&seen).copied());
        seen.extend(&viewers);
        // Which of the two it is makes no difference to the viewers.
        let Some(returning) = stored::returning(&week.audience, true) else { return false };
        kept.push((viewers, returning));
    }
    let is_right = |(viewers, returning): &(HashSet<ViewerKey>, HashSet<ViewerKey>)| {
        viewers.intersection(&several).all(|viewer| returning.contains(viewer))
    };
    kept.iter().all(is_right)
}
