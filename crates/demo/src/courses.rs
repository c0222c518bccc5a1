//! The courses of a large demo: a topic each, with twelve items.

use crate::catalog::{Item, Playlist, Source};
use crate::media::{COURSE_AUDIO_SECONDS, COURSE_VIDEO_SECONDS};
use crate::organisation::Tenant;

const TOPICS: [&str; 24] = [
    "Bonds",
    "Shares",
    "Currencies",
    "Inflation",
    "Dividends",
    "Pensions",
    "Options",
    "Index funds",
    "Real estate",
    "Commodities",
    "Central banks",
    "Risk",
    "Taxes",
    "Insurance",
    "Credit",
    "Start-ups",
    "Trade",
    "Energy",
    "Shipping",
    "Technology",
    "Demographics",
    "Savings",
    "Accounting",
    "Budgets",
];

/// The parts of a course: what follows the topic in the title, how long people stay at most, and the source.
const PARTS: [(&str, i64, Source); 12] = [
    ("an introduction", COURSE_VIDEO_SECONDS, Source::Course(|media| &media.courses.videos, 0)),
    ("the market in one chart", 40, Source::Course(|media| &media.courses.images, 0)),
    ("questions from clients", COURSE_AUDIO_SECONDS, Source::Course(|media| &media.courses.audio, 0)),
    ("worksheet", 120, Source::Course(|media| &media.courses.documents, 0)),
    ("a case study", 180, Source::Course(|media| &media.courses.documents, 1)),
    ("ten years at a glance", 30, Source::Course(|media| &media.courses.images, 1)),
    ("what experts get wrong", COURSE_VIDEO_SECONDS, Source::Course(|media| &media.courses.videos, 1)),
    ("glossary", 90, Source::Course(|media| &media.courses.documents, 2)),
    ("a conversation", COURSE_AUDIO_SECONDS, Source::Course(|media| &media.courses.audio, 1)),
    ("scenarios for next year", 40, Source::Course(|media| &media.courses.images, 2)),
    ("checklist", 60, Source::Course(|media| &media.courses.documents, 3)),
    ("further reading", 60, Source::Course(|media| &media.courses.documents, 4)),
];

/// Adds the items of a course to `items` and returns its playlist.
pub fn add(items: &mut Vec<Item>, course: usize) -> Playlist {
    let topic = TOPICS[course % TOPICS.len()];
    let first = items.len();
    for (part, &(what, seconds, source)) in PARTS.iter().enumerate() {
        let source = match source {
            Source::Course(files, number) => Source::Course(files, number + course),
            other => other,
        };
        items.push(Item {
            tenant: Tenant::Company,
            title: format!("{topic}: {what}").into(),
            description: format!("Part {} of the course about {}.", part + 1, topic.to_lowercase()).into(),
            seconds,
            // Some topics are popular, and most people begin with the first parts.
            appeal: 1 + (course * 5 % 7) as u32 / 2 + 4_u32.saturating_sub(part as u32),
            source,
        });
    }
    Playlist {
        tenant: Tenant::Company,
        title: topic.into(),
        description: format!("Everything about {} in twelve parts.", topic.to_lowercase()).into(),
        privacy: "public",
        items: (first..items.len()).collect(),
    }
}
