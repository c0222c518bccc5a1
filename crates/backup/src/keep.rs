//! Which backups of a repository stay.

use std::fmt;
use std::str::FromStr;

use kernel::{DAY, Timestamp, iso};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Most backups that can be kept by one rule.
const MOST: u32 = 10_000;

/// Which backups stay. The newest one always does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// So many of the newest.
    Newest(u32),
    /// The newest of each of so many days, weeks and months in UTC. Those without a backup do not count.
    Periods {
        /// Number of days.
        days: u32,
        /// Number of weeks, which begin on Monday.
        weeks: u32,
        /// Number of months.
        months: u32,
    },
}

/// Decides about one backup after the other, the newest first.
pub(crate) struct Selector {
    taken: u32,
    rule: Rule,
}

enum Rule {
    Newest(u32),
    Periods([Period; 3]),
}

/// Periods of one length.
struct Period {
    /// Returns the period of an instant.
    of: fn(Timestamp) -> i64,
    /// How many may still be taken.
    left: u32,
    last: Option<i64>,
}

impl Period {
    fn wants(&self, at: Timestamp) -> bool {
        self.left > 0 && self.last != Some((self.of)(at))
    }
}

fn day(at: Timestamp) -> i64 {
    at.ms().div_euclid(DAY)
}

/// Returns the number of the week. The first day of all was a Thursday.
fn week(at: Timestamp) -> i64 {
    (day(at) + 3).div_euclid(7)
}

/// Returns the month as a number with six digits, such as 202611.
fn month(at: Timestamp) -> i64 {
    let text: String = iso(at).chars().take(7).filter(char::is_ascii_digit).collect();
    text.parse().unwrap_or_default()
}

impl Keep {
    /// Fails with a sentence if this cannot be written as a text.
    pub(crate) fn check(self) -> Result<(), String> {
        self.to_string().parse::<Self>().map(|_| ())
    }

    pub(crate) fn selector(self) -> Selector {
        let rule = match self {
            Self::Newest(number) => Rule::Newest(number),
            Self::Periods { days, weeks, months } => {
                let period = |of, left| Period { of, left, last: None };
                Rule::Periods([period(day, days), period(week, weeks), period(month, months)])
            }
        };
        Selector { taken: 0, rule }
    }
}

impl Selector {
    /// Returns whether a backup of this time stays, if it can be restored.
    pub fn wants(&self, at: Timestamp) -> bool {
        self.taken == 0
            || match &self.rule {
                Rule::Newest(number) => self.taken < *number,
                Rule::Periods(periods) => periods.iter().any(|period| period.wants(at)),
            }
    }

    /// Notes that a backup stays.
    pub fn take(&mut self, at: Timestamp) {
        self.taken += 1;
        if let Rule::Periods(periods) = &mut self.rule {
            for period in periods.iter_mut().filter(|period| period.wants(at)) {
                period.left -= 1;
                period.last = Some((period.of)(at));
            }
        }
    }
}

impl FromStr for Keep {
    type Err = String;

    /// Parses a number, or numbers of days, weeks and months such as `7d 4w 12m`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "must be a number from 1 to {MOST}, or numbers of days, weeks and months such as \"7d 4w 12m\", but is \
                 {text:?}"
            )
        };
        let number =
            |digits: &str| digits.parse().ok().filter(|number| (1..=MOST).contains(number)).ok_or_else(wrong);
        let joined: String = text.split_whitespace().collect();
        if !joined.is_empty() && joined.bytes().all(|byte| byte.is_ascii_digit()) {
            return if text.split_whitespace().count() == 1 {
                number(&joined).map(Self::Newest)
            } else {
                Err(wrong())
            };
        }
        let (mut days, mut weeks, mut months) = (0, 0, 0);
        let mut rest = joined.as_str();
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
            let (digits, unit) = rest.split_at(end);
            let count = match unit.chars().next() {
                Some('d') => &mut days,
                Some('w') => &mut weeks,
                Some('m') => &mut months,
                _ => return Err(wrong()),
            };
            if *count > 0 {
                return Err(wrong());
            }
            *count = number(digits)?;
            rest = &unit[1..];
        }
        if days + weeks + months == 0 { Err(wrong()) } else { Ok(Self::Periods { days, weeks, months }) }
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newest(number) => write!(f, "{number}"),
            Self::Periods { days, weeks, months } => {
                let all =
                    [(days, 'd'), (weeks, 'w'), (months, 'm')].into_iter().filter(|(number, _)| **number > 0);
                let texts: Vec<String> = all.map(|(number, unit)| format!("{number}{unit}")).collect();
                f.write_str(&texts.join(" "))
            }
        }
    }
}

impl Serialize for Keep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Newest(number) => serializer.serialize_u32(*number),
            Self::Periods { .. } => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Keep {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrText;

        impl Visitor<'_> for NumberOrText {
            type Value = Keep;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a text such as \"7d 4w 12m\"")
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Keep, E> {
                number.to_string().parse().map_err(E::custom)
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Keep, E> {
                number.to_string().parse().map_err(E::custom)
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Keep, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(NumberOrText)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_periods_are_read_and_written() {
        let periods = Keep::Periods { days: 7, weeks: 4, months: 12 };
        for (text, keep, written) in [
            ("30", Keep::Newest(30), "30"),
            ("7d 4w 12m", periods, "7d 4w 12m"),
            ("12m4w7d", periods, "7d 4w 12m"),
            (" 2w ", Keep::Periods { days: 0, weeks: 2, months: 0 }, "2w"),
        ] {
            assert_eq!((text.parse(), keep.to_string().as_str()), (Ok(keep), written), "{text}");
            let json = serde_json::to_string(&keep).unwrap();
            assert_eq!(serde_json::from_str::<Keep>(&json).unwrap(), keep, "{json}");
        }
        for wrong in
            ["", " ", "0", "-1", "10001", "7 4", "7x", "d", "7d 7d", "0d", "7d 4", "4w 99999m", "1.5d"]
        {
            assert!(wrong.parse::<Keep>().is_err(), "{wrong}");
        }
        assert!(serde_json::from_str::<Keep>("0").is_err());
    }

    /// Returns which of the backups of these times stay.
    fn kept(keep: &str, newest_first: &[&str]) -> Vec<usize> {
        let mut selector = keep.parse::<Keep>().unwrap().selector();
        let times = newest_first.iter().map(|time| kernel::from_iso(&format!("{time}:00Z")).unwrap());
        let stays = times.enumerate().filter(|(_, at)| {
            let wants = selector.wants(*at);
            if wants {
                selector.take(*at);
            }
            wants
        });
        stays.map(|(index, _)| index).collect()
    }

    #[test]
    fn the_newest_of_each_period_stays() {
        let times = [
            "2026-11-26T12:00", // Thursday
            "2026-11-26T00:00",
            "2026-11-25T00:00",
            "2026-11-23T00:00", // Monday
            "2026-11-22T23:59",
            "2026-11-01T00:00",
            "2026-10-31T23:59",
            "2026-10-01T00:00",
            "2025-11-30T00:00",
        ];
        assert_eq!(kept("2", &times), [0, 1]);
        assert_eq!(kept("1d", &times), [0]);
        assert_eq!(kept("3d", &times), [0, 2, 3], "days without a backup do not count");
        assert_eq!(kept("2w", &times), [0, 4]);
        assert_eq!(kept("3m", &times), [0, 6, 8], "the same month of another year is another one");
        assert_eq!(kept("2d 2w 2m", &times), [0, 2, 4, 6]);
    }
}
