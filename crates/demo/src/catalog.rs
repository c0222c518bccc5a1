//! What the two organisations publish.

use std::borrow::Cow;

use kernel::{Millis, SECOND};

use crate::courses;
use crate::media::{File, Media};
use crate::organisation::Tenant;
use crate::size::Scale;

/// A content item that is uploaded when its organisation is founded.
pub struct Item {
    pub tenant: Tenant,
    pub title: Cow<'static, str>,
    pub description: Cow<'static, str>,
    pub seconds: i64,
    /// How often it is chosen, relative to the others; 0 for one that is never watched.
    pub appeal: u32,
    pub source: Source,
}

/// Where an item's content comes from.
#[derive(Clone, Copy)]
pub enum Source {
    File(fn(&Media) -> &File),
    /// One of the files for courses, which are used in turn.
    Course(fn(&Media) -> &[File], usize),
    Embed(&'static str),
}

impl Source {
    /// Returns the file, unless the content is embedded.
    pub fn file(self, media: &Media) -> Option<&File> {
        match self {
            Self::File(file) => Some(file(media)),
            Self::Course(files, number) => {
                let files = files(media);
                files.get(number % files.len().max(1))
            }
            Self::Embed(_) => None,
        }
    }
}

impl Item {
    /// Returns the duration, or how long people look at most at something that does not play.
    pub fn length(&self) -> Millis {
        self.seconds * SECOND
    }

    /// Returns the page that is read at a time, if people read all pages equally long.
    pub fn page_at(&self, at: Millis, pages: i64) -> i64 {
        (at * pages / self.length()).clamp(0, pages - 1) + 1
    }
}

/// A playlist; its items are positions in the catalog.
pub struct Playlist {
    pub tenant: Tenant,
    pub title: Cow<'static, str>,
    pub description: Cow<'static, str>,
    pub privacy: &'static str,
    pub items: Vec<usize>,
}

/// All items and playlists.
pub struct Catalog {
    pub items: Vec<Item>,
    pub playlists: Vec<Playlist>,
}

impl Catalog {
    /// Returns the items and playlists of a demo.
    pub fn new(scale: &Scale) -> Self {
        let mut items: Vec<Item> = ITEMS.iter().map(Listed::item).collect();
        let mut playlists: Vec<Playlist> = PLAYLISTS.iter().map(ListedPlaylist::playlist).collect();
        for course in 0..scale.courses {
            playlists.push(courses::add(&mut items, course));
        }
        Self { items, playlists }
    }

    /// Returns the number of items of an organisation.
    pub fn item_count(&self, tenant: Tenant) -> usize {
        self.items.iter().filter(|item| item.tenant == tenant).count()
    }

    /// Returns the playlists of an organisation, in the order in which they are created.
    pub fn playlists_of(&self, tenant: Tenant) -> impl Iterator<Item = &Playlist> {
        self.playlists.iter().filter(move |playlist| playlist.tenant == tenant)
    }

