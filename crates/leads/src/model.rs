//! Points, score and temperature; `docs/definitions.md` explains them to users. No async, no SQL, no HTTP.

use analytics::SignalKind;
use kernel::{OrgId, PersonId, Timestamp, Uid};
use sea_orm::{DeriveActiveEnum, EnumIter};

/// Half-life of points, in days.
const HALF_LIFE: f64 = 28.0;
/// Points at which the score is 100 × (1 − 1/e).
const SCALE: f64 = 60.0;
/// Minimum score of a hot lead.
const HOT: i64 = 50;
/// Minimum score of a warm lead.
const WARM: i64 = 25;
/// A temperature drops only when the score is this far below its minimum.
const HYSTERESIS: i64 = 5;

/// What points are awarded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Cause {
    /// A day with any activity.
    #[sea_orm(string_value = "activeDay")]
    ActiveDay,
    /// A content item watched on a day, for the first time or again.
    #[sea_orm(string_value = "watched")]
    Watched,
    /// A part of a content item watched for the first time.
    #[sea_orm(string_value = "coverage")]
    Coverage,
    /// A file downloaded.
    #[sea_orm(string_value = "download")]
    Download,
    /// A playlist's contact tapped.
    #[sea_orm(string_value = "contact")]
    Contact,
}

/// Returns the cause of a signal, the content item or playlist that it concerns, if any, and its points. Returns `None`
/// if it gives no points.
pub fn contribution(signal: SignalKind) -> Option<(Cause, Option<Uid>, f64)> {
    Some(match signal {
        SignalKind::Visit => return None,
        SignalKind::ActiveDay => (Cause::ActiveDay, None, 3.0),
        SignalKind::Watched(content) => (Cause::Watched, Some(content.into()), 4.0),
        SignalKind::Covered(content, share) => {
            (Cause::Coverage, Some(content.into()), 16.0 * share.clamp(0.0, 1.0))
        }
        SignalKind::Download(content) => (Cause::Download, Some(content.into()), 5.0),
        SignalKind::Contact(playlist) => (Cause::Contact, Some(playlist.into()), 25.0),
    })
}

/// Returns what points are worth after a number of whole days.
#[expect(clippy::cast_precision_loss, reason = "days")]
pub fn decayed(points: f64, days: i64) -> f64 {
    points * (-(days.max(0) as f64) / HALF_LIFE).exp2()
}

/// Returns the score for a number of points: 0 to 100.
#[expect(clippy::cast_possible_truncation, reason = "rounded and between 0 and 100")]
pub fn score(points: f64) -> i64 {
    (100.0 * (1.0 - (-points.max(0.0) / SCALE).exp())).round() as i64
}

/// How interested a person is.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Temperature {
    /// Low interest.
    #[sea_orm(string_value = "cold")]
    Cold,
    /// Some interest.
    #[sea_orm(string_value = "warm")]
    Warm,
    /// High interest.
    #[sea_orm(string_value = "hot")]
    Hot,
}

impl Temperature {
    /// Returns the temperature for a score. A warmer previous temperature is kept until the score is five
    /// points below its minimum.
    pub fn of(score: i64, before: Self) -> Self {
        match score {
            _ if score >= HOT || (before == Self::Hot && score > HOT - HYSTERESIS) => Self::Hot,
            _ if score >= WARM || (before >= Self::Warm && score > WARM - HYSTERESIS) => Self::Warm,
            _ => Self::Cold,
        }
    }
}

/// A person as a lead of an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeadKey {
    pub org: OrgId,
    pub person: PersonId,
}

/// A person's points, score and temperature in an organisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead {
    pub org: OrgId,
    pub person: PersonId,
    /// Start of the consent under which the points were collected.
    pub since: Timestamp,
    /// Points as of `day`.
    pub points: f64,
    /// UTC day, counted from the epoch, to which `points` refers.
    pub day: i64,
    /// Points on the scale of 0 to 100 that is shown.
    pub score: i64,
    pub temperature: Temperature,
    /// When score or temperature last changed.
    pub modified_at: Timestamp,
    /// When the person became a lead.
    pub created_at: Timestamp,
    /// Start of the latest visit, or a later moment that gave points.
    pub last_seen_at: Timestamp,
    /// Whether the person is an app user now. Others are in no list and no number.
    pub shown: bool,
    /// The temperature under which the stored lead is counted; `None` if it is not.
    pub counted: Option<Temperature>,
}

