//! `GET /.well-known/jwks.json`: the public keys of the access tokens.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::Identity;

/// List the public keys of the access tokens
///
/// Returns a JSON Web Key Set.
#[utoipa::path(get, path = "/.well-known/jwks.json", tag = "identity", responses((status = 200, body = Object)))]
pub async fn list_public_keys(State(identity): State<Identity>) -> Json<Value> {
    Json(json!({ "keys": [identity.tokens.public_jwk()] }))
}
