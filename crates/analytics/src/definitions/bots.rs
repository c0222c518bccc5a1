//! Detection of bots that identify themselves in the user agent.

/// Substrings of the user agents of well-known crawlers and link previewers. The list of the crate isbot is not
/// used: it also names HTTP libraries, headless browsers and browsers of people, such as Sogou and Seznam.
const KNOWN: [&str; 10] = [
    "googlebot",
    "bingbot",
    "yandexbot",
    "baiduspider",
    "duckduckbot",
    "applebot",
    "facebookexternalhit",
    "slackbot",
    "crawler",
    "spider",
];

/// Returns whether the user agent is that of a known bot. Headless browsers do not count as bots.
pub fn is_known(user_agent: &str) -> bool {
    let name = user_agent.to_ascii_lowercase();
    KNOWN.iter().any(|known| name.contains(known))
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn crawlers_are_bots_and_browsers_are_not() {
        assert!(is_known("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"));
        assert!(is_known("ExampleCrawler/1.0"));
        assert!(!is_known(
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/130.0 Safari/537.36"
        ));
        assert!(!is_known(""));
    }
}
