//! Why a lead has its score: the ledger in terms that people understand. No async, no SQL, no HTTP.

use std::collections::{BTreeMap, HashMap};

use kernel::{Timestamp, Uid};
use serde::Serialize;

use crate::model::{Cause, decayed};
use crate::store::ledger::{Contribution, Entry};

/// Reasons that are listed.
const MAX: usize = 100;

/// What gave points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LeadReasonCause)]
pub enum ReasonCause {
    /// A day with any activity.
    ActiveDay,
    /// An item was watched for the first time, or a part of it.
    Coverage,
    /// An item was seen again on another day.
    SeenAgain,
    /// A file was downloaded.
    Download,
    /// A playlist's contact was tapped.
    Contact,
}

/// Something that gave points.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    pub cause: ReasonCause,
    /// Id of the content item or playlist, if any.
    pub item: Option<Uid>,
    pub points: f64,
    /// What is left of the points today.
    pub current: f64,
    pub at: Timestamp,
}

/// What is one reason in the list.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ReasonKey {
    day: i64,
    cause: ReasonCause,
    item: Option<Uid>,
}

/// Returns the reasons, newest first. The points for watching an item for the first time and for what is new of it that
/// day are one reason. `first_days` has the first day on which each item was watched.
pub fn reasons(entries: &[(Entry, Contribution)], first_days: &HashMap<Uid, i64>, today: i64) -> Vec<Reason> {
    let mut sums: BTreeMap<ReasonKey, Contribution> = BTreeMap::new();
    for (entry, Contribution { points, at }) in entries {
        let is_first = entry.item.is_some_and(|item| first_days.get(&item) == Some(&entry.day));
        let cause = match entry.cause {
            Cause::ActiveDay => ReasonCause::ActiveDay,
            Cause::Watched if is_first => ReasonCause::Coverage,
            Cause::Watched => ReasonCause::SeenAgain,
            Cause::Coverage => ReasonCause::Coverage,
            Cause::Download => ReasonCause::Download,
            Cause::Contact => ReasonCause::Contact,
        };
        let sum = sums.entry(ReasonKey { day: entry.day, cause, item: entry.item }).or_default();
        *sum = Contribution { points: sum.points + points, at: sum.at.max(*at) };
    }
    let reason = |(ReasonKey { day, cause, item }, Contribution { points, at })| {
        let current = rounded(decayed(points, today - day));
        Reason { cause, item, points: rounded(points), current, at }
    };
    let mut all: Vec<Reason> = sums.into_iter().map(reason).collect();
    all.sort_by_key(|reason| std::cmp::Reverse((reason.at, reason.cause, reason.item)));
    all.truncate(MAX);
    all
}

/// Rounds points to two decimals.
fn rounded(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use kernel::{DAY, OrgId, PersonId};

    use super::*;

    fn entry(day: i64, cause: Cause, item: u128, points: f64) -> (Entry, Contribution) {
        let item = (item > 0).then(|| Uid::from_u128(item));
        let (org, person, since) = (OrgId::from_u128(1), PersonId::from_u128(2), Timestamp::EPOCH);
        (
            Entry { org, person, since, day, cause, item },
            Contribution { points, at: Timestamp::from_ms(day * DAY) },
        )
    }

    #[test]
    fn the_first_time_is_one_reason_and_the_next_day_another() {
        let entries = [
            entry(29, Cause::Watched, 7, 4.0),
            entry(29, Cause::Coverage, 7, 2.0),
            entry(1, Cause::ActiveDay, 0, 3.0),
            entry(1, Cause::Watched, 7, 4.0),
            entry(1, Cause::Coverage, 7, 8.0),
        ];
        let first = HashMap::from([(Uid::from_u128(7), 1)]);
        let all: Vec<_> = reasons(&entries, &first, 29)
            .into_iter()
            .map(|reason| (reason.cause, reason.points, reason.current))
            .collect();
        assert_eq!(
            all,
            [
                (ReasonCause::SeenAgain, 4.0, 4.0),
                (ReasonCause::Coverage, 2.0, 2.0),
                (ReasonCause::Coverage, 12.0, 6.0),
                (ReasonCause::ActiveDay, 3.0, 1.5),
            ]
        );
    }

    #[test]
    fn at_most_a_hundred_are_listed_the_newest_first() {
        let entries: Vec<_> = (0..150).map(|day| entry(day, Cause::ActiveDay, 0, 3.0)).collect();
        let all = reasons(&entries, &HashMap::new(), 150);
        assert_eq!((all.len(), all[0].at), (100, Timestamp::from_ms(149 * DAY)));
    }
}
