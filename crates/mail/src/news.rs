//! The announcement of something new, sent to every app user of an organisation in its colours, with an
//! unsubscribe link.

use kernel::PRODUCT;
use minijinja::context;

use crate::Brand;
use crate::letter::Words;
use crate::render::harmless;

/// Longest name of an organisation, title and description, in characters.
const NAME_MAX: usize = 60;
const TITLE_MAX: usize = 120;
const DESCRIPTION_MAX: usize = 280;

/// The kind of thing announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newcomer {
    /// A video, audio file or document.
    Content,
    /// A playlist.
    Playlist,
}

/// An announcement of something new that app users may see.
#[derive(Clone, PartialEq, Eq)]
pub struct News {
    /// The organisation that published it.
    pub brand: Brand,
    /// Chooses the wording.
    pub what: Newcomer,
    /// The title, as typed.
    pub title: String,
    /// The description, or empty.
    pub description: String,
    /// The page in the viewer app.
    pub link: String,
    /// The person's unsubscribe page.
    pub stop: String,
}

pub(crate) fn words(news: &News) -> Words {
    let name = short(&news.brand.name, NAME_MAX);
    let title = short(&news.title, TITLE_MAX);
    let (said, action) = match news.what {
        Newcomer::Content => ("New from", "Open"),
        Newcomer::Playlist => ("New playlist from", "Open the playlist"),
    };
    let colours = news.brand.colours();
    let own = context! {
        organisation => name.as_str(), logo => news.brand.logo.as_str(),
        background => colours.background, on_background => colours.text,
        button => colours.button, on_button => colours.on_button, edge => colours.edge,
        headline => title.as_str(), description => short(&news.description, DESCRIPTION_MAX),
        link => news.link.as_str(), stop => news.stop.as_str(), action => action,
    };
    let lead = format!("{name} published something new on {PRODUCT}.");
    Words { subject: format!("{said} {name}: {title}"), lead, own }
}

/// Returns one [`harmless`] line of at most `max` characters, shortened with an ellipsis.
fn short(text: &str, max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut cut: String = line.chars().take(max).collect();
    if cut.len() < line.len() {
        cut = format!("{}…", cut.trim_end());
    }
    harmless(&cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Letter;
    use crate::render::{Templates, links_of};

    const LINK: &str = "https://v.example/app/org/1/playlists/2?item=3";
    const STOP: &str = "https://v.example/v1/letters/abc";

    fn news(name: &str, title: &str, logo: &str) -> News {
        let [name, logo, title] = [name, logo, title].map(str::to_owned);
        let (background, text, button) = ("#102030".into(), "#ffffff".into(), "#ffee00".into());
        let brand = Brand { name, logo, background, text, button };
        let (link, stop) = (LINK.to_owned(), STOP.to_owned());
        News { brand, what: Newcomer::Content, title, description: "All of it.".into(), link, stop }
    }

    fn rendered(news: News) -> crate::render::Rendered {
        Templates::new().unwrap().render(&Letter::News(Box::new(news))).unwrap()
    }

    #[test]
    fn it_names_organisation_and_title_and_leads_there_and_away() {
        let out = rendered(news("Zoë & Söhne", "Summer <i>", ""));
        assert_eq!(out.subject, "New from Zoë & Söhne: Summer <i>");
        assert_eq!(links_of(&out.text), [LINK, STOP]);
        for part in ["All of it.", "Unsubscribe from Zoë & Söhne"] {
            assert!(out.text.contains(part), "{part}: {}", out.text);
        }
        for part in [
            "Summer &lt;i&gt;",
            "Unsubscribe from Zoë &amp; Söhne",
            &format!("href=\"{LINK}\""),
            &format!("href=\"{STOP}\""),
            "prefers-color-scheme: dark",
        ] {
            assert!(out.html.contains(part), "{part}: {}", out.html);
        }
        assert!(out.html.len() < 16_000, "{}", out.html.len());
    }

    #[test]
    fn it_wears_the_colours_and_the_logo_of_the_organisation_and_loads_nothing_else() {
        let plain = rendered(news("Acme", "T", "")).html;
        assert!(plain.contains("background:#102030") && plain.contains("background:#ffee00"), "{plain}");
        assert!(plain.contains("color:#18181e"), "dark text on a yellow button: {plain}");
        assert!(!plain.contains("<img"), "{plain}");
        let logo = "https://v.example/images/a.png";
        let html = rendered(news("Acme", "T", logo)).html;
        assert_eq!(html.matches("<img").count(), 1);
        assert!(html.contains(&format!("src=\"{logo}\"")) && html.contains("alt=\"\""), "{html}");
        for foreign in ["<script", "url(", "@import", "<link", "{{", "{%"] {
            assert!(!html.contains(foreign), "{foreign}");
        }
    }

    #[test]
    fn names_and_titles_add_no_header_no_markup_and_no_link() {
        let evil = "<b>X</b>\r\nBcc: all@example.com https://evil.example/a";
        let out = rendered(News { description: evil.to_owned(), ..news(evil, evil, "") });
        assert!(!out.subject.contains(['\r', '\n']), "{:?}", out.subject);
        assert_eq!(links_of(&out.text), [LINK, STOP]);
        assert!(!out.text.lines().any(|line| line.starts_with("Bcc")), "{}", out.text);
        assert!(!out.html.contains("<b>X") && !out.html.contains("https://evil"), "{}", out.html);
    }

    #[test]
    fn long_words_are_cut() {
        assert_eq!(short(&"ab ".repeat(4), 4), "ab a…");
        assert_eq!(short("ab\n c", 4), "ab c");
        let out = rendered(news(&"n".repeat(400), &"t".repeat(400), ""));
        assert_eq!(out.subject.chars().filter(|c| *c == 'n').count(), 60);
        assert!(out.subject.chars().count() <= 200 && out.subject.ends_with('…'), "{}", out.subject);
    }

    #[test]
    fn a_playlist_is_called_one() {
        let out = rendered(News { what: Newcomer::Playlist, ..news("Acme", "Talks", "") });
        assert_eq!(out.subject, "New playlist from Acme: Talks");
    }
}
