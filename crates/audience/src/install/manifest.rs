//! The content of a manifest. No async, no SQL, no HTTP.

use orgs::Organisation;
use serde_json::{Value, json};

use super::Icon;

/// Longest name below an icon, in characters. Launchers cut longer ones.
const SHORT_MAX: usize = 12;

/// Returns the manifest of an organisation. `tag` is the version of its icons.
pub fn manifest(organisation: &Organisation, colour: &str, tag: &str) -> Value {
    let start = format!("/app/org/{}", organisation.uid);
    let icons = [Icon::Small, Icon::Large, Icon::Maskable].map(|icon| {
        json!({
            // Relative to the manifest, so under the same path that only members know.
            "src": format!("{}?v={tag}", icon.name()),
            "sizes": format!("{0}x{0}", icon.side()),
            "type": "image/png",
            "purpose": if icon == Icon::Maskable { "maskable" } else { "any" },
        })
    });
    json!({
        "id": start,
        "name": organisation.name,
        "short_name": short_name(&organisation.name),
        "description": organisation.description,
        "start_url": start,
        "scope": "/app/",
        "display": "standalone",
        "background_color": colour,
        "theme_color": colour,
        "icons": icons,
    })
}

/// Returns as many whole words of a name as fit below an icon, or the beginning of the first one.
pub fn short_name(name: &str) -> String {
    let mut short = String::new();
    for word in name.split_whitespace() {
        let joined = if short.is_empty() { word.to_owned() } else { format!("{short} {word}") };
        if joined.chars().count() > SHORT_MAX {
            break;
        }
        short = joined;
    }
    if short.is_empty() { name.trim().chars().take(SHORT_MAX).collect() } else { short }
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn a_short_name_has_whole_words_that_fit() {
        assert_eq!(short_name("Acme"), "Acme");
        assert_eq!(short_name("Northwind Traders Ltd"), "Northwind");
        assert_eq!(short_name("Fjord Flow"), "Fjord Flow");
        assert_eq!(short_name("Donaudampfschifffahrt"), "Donaudampfsc");
    }
}
