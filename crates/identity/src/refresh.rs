//! Refresh tokens: derived from session and generation, and kept in a cookie that scripts cannot read.

use http::HeaderMap;
use http::header::ORIGIN;
use kernel::{DAY, Millis, PublicUrl, SECOND, SessionId, Signer, Timestamp, Uid};
use sea_orm::{DeriveActiveEnum, EnumIter};

use crate::cookies;

const PURPOSE: &str = "refresh-token";
/// A session ends if it is not used for this long.
pub const SESSION_LIFETIME: Millis = 30 * DAY;
/// A refresh token used again within this time means a lost response, not theft. It is longer than the apps
/// wait for a response (8 s), so a refresh that hangs can be retried once.
pub const REUSE_GRACE: Millis = 10 * SECOND;

/// Number of spent tokens remembered: far more than are spent within the grace period.
const SPENT_MAX: usize = 64;

/// A session's refresh token of one generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefreshToken {
    pub session: SessionId,
    pub generation: i32,
}

impl RefreshToken {
    /// Returns the token as text, which is the same each time for the same generation.
    pub fn encode(self, signer: &Signer) -> String {
        let payload = [&self.session.as_bytes()[..], &self.generation.to_be_bytes()].concat();
        signer.sign(PURPOSE, &payload)
    }

    /// Parses a token and verifies its signature.
    pub fn decode(signer: &Signer, text: &str) -> Option<Self> {
        let payload = signer.verify(PURPOSE, text)?;
        let (session, generation) = payload.split_first_chunk::<16>()?;
        Some(Self {
            session: SessionId::from(Uid::from_bytes(*session)),
            generation: i32::from_be_bytes(generation.try_into().ok()?),
        })
    }
}

/// The times at which a session's last refresh tokens were spent, newest first: the first belongs to the
/// generation before the current one. Tokens spent too long ago to be honoured are dropped.
#[derive(Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct SpentTimes(Vec<Timestamp>);

impl SpentTimes {
    /// Returns the list after the current token is spent at `now`.
    #[must_use]
    pub fn with(self, now: Timestamp) -> Self {
        let recent = self.0.into_iter().filter(|at| now - at <= REUSE_GRACE);
        Self(std::iter::once(now).chain(recent).take(SPENT_MAX).collect())
    }

    /// Returns whether `generation`, of a session whose current generation is `current`, was spent so
    /// recently that the response may have been lost.
    pub fn accepts(&self, generation: i32, current: i32, now: Timestamp) -> bool {
        let back = usize::try_from(i64::from(current) - i64::from(generation) - 1).ok();
        back.and_then(|back| self.0.get(back)).is_some_and(|at| now - at <= REUSE_GRACE)
    }
}

/// The app a session belongs to. Both apps share one host, and people may use a different account in each.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    EnumIter,
    DeriveActiveEnum,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum App {
    /// The staff portal.
    #[default]
    #[sea_orm(string_value = "portal")]
    Portal,
    /// The viewer app.
    #[sea_orm(string_value = "viewer")]
    Viewer,
}

/// Returns the cookie's name. Browsers accept `__Host-` names only from this exact host, over https.
fn name(public: &PublicUrl, app: App) -> &'static str {
    match (public.is_secure(), app) {
        (true, App::Portal) => "__Host-vitrine_refresh",
        (true, App::Viewer) => "__Host-vitrine_viewer_refresh",
        (false, App::Portal) => "vitrine_refresh",
        (false, App::Viewer) => "vitrine_viewer_refresh",
    }
}

/// Returns the refresh token of a request, unless a page of another origin sent the request.
pub fn token_of(public: &PublicUrl, signer: &Signer, app: App, headers: &HeaderMap) -> Option<RefreshToken> {
    let own = public.origin();
    let foreign = match headers.get(ORIGIN) {
        Some(origin) => origin.as_bytes() != own.as_bytes(),
        // Browsers omit Origin from some requests, but never this header, and no page can set it.
        None => headers.get("sec-fetch-site").is_some_and(|site| site.as_bytes() == b"cross-site"),
    };
    if foreign {
        return None;
    }
    RefreshToken::decode(signer, &cookies::read(headers, name(public, app))?)
}

/// Returns the Set-Cookie value that stores a token, or deletes the cookie if there is none.
pub fn set_cookie(public: &PublicUrl, app: App, token: Option<&str>) -> String {
    let lifetime = if token.is_some() { SESSION_LIFETIME } else { 0 };
    cookies::write(public, name(public, app), token.unwrap_or_default(), lifetime)
}

#[cfg(test)]
mod tests {
    use http::header::COOKIE;
    use sea_orm::{ActiveEnum as _, Iterable as _};
    use serde_json::{from_value, json};

    use super::*;

    /// Returns the instant this many milliseconds after the epoch.
    const fn at_ms(ms: i64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    #[test]
    fn stored_words_do_not_change_and_are_those_on_the_wire() {
        assert_eq!(App::values(), ["portal", "viewer"]);
        assert!(App::iter().all(|app| from_value::<App>(json!(app.to_value())).unwrap() == app));
    }

    #[test]
    fn a_token_is_decoded_and_invalid_text_is_rejected() {
        let signer = Signer::new(&[1; 32]);
        let token = RefreshToken { session: SessionId::from_u128(7), generation: 3 };
        assert_eq!(RefreshToken::decode(&signer, &token.encode(&signer)), Some(token));
        assert_eq!(RefreshToken::decode(&Signer::new(&[2; 32]), &token.encode(&signer)), None);
        assert_eq!(RefreshToken::decode(&signer, "AAAA"), None);
    }

    #[test]
    fn a_token_is_accepted_for_ten_seconds_after_it_was_spent() {
        let spent = SpentTimes::default().with(at_ms(1_000)).with(at_ms(1_500));
        assert!(spent.accepts(0, 2, at_ms(11_000)) && spent.accepts(1, 2, at_ms(11_000)));
        assert!(!spent.accepts(0, 2, at_ms(11_001)) && spent.accepts(1, 2, at_ms(11_001)));
        assert!(
            !spent.accepts(2, 2, at_ms(1_500))
                && !spent.accepts(3, 2, at_ms(1_500))
                && !spent.accepts(-1, 2, at_ms(1_500))
        );
        assert_eq!(spent.with(at_ms(11_200)), SpentTimes(vec![at_ms(11_200), at_ms(1_500)]));
        assert_eq!((0..100).map(at_ms).fold(SpentTimes::default(), SpentTimes::with).0.len(), SPENT_MAX);
    }

    #[test]
    fn the_cookie_is_bound_to_the_host() {
        let secure = PublicUrl::parse("https://v.example").unwrap();
        let cookie = set_cookie(&secure, App::Portal, Some("t"));
        assert!(
            cookie.starts_with("__Host-vitrine_refresh=t; Path=/; HttpOnly; SameSite=Strict"),
            "{cookie}"
        );
        assert!(cookie.ends_with("; Secure"));
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, "a=b; __Host-vitrine_refresh=t".parse().unwrap());
        assert_eq!(cookies::read(&headers, name(&secure, App::Portal)).as_deref(), Some("t"));
        assert_eq!(cookies::read(&headers, name(&secure, App::Viewer)), None);
    }
}