    /// Returns the first playlist that shows an item, by position among those of its organisation.
    pub fn playlist_of(&self, item: usize) -> Option<usize> {
        self.playlists_of(self.items[item].tenant).position(|playlist| playlist.items.contains(&item))
    }
}

/// An item that is listed here.
struct Listed {
    tenant: Tenant,
    title: &'static str,
    description: &'static str,
    seconds: i64,
    appeal: u32,
    source: Source,
}

impl Listed {
    fn item(&self) -> Item {
        Item {
            tenant: self.tenant,
            title: self.title.into(),
            description: self.description.into(),
            seconds: self.seconds,
            appeal: self.appeal,
            source: self.source,
        }
    }
}

/// A playlist that is listed here.
struct ListedPlaylist {
    tenant: Tenant,
    title: &'static str,
    description: &'static str,
    privacy: &'static str,
    items: &'static [usize],
}

impl ListedPlaylist {
    fn playlist(&self) -> Playlist {
        Playlist {
            tenant: self.tenant,
            title: self.title.into(),
            description: self.description.into(),
            privacy: self.privacy,
            items: self.items.to_vec(),
        }
    }
}

/// The items that every demo has. The last one of the first organisation cannot be processed.
const ITEMS: [Listed; 12] = [
    Listed {
        tenant: Tenant::Company,
        title: "Q3 market outlook",
        description: "What moved markets this quarter, and what we expect of the next.",
        seconds: 100,
        appeal: 8,
        source: Source::File(|media| &media.outlook),
    },
    Listed {
        tenant: Tenant::Company,
        title: "How to read a yield curve",
        description: "One minute that makes bond markets less mysterious.",
        seconds: 60,
        appeal: 6,
        source: Source::File(|media| &media.yield_curve),
    },
    Listed {
        tenant: Tenant::Company,
        title: "Interview: Maya Roy",
        description: "The founder of Lantern Funds on patience.",
        seconds: 40,
        appeal: 4,
        source: Source::File(|media| &media.interview),
    },
    Listed {
        tenant: Tenant::Company,
        title: "The weekly call",
        description: "Five minutes of questions from clients, answered.",
        seconds: 300,
        appeal: 3,
        source: Source::File(|media| &media.call),
    },
    Listed {
        tenant: Tenant::Company,
        title: "Roadmap at a glance",
        description: "The next twelve months on one page.",
        seconds: 40,
        appeal: 2,
        source: Source::File(|media| &media.roadmap),
    },
    Listed {
        tenant: Tenant::Company,
        title: "Annual report",
        description: "Figures, people and plans.",
        seconds: 240,
        appeal: 2,
        source: Source::File(|media| &media.report),
    },
    Listed {
        tenant: Tenant::Company,
        title: "Behind the trading floor",
        description: "A tour, hosted on YouTube.",
        seconds: 0,
        appeal: 0,
        source: Source::Embed("https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
    },
    Listed {
        tenant: Tenant::Company,
        title: "Recording of 12 May",
        description: "The camera lost power.",
        seconds: 0,
        appeal: 0,
        source: Source::File(|media| &media.cut_off),
    },
    Listed {
        tenant: Tenant::School,
        title: "Safety on deck",
        description: "Watch this before your first day.",
        seconds: 30,
        appeal: 5,
        source: Source::File(|media| &media.safety),
    },
    Listed {
        tenant: Tenant::School,
        title: "Knots in eight steps",
        description: "A handbook to print.",
        seconds: 300,
        appeal: 4,
        source: Source::File(|media| &media.handbook),
    },
    Listed {
        tenant: Tenant::School,
        title: "Harbour radio",
        description: "How to speak on channel 16.",
        seconds: 150,
        appeal: 3,
        source: Source::File(|media| &media.radio),
    },
    Listed {
        tenant: Tenant::School,
        title: "Chart of the bay",
        description: "Depths, lights and buoys.",
        seconds: 60,
        appeal: 2,
        source: Source::File(|media| &media.chart),
    },
];

/// The playlists that every demo has.
const PLAYLISTS: [ListedPlaylist; 4] = [
    ListedPlaylist {
        tenant: Tenant::Company,
        title: "Market briefings",
        description: "A short video every quarter, for everyone who decides.",
        privacy: "public",
        items: &[0, 1, 3],
    },
    ListedPlaylist {
        tenant: Tenant::Company,
        title: "Getting started",
        description: "Your first ten minutes with us.",
        privacy: "public",
        items: &[1, 2, 4, 6],
    },
    ListedPlaylist {
        tenant: Tenant::Company,
        title: "For shareholders",
        description: "Open to everyone with the link.",
        privacy: "unlisted",
        items: &[5, 4],
    },
    ListedPlaylist {
        tenant: Tenant::School,
        title: "First week",
        description: "Everything you need before you step on board.",
        privacy: "public",
        items: &[8, 9, 10, 11],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    #[test]
    fn a_large_demo_has_three_hundred_items_in_playlists() {
        let catalog = Catalog::new(&Size::Large.scale());
        assert_eq!(catalog.items.len(), 300);
        let watched = (0..catalog.items.len()).filter(|&item| catalog.items[item].appeal > 0);
        assert!(watched.into_iter().all(|item| catalog.playlist_of(item).is_some()));
        let titles: std::collections::HashSet<_> = catalog.items.iter().map(|item| &item.title).collect();
        assert_eq!(titles.len(), 300);
    }

    #[test]
    fn every_page_of_a_document_is_read() {
        let item = &Catalog::new(&Size::Small.scale()).items[0];
        let pages: Vec<i64> = (0..=8).map(|at| item.page_at(at * item.length() / 8, 8)).collect();
        assert_eq!(pages, [1, 2, 3, 4, 5, 6, 7, 8, 8]);
    }

    /// Views of shorter items count earlier, which the plan does not know.
    #[test]
    fn what_is_watched_is_so_long_that_views_count_after_ten_seconds() {
        for size in [Size::Small, Size::Large] {
            let items = Catalog::new(&size.scale()).items;
            let watched = items.iter().filter(|item| item.appeal > 0);
            assert_eq!(watched.filter(|item| item.length() < 20 * SECOND).count(), 0);
        }
    }
}
