//! Points, score and temperature (rules 4b, R-13). No async, no SQL, no HTTP.

use analytics::SignKind;
use kernel::{Millis, Uid};

/// Days after which a point is worth half.
const HALF_LIFE: f64 = 28.0;
/// Points at which the score is 100 × (1 − 1/e).
const SCALE: f64 = 60.0;
/// From this score on a lead is hot.
const HOT: i64 = 50;
/// From this score on a lead is warm.
const WARM: i64 = 25;
/// A temperature falls when the score is this much under its border.
const STICKY: i64 = 5;

/// What points are given for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// A day with anything on it.
    ActiveDay,
    /// A content seen on a day, for the first time or again.
    Seen,
    /// A part of a content seen for the first time.
    Coverage,
    /// A file taken.
    Download,
    /// A playlist's contact tapped.
    Contact,
}

impl Cause {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ActiveDay => "activeDay",
            Self::Seen => "seen",
            Self::Coverage => "coverage",
            Self::Download => "download",
            Self::Contact => "contact",
        }
    }

    /// Reads a stored word.
    pub fn read(word: &str) -> Option<Self> {
        [Self::ActiveDay, Self::Seen, Self::Coverage, Self::Download, Self::Contact]
            .into_iter()
            .find(|cause| cause.as_str() == word)
    }
}

/// What a sign is worth: its cause, the thing it is about (nil for none) and its points.
pub fn worth(sign: SignKind) -> (Cause, Uid, f64) {
    match sign {
        SignKind::ActiveDay => (Cause::ActiveDay, Uid::nil(), 3.0),
        SignKind::Seen(content) => (Cause::Seen, content, 4.0),
        SignKind::Covered(content, share) => (Cause::Coverage, content, 16.0 * share.clamp(0.0, 1.0)),
        SignKind::Download(content) => (Cause::Download, content, 5.0),
        SignKind::Contact(playlist) => (Cause::Contact, playlist, 25.0),
    }
}

/// What points are still worth some whole days later.
#[expect(clippy::cast_precision_loss, reason = "days")]
pub fn decayed(points: f64, days: i64) -> f64 {
    points * (-(days.max(0) as f64) / HALF_LIFE).exp2()
}

/// The score of some points: 0 to 100.
#[expect(clippy::cast_possible_truncation, reason = "rounded and between 0 and 100")]
pub fn score(points: f64) -> i64 {
    (100.0 * (1.0 - (-points.max(0.0) / SCALE).exp())).round() as i64
}

/// How interested somebody is.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Temperature {
    /// Hardly.
    Cold,
    /// Somewhat.
    Warm,
    /// Very.
    Hot,
}

impl Temperature {
    /// As stored and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Warm => "warm",
            Self::Hot => "hot",
        }
    }

    /// Reads a stored word; an unknown one promises nothing.
    pub fn read(word: &str) -> Self {
        match word {
            "hot" => Self::Hot,
            "warm" => Self::Warm,
            _ => Self::Cold,
        }
    }

    /// The temperature of a score, sticking to a warmer one before until the score is five under its border.
    pub fn of(score: i64, before: Self) -> Self {
        match score {
            _ if score >= HOT || (before == Self::Hot && score > HOT - STICKY) => Self::Hot,
            _ if score >= WARM || (before >= Self::Warm && score > WARM - STICKY) => Self::Warm,
            _ => Self::Cold,
        }
    }
}

/// Where a person stands in an organisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead {
    /// The organisation.
    pub org: Uid,
    /// The person.
    pub person: Uid,
    /// The consent under which it was gathered.
    pub since: Millis,
    /// Points as they were worth on `day`.
    pub points: f64,
    /// The UTC day, counted from the epoch, that points and score are of.
    pub day: i64,
    /// 0 to 100.
    pub score: i64,
    /// The word for it.
    pub temperature: Temperature,
    /// When score or temperature changed last.
    pub modified_at: Millis,
}

impl Lead {
    /// Somebody who has just consented.
    pub fn new(org: Uid, person: Uid, since: Millis, day: i64, now: Millis) -> Self {
        let temperature = Temperature::Cold;
        Self { org, person, since, points: 0.0, day, score: 0, temperature, modified_at: now }
    }

    /// Brings the points to `today`, adds what `gains` (day, points) are worth by then, and sets score and
    /// temperature. True when one of them changed.
    pub fn settle(&mut self, gains: impl Iterator<Item = (i64, f64)>, today: i64, now: Millis) -> bool {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lead() -> Lead {
        Lead::new(Uid::from_u128(1), Uid::from_u128(2), 0, 100, 0)
    }

    #[test]
    fn points_are_those_of_the_rules() {
        let thing = Uid::from_u128(9);
        assert_eq!(worth(SignKind::ActiveDay), (Cause::ActiveDay, Uid::nil(), 3.0));
        assert_eq!(worth(SignKind::Seen(thing)), (Cause::Seen, thing, 4.0));
        assert_eq!(worth(SignKind::Covered(thing, 0.5)), (Cause::Coverage, thing, 8.0));
        assert_eq!(worth(SignKind::Download(thing)), (Cause::Download, thing, 5.0));
        assert_eq!(worth(SignKind::Contact(thing)), (Cause::Contact, thing, 25.0));
        for cause in [Cause::ActiveDay, Cause::Seen, Cause::Coverage, Cause::Download, Cause::Contact] {
            assert_eq!(Cause::read(cause.as_str()), Some(cause));
        }
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
    fn borders_are_warm_at_25_and_hot_at_50() {
        let fresh = |score| Temperature::of(score, Temperature::Cold);
        assert_eq!([0, 24, 25, 49, 50, 100].map(fresh), {
            use Temperature::{Cold, Hot, Warm};
            [Cold, Cold, Warm, Warm, Hot, Hot]
        });
    }

    #[test]
    fn going_down_needs_five_points_under_the_border() {
        use Temperature::{Cold, Hot, Warm};
        assert_eq!(
            [49, 46, 45, 30, 21, 20].map(|score| Temperature::of(score, Hot)),
            [Hot, Hot, Warm, Warm, Warm, Cold]
        );
        assert_eq!([24, 21, 20].map(|score| Temperature::of(score, Warm)), [Warm, Warm, Cold]);
        assert_eq!(Temperature::of(50, Warm), Hot);
    }

    #[test]
    fn the_time_of_change_moves_only_when_score_or_temperature_do() {
        let mut lead = lead();
        assert!(lead.settle([(100, 60.0)].into_iter(), 100, 10));
        assert_eq!((lead.score, lead.temperature, lead.modified_at), (63, Temperature::Hot, 10));
        assert!(!lead.settle([(100, 0.01)].into_iter(), 100, 20));
        assert_eq!(lead.modified_at, 10);
        assert!(lead.settle(std::iter::empty(), 128, 30));
        assert_eq!((lead.score, lead.temperature, lead.modified_at), (39, Temperature::Warm, 30));
    }

    #[test]
    fn what_comes_late_is_worth_what_is_left_of_it() {
        let mut lead = lead();
        lead.settle([(72, 10.0)].into_iter(), 100, 0);
        assert!((lead.points - 5.0).abs() < 1e-9);
        lead.settle([(100, 5.0)].into_iter(), 99, 0);
        assert!((lead.points - 10.0).abs() < 1e-9, "a clock that steps back changes nothing");
    }
}
