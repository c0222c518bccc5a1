//! Signed tokens: a valid token contains what this server wrote into it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

const MAC_BYTES: usize = 32;
/// Longer tokens are rejected unread.
const TOKEN_MAX: usize = 4096;

/// Signs and verifies tokens with a separate key for each purpose, so a token for one purpose is never valid
/// for another. The holder can read the payload but not change it.
#[derive(Clone)]
pub struct Signer {
    root: Hkdf<Sha256>,
}

impl Signer {
    /// Creates a signer whose keys are all derived from the server's secret.
    pub fn new(secret: &[u8; 32]) -> Self {
        Self { root: Hkdf::new(None, secret) }
    }

    /// Derives the key of one purpose, for code that does its own cryptography.
    #[expect(clippy::expect_used, reason = "HKDF fails only for more than 255 blocks of output; this is one")]
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut key = [0; 32];
        self.root
            .expand_multi_info(&[b"vitrine/", purpose.as_bytes()], &mut key)
            .expect("one block of output is never too long");
        key
    }

    /// Returns a token that carries `payload`, in characters that need no escaping in a URL.
    pub fn sign(&self, purpose: &str, payload: &[u8]) -> String {
        let mac = self.mac(purpose, payload).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode([payload, &mac[..]].concat())
    }

    /// Returns the payload of a token made by [`Self::sign`] for the same purpose, or `None` for any other
    /// text.
    pub fn verify(&self, purpose: &str, token: &str) -> Option<Vec<u8>> {
        if token.len() > TOKEN_MAX {
            return None;
        }
        let mut bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let mac = bytes.split_off(bytes.len().checked_sub(MAC_BYTES)?);
        // Compares in constant time.
        self.mac(purpose, &bytes).verify_slice(&mac).ok()?;
        Some(bytes)
    }

    /// Returns a digest of `payload` that cannot be computed without the server's secret.
    pub fn digest(&self, purpose: &str, payload: &[u8]) -> [u8; 32] {
        self.mac(purpose, payload).finalize().into_bytes().into()
    }

    /// Returns whether `digest` is that of `payload` for the same purpose, compared in constant time.
    pub fn matches(&self, purpose: &str, payload: &[u8], digest: &[u8]) -> bool {
        self.mac(purpose, payload).verify_slice(digest).is_ok()
    }

    fn mac(&self, purpose: &str, payload: &[u8]) -> Hmac<Sha256> {
        // HMAC pads a short key with zeros to the block size of its hash.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.derive(purpose));
        Hmac::<Sha256>::new(&block.into()).chain_update(payload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_holds_for_its_purpose_and_secret_only() {
        let signer = Signer::new(&[7; 32]);
        let token = signer.sign("playback", b"one");
        assert_eq!(signer.verify("playback", &token).as_deref(), Some(&b"one"[..]));
        assert_eq!(signer.verify("ingest", &token), None);
        assert_eq!(Signer::new(&[8; 32]).verify("playback", &token), None);
    }

    #[test]
    fn a_digest_matches_its_payload_and_purpose_only() {
        let signer = Signer::new(&[7; 32]);
        let digest = signer.digest("digits", b"123456");
        assert!(signer.matches("digits", b"123456", &digest));
        assert!(!signer.matches("digits", b"123457", &digest));
        assert!(!signer.matches("other", b"123456", &digest));
        assert!(!Signer::new(&[8; 32]).matches("digits", b"123456", &digest));
        assert!(!signer.matches("digits", b"123456", b""));
    }

    #[test]
    fn every_changed_character_is_detected() {
        let signer = Signer::new(&[7; 32]);
        let token = signer.sign("playback", b"content 1");
        for at in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            assert!(changed == token || signer.verify("playback", &changed).is_none(), "{at}");
        }
        for other in ["", "AAAA", "not base64!", &"A".repeat(5000)] {
            assert_eq!(signer.verify("playback", other), None);
        }
    }
}