impl Lead {
    /// Creates a cold lead without points.
    pub fn new(key: LeadKey, since: Timestamp, now: Timestamp) -> Self {
        Self {
            org: key.org,
            person: key.person,
            since,
            points: 0.0,
            day: now.days(),
            score: 0,
            temperature: Temperature::Cold,
            modified_at: now,
            created_at: now,
            last_seen_at: Timestamp::EPOCH,
            shown: true,
            counted: None,
        }
    }

    /// Decays the points to `today`, adds the present value of `gains` (day, points), and updates score and
    /// temperature. Returns whether either of them changed.
    pub fn update(&mut self, gains: impl Iterator<Item = (i64, f64)>, today: i64, now: Timestamp) -> bool {
        let today = today.max(self.day);
        let gained: f64 = gains.map(|(day, points)| decayed(points, today - day)).sum();
        self.points = decayed(self.points, today - self.day) + gained;
        self.day = today;
        let score = score(self.points);
        let temperature = Temperature::of(score, self.temperature);
        let changed = (score, temperature) != (self.score, self.temperature);
        if changed {
            (self.score, self.temperature, self.modified_at) = (score, temperature, now);
        }
        changed
    }

    /// Returns the day on which the score drops next if nothing is added; `None` if it never does, or if it does not
    /// matter because the lead is not shown. The temperature depends on the score alone while the points decay.
    #[expect(clippy::cast_precision_loss, reason = "a score")]
    #[expect(clippy::cast_possible_truncation, reason = "at most a few hundred days")]
    pub fn due_day(&self) -> Option<i64> {
        if !self.shown || self.score <= 0 {
            return None;
        }
        // The fewest points that still round to this score.
        let needed = -SCALE * (-(self.score as f64 - 0.5) / 100.0).ln_1p();
        let mut days = ((HALF_LIFE * (self.points / needed).log2()).floor() as i64).clamp(1, 10_000);
        // The formula may be a day off, where the score is rounded.
        while days > 1 && score(decayed(self.points, days - 1)) < self.score {
            days -= 1;
        }
        while days < 10_000 && score(decayed(self.points, days)) >= self.score {
            days += 1;
        }
        Some(self.day + days)
    }
}

#[cfg(test)]
mod tests {
    use kernel::{ContentId, PlaylistId};
    use sea_orm::{ActiveEnum as _, Iterable as _};

    use super::*;

