//! How much the demo creates.

use kernel::{HOUR, Millis};

/// The size of a demo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Size {
    /// 60 people, 12 items and 90 days: about a minute.
    #[default]
    Small,
    /// 5,040 people, 300 items and 12 months: some minutes.
    Large,
}

/// The measures of a demo.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Days of viewing, the last of which is yesterday.
    pub days: i64,
    /// Days from the first one on which people join the first organisation; some do so two days later.
    pub joining: i64,
    /// App users of the first organisation; they come first among all people.
    pub company: usize,
    /// App users of the second organisation.
    pub school: usize,
    /// App users of the first organisation who also join the second.
    pub both: usize,
    /// Courses of the first organisation, each a playlist of twelve items.
    pub courses: usize,
    /// One person in so many is a fan, two are regulars.
    pub habits: usize,
    /// Events in the same period of this length are sent together, at its end; `None` sends each at its own time.
    pub period: Option<Millis>,
}

impl Size {
    /// Returns the measures of this size.
    pub fn scale(self) -> Scale {
        match self {
            Self::Small => Scale {
                days: 90,
                joining: 72,
                company: 48,
                school: 12,
                both: 4,
                courses: 0,
                habits: 6,
                period: None,
            },
            Self::Large => Scale {
                days: 365,
                joining: 362,
                company: 5_000,
                school: 40,
                both: 40,
                courses: 24,
                habits: 30,
                period: Some(HOUR),
            },
        }
    }
}

impl Scale {
    /// Returns the number of app users.
    pub fn people(&self) -> usize {
        self.company + self.school
    }

    /// Returns the day of something that happens on this day of the last 90.
    pub fn late_day(&self, day: i64) -> i64 {
        self.days - 90 + day
    }
}
