//! Reading and writing cookies.

use http::HeaderMap;
use http::header::COOKIE;
use kernel::{Millis, PublicUrl, SECOND};

/// Returns the value of a cookie of the request, unless it is empty.
pub fn read(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.to_owned())
        .filter(|value| !value.is_empty())
}

/// Returns the Set-Cookie value for this host, hidden from scripts and sent by our own pages only. A `lifetime` of
/// zero deletes the cookie.
pub fn write(public: &PublicUrl, name: &str, value: &str, lifetime: Millis) -> String {
    let secure = if public.is_secure() { "; Secure" } else { "" };
    let seconds = lifetime / SECOND;
    format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
}