    /// Returns the instant this many milliseconds after the epoch.
    const fn at_ms(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    fn lead() -> Lead {
        let key = LeadKey { org: OrgId::from_u128(1), person: PersonId::from_u128(2) };
        Lead { day: 100, ..Lead::new(key, Timestamp::EPOCH, Timestamp::EPOCH) }
    }

    #[test]
    fn points_are_those_of_the_rules() {
        let (content, playlist) = (ContentId::from_u128(9), PlaylistId::from_u128(9));
        let item = Some(Uid::from_u128(9));
        assert_eq!(contribution(SignalKind::ActiveDay), Some((Cause::ActiveDay, None, 3.0)));
        assert_eq!(contribution(SignalKind::Watched(content)), Some((Cause::Watched, item, 4.0)));
        assert_eq!(contribution(SignalKind::Covered(content, 0.5)), Some((Cause::Coverage, item, 8.0)));
        assert_eq!(contribution(SignalKind::Download(content)), Some((Cause::Download, item, 5.0)));
        assert_eq!(contribution(SignalKind::Contact(playlist)), Some((Cause::Contact, item, 25.0)));
        assert_eq!(contribution(SignalKind::Visit), None);
    }

    #[test]
    fn stored_words_never_change() {
        assert_eq!(Cause::values(), ["activeDay", "watched", "coverage", "download", "contact"]);
        assert_eq!(Temperature::values(), ["cold", "warm", "hot"]);
        let in_api: Vec<_> = Temperature::iter().map(|one| serde_json::to_value(one).unwrap()).collect();
        assert_eq!(in_api, Temperature::values());
    }

    #[test]
    fn a_point_halves_every_twenty_eight_days() {
        assert!((decayed(10.0, 28) - 5.0).abs() < 1e-9);
        assert!((decayed(10.0, 56) - 2.5).abs() < 1e-9);
        assert!((decayed(10.0, 0) - 10.0).abs() < 1e-9);
        assert!((decayed(10.0, -3) - 10.0).abs() < 1e-9, "never grows");
    }

    #[test]
    fn the_score_rises_quickly_and_never_reaches_more_than_a_hundred() {
        assert_eq!([0.0, 3.0, 23.0, 60.0, 1e6].map(score), [0, 5, 32, 63, 100]);
        assert_eq!(score(-5.0), 0);
    }

    #[test]
    fn thresholds_are_warm_at_25_and_hot_at_50() {
        let fresh = |score| Temperature::of(score, Temperature::Cold);
        assert_eq!([0, 24, 25, 49, 50, 100].map(fresh), {
            use Temperature::{Cold, Hot, Warm};
            [Cold, Cold, Warm, Warm, Hot, Hot]
        });
    }

    #[test]
    fn a_temperature_drops_only_five_points_below_its_threshold() {
        use Temperature::{Cold, Hot, Warm};
        assert_eq!(
            [49, 46, 45, 30, 21, 20].map(|score| Temperature::of(score, Hot)),
            [Hot, Hot, Warm, Warm, Warm, Cold]
        );
        assert_eq!([24, 21, 20].map(|score| Temperature::of(score, Warm)), [Warm, Warm, Cold]);
        assert_eq!(Temperature::of(50, Warm), Hot);
    }

    #[test]
    fn the_modification_time_changes_only_with_score_or_temperature() {
        let mut lead = lead();
        assert!(lead.update([(100, 60.0)].into_iter(), 100, at_ms(10)));
        assert_eq!((lead.score, lead.temperature, lead.modified_at), (63, Temperature::Hot, at_ms(10)));
        assert!(!lead.update([(100, 0.01)].into_iter(), 100, at_ms(20)));
        assert_eq!(lead.modified_at, at_ms(10));
        assert!(lead.update(std::iter::empty(), 128, at_ms(30)));
        assert_eq!((lead.score, lead.temperature, lead.modified_at), (39, Temperature::Warm, at_ms(30)));
    }

    #[test]
    fn late_points_count_with_their_present_value() {
        let mut lead = lead();
        lead.update([(72, 10.0)].into_iter(), 100, Timestamp::EPOCH);
        assert!((lead.points - 5.0).abs() < 1e-9);
        lead.update([(100, 5.0)].into_iter(), 99, Timestamp::EPOCH);
        assert!((lead.points - 10.0).abs() < 1e-9, "a clock that moves back changes nothing");
    }

    #[test]
    fn a_lead_is_due_on_the_first_day_on_which_its_score_drops() {
        for tenths in (1..4_000).step_by(7) {
            let mut lead = lead();
            lead.update([(100, f64::from(tenths) / 10.0)].into_iter(), 100, Timestamp::EPOCH);
            let Some(due) = lead.due_day() else {
                assert_eq!(lead.score, 0);
                continue;
            };
            assert!(due > 100);
            let on = |day: i64| score(decayed(lead.points, day - 100));
            assert!(on(due) < lead.score && on(due - 1) == lead.score, "{tenths}: due on {due}");
        }
        let mut hidden = Lead { shown: false, ..lead() };
        hidden.update([(100, 60.0)].into_iter(), 100, Timestamp::EPOCH);
        assert_eq!(hidden.due_day(), None);
    }
}
