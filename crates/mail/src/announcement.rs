//! The announcement of something new, sent to every app user of an organisation in its colours, with an
//! unsubscribe link.

use kernel::PRODUCT;
use minijinja::context;

use crate::Brand;
use crate::texts::{Texts, short};

/// Longest title and description, in characters.
const TITLE_MAX: usize = 120;
const DESCRIPTION_MAX: usize = 280;

/// The kind of thing announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnouncementKind {
    /// A video, audio file or document.
    Content,
    /// A playlist.
    Playlist,
}

/// An announcement of something new that app users may see.
#[derive(Clone, PartialEq, Eq)]
pub struct Announcement {
    /// The organisation that published it.
    pub brand: Brand,
    /// Chooses the wording.
    pub kind: AnnouncementKind,
    /// The title, as typed.
    pub title: String,
    /// The description, if there is one.
    pub description: Option<String>,
    /// The page in the viewer app.
    pub link: String,
    /// The person's unsubscribe page.
    pub unsubscribe_url: String,
}

pub(crate) fn texts(announcement: &Announcement) -> Texts {
    let name = announcement.brand.shown_name();
    let title = short(&announcement.title, TITLE_MAX);
    let (prefix, action) = match announcement.kind {
        AnnouncementKind::Content => ("New from", "Open"),
        AnnouncementKind::Playlist => ("New playlist from", "Open the playlist"),
    };
    let description = announcement.description.as_deref().map(|text| short(text, DESCRIPTION_MAX));
    let values = context! {
        headline => title.as_str(), description => description,
        link => announcement.link.as_str(), unsubscribe_url => announcement.unsubscribe_url.as_str(), action => action,
        ..announcement.brand.values()
    };
    let lead = format!("{name} published something new on {PRODUCT}.");
    Texts { subject: format!("{prefix} {name}: {title}"), lead, values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EmailMessage;
    use crate::render::{Templates, links_of};

    const LINK: &str = "https://v.example/app/org/1/playlists/2?item=3";
    const UNSUBSCRIBE: &str = "https://v.example/v1/unsubscribe/abc";

    fn announcement(name: &str, title: &str, logo: Option<&str>) -> Announcement {
        let (name, logo, title) = (name.to_owned(), logo.map(str::to_owned), title.to_owned());
        let (background, text, button) = ("#102030".into(), "#ffffff".into(), "#ffee00".into());
        let brand = Brand { name, logo, background, text, button };
        let (link, unsubscribe_url) = (LINK.to_owned(), UNSUBSCRIBE.to_owned());
        Announcement {
            brand,
            kind: AnnouncementKind::Content,
            title,
            description: Some("All of it.".into()),
            link,
            unsubscribe_url,
        }
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
        let out =
            rendered(Announcement { description: Some(evil.to_owned()), ..announcement(evil, evil, None) });
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
        let out = rendered(Announcement {
            kind: AnnouncementKind::Playlist,
            ..announcement("Acme", "Talks", None)
        });
        assert_eq!(out.subject, "New playlist from Acme: Talks");
    }
}
