//! The client of a request, as shown in the list of sessions.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use http::header::USER_AGENT;
use http::request::Parts;
use httpkit::{ApiError, ClientAddress};

/// Maximum length of the stored user agent, in characters.
const AGENT_MAX: usize = 200;

/// The user agent and network address of a client.
#[derive(Clone, Debug)]
pub struct ClientInfo {
    /// The User-Agent header.
    pub user_agent: String,
    /// The network address as text, if known.
    pub address: Option<String>,
    /// The network address that limits count by.
    pub ip: IpAddr,
}

impl ClientInfo {
    /// Returns the client of a session opened by the server itself.
    pub fn direct() -> Self {
        Self {
            user_agent: "direct".to_owned(),
            address: None,
            ip: IpAddr::V6(std::net::Ipv6Addr::UNSPECIFIED),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ClientInfo {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let ClientAddress(ip) = ClientAddress::from_request_parts(parts, state).await?;
        let agent = parts.headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        Ok(Self {
            user_agent: agent.chars().take(AGENT_MAX).collect(),
            address: (!ip.is_unspecified()).then(|| ip.to_string()),
            ip,
        })
    }
}

/// Returns a readable name for a user agent, such as `Firefox on Linux`.
pub fn device_name(agent: &str) -> String {
    // Not by woothee: it had no release since 2021, and mapping its names to these takes as many lines.
    // The order matters: each browser also claims to be those below it.
    let browsers = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser", "Samsung Internet"),
        ("FxiOS", "Firefox"),
        ("Firefox/", "Firefox"),
        ("CriOS", "Chrome"),
        ("Chromium/", "Chromium"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    let systems = [
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("CrOS", "ChromeOS"),
        ("Macintosh", "macOS"),
        ("Linux", "Linux"),
    ];
    let named = |table: &[(&str, &'static str)]| {
        table.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name)
    };
    match (named(&browsers), named(&systems)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown device".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::device_name;

    #[test]
    fn user_agents_get_readable_names() {
        for (agent, name) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 \
                 Safari/537.36",
                "Chrome on Windows",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 \
                 Safari/537.36 Edg/140.0.0.0",
                "Edge on Windows",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/18.0 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile \
                 Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.0", "Unknown device"),
            ("", "Unknown device"),
        ] {
            assert_eq!(device_name(agent), name, "{agent}");
        }
    }
}
