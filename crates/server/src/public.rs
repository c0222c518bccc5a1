//! What anybody may ask of the program itself: is it alive, how is it configured, what do plans cost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::response::Html;
use http::StatusCode;
use httpkit::Api;
use kernel::PublicUrl;
use serde::Serialize;
use storage::Storage;
use tokio::sync::Mutex;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::settings::Settings;

/// The product's version, as shown in Settings (spec section 9).
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the web apps need to know before anybody signs in.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigOut {
    public_url: String,
    sandbox: bool,
    /// stripe, sandbox or none.
    billing: String,
    pricing_url: String,
    terms_url: String,
    privacy_url: String,
    contact_url: String,
    help_url: String,
    version: String,
}

#[derive(Clone)]
struct Public {
    config: ConfigOut,
    db: db::Db,
    storage: Storage,
    readiness: Arc<Recent<Readiness>>,
}

type Readiness = (StatusCode, &'static str);

/// How long an answer about readiness holds: whoever asks more often does not make the database work more.
const READINESS_HOLDS: Duration = Duration::from_secs(1);

/// An answer that is kept for a while; those who ask meanwhile wait for the one who looks.
struct Recent<T> {
    holds: Duration,
    kept: Mutex<Option<(Instant, T)>>,
}

impl<T: Copy> Recent<T> {
    fn new(holds: Duration) -> Self {
        Self { holds, kept: Mutex::new(None) }
    }

    async fn or_look(&self, look: impl AsyncFnOnce() -> T) -> T {
        let mut kept = self.kept.lock().await;
        if let Some((at, answer)) = *kept
            && at.elapsed() < self.holds
        {
            return answer;
        }
        let answer = look().await;
        *kept = Some((Instant::now(), answer));
        answer
    }
}

/// `/config` under `/v1`, and the health checks and the plan page at the root.
pub fn routes(settings: &Settings, public: &PublicUrl, db: db::Db, storage: Storage) -> (Api, Api) {
    let server = &settings.server;
    let pricing_url = match server.pricing_url.as_str() {
        "" => public.at("/pricing"),
        url => url.to_owned(),
    };
    let config = ConfigOut {
        public_url: public.origin(),
        sandbox: server.sandbox,
        billing: settings.payments.mode(server.sandbox).as_str().to_owned(),
        pricing_url,
        terms_url: server.terms_url.clone(),
        privacy_url: server.privacy_url.clone(),
        contact_url: server.contact_url.clone(),
        help_url: server.help_url.clone(),
        version: VERSION.to_owned(),
    };
    let state = Public { config, db, storage, readiness: Arc::new(Recent::new(READINESS_HOLDS)) };
    let v1 = OpenApiRouter::new().routes(routes!(read_config)).with_state(state.clone());
    let root = OpenApiRouter::new()
        .routes(routes!(read_health))
        .routes(routes!(read_readiness))
        .route("/pricing", axum::routing::get(pricing))
        .with_state(state);
    (v1, root)
}

/// How this installation is set up.
#[utoipa::path(get, path = "/config", tag = "server", responses((status = 200, body = ConfigOut)))]
async fn read_config(State(public): State<Public>) -> Json<ConfigOut> {
    Json(public.config)
}

/// Whether the process is alive.
#[utoipa::path(get, path = "/healthz", tag = "server", responses((status = 200, body = String)))]
async fn read_health() -> &'static str {
    "ok"
}

/// Whether the process can do its work: database and storage answered within the last second.
#[utoipa::path(get, path = "/readyz", tag = "server", responses(
    (status = 200, body = String), (status = 503, body = String),
))]
async fn read_readiness(State(public): State<Public>) -> Readiness {
    public.readiness.or_look(async || look(&public).await).await
}

async fn look(public: &Public) -> Readiness {
    if let Err(error) = public.db.ping().await {
        tracing::warn!(%error, "not ready: the database does not answer");
        return (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer");
    }
    if let Err(error) = public.storage.check().await {
        tracing::warn!(%error, "not ready: the storage does not answer");
        return (StatusCode::SERVICE_UNAVAILABLE, "the storage does not answer");
    }
    (StatusCode::OK, "ready")
}

/// The plain page of plans for installations without a pricing page of their own (G-22).
async fn pricing() -> Html<&'static str> {
    Html(include_str!("pricing.html"))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    async fn looks(holds: Duration) -> usize {
        let (recent, looks) = (Recent::new(holds), AtomicUsize::new(0));
        let ask = || recent.or_look(async || looks.fetch_add(1, Ordering::SeqCst));
        for _ in 0..5 {
            tokio::join!(ask(), ask());
        }
        looks.load(Ordering::SeqCst)
    }

    #[tokio::test]
    async fn a_crowd_that_asks_whether_we_are_ready_makes_us_look_once() {
        assert_eq!(looks(Duration::from_secs(3600)).await, 1);
        assert_eq!(looks(Duration::ZERO).await, 10);
    }
}
