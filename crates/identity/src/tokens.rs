//! Access tokens: `EdDSA`, valid for one hour, without roles.

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use db::Db;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use kernel::{Ambient, HOUR, Millis, PersonId, PublicUrl, SessionId, Signer, Timestamp};
use moka::sync::Cache;
use sea_orm::ConnectionTrait;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::access::Bearer;
use crate::store;

/// The audience of the tokens.
const AUDIENCE: &str = "vitrine";
/// How long a token is valid.
pub const ACCESS_LIFETIME: Millis = HOUR;
/// Tokens longer than this are rejected without parsing.
const TOKEN_MAX: usize = 2048;

/// The claims of a token; all are required, and no others are allowed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    iss: String,
    aud: String,
    sub: PersonId,
    sid: SessionId,
    iat: i64,
    exp: i64,
}

/// Why the token key could not be loaded or created.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The stored key was encrypted with another secret.
    #[error("the stored token key cannot be decrypted: VITRINE_SECRET is not the one it was encrypted with")]
    Sealed,
    /// The cryptography library failed.
    #[error("the token key could not be created or read")]
    Crypto,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] sea_orm::DbErr),
}

/// Signs and verifies access tokens.
pub struct Tokens {
    kid: String,
    issuer: String,
    encoding: EncodingKey,
    decoding: DecodingKey,
    public_key: Vec<u8>,
    /// Tokens whose signature was verified before, by hash. The session is still read on every request.
    verified: Cache<[u8; 32], (Bearer, i64)>,
}

impl Tokens {
    /// Loads the key, or creates it on the first start.
    pub async fn load(
        db: &Db,
        ambient: &Ambient,
        signer: &Signer,
        public: &PublicUrl,
    ) -> Result<Self, KeyError> {
        let seal = seal(signer)?;
        let fresh =
            Ed25519KeyPair::generate().and_then(|pair| pair.to_pkcs8v1()).map_err(|_| KeyError::Crypto)?;
        let sealed = encrypt(&seal, fresh.as_ref())?;
        // Two servers that start at the same time end up with the same key: the first one written counts.
        let tx = db.write_tx().await?;
        let (kid, stored) =
            store::token_key::first_or_insert(&tx, ambient.uid(), &sealed, ambient.now()).await?;
        tx.commit().await?;
        let pkcs8 = decrypt(&seal, &stored)?;
        let pair = Ed25519KeyPair::from_pkcs8(&pkcs8).map_err(|_| KeyError::Crypto)?;
        let public_key = pair.public_key().as_ref().to_vec();
        Ok(Self {
            kid: kid.to_string(),
            issuer: public.origin(),
            encoding: EncodingKey::from_ed_der(&pkcs8),
            decoding: DecodingKey::from_ed_der(&public_key),
            public_key,
            verified: Cache::new(100_000),
        })
    }

    /// Returns a token for a session.
    pub fn sign(
        &self,
        person: PersonId,
        session: SessionId,
        now: Timestamp,
    ) -> jsonwebtoken::errors::Result<String> {
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: AUDIENCE.to_owned(),
            sub: person,
            sid: session,
            iat: now.seconds(),
            exp: (now + ACCESS_LIFETIME).seconds(),
        };
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(self.kid.clone());
        jsonwebtoken::encode(&header, &claims, &self.encoding)
    }

    /// Returns the person and session of a token, or `None` if the token is invalid or has expired.
    pub fn verify(&self, token: &str, now: Timestamp) -> Option<Bearer> {
        if token.len() > TOKEN_MAX {
            return None;
        }
        let hash: [u8; 32] = Sha256::digest(token).into();
        let (bearer, expires) = if let Some(verified) = self.verified.get(&hash) {
            verified
        } else {
            let checked = self.check(token)?;
            self.verified.insert(hash, checked);
            checked
        };
        (now.seconds() < expires).then_some(bearer)
    }

    fn check(&self, token: &str) -> Option<(Bearer, i64)> {
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_audience(&[AUDIENCE]);
        rules.set_issuer(&[&self.issuer]);
        // The caller checks the expiry on every use, with the injected clock.
        rules.validate_exp = false;
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let claims = jsonwebtoken::decode::<Claims>(token, &self.decoding, &rules).ok()?.claims;
        Some((Bearer { person: claims.sub, session: claims.sid }, claims.exp))
    }

    /// Returns the public key as a JSON Web Key.
    pub fn public_jwk(&self) -> serde_json::Value {
        serde_json::json!({
            "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA",
            "kid": self.kid, "x": URL_SAFE_NO_PAD.encode(&self.public_key),
        })
    }
}

/// Fails with [`KeyError::Sealed`] if the stored key was encrypted with another secret.
pub async fn check_secret(conn: &impl ConnectionTrait, signer: &Signer) -> Result<(), KeyError> {
    match store::token_key::first(conn).await? {
        Some(sealed) => decrypt(&seal(signer)?, &sealed).map(drop),
        None => Ok(()),
    }
}

/// Returns the key that encrypts the stored key.
fn seal(signer: &Signer) -> Result<RandomizedNonceKey, KeyError> {
    RandomizedNonceKey::new(&AES_256_GCM, &signer.derive("token-key-seal")).map_err(|_| KeyError::Crypto)
}

/// Encrypts `plain`. Returns the nonce followed by the ciphertext.
fn encrypt(key: &RandomizedNonceKey, plain: &[u8]) -> Result<Vec<u8>, KeyError> {
    let mut bytes = plain.to_vec();
    let nonce = key.seal_in_place_append_tag(Aad::empty(), &mut bytes).map_err(|_| KeyError::Crypto)?;
    Ok([&nonce.as_ref()[..], &bytes].concat())
}

fn decrypt(key: &RandomizedNonceKey, stored: &[u8]) -> Result<Vec<u8>, KeyError> {
    let (nonce, cipher) = stored.split_first_chunk::<NONCE_LEN>().ok_or(KeyError::Sealed)?;
    let mut bytes = cipher.to_vec();
    let plain = key
        .open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::empty(), &mut bytes)
        .map_err(|_| KeyError::Sealed)?;
    Ok(plain.to_vec())
}
