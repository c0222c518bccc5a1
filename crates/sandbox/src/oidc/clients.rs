//! The clients of the issuer, one per provider, and how each authenticates.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use kernel::Secret;
use serde::Deserialize;

use super::Provider;

/// Longest lifetime of a client secret at Apple: six months, in seconds.
const APPLE_MAX_LIFETIME: i64 = 15_777_000;
/// Tolerated clock difference to another machine, in seconds.
const CLOCK_SKEW: i64 = 60;

/// The clients of the sandbox's OpenID issuer: what an operator would get from Google's and Apple's consoles.
#[derive(Clone, Debug)]
pub struct OpenIdClients {
    /// The client at `{public}/sandbox/oidc/google`.
    pub google: GoogleClient,
    /// The client at `{public}/sandbox/oidc/apple`.
    pub apple: AppleClient,
}

impl OpenIdClients {
    /// Creates one client per provider, and returns the new private key of Apple's as PEM for the client's
    /// side. The key lives as long as the process, which is on both sides.
    pub fn fresh(google_secret: Secret) -> Result<(Self, Secret), String> {
        let none = "failed to generate a key for the sandbox's Apple client";
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(|_| none)?;
        let pkcs8 = STANDARD.encode(pair.to_pkcs8v1().map_err(|_| none)?.as_ref());
        // An uncompressed point: the byte 4, then x, then y.
        let point = pair.public_key().as_ref();
        let clients = Self {
            google: GoogleClient { client_id: "vitrine.google".to_owned(), client_secret: google_secret },
            apple: AppleClient {
                client_id: "vitrine.apple".to_owned(),
                team_id: "SANDBOX001".to_owned(),
                key_id: "SANDBOXKEY".to_owned(),
                key_x: URL_SAFE_NO_PAD.encode(&point[1..33]),
                key_y: URL_SAFE_NO_PAD.encode(&point[33..]),
            },
        };
        let pem = format!("-----BEGIN PRIVATE KEY-----\n{pkcs8}\n-----END PRIVATE KEY-----\n");
        Ok((clients, Secret::new(pem)))
    }
}

/// A client with a shared secret.
#[derive(Clone, Debug)]
pub struct GoogleClient {
    /// Client id, as in `VITRINE_OIDC_GOOGLE_CLIENT_ID`.
    pub client_id: String,
    /// Client secret, sent as a form field or by HTTP Basic.
    pub client_secret: Secret,
}

/// A client that signs a new secret for each call: an ES256 token with kid, iss = team, sub = client id and
/// aud = issuer.
#[derive(Clone, Debug)]
pub struct AppleClient {
    /// Client id, as in `VITRINE_OIDC_APPLE_CLIENT_ID`.
    pub client_id: String,
    /// Id of the team that owns the client.
    pub team_id: String,
    /// Id of its key.
    pub key_id: String,
    /// x of its public P-256 key, base64url without padding, as in a JWK.
    pub key_x: String,
    /// y of the same key.
    pub key_y: String,
}

/// The clients, with Apple's key parsed.
pub(super) struct Clients {
    registered: OpenIdClients,
    apple_key: DecodingKey,
}

impl Clients {
    pub(super) fn new(registered: OpenIdClients) -> Result<Self, String> {
        let GoogleClient { client_id, client_secret } = &registered.google;
        if client_id.is_empty() || client_secret.is_empty() || registered.apple.client_id.is_empty() {
            return Err("the clients of the sandbox's OpenID issuer need an id and a secret".to_owned());
        }
        let coordinate = |text: &str| URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == 32);
        let AppleClient { key_x, key_y, .. } = &registered.apple;
        let is_complete = coordinate(key_x) && coordinate(key_y);
        let apple_key = DecodingKey::from_ec_components(key_x, key_y)
            .ok()
            .filter(|_| is_complete)
            .ok_or("the key of the sandbox's Apple client is not a P-256 point in base64url")?;
        Ok(Self { registered, apple_key })
    }

    pub(super) fn id(&self, provider: Provider) -> &str {
        match provider {
            Provider::Google => &self.registered.google.client_id,
            Provider::Apple => &self.registered.apple.client_id,
        }
    }

    /// Returns whether this is Google's client.
    pub(super) fn is_google(&self, id: &str, secret: &str) -> bool {
        let GoogleClient { client_id, client_secret } = &self.registered.google;
        let same = verify_slices_are_equal(secret.as_bytes(), client_secret.reveal().as_bytes()).is_ok();
        same && id == client_id
    }

    /// Returns whether this is Apple's client: its secret was signed with its key for this issuer and is
    /// valid now.
    pub(super) fn is_apple(&self, id: &str, secret: &str, issuer: &str, now: i64) -> bool {
        let AppleClient { client_id, team_id, key_id, .. } = &self.registered.apple;
        let mut rules = Validation::new(Algorithm::ES256);
        // Times are checked below, against the sandbox's own clock.
        rules.validate_exp = false;
        rules.set_required_spec_claims(&["exp", "iss", "sub", "aud"]);
        rules.set_issuer(&[team_id]);
        rules.set_audience(&[issuer]);
        rules.sub = Some(client_id.clone());
        let Ok(token) = jsonwebtoken::decode::<SecretClaims>(secret, &self.apple_key, &rules) else {
            return false;
        };
        let SecretClaims { iat, exp } = token.claims;
        let kid = token.header.kid.as_deref() == Some(key_id);
        let is_current = iat <= now + CLOCK_SKEW && exp > now && exp <= now + APPLE_MAX_LIFETIME;
        id == client_id && kid && is_current
    }
}

/// The times in Apple's client secret, both required.
#[derive(Deserialize)]
struct SecretClaims {
    iat: i64,
    exp: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registered() -> OpenIdClients {
        // The key of RFC 7515, appendix A.3.
        OpenIdClients {
            google: GoogleClient { client_id: "g".into(), client_secret: Secret::new("hush-hush") },
            apple: AppleClient {
                client_id: "a".into(),
                team_id: "t".into(),
                key_id: "k".into(),
                key_x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU".into(),
                key_y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0".into(),
            },
        }
    }

    #[test]
    fn clients_without_a_secret_or_a_key_are_refused() {
        assert!(Clients::new(registered()).is_ok());
        let mut open = registered();
        open.google.client_secret = Secret::default();
        assert!(Clients::new(open).is_err_and(|why| why.contains("secret")));
        for bad in ["", "AAAA", "not base64!", "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVE"] {
            let mut broken = registered();
            broken.apple.key_y = bad.into();
            assert!(Clients::new(broken).is_err_and(|why| why.contains("P-256")), "{bad}");
        }
    }

    #[test]
    fn a_secret_is_not_printed() {
        let text = format!("{:?}", registered());
        assert!(text.contains("********") && !text.contains("hush-hush"), "{text}");
    }
}
