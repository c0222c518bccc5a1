//! Refresh tokens: derived from session and generation, kept in a cookie no script can read.

use http::HeaderMap;
use http::header::{COOKIE, ORIGIN};
use kernel::{DAY, Millis, PublicUrl, SECOND, Uid};
use storage::Signer;

const PURPOSE: &str = "refresh-token";
/// A session that is not used for this long ends.
pub const SESSION_LIFE: Millis = 30 * DAY;
/// A refresh token used again within this time is a lost answer, not a theft. It is longer than the apps wait for an
/// answer (8 s), so that a renewal that hangs can be tried once more.
pub const REUSE_GRACE: Millis = 10 * SECOND;

/// Spent tokens remembered: far more than anybody spends in the time of grace.
const SPENT_KEPT: usize = 64;

/// One generation of a session's refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefreshToken {
    pub session: Uid,
    pub generation: i32,
}

impl RefreshToken {
    /// The token as text; the same every time for the same generation.
    pub fn encode(self, signer: &Signer) -> String {
        let payload = [&self.session.as_bytes()[..], &self.generation.to_be_bytes()].concat();
        signer.sign(PURPOSE, &payload)
    }

    /// Reads a token of ours.
    pub fn decode(signer: &Signer, text: &str) -> Option<Self> {
        let payload = signer.verify(PURPOSE, text)?;
        let (session, generation) = payload.split_first_chunk::<16>()?;
        Some(Self {
            session: Uid::from_bytes(*session),
            generation: i32::from_be_bytes(generation.try_into().ok()?),
        })
    }
}

/// When a session's last refresh tokens were spent, the newest first: the first one is of the generation
/// before the living one. Those that were spent too long ago to be honoured are forgotten.
#[derive(Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Spent(Vec<Millis>);

impl Spent {
    /// As stored; nothing is an empty list.
    pub fn read(stored: Option<serde_json::Value>) -> Self {
        stored.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default()
    }

    /// The list after the living token was spent too.
    #[must_use]
    pub fn with(self, now: Millis) -> Self {
        let recent = self.0.into_iter().filter(|at| now - at <= REUSE_GRACE);
        Self(std::iter::once(now).chain(recent).take(SPENT_KEPT).collect())
    }

    /// Whether `generation`, of a session now at `living`, was spent so lately that its answer may be lost.
    pub fn honours(&self, generation: i32, living: i32, now: Millis) -> bool {
        let back = usize::try_from(i64::from(living) - i64::from(generation) - 1).ok();
        back.and_then(|back| self.0.get(back)).is_some_and(|at| now - at <= REUSE_GRACE)
    }
}

/// Which app a session is for: both apps live on one host, and a person may be signed in to each as somebody
/// else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum App {
    /// The staff portal.
    #[default]
    Portal,
    /// The viewer app.
    Viewer,
}

impl App {
    /// As stored and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Portal => "portal",
            Self::Viewer => "viewer",
        }
    }
}

/// The cookie's name: browsers let `__Host-` names be set by this very host over https only.
fn name(public: &PublicUrl, app: App) -> &'static str {
    match (public.is_secure(), app) {
        (true, App::Portal) => "__Host-vitrine_refresh",
        (true, App::Viewer) => "__Host-vitrine_viewer_refresh",
        (false, App::Portal) => "vitrine_refresh",
        (false, App::Viewer) => "vitrine_viewer_refresh",
    }
}

/// The refresh token of a request, unless a page of another site sent it.
pub fn token_of(public: &PublicUrl, signer: &Signer, app: App, headers: &HeaderMap) -> Option<RefreshToken> {
    let own = public.origin();
    let foreign = match headers.get(ORIGIN) {
        Some(origin) => origin.as_bytes() != own.as_bytes(),
        // Browsers leave it out of some requests; this header they never do, and no page can set it.
        None => headers.get("sec-fetch-site").is_some_and(|site| site.as_bytes() == b"cross-site"),
    };
    if foreign {
        return None;
    }
    RefreshToken::decode(signer, &from_cookies(public, app, headers)?)
}

/// The token's text in a request's cookies.
fn from_cookies(public: &PublicUrl, app: App, headers: &HeaderMap) -> Option<String> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name(public, app))
        .map(|(_, value)| value.to_owned())
        .filter(|value| !value.is_empty())
}

/// The Set-Cookie value that keeps a token, or with an empty one forgets it.
pub fn set_cookie(public: &PublicUrl, app: App, token: &str) -> String {
    let age = if token.is_empty() { 0 } else { SESSION_LIFE / SECOND };
    let secure = if public.is_secure() { "; Secure" } else { "" };
    format!("{}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}", name(public, app))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_says_which_generation_it_is_and_nothing_else_reads_as_one() {
        let signer = Signer::new(&[1; 32]);
        let token = RefreshToken { session: Uid::from_u128(7), generation: 3 };
        assert_eq!(RefreshToken::decode(&signer, &token.encode(&signer)), Some(token));
        assert_eq!(RefreshToken::decode(&Signer::new(&[2; 32]), &token.encode(&signer)), None);
        assert_eq!(RefreshToken::decode(&signer, "AAAA"), None);
    }

    #[test]
    fn a_token_is_honoured_for_ten_seconds_after_it_was_spent_itself() {
        let spent = Spent::default().with(1_000).with(1_500);
        assert!(spent.honours(0, 2, 11_000) && spent.honours(1, 2, 11_000));
        assert!(!spent.honours(0, 2, 11_001) && spent.honours(1, 2, 11_001));
        assert!(!spent.honours(2, 2, 1_500) && !spent.honours(3, 2, 1_500) && !spent.honours(-1, 2, 1_500));
        assert_eq!(spent.with(11_200), Spent(vec![11_200, 1_500]));
        assert_eq!((0..100).fold(Spent::default(), Spent::with).0.len(), SPENT_KEPT);
    }

    #[test]
    fn the_cookie_is_locked_to_the_host() {
        let secure = PublicUrl::parse("https://v.example").unwrap();
        let cookie = set_cookie(&secure, App::Portal, "t");
        assert!(
            cookie.starts_with("__Host-vitrine_refresh=t; Path=/; HttpOnly; SameSite=Strict"),
            "{cookie}"
        );
        assert!(cookie.ends_with("; Secure"));
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, "a=b; __Host-vitrine_refresh=t".parse().unwrap());
        assert_eq!(from_cookies(&secure, App::Portal, &headers).as_deref(), Some("t"));
        assert_eq!(from_cookies(&secure, App::Viewer, &headers), None);
    }
}
