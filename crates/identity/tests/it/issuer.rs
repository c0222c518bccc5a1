//! A fake provider that returns whatever a test tells it to.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PSS_SHA256, RsaEncoding};
use axum::body::Bytes;
use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as B64;
use http::StatusCode;
use identity::SignInSettings;
use kernel::Secret;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// What the provider returns next.
#[derive(Clone)]
pub struct IssuedToken {
    /// Claims that replace the right ones; null removes one.
    pub claims: Value,
    /// The algorithm in the token's header.
    pub algorithm: &'static str,
    /// Whether to sign with an unpublished key.
    pub foreign_key: bool,
}

impl Default for IssuedToken {
    fn default() -> Self {
        Self { claims: json!({}), algorithm: "RS256", foreign_key: false }
    }
}

/// The fake provider, listening on this machine.
#[derive(Clone)]
pub struct Issuer {
    base: String,
    shared: Arc<Shared>,
}

struct Shared {
    keys: Mutex<KeyPair>,
    foreign: KeyPair,
    next_token: Mutex<IssuedToken>,
    /// Nonce and challenge from the popup's URL.
    auth_params: Mutex<HashMap<&'static str, String>>,
    /// Whether requests for the discovery document fail.
    hidden: AtomicBool,
    /// The most recent token request.
    token_request: Mutex<HashMap<String, String>>,
}

impl Issuer {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let fresh = || KeyPair::generate(KeySize::Rsa2048).unwrap();
        let shared = Shared {
            keys: Mutex::new(fresh()),
            foreign: fresh(),
            next_token: Mutex::default(),
            auth_params: Mutex::default(),
            hidden: AtomicBool::new(false),
            token_request: Mutex::default(),
        };
        let issuer = Self { base, shared: Arc::new(shared) };
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .with_state(issuer.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        issuer
    }

    /// Returns settings in which both providers are this one.
    pub fn settings(&self, apple_key: &str) -> SignInSettings {
        SignInSettings {
            oidc_google_issuer: self.base.clone(),
            oidc_google_client_id: "google-client".into(),
            oidc_google_client_secret: Secret::new("google-secret"),
            oidc_apple_issuer: self.base.clone(),
            oidc_apple_client_id: "apple-client".into(),
            oidc_apple_team_id: "TEAM".into(),
            oidc_apple_key_id: "KEY".into(),
            apple_key: Secret::new(apple_key),
            ..SignInSettings::default()
        }
    }

    /// Sets what the provider returns from now on.
    pub fn issue(&self, token: IssuedToken) {
        *self.shared.next_token.lock().unwrap() = token;
    }

    /// Sets whether the discovery document is served.
    pub fn hide(&self, hidden: bool) {
        self.shared.hidden.store(hidden, Ordering::SeqCst);
    }

    /// Signs with new keys from now on, as after a rotation.
    pub fn rotate(&self) {
        *self.shared.keys.lock().unwrap() = KeyPair::generate(KeySize::Rsa2048).unwrap();
    }

    /// Records the parameters of a popup's URL and returns its state.
    pub fn record_auth_request(&self, address: &str) -> String {
        let address = url::Url::parse(address).unwrap();
        assert!(address.as_str().starts_with(&self.base), "{address}");
        let query: HashMap<_, _> = address.query_pairs().into_owned().collect();
        assert_eq!(
            (query["response_type"].as_str(), query["code_challenge_method"].as_str()),
            ("code", "S256")
        );
        let mut auth_params = self.shared.auth_params.lock().unwrap();
        auth_params.insert("nonce", query["nonce"].clone());
        auth_params.insert("challenge", query["code_challenge"].clone());
        auth_params.insert("client", query["client_id"].clone());
        auth_params.insert("mode", query.get("response_mode").cloned().unwrap_or_default());
        auth_params.insert("scope", query["scope"].clone());
        query["state"].clone()
    }

