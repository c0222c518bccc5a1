//! The browser that asked for an email: the digits in it can be entered there only.
//!
//! Six digits alone would be a small secret. Bound to a cookie of the browser that asked, they are of no use to anyone
//! who reads them elsewhere, and no one else can spend their tries.

use http::HeaderMap;
use kernel::{Ambient, PublicUrl};

use crate::cookies;
use crate::model::Purpose;

/// Longest token that is accepted; ours have 22 characters.
const TOKEN_MAX: usize = 64;

/// Returns the cookie's name. Browsers accept `__Host-` names only from this exact host, over https.
fn name(public: &PublicUrl) -> &'static str {
    if public.is_secure() { "__Host-vitrine_asked" } else { "vitrine_asked" }
}

/// Returns the token of the browser that sent the request.
pub fn token_of(public: &PublicUrl, headers: &HeaderMap) -> Option<String> {
    cookies::read(headers, name(public)).filter(|token| token.len() <= TOKEN_MAX)
}

/// Returns the token of the browser, or a new one. It is kept while links are requested, so the digits of an earlier
/// email still work after a resend.
pub fn token_or_new(public: &PublicUrl, ambient: &Ambient, headers: &HeaderMap) -> String {
    token_of(public, headers).unwrap_or_else(|| ambient.code())
}

/// Returns the Set-Cookie value that keeps the token for as long as a link is valid.
pub fn set_cookie(public: &PublicUrl, token: &str) -> String {
    cookies::write(public, name(public), token, Purpose::Link.lifetime())
}
