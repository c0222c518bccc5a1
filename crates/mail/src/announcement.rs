//! The announcement of what is new, sent to every app user of an organisation in its colours, with an unsubscribe
//! link.

use kernel::PRODUCT;
use minijinja::{Value, context};

use crate::Brand;
use crate::texts::{Texts, short};

/// Longest title and description, in characters.
const TITLE_MAX: usize = 120;
const DESCRIPTION_MAX: usize = 280;
/// Longest title in the subject of an email about several things, so that their number is not cut off.
const SUBJECT_TITLE_MAX: usize = 80;
/// Most things that an email lists.
const LISTED_MAX: usize = 10;

/// The kind of thing announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnouncementKind {
    /// A video, audio file or document.
    Content,
    /// A playlist.
    Playlist,
}

/// Something new that app users may see.
#[derive(Clone, PartialEq, Eq)]
pub struct AnnouncedItem {
    /// Chooses the wording.
    pub kind: AnnouncementKind,
    /// The title, as typed.
    pub title: String,
    /// The description, if there is one; shown if nothing else is announced.
    pub description: Option<String>,
    /// The page in the viewer app.
    pub link: String,
}

/// An announcement of what is new. One thing is described; of several, the first ten are listed.
#[derive(Clone, PartialEq, Eq)]
pub struct Announcement {
    /// The organisation that published it.
    pub brand: Brand,
    /// What is new, at least one.
    pub items: Vec<AnnouncedItem>,
    /// The organisation's first page in the viewer app.
    pub home: String,
    /// The person's unsubscribe page.
    pub unsubscribe_url: String,
}

pub(crate) fn texts(announcement: &Announcement) -> Texts {
    match announcement.items.as_slice() {
        [item] => about_one(announcement, item),
        items => about_several(announcement, items),
    }
}

fn about_one(announcement: &Announcement, item: &AnnouncedItem) -> Texts {
    let name = announcement.brand.shown_name();
    let title = short(&item.title, TITLE_MAX);
    let (prefix, action) = match item.kind {
        AnnouncementKind::Content => ("New from", "Open"),
        AnnouncementKind::Playlist => ("New playlist from", "Open the playlist"),
    };
    let description = item.description.as_deref().map(|text| short(text, DESCRIPTION_MAX));
    let values = context! {
        headline => title.as_str(), description => description, link => item.link.as_str(), action => action,
        items => Vec::<Value>::new(), unsubscribe_url => announcement.unsubscribe_url.as_str(),
        ..announcement.brand.values()
    };
    let lead = format!("{name} published something new on {PRODUCT}.");
    Texts { subject: format!("{prefix} {name}: {title}"), lead, values }
}

fn about_several(announcement: &Announcement, items: &[AnnouncedItem]) -> Texts {
    let name = announcement.brand.shown_name();
    let count = items.len();
    let listed: Vec<Value> = items.iter().take(LISTED_MAX).map(listed).collect();
    let values = context! {
        headline => format!("New from {name}"), more => count - listed.len(), items => listed,
        link => announcement.home.as_str(), unsubscribe_url => announcement.unsubscribe_url.as_str(),
        ..announcement.brand.values()
    };
    let first = items.first().map_or_else(String::new, |item| short(&item.title, SUBJECT_TITLE_MAX));
    let subject = format!("New from {name}: {first} and {} more", count.saturating_sub(1));
    Texts { subject, lead: format!("{name} published {count} new things on {PRODUCT}."), values }
}