    pub fn auth_param(&self, what: &'static str) -> String {
        self.shared.auth_params.lock().unwrap()[what].clone()
    }

    pub fn token_request(&self, what: &str) -> String {
        self.shared.token_request.lock().unwrap()[what].clone()
    }
}

async fn discovery(State(issuer): State<Issuer>) -> Result<Json<Value>, StatusCode> {
    if issuer.shared.hidden.load(Ordering::SeqCst) {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
    }
    let base = &issuer.base;
    Ok(Json(json!({
        "issuer": base,
        "authorization_endpoint": format!("{base}/authorize"),
        "token_endpoint": format!("{base}/token"),
        "jwks_uri": format!("{base}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        // A careless document: the server must not accept all that is offered here.
        "id_token_signing_alg_values_supported": ["RS256", "none", "HS256", "RS384", "PS256"],
    })))
}

async fn keys(State(issuer): State<Issuer>) -> Json<Value> {
    let keys = issuer.shared.keys.lock().unwrap();
    let public = keys.public_key();
    let (n, e) = (public.modulus(), public.exponent());
    Json(json!({ "keys": [{
        "kty": "RSA", "use": "sig",
        "n": B64.encode(n.big_endian_without_leading_zero()), "e": B64.encode(e.big_endian_without_leading_zero()),
    }] }))
}

async fn token(State(issuer): State<Issuer>, body: Bytes) -> (StatusCode, Json<Value>) {
    let form: HashMap<String, String> = url::form_urlencoded::parse(&body).into_owned().collect();
    *issuer.shared.token_request.lock().unwrap() = form.clone();
    let challenge = B64.encode(Sha256::digest(form.get("code_verifier").map_or("", String::as_str)));
    if challenge != issuer.auth_param("challenge") || form["code"] != "the-code" {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" })));
    }
    let next_token = issuer.shared.next_token.lock().unwrap().clone();
    // The library compares times with the wall clock.
    let now = kernel::Clock::now(&kernel::SystemClock).seconds();
    let mut claims = json!({
        "iss": issuer.base, "aud": issuer.auth_param("client"), "sub": "subject-1", "iat": now, "exp": now + 300,
        "nonce": issuer.auth_param("nonce"), "email": "ada@example.com", "email_verified": true,
        "given_name": "Ada", "family_name": "Lovelace", "name": "Ada Lovelace",
    });
    for (name, value) in next_token.claims.as_object().unwrap() {
        match value {
            Value::Null => drop(claims.as_object_mut().unwrap().remove(name)),
            value => claims[name] = value.clone(),
        }
    }
    let head = B64.encode(json!({ "alg": next_token.algorithm, "typ": "JWT" }).to_string());
    let message = format!("{head}.{}", B64.encode(claims.to_string()));
    let signature = match next_token.algorithm {
        "none" => String::new(),
        // The only secret shared by both sides.
        "HS256" => {
            let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, b"google-secret");
            B64.encode(aws_lc_rs::hmac::sign(&key, message.as_bytes()))
        }
        _ => issuer.signature(&message, &next_token),
    };
    let answer =
        json!({ "access_token": "a", "token_type": "Bearer", "id_token": format!("{message}.{signature}") });
    (StatusCode::OK, Json(answer))
}

impl Issuer {
    fn signature(&self, message: &str, next_token: &IssuedToken) -> String {
        let own = self.shared.keys.lock().unwrap();
        let pair = if next_token.foreign_key { &self.shared.foreign } else { &*own };
        let mut signature = vec![0; pair.public_modulus_len()];
        let padding: &dyn RsaEncoding = match next_token.algorithm {
            "RS384" => &RSA_PKCS1_SHA384,
            "PS256" => &RSA_PSS_SHA256,
            _ => &RSA_PKCS1_SHA256,
        };
        pair.sign(padding, &SystemRandom::new(), message.as_bytes(), &mut signature).unwrap();
        B64.encode(signature)
    }
}
