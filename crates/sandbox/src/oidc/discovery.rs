//! The issuer's metadata (OpenID Connect Discovery 1.0) and public key.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use httpkit::{ApiError, unexpected};
use serde_json::{Value, json};

use super::{Issuer, Provider};

pub(super) async fn configuration(State(issuer): State<Issuer>) -> Json<Value> {
    let url = issuer.url();
    let (methods, claims): (&[&str], &[&str]) = match issuer.provider {
        Provider::Google => {
            (&["client_secret_post", "client_secret_basic"], &["name", "given_name", "family_name"])
        }
        Provider::Apple => (&["client_secret_post"], &[]),
    };
    let always = ["aud", "exp", "iat", "iss", "sub", "nonce", "at_hash", "email", "email_verified"];
    let claims: Vec<&str> = always.into_iter().chain(claims.iter().copied()).collect();
    Json(json!({
        "issuer": url,
        "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
        "jwks_uri": format!("{url}/jwks.json"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query", "form_post"],
        "grant_types_supported": ["authorization_code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": issuer.provider.scopes(),
        "claims_supported": claims,
        "token_endpoint_auth_methods_supported": methods,
        "code_challenge_methods_supported": ["S256"],
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
    }))
}

pub(super) async fn public_keys(State(issuer): State<Issuer>) -> Response {
    match issuer.openid().keys.key().await {
        Ok(key) => Json(key.jwk_set()).into_response(),
        Err(error) => ApiError(unexpected(&error)).into_response(),
    }
}
