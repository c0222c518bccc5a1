//! How many requests one address may make: the API and the heavier rest are counted apart.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts as _, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use httpkit::{ClientAddress, Refusal};
use kernel::Problem;

use crate::settings::ServerSettings;

/// Addresses remembered before the forgotten ones are swept.
const SWEEP_AT: usize = 10_000;

type Limiter = DefaultKeyedRateLimiter<IpAddr>;

/// The limits of this process.
#[derive(Clone)]
pub struct Limits {
    api: Option<Arc<Limiter>>,
    media: Option<Arc<Limiter>>,
}

impl Limits {
    /// From the settings; 0 is no limit.
    pub fn new(settings: &ServerSettings) -> Self {
        Self { api: limiter(settings.api_requests_per_10s), media: limiter(settings.media_requests_per_10s) }
    }

    fn of(&self, path: &str) -> Option<&Limiter> {
        let heavy = ["/media/", "/v1/events", "/v1/ingest/", "/images/"];
        if heavy.iter().any(|prefix| path.starts_with(prefix)) {
            self.media.as_deref()
        } else if path.starts_with("/v1/") {
            self.api.as_deref()
        } else {
            None
        }
    }
}

/// A bucket of `n` requests that fills again in ten seconds.
fn limiter(n: u32) -> Option<Arc<Limiter>> {
    let burst = NonZeroU32::new(n)?;
    let quota = Quota::with_period(Duration::from_secs(10) / n)?.allow_burst(burst);
    Some(Arc::new(RateLimiter::keyed(quota)))
}

/// Answers 429 with Retry-After when an address asks too often.
pub async fn limit(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    let Some(limiter) = limits.of(request.uri().path()) else { return next.run(request).await };
    let (mut parts, body) = request.into_parts();
    let address = match ClientAddress::from_request_parts(&mut parts, &()).await {
        Ok(ClientAddress(address)) => address,
        Err(refusal) => return refusal.into_response(),
    };
    if limiter.len() > SWEEP_AT {
        limiter.retain_recent();
    }
    match limiter.check_key(&address) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(until) => {
            let wait = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            Refusal(Problem::too_many(u32::try_from(wait).unwrap_or(10))).into_response()
        }
    }
}
