//! The token endpoint: exchanges a code, the client's credentials and the verifier for an ID token (RFC 6749
//! section 4.1.3).

use aws_lc_rs::digest::{SHA256, digest};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use httpkit::{ApiError, unexpected};
use serde_json::{Value, json};

use super::codes::Grant;
use super::keys::encoded;
use super::{Issuer, Provider};
use crate::stripe::Fields;

/// Lifetime of a token, in seconds.
const LIFETIME_SECS: i64 = 3_600;

/// An error response of RFC 6749 section 5.2.
struct TokenError {
    error: &'static str,
    why: &'static str,
}

const fn token_error(error: &'static str, why: &'static str) -> TokenError {
    TokenError { error, why }
}

pub(super) async fn exchange(State(issuer): State<Issuer>, headers: HeaderMap, body: Bytes) -> Response {
    let mut response = match grant(&issuer, &headers, &body) {
        Err(refused) => refused.into_response(),
        Ok(grant) => match issuer.openid().keys.key().await.and_then(|key| {
            let access = encoded(&issuer.sandbox.deps().ambient.bytes::<32>());
            let token = key.sign(&claims(&issuer, &grant, &access))?;
            Ok(json!({
                "access_token": access, "token_type": "Bearer", "expires_in": LIFETIME_SECS, "id_token": token,
            }))
        }) {
            Ok(answer) => Json(answer).into_response(),
            Err(error) => ApiError(unexpected(&error)).into_response(),
        },
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Checks the call and returns the grant of its code.
fn grant(issuer: &Issuer, headers: &HeaderMap, body: &[u8]) -> Result<Grant, TokenError> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(token_error("invalid_request", "The body must be form-urlencoded."));
    }
    let fields = Fields::parse(body);
    if !fields.repeated().is_empty() {
        return Err(token_error("invalid_request", "A parameter is repeated."));
    }
    authenticate(issuer, headers, &fields)?;
    match fields.get("grant_type") {
        Some("authorization_code") => {}
        Some(_) => {
            return Err(token_error("unsupported_grant_type", "grant_type must be authorization_code."));
        }
        None => return Err(token_error("invalid_request", "grant_type is missing.")),
    }
    let code = fields.get("code").ok_or(token_error("invalid_request", "code is missing."))?;
    let grant = issuer
        .openid()
        .codes
        .take(issuer.provider, code, issuer.sandbox.now())
        .ok_or(token_error("invalid_grant", "The code is unknown, already used, or older than a minute."))?;
    if fields.get("redirect_uri") != Some(&issuer.callback()) {
        return Err(token_error("invalid_grant", "The redirect_uri is not the one the code was issued for."));
    }
    if !grant.request.is_verified_by(fields.get("code_verifier").unwrap_or_default()) {
        return Err(token_error("invalid_grant", "The code_verifier does not match the code_challenge."));
    }
    Ok(grant)
}

/// Authenticates the client. Fails if it uses two methods at once.
fn authenticate(issuer: &Issuer, headers: &HeaderMap, fields: &Fields) -> Result<(), TokenError> {
    let posted = fields.get("client_id").unwrap_or_default().to_owned();
    let secret = fields.get("client_secret").map(str::to_owned);
    let (id, secret) = match (headers.get(header::AUTHORIZATION), secret) {
        (Some(_), Some(_)) => {
            return Err(token_error("invalid_request", "Use only one method of client authentication."));
        }
        (Some(value), None) if issuer.provider == Provider::Google => basic(value).unwrap_or_default(),
        (Some(_), None) => (String::new(), String::new()),
        (None, secret) => (posted, secret.unwrap_or_default()),
    };
    let clients = &issuer.openid().clients;
    let authenticated = match issuer.provider {
        Provider::Google => clients.is_google(&id, &secret),
        Provider::Apple => clients.is_apple(&id, &secret, &issuer.url(), issuer.sandbox.seconds()),
    };
    authenticated
        .then_some(())
        .ok_or(token_error("invalid_client", "Unknown client or invalid client secret."))
}

/// Reads id and secret from HTTP Basic, each form-encoded before they were joined (RFC 6749 section 2.3.1).
fn basic(value: &HeaderValue) -> Option<(String, String)> {
    let (scheme, encoded) = value.to_str().ok()?.split_once(' ')?;
    let pair = STANDARD.decode(encoded.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    let pair = String::from_utf8(pair).ok()?;
    let (id, secret) = pair.split_once(':')?;
    Some((form_decoded(id)?, form_decoded(secret)?))
}

fn form_decoded(text: &str) -> Option<String> {
    // Parsed as a field name, so that an unencoded = or & shows up as a second part.
    let mut fields = url::form_urlencoded::parse(text.as_bytes());
    let (name, value) = fields.next()?;
    (value.is_empty() && fields.next().is_none()).then(|| name.into_owned())
}

fn claims(issuer: &Issuer, grant: &Grant, access: &str) -> Value {
    let now = issuer.sandbox.seconds();
    let request = &grant.request;
    let mut claims = grant.person.claims(issuer.provider, |scope| request.has_scope(scope));
    claims.insert("iss".into(), issuer.url().into());
    claims.insert("aud".into(), issuer.client_id().into());
    claims.insert("iat".into(), now.into());
    claims.insert("exp".into(), (now + LIFETIME_SECS).into());
    let hash = digest(&SHA256, access.as_bytes());
    claims.insert("at_hash".into(), encoded(&hash.as_ref()[..16]).into());
    if let Some(nonce) = &request.nonce {
        claims.insert("nonce".into(), nonce.as_str().into());
    }
    Value::Object(claims)
}

impl IntoResponse for TokenError {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.error, "error_description": self.why }));
        if self.error == "invalid_client" {
            let challenge = [(header::WWW_AUTHENTICATE, "Basic realm=\"sandbox\"")];
            return (StatusCode::UNAUTHORIZED, challenge, body).into_response();
        }
        (StatusCode::BAD_REQUEST, body).into_response()
    }
}
