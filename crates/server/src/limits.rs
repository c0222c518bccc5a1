//! Request limits per address and per person. Sign-in, the API, webhooks and media are counted separately.
//! API requests of a signed-in person count per person, so that colleagues behind one address do not slow
//! each other down; all others count per address.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{FromRequestParts as _, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::Method;
use http::request::Parts;
use httpkit::{ApiError, ClientAddress};
use identity::Bearer;
use kernel::{PersonId, Problem};

use crate::settings::ServerSettings;

/// Number of keys above which expired ones are removed.
const SWEEP_AT: usize = 10_000;
/// Window of the API limits.
const API: Duration = Duration::from_secs(10);
/// Exports of one person within the window.
const EXPORTS: u32 = 10;
/// Look-ups of embedded videos by one person within the window: each asks another server.
const LOOK_UPS: u32 = 10;
/// Window of the sign-in limit.
const SIGN_IN: Duration = Duration::from_mins(1);

/// Request limits of this process.
#[derive(Clone)]
pub struct Limits(Arc<LimitSet>);

struct LimitSet {
    /// API requests per address, signed in or not.
    address: Option<KeyedLimit<IpAddr>>,
    /// API requests without a valid token.
    anonymous: Option<KeyedLimit<IpAddr>>,
    person: Option<KeyedLimit<PersonId>>,
    exports: Option<KeyedLimit<PersonId>>,
    look_ups: Option<KeyedLimit<PersonId>>,
    webhooks: Option<KeyedLimit<IpAddr>>,
    media: Option<KeyedLimit<IpAddr>>,
    sign_in: Option<KeyedLimit<SignInKey>>,
}

/// Requests of one step of the sign-in from one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SignInKey {
    step: SignInStep,
    address: IpAddr,
}

/// The two steps of a sign-in, counted separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum SignInStep {
    /// Requests an email or the redirect to a provider.
    Request,
    /// Submits a secret.
    Attempt,
}

impl SignInStep {
    /// Returns the step that a request belongs to. Refreshing, signing out and verifying an address do not
    /// count, nor does the callback of a provider: the state it redeems was counted when it was created.
    fn of(method: &Method, path: &str) -> Option<Self> {
        let call = path.strip_prefix("/v1/auth/")?;
        match (method, call) {
            (&Method::GET | &Method::HEAD, call) if call.ends_with("/start") => Some(Self::Request),
            (&Method::POST, "magic-links" | "password-resets" | "verifications") => Some(Self::Request),
            (&Method::POST, "refresh" | "sign-out" | "verifications/redeem") => None,
            (&Method::POST, call) if call.ends_with("/callback") => None,
            (&Method::POST, _) => Some(Self::Attempt),
            _ => None,
        }
    }
}

impl Limits {
    /// Creates the limits from the settings; 0 disables a limit.
    pub fn new(settings: &ServerSettings) -> Self {
        let anonymous = KeyedLimit::new(settings.api_requests_per_10s, API);
        let person = KeyedLimit::new(settings.api_requests_per_10s_person, API);
        let address = KeyedLimit::new(settings.api_requests_per_10s_address, API);
        Self(Arc::new(LimitSet {
            address: address.filter(|_| anonymous.is_some()),
            person: person.filter(|_| anonymous.is_some()),
            exports: KeyedLimit::new(EXPORTS, API).filter(|_| anonymous.is_some()),
            look_ups: KeyedLimit::new(LOOK_UPS, API).filter(|_| anonymous.is_some()),
            anonymous,
            webhooks: KeyedLimit::new(settings.webhook_requests_per_10s, API),
            media: KeyedLimit::new(settings.media_requests_per_10s, API),
            sign_in: KeyedLimit::new(settings.sign_in_tries_per_minute, SIGN_IN),
        }))
    }

    /// Counts the request, or fails with the time to wait.
    async fn check(&self, parts: &mut Parts) -> Result<(), ApiError> {
        let limits = &*self.0;
        let path = parts.uri.path();
        // Mail providers unsubscribe many people from a few addresses.
        let high_volume =
            ["/media/", "/v1/events", "/v1/ingest/", "/v1/uploads/tus", "/v1/unsubscribe/", "/images/"];
        let high_volume = high_volume.iter().any(|prefix| path.starts_with(prefix));
        let api = path.starts_with("/v1/");
        if !high_volume && !api {
            return Ok(());
        }
        let (is_export, is_look_up) = (is_export(path), path == "/v1/content/embeds/lookup");
        let (step, webhook) = (SignInStep::of(&parts.method, path), path.starts_with("/v1/webhooks/"));
        let ClientAddress(address) = ClientAddress::from_request_parts(parts, &()).await?;
        if high_volume {
            return check(limits.media.as_ref(), &address);
        }
        if webhook {
            return check(limits.webhooks.as_ref(), &address);
        }
        // Exports have a limit of their own, so that they succeed while their person pages through lists.
        if is_export && let Ok(bearer) = Bearer::from_request_parts(parts, &()).await {
            return check(limits.exports.as_ref(), &bearer.claimed_person());
        }
        check(limits.address.as_ref(), &address)?;
        if let Some(step) = step {
            check(limits.sign_in.as_ref(), &SignInKey { step, address })?;
        }
        // The signature is checked here, so that a forged token counts as anonymous.
        match Bearer::from_request_parts(parts, &()).await {
            Ok(bearer) if is_look_up => check(limits.look_ups.as_ref(), &bearer.claimed_person()),
            Ok(bearer) => check(limits.person.as_ref(), &bearer.claimed_person()),
            Err(_) => check(limits.anonymous.as_ref(), &address),
        }
    }
}

