//! Kinds of devices, by the user agent.

use std::sync::LazyLock;

use sea_orm::{DeriveActiveEnum, EnumIter};
use woothee::parser::Parser;

/// The kind of device on which something was watched.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Device {
    /// A computer.
    #[sea_orm(string_value = "desktop")]
    Desktop,
    /// A phone.
    #[sea_orm(string_value = "mobile")]
    Mobile,
    /// A tablet, unless its browser reports to be a computer.
    #[sea_orm(string_value = "tablet")]
    Tablet,
    /// A television or a box connected to one.
    #[sea_orm(string_value = "tv")]
    Tv,
    /// Anything else, and what cannot be recognised.
    #[sea_orm(string_value = "other")]
    Other,
}

impl Device {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Desktop, Self::Mobile, Self::Tablet, Self::Tv, Self::Other];
}

static PARSER: LazyLock<Parser> = LazyLock::new(Parser::new);

/// Substrings of the user agents of televisions, in lower case; the library knows few of them.
const TELEVISIONS: [&str; 12] = [
    "smarttv",
    "smart-tv",
    "smart tv",
    "appletv",
    "googletv",
    "android tv",
    "hbbtv",
    "roku",
    "crkey",
    "web0s",
    "bravia",
    "netcast",
];
/// Substrings of the user agents of tablets, in lower case. The library counts tablets as phones.
const TABLETS: [&str; 5] = ["ipad", "tablet", "kindle", "silk/", "playbook"];

/// Returns the kind of device with this user agent.
pub fn device_of(user_agent: &str) -> Device {
    let lower = user_agent.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has(&TELEVISIONS) || (lower.contains("tizen") && lower.contains("tv")) {
        return Device::Tv;
    }
    // Chrome on Android says Mobile on phones only.
    if has(&TABLETS) || (lower.contains("android") && !lower.contains("mobile")) {
        return Device::Tablet;
    }
    let Some(found) = PARSER.parse(user_agent) else { return Device::Other };
    match found.category {
        "pc" => Device::Desktop,
        "smartphone" | "mobilephone" => Device::Mobile,
        _ if found.os == "DigitalTV" => Device::Tv,
        _ => Device::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_recognised_by_the_user_agents_of_their_browsers() {
        for (agent, device) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
                Device::Desktop,
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
                Device::Desktop,
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0", Device::Desktop),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
                Device::Mobile,
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
                Device::Mobile,
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
                Device::Tablet,
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 Mobile/15E148 Safari/604.1",
                Device::Tablet,
            ),
            (
                "Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/7.0 TV Safari/537.36",
                Device::Tv,
            ),
            (
                "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0 Safari/537.36",
                Device::Tv,
            ),
            ("curl/8.5.0", Device::Other),
            ("", Device::Other),
        ] {
            assert_eq!(device_of(agent), device, "{agent}");
        }
    }

    #[test]
    fn stored_words_never_change() {
        use sea_orm::ActiveEnum as _;
        assert_eq!(Device::values(), ["desktop", "mobile", "tablet", "tv", "other"]);
    }
}
