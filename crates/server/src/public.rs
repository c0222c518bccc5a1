//! Public operations of the program itself: health, configuration, plans.

use axum::Json;
use axum::extract::State;
use httpkit::Api;
use kernel::PublicUrl;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::readiness::{self, Readiness};
use crate::settings::Settings;

/// Product version, as shown on the Settings page.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Configuration that the web apps need before sign-in.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigOut {
    public_url: String,
    sandbox: bool,
    environment: Environment,
    /// Payment provider: stripe, sandbox or none.
    billing: String,
    pricing_url: String,
    terms_url: String,
    privacy_url: String,
    contact_url: String,
    help_url: String,
    version: String,
}

/// Purpose of an installation. The sandbox with its stand-ins is for development.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Environment {
    Development,
    Production,
}

impl Environment {
    fn of(sandbox: bool) -> Self {
        if sandbox { Self::Development } else { Self::Production }
    }
}

#[derive(Clone)]
struct Public {
    config: ConfigOut,
}

/// Returns `/config` for `/v1`, and the health checks for the root.
pub fn routes(settings: &Settings, public: &PublicUrl, readiness: Readiness) -> (Api, Api) {
    let server = &settings.server;
    let pricing_url = match server.pricing_url.as_str() {
        "" => public.at("/pricing"),
        url => url.to_owned(),
    };
    let config = ConfigOut {
        public_url: public.origin(),
        sandbox: server.sandbox,
        environment: Environment::of(server.sandbox),
        billing: settings.payments.mode(server.sandbox).as_str().to_owned(),
        pricing_url,
        terms_url: server.terms_url.clone(),
        privacy_url: server.privacy_url.clone(),
        contact_url: server.contact_url.clone(),
        help_url: server.help_url.clone(),
        version: VERSION.to_owned(),
    };
    let v1 = OpenApiRouter::new().routes(routes!(read_config)).with_state(Public { config });
    let root = OpenApiRouter::new()
        .routes(routes!(read_health))
        .merge(OpenApiRouter::new().routes(routes!(readiness::read_readiness)).with_state(readiness));
    (v1, root)
}

/// Get the configuration of this installation
#[utoipa::path(get, path = "/config", tag = "server", responses((status = 200, body = ConfigOut)))]
async fn read_config(State(public): State<Public>) -> Json<ConfigOut> {
    Json(public.config)
}

/// Check that the process is running
#[utoipa::path(get, path = "/healthz", tag = "server", responses((status = 200, body = String)))]
async fn read_health() -> &'static str {
    "ok"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sandbox_is_the_development_environment() {
        let json = |sandbox| serde_json::to_value(Environment::of(sandbox)).unwrap();
        assert_eq!((json(true), json(false)), ("development".into(), "production".into()));
    }
}
