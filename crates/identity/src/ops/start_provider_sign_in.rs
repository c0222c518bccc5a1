//! `GET /auth/oidc/{provider}/start`: redirects a popup to a provider.

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::{CACHE_CONTROL, LOCATION};
use http::{HeaderValue, StatusCode};
use httpkit::{ApiResult, Path, Query};
use kernel::{MINUTE, Millis, Problem};
use serde::Deserialize;

use crate::codes;
use crate::openid::{AuthRequest, Provider, ProviderName};
use crate::popup::{self, Outcome};
use crate::store::provider_sign_in as pending_sign_in;
use crate::{Error, Identity};

/// How long a person may take to sign in at the provider.
const LIFETIME: Millis = 10 * MINUTE;
/// Length of a SHA-256 hash in base64url.
const CHALLENGE_LENGTH: usize = 43;

/// The parameters from the window that opens the popup.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StartQuery {
    /// SHA-256, in base64url, of a secret that only the opener knows; it is required to redeem the result.
    challenge: String,
    /// Must be `1`: the result is reported to the window that opened the popup.
    popup: String,
}

/// Start a sign-in through a provider
///
/// Redirects the popup to the provider. If the provider is not configured or cannot be reached, a page
/// reports that to the opener instead.
#[utoipa::path(get, path = "/auth/oidc/{provider}/start", tag = "identity",
    params(("provider" = inline(ProviderName), Path), StartQuery),
    responses((status = 302), (status = 200, content_type = "text/html"), (status = 400, body = Problem),
        (status = 404, body = Problem), (status = 429, content_type = "text/html")))]
pub async fn start_provider_sign_in(
    State(identity): State<Identity>,
    Path(provider): Path<String>,
    Query(query): Query<StartQuery>,
) -> ApiResult<Response> {
    let name = ProviderName::parse(&provider).ok_or_else(|| Problem::not_found("Provider"))?;
    if !is_challenge(&query.challenge) || query.popup != "1" {
        let sentence = "Send popup=1 and a challenge: a SHA-256 in base64url.";
        return Err(Problem::bad_request("invalid_challenge", sentence).into());
    }
    let Some(provider) = identity.providers.get(name) else {
        return Ok(popup::page(&query.challenge, &Outcome::Unavailable));
    };
    let response = begin(&identity, name, provider, &query.challenge).await;
    Ok(response.unwrap_or_else(|error| popup::error_page(&query.challenge, error)))
}

/// Returns whether the text has the form of a SHA-256 hash in base64url.
pub fn is_challenge(text: &str) -> bool {
    text.len() == CHALLENGE_LENGTH
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

async fn begin(
    identity: &Identity,
    name: ProviderName,
    provider: &Provider,
    challenge: &str,
) -> Result<Response, Error> {
    let random = || URL_SAFE_NO_PAD.encode(identity.ambient.bytes::<32>());
    let auth_request = AuthRequest { state: random(), nonce: random(), verifier: random() };
    let address = match provider.begin(&auth_request).await {
        Ok(address) => address,
        Err(error) => {
            tracing::warn!(provider = name.word(), %error, "cannot start a provider sign-in");
            return Ok(popup::page(challenge, &Outcome::Unavailable));
        }
    };
    let tx = identity.db.write_tx().await?;
    let row = pending_sign_in::NewSignIn {
        uid: identity.ambient.uid(),
        provider: name,
        state_hash: &codes::hash(&auth_request.state),
        challenge,
        nonce: &auth_request.nonce,
        verifier: &auth_request.verifier,
        expires_at: identity.ambient.now() + LIFETIME,
    };
    pending_sign_in::insert(&tx, row).await?;
    tx.commit().await?;
    let location = HeaderValue::from_str(&address).map_err(|_| Problem::internal())?;
    let no_store = HeaderValue::from_static("no-store");
    Ok((StatusCode::FOUND, [(LOCATION, location), (CACHE_CONTROL, no_store)]).into_response())
}
