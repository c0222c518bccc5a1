//! The issuer's own key, generated on first use and lost when the process ends.

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

/// Holds the key once it is generated.
#[derive(Default)]
pub(super) struct Keys(OnceCell<Key>);

/// A 2048-bit RSA key.
pub(super) struct Key {
    pair: KeyPair,
    /// The key's thumbprint (RFC 7638).
    id: String,
}

impl Keys {
    /// Returns the key, generating it on the first call. That takes a moment, so it runs on a blocking
    /// thread.
    pub(super) async fn key(&self) -> Result<&Key, Unspecified> {
        self.0
            .get_or_try_init(|| async {
                tokio::task::spawn_blocking(Key::generate).await.map_err(|_| Unspecified)?
            })
            .await
    }
}

impl Key {
    fn generate() -> Result<Self, Unspecified> {
        let pair = KeyPair::generate(KeySize::Rsa2048)?;
        let (n, e) = numbers(&pair);
        // Members in alphabetical order, no spaces: RFC 7638 section 3.
        let id =
            encoded(digest(&SHA256, format!(r#"{{"e":"{e}","kty":"RSA","n":"{n}"}}"#).as_bytes()).as_ref());
        Ok(Self { pair, id })
    }

    /// Returns the public key as a JWK set.
    pub(super) fn jwk_set(&self) -> Value {
        let (n, e) = numbers(&self.pair);
        json!({ "keys": [{ "kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.id, "n": n, "e": e }] })
    }

    /// Signs the claims as an RS256 token.
    pub(super) fn sign(&self, claims: &Value) -> Result<String, Unspecified> {
        let header = json!({ "alg": "RS256", "typ": "JWT", "kid": self.id });
        let text =
            format!("{}.{}", encoded(header.to_string().as_bytes()), encoded(claims.to_string().as_bytes()));
        let mut signature = vec![0; self.pair.public_modulus_len()];
        self.pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature)?;
        Ok(format!("{text}.{}", encoded(&signature)))
    }
}

fn numbers(pair: &KeyPair) -> (String, String) {
    let key = pair.public_key();
    (
        encoded(key.modulus().big_endian_without_leading_zero()),
        encoded(key.exponent().big_endian_without_leading_zero()),
    )
}

/// Encodes as base64url without padding, the encoding of tokens.
pub(super) fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
