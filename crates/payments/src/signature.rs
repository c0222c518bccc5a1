//! The signature of a webhook: `Stripe-Signature: t=<seconds>,v1=<hmac-sha256 of "t.body">`.

use hmac::{Hmac, KeyInit, Mac};
use kernel::{Millis, SECOND, Timestamp};
use sha2::Sha256;
use subtle::{Choice, ConstantTimeEq as _};

/// How far the signed time may differ from ours, either way.
pub const TOLERANCE: Millis = 5 * kernel::MINUTE;
/// Most v1 signatures in a header. Stripe sends one for each secret in use, two while one is being replaced.
const SIGNATURES_MAX: usize = 8;

/// Why a signature was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The header is missing or not of the form `t=..,v1=..`.
    #[error("the Stripe-Signature header is missing or malformed")]
    Malformed,
    /// No signature in the header was made with our secret over this body.
    #[error("no signature matches")]
    Mismatch,
    /// The signature is valid, but its time is more than five minutes away.
    #[error("the signature's time is more than five minutes away")]
    Stale,
}

/// Returns the header for `body`, signed at `now`. The sandbox's stand-in signs with it.
pub fn sign(secret: &str, now: Timestamp, body: &[u8]) -> String {
    let seconds = now.seconds();
    format!("t={seconds},v1={}", hex::encode(mac(secret, seconds, body).finalize().into_bytes()))
}

/// Verifies a header against the body. The body is hashed once, whatever the header contains, and signatures
/// are compared in constant time. The age is checked only if a signature matches.
pub fn verify(secret: &str, header: &str, body: &[u8], now: Timestamp) -> Result<(), SignatureError> {
    let (seconds, signatures) = parse(header).ok_or(SignatureError::Malformed)?;
    let expected: [u8; 32] = mac(secret, seconds, body).finalize().into_bytes().into();
    // Compares every signature, so that timing does not reveal which one matched.
    let matches = signatures.iter().fold(Choice::from(0), |any, one| any | one.ct_eq(&expected));
    if !bool::from(matches) {
        return Err(SignatureError::Mismatch);
    }
    let age = now - Timestamp::from_seconds(seconds);
    // Signed times are whole seconds, so the fraction of the current second does not count as age.
    if age.saturating_abs() >= TOLERANCE + SECOND {
        return Err(SignatureError::Stale);
    }
    Ok(())
}

/// Returns the signed time in seconds and the well-formed v1 signatures. Returns `None` if either is missing
/// or there are more than [`SIGNATURES_MAX`] signatures.
fn parse(header: &str) -> Option<(i64, Vec<[u8; 32]>)> {
    let mut seconds = None;
    let mut signatures = Vec::new();
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", text)) if seconds.is_none() => seconds = Some(text.parse::<i64>().ok()?),
            Some(("t", _)) => return None,
            Some(("v1", text)) => {
                let mut signature = [0; 32];
                if hex::decode_to_slice(text, &mut signature).is_ok() {
                    if signatures.len() == SIGNATURES_MAX {
                        return None;
                    }
                    signatures.push(signature);
                }
            }
            // Signatures of other schemes are ignored: they prove nothing.
            _ => {}
        }
    }
    (!signatures.is_empty()).then_some((seconds?, signatures))
}

fn mac(secret: &str, seconds: i64, body: &[u8]) -> Hmac<Sha256> {
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any key length");
    mac.update(seconds.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_seconds(1_000);

    #[derive(serde::Deserialize)]
    struct Fixture {
        secret: String,
        payload: String,
        cases: Vec<Case>,
    }

    #[derive(serde::Deserialize)]
    struct Case {
        name: String,
        header: String,
        now: i64,
        accepted: bool,
    }

    fn fixture() -> Fixture {
        serde_json::from_str(include_str!("../tests/fixtures/signatures.json")).unwrap()
    }

    #[test]
    fn verifies_headers_as_stripes_own_sdk_does() {
        let Fixture { secret, payload, cases } = fixture();
        for Case { name, header, now, accepted } in cases {
            let verified = verify(&secret, &header, payload.as_bytes(), Timestamp::from_seconds(now));
            assert_eq!(verified.is_ok(), accepted, "{name}: {verified:?}");
        }
    }

    #[test]
    fn signs_byte_for_byte_as_stripes_own_sdk_does() {
        let Fixture { secret, payload, cases } = fixture();
        assert_eq!(
            sign(&secret, Timestamp::from_seconds(cases[0].now) + 999, payload.as_bytes()),
            cases[0].header
        );
    }

    #[test]
    fn a_changed_body_and_a_time_far_ahead_are_refused() {
        let header = sign("whsec_a", AT, b"{}");
        assert_eq!(verify("whsec_a", &header, b"{}", AT), Ok(()));
        assert_eq!(verify("whsec_a", &header, b"{ }", AT), Err(SignatureError::Mismatch));
        assert_eq!(verify("whsec_a", &header, b"{}", AT - TOLERANCE - SECOND), Err(SignatureError::Stale));
    }

    #[test]
    fn eight_signatures_are_compared_and_nine_refused() {
        let right = sign("whsec_a", AT, b"{}");
        let wrong = format!(",v1={}", "0".repeat(64));
        let (time, own) = right.split_once(',').unwrap();
        let padded = |count: usize| format!("{time}{},{own}", wrong.repeat(count));
        assert_eq!(verify("whsec_a", &padded(7), b"{}", AT), Ok(()));
        assert_eq!(verify("whsec_a", &padded(8), b"{}", AT), Err(SignatureError::Malformed));
        assert_eq!(verify("whsec_a", &padded(5_500), b"{}", AT), Err(SignatureError::Malformed));
    }

    #[test]
    fn malformed_headers_are_refused_without_a_panic() {
        let long = format!("t=1,v1={}", "a".repeat(100_000));
        for odd in
            ["", ",", "t", "t=", "t=x,v1=00", "t=1,t=2,v1=00", "v1=", "t=99999999999999999999,v1=00", &long]
        {
            assert_eq!(verify("s", odd, b"", Timestamp::EPOCH), Err(SignatureError::Malformed), "{odd:.40}");
        }
        let zeros = format!("t={},v1={}", i64::MIN, "0".repeat(64));
        assert_eq!(verify("s", &zeros, b"", Timestamp::MAX), Err(SignatureError::Mismatch));
    }
}
