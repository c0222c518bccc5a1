//! The stored form of events: everything that the numbers are derived from, and what was decided when they arrived, so
//! that they can be counted again without asking anything else. Compact, because there are many.

use std::borrow::Cow;

use kernel::{ContentId, EventId, Millis, OrgId, PlaylistId, Timestamp, ViewId};
use serde::{Deserialize, Serialize};

use crate::definitions::caps;
use crate::definitions::devices::Device;
use crate::definitions::view::Verdict;
use crate::definitions::zone::{Clock, Zone};
use crate::totals::{CreditContext, Named, Sum, Totals, VerdictSum};

/// Version of the stored form.
const SCHEMA: u8 = 1;

/// Events of one viewer in one request. Times are milliseconds before the request was received.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RawEvents {
    /// Version of this form.
    pub v: u8,
    pub staff: bool,
    pub bot: bool,
    pub device: Device,
    pub country: Option<String>,
    /// Version of the app, as it reports it.
    pub app: Option<String>,
    pub views: Vec<RawView>,
    pub interactions: Vec<RawInteraction>,
    /// Visits that start with one of these events.
    pub visits: Vec<Millis>,
}

/// Beats of one view, with the properties of its item at that time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RawView {
    pub view: ViewId,
    pub content: ContentId,
    /// The playlist, if it contained the item.
    pub playlist: Option<PlaylistId>,
    pub kind: String,
    /// Milliseconds, or pages of a document.
    pub length: Option<i64>,
    pub draft: bool,
    pub beats: Vec<RawBeat>,
    /// When it counts, if what is stored here made it count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<Millis>,
    /// Changes of the numbers of views by verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<RawVerdict>,
}

/// A beat: seq, from, to, rate, state, when, credit, time over the limits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RawBeat(
    pub u32,
    pub Millis,
    pub Millis,
    pub f64,
    pub Cow<'static, str>,
    pub Millis,
    pub Millis,
    pub Millis,
);

/// Another event: kind, id, content item, playlist, when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RawInteraction(
    pub Cow<'static, str>,
    pub EventId,
    pub Option<ContentId>,
    pub Option<PlaylistId>,
    pub Millis,
);

/// A change of the number of views with a verdict: when, verdict, by how many.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RawVerdict(pub Millis, pub Verdict, pub i64);

/// Where the events of a row are counted.
pub struct RawOrigin<'a> {
    pub org: OrgId,
    pub zone: &'a Zone,
    pub received_at: Timestamp,
    /// The person, while the consent lasts.
    pub named: Option<Named>,
}

impl RawEvents {
    /// Creates it without events.
    pub fn new(staff: bool, bot: bool, device: Device, country: Option<String>, app: Option<String>) -> Self {
        let (views, interactions, visits) = (Vec::new(), Vec::new(), Vec::new());
        Self { v: SCHEMA, staff, bot, device, country, app, views, interactions, visits }
    }

