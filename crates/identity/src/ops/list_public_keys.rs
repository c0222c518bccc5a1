//! `GET /.well-known/jwks.json`: the keys our tokens are signed with.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::Identity;

/// The public keys, as a JSON Web Key Set.
#[utoipa::path(get, path = "/.well-known/jwks.json", tag = "identity", responses((status = 200, body = Object)))]
pub async fn list_public_keys(State(identity): State<Identity>) -> Json<Value> {
    Json(json!({ "keys": [identity.tokens.public_jwk()] }))
}