fn listed(item: &AnnouncedItem) -> Value {
    let note = match item.kind {
        AnnouncementKind::Content => "",
        AnnouncementKind::Playlist => "Playlist: ",
    };
    context! { title => short(&item.title, TITLE_MAX), link => item.link.as_str(), note => note }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EmailMessage;
    use crate::render::{Templates, links_of};

    const LINK: &str = "https://v.example/app/org/1/playlists/2?item=3";
    const HOME: &str = "https://v.example/app/org/1";
    const UNSUBSCRIBE: &str = "https://v.example/v1/unsubscribe/abc";

    fn announcement(name: &str, title: &str, logo: Option<&str>) -> Announcement {
        let (name, logo) = (name.to_owned(), logo.map(str::to_owned));
        let (background, text, button) = ("#102030".into(), "#ffffff".into(), "#ffee00".into());
        let brand = Brand { name, logo, background, text, button };
        let items = vec![item(AnnouncementKind::Content, title, Some("All of it."), LINK)];
        Announcement { brand, items, home: HOME.to_owned(), unsubscribe_url: UNSUBSCRIBE.to_owned() }
    }

    fn item(kind: AnnouncementKind, title: &str, description: Option<&str>, link: &str) -> AnnouncedItem {
        let (title, description) = (title.to_owned(), description.map(str::to_owned));
        AnnouncedItem { kind, title, description, link: link.to_owned() }
    }

    /// An announcement of so many items with this title.
    fn of_several(count: usize, title: &str) -> Announcement {
        let items = (1..=count)
            .map(|n| item(AnnouncementKind::Content, title, Some("Not shown."), &format!("{LINK}{n}")))
            .collect();
        Announcement { items, ..announcement("Zoë & Söhne", "", None) }
    }

    fn rendered(announcement: Announcement) -> crate::render::Rendered {
        Templates::new().unwrap().render(&EmailMessage::Announcement(Box::new(announcement))).unwrap()
    }

    #[test]
    fn it_names_organisation_and_title_and_links_to_the_page_and_to_unsubscribe() {
        let out = rendered(announcement("Zoë & Söhne", "Summer <i>", None));
        assert_eq!(out.subject, "New from Zoë & Söhne: Summer <i>");
        assert_eq!(links_of(&out.text), [LINK, UNSUBSCRIBE]);
        for part in ["All of it.", "Unsubscribe from Zoë & Söhne"] {
            assert!(out.text.contains(part), "{part}: {}", out.text);
        }
        for part in [
            "Summer &lt;i&gt;",
            "Unsubscribe from Zoë &amp; Söhne",
            &format!("href=\"{LINK}\""),
            &format!("href=\"{UNSUBSCRIBE}\""),
            "prefers-color-scheme: dark",
        ] {
            assert!(out.html.contains(part), "{part}: {}", out.html);
        }
        assert!(out.html.len() < 16_000, "{}", out.html.len());
    }

    #[test]
    fn it_uses_the_colours_and_the_logo_of_the_organisation_and_loads_nothing_else() {
        let plain = rendered(announcement("Acme", "T", None)).html;
        assert!(plain.contains("background:#102030") && plain.contains("background:#ffee00"), "{plain}");
        assert!(plain.contains("color:#18181e"), "dark text on a yellow button: {plain}");
        assert!(!plain.contains("<img"), "{plain}");
        let logo = "https://v.example/images/a.png";
        let html = rendered(announcement("Acme", "T", Some(logo))).html;
        assert_eq!(html.matches("<img").count(), 1);
        assert!(html.contains(&format!("src=\"{logo}\"")) && html.contains("alt=\"\""), "{html}");
        for foreign in ["<script", "url(", "@import", "<link", "{{", "{%"] {
            assert!(!html.contains(foreign), "{foreign}");
        }
    }

    #[test]
    fn names_and_titles_add_no_header_no_markup_and_no_link() {
        let evil = "<b>X</b>\r\nBcc: all@example.com https://evil.example/a";
        let items = vec![item(AnnouncementKind::Content, evil, Some(evil), LINK)];
        let out = rendered(Announcement { items, ..announcement(evil, evil, None) });
        assert!(!out.subject.contains(['\r', '\n']), "{:?}", out.subject);
        assert_eq!(links_of(&out.text), [LINK, UNSUBSCRIBE]);
        assert!(!out.text.lines().any(|line| line.starts_with("Bcc")), "{}", out.text);
        assert!(!out.html.contains("<b>X") && !out.html.contains("https://evil"), "{}", out.html);
    }

    #[test]
    fn long_texts_are_shortened() {
        assert_eq!(short(&"ab ".repeat(4), 4), "ab a…");
        assert_eq!(short("ab\n c", 4), "ab c");
        let out = rendered(announcement(&"n".repeat(400), &"t".repeat(400), None));
        assert_eq!(out.subject.chars().filter(|c| *c == 'n').count(), 60);
        assert!(out.subject.chars().count() <= 200 && out.subject.ends_with('…'), "{}", out.subject);
    }

    #[test]
    fn a_playlist_is_announced_as_a_playlist() {
        let items = vec![item(AnnouncementKind::Playlist, "Talks", None, LINK)];
        let out = rendered(Announcement { items, ..announcement("Acme", "", None) });
        assert_eq!(out.subject, "New playlist from Acme: Talks");
    }

    #[test]
    fn several_are_listed_by_title_with_links_and_one_unsubscribe_link() {
        let items = vec![
            item(AnnouncementKind::Content, "Summer <i>", Some("Not shown."), LINK),
            item(AnnouncementKind::Playlist, "Talks", None, "https://v.example/app/org/1/playlists/2"),
        ];
        let out = rendered(Announcement { items, ..announcement("Zoë & Söhne", "", None) });
        assert_eq!(out.subject, "New from Zoë & Söhne: Summer <i> and 1 more");
        assert_eq!(links_of(&out.text), [LINK, "https://v.example/app/org/1/playlists/2", UNSUBSCRIBE]);
        for part in ["Zoë & Söhne published 2 new things", "Summer <i>\n", "Playlist: Talks\n"] {
            assert!(out.text.contains(part), "{part}: {}", out.text);
        }
        assert!(
            out.html.contains("Summer &lt;i&gt;</a>") && out.html.contains("Playlist: <a"),
            "{}",
            out.html
        );
        assert!(
            out.html.contains(&format!("href=\"{LINK}\"")) && out.html.contains("published 2 new things")
        );
        assert_eq!(out.html.matches("Unsubscribe from").count(), 1);
        for part in [&out.text, &out.html] {
            assert!(!part.contains("Not shown") && !part.contains(" more</a>"), "{part}");
        }
    }

    #[test]
    fn of_many_ten_are_listed_and_the_others_counted() {
        let out = rendered(of_several(13, &"&".repeat(400)));
        assert!(
            out.subject.ends_with("… and 12 more") && out.subject.chars().count() <= 200,
            "{}",
            out.subject
        );
        let links = links_of(&out.text);
        assert_eq!(links.len(), 12, "ten items, the app and the unsubscribe page: {links:?}");
        assert_eq!(links[10..], [HOME, UNSUBSCRIBE]);
        assert!(out.text.contains("and 3 more:\n") && out.html.contains("and 3 more</a>"), "{}", out.text);
        assert!(out.html.len() < 40_000, "{}", out.html.len());
        let ten = rendered(of_several(10, "Video"));
        assert!(!ten.text.contains(" more:") && !ten.html.contains(" more</a>"), "{}", ten.text);
        assert!(ten.html.len() < 16_000, "{}", ten.html.len());
    }
}