    /// Parses the stored text; returns `None` if it is of another schema or damaged.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().filter(|events: &Self| events.v == SCHEMA)
    }

    /// Returns the stored form.
    pub fn text(&self) -> String {
        // Serializing numbers, strings and ids cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Adds the decisions to totals.
    pub fn replay(&self, origin: &RawOrigin<'_>, totals: &mut Totals) {
        let RawOrigin { org, zone, received_at, named } = *origin;
        let mut clock = Clock::new(zone);
        let mut local = |ago: Millis| clock.local(received_at - ago);
        for view in &self.views {
            let place = CreditContext { org, content: view.content, playlist: view.playlist, named };
            for RawBeat(.., ago, credit_ms, over_ms) in &view.beats {
                let is_late = caps::is_late(received_at - *ago, received_at);
                totals.add(place, local(*ago), Sum::watched(*credit_ms, is_late));
                if *over_ms > 0 {
                    let over = VerdictSum { views: 0, watch_ms: *over_ms };
                    totals.add_verdict(org, local(*ago).day, Verdict::Cap, over);
                }
            }
            if let Some(ago) = view.counted {
                totals.add(place, local(ago), Sum::one_view());
            }
            for RawVerdict(ago, verdict, views) in &view.verdicts {
                let sum = VerdictSum { views: *views, watch_ms: 0 };
                totals.add_verdict(org, local(*ago).day, *verdict, sum);
            }
        }
        if let Some(named) = named {
            for ago in &self.visits {
                totals.add_visit(org, named, local(*ago).hour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{MINUTE, PersonId};

    use super::*;

    fn events() -> RawEvents {
        let beat = |seq, to, ago, credit, over| RawBeat(seq, 0, to, 1.5, "playing".into(), ago, credit, over);
        let view = RawView {
            view: ViewId::from_u128(1),
            content: ContentId::from_u128(2),
            playlist: Some(PlaylistId::from_u128(3)),
            kind: "video".into(),
            length: Some(60_000),
            draft: false,
            beats: vec![beat(0, 0, 12 * MINUTE, 7_000, 0), beat(1, 10, 0, 5_000, 300)],
            counted: Some(0),
            verdicts: vec![RawVerdict(MINUTE, Verdict::TooShort, -1)],
        };
        let visit = RawInteraction("visit".into(), EventId::from_u128(4), None, None, 5);
        RawEvents {
            views: vec![view],
            interactions: vec![visit],
            visits: vec![5],
            ..RawEvents::new(false, false, Device::Tv, Some("DE".into()), Some("2.2.4".into()))
        }
    }

    #[test]
    fn the_stored_form_has_everything_and_is_read_again() {
        let text = events().text();
        assert_eq!(RawEvents::read(&text), Some(events()));
        let view = ViewId::from_u128(1);
        let beginning = format!(
            "{{\"v\":1,\"staff\":false,\"bot\":false,\"device\":\"tv\",\"country\":\"DE\",\"app\":\"2.2.4\",\
             \"views\":[{{\"view\":\"{view}\","
        );
        assert!(text.starts_with(&beginning), "{text}");
        assert_eq!(RawEvents::read(&text.replace("\"v\":1", "\"v\":2")), None, "another schema");
    }

    #[test]
    fn a_replay_adds_every_decision() {
        let zone = Zone::named("UTC");
        let received_at = Timestamp::from_ms(1_800_000_000_000);
        let (org, person) = (OrgId::from_u128(8), PersonId::from_u128(9));
        let named = Some(Named { person, since: Timestamp::EPOCH });
        let mut totals = Totals::default();
        events().replay(&RawOrigin { org, zone: &zone, received_at, named }, &mut totals);
        let of_org: Vec<_> = totals.hours.iter().filter(|(key, _)| key.subject == org.uid()).collect();
        let sum =
            |value: fn(&crate::totals::Sum) -> i64| of_org.iter().map(|(_, sum)| value(sum)).sum::<i64>();
        assert_eq!(
            (sum(|sum| sum.watch_ms), sum(|sum| sum.late_ms), sum(|sum| sum.views)),
            (12_000, 7_000, 1)
        );
        assert_eq!(totals.people.values().map(|sum| sum.visits).sum::<i64>(), 1);
        let verdict =
            |verdict| totals.verdicts.iter().find(|(key, _)| key.verdict == verdict).map(|(_, sum)| *sum);
        assert_eq!(verdict(Verdict::TooShort), Some(VerdictSum { views: -1, watch_ms: 0 }));
        assert_eq!(verdict(Verdict::Cap), Some(VerdictSum { views: 0, watch_ms: 300 }));
        let mut anonymous = Totals::default();
        events().replay(&RawOrigin { org, zone: &zone, received_at, named: None }, &mut anonymous);
        assert!(anonymous.people.is_empty());
        assert_eq!(anonymous.hours, totals.hours);
    }
}