fn is_export(path: &str) -> bool {
    path == "/v1/analytics/leads/export"
        || path.starts_with("/v1/organizations/") && path.ends_with("/users/export")
}

fn check<K: Clone + Hash + Eq>(limit: Option<&KeyedLimit<K>>, key: &K) -> Result<(), ApiError> {
    limit.map_or(Ok(()), |limit| limit.check(key)).map_err(Into::into)
}

/// One limit, with a token bucket per key.
struct KeyedLimit<K: Clone + Hash + Eq> {
    limiter: DefaultKeyedRateLimiter<K>,
    started: Instant,
    /// Second, counted from `started`, of the last check whether a sweep is due.
    checked_second: AtomicU64,
}

impl<K: Clone + Hash + Eq> KeyedLimit<K> {
    /// Creates buckets of `n` requests that refill within `time`. Returns `None` for 0.
    fn new(n: u32, time: Duration) -> Option<Self> {
        let burst = NonZeroU32::new(n)?;
        let quota = Quota::with_period(time / n)?.allow_burst(burst);
        Some(Self {
            limiter: RateLimiter::keyed(quota),
            started: Instant::now(),
            checked_second: AtomicU64::new(0),
        })
    }

    fn check(&self, key: &K) -> Result<(), Problem> {
        if self.is_sweep_due(self.started.elapsed().as_secs()) {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(key).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            Problem::too_many(u32::try_from(wait).unwrap_or(u32::MAX))
        })
    }

    /// Returns `true` for at most one request per second, and only above `SWEEP_AT` keys: a sweep visits
    /// every key.
    fn is_sweep_due(&self, second: u64) -> bool {
        self.checked_second.load(Ordering::Relaxed) != second
            && self.checked_second.swap(second, Ordering::Relaxed) != second
            && self.limiter.len() > SWEEP_AT
    }
}

/// Responds with 429 and Retry-After if an address or a person exceeds a limit.
pub async fn limit(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    match limits.check(&mut parts).await {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(error) => {
            let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
            let page = identity::refused_popup(path, query, error.0.status);
            page.unwrap_or_else(|| error.into_response())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_keys_are_swept_at_most_once_a_second_and_few_never() {
        let limit = KeyedLimit::<u32>::new(1, API).unwrap();
        assert!(!limit.is_sweep_due(1), "nothing to sweep");
        for key in 0..=10_000 {
            limit.limiter.check_key(&key).unwrap();
        }
        assert!(!limit.is_sweep_due(1), "already checked in this second");
        assert!(limit.is_sweep_due(2));
        assert!(!limit.is_sweep_due(2));
        assert!(limit.is_sweep_due(3));
    }

    #[test]
    fn a_limit_of_zero_is_none() {
        assert!(KeyedLimit::<u32>::new(0, API).is_none());
        let limit = KeyedLimit::<u32>::new(2, SIGN_IN).unwrap();
        assert!(limit.check(&1).is_ok() && limit.check(&1).is_ok() && limit.check(&2).is_ok());
        let wait = limit.check(&1).unwrap_err().retry_after.unwrap();
        assert!((29..=31).contains(&wait), "{wait}");
    }

    #[test]
    fn only_sign_in_requests_count_as_attempts() {
        let post = |path: &str| SignInStep::of(&Method::POST, path);
        for path in ["magic-links", "password-resets", "verifications"] {
            assert_eq!(post(&format!("/v1/auth/{path}")), Some(SignInStep::Request), "{path}");
        }
        for path in ["magic-links/redeem", "sign-in", "sign-up", "password-resets/redeem", "oidc/redeem"] {
            assert_eq!(post(&format!("/v1/auth/{path}")), Some(SignInStep::Attempt), "{path}");
        }
        for path in ["refresh", "sign-out", "verifications/redeem", "oidc/apple/callback"] {
            assert_eq!(post(&format!("/v1/auth/{path}")), None, "{path}");
        }
        assert_eq!(post("/v1/playlists"), None);
        let get = |path: &str| SignInStep::of(&Method::GET, path);
        assert_eq!(get("/v1/auth/oidc/google/start"), Some(SignInStep::Request));
        assert_eq!(SignInStep::of(&Method::HEAD, "/v1/auth/oidc/google/start"), Some(SignInStep::Request));
        assert_eq!((get("/v1/auth/sessions"), get("/v1/auth/oidc/google/callback")), (None, None));
    }
}
