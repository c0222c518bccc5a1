//! Webhooks of the payment provider: the Stripe-Signature header and the body. A corpus file has the header
//! in its first line and the body in the rest, without the line end of the file.

use std::sync::{Arc, LazyLock};

use fuzz::{bounded, check, check_bytes};
use kernel::{Ambient, Clock, SECOND, Secret, SystemRandom, Timestamp};
use payments::signature::{SignatureError, TOLERANCE, sign, verify};
use payments::{Access, Event, EventKind, Provider, WebhookError};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::line;

/// The secret and the time of the corpus.
const SECRET: &str = "whsec_corpus";
const NOW: Timestamp = Timestamp::from_ms(1_795_157_640_000);

const TOKENS: &[&[u8]] = &[
    b"t=1795157640",
    b"t=1795157339",
    b"t=",
    b"t=-9223372036854775808",
    b"v1=",
    b"v0=",
    b",",
    b"\n",
    b"0000000000000000000000000000000000000000000000000000000000000000",
    b"{\"id\":\"evt_1\",\"type\":\"invoice.paid\",\"created\":1,\"data\":{\"object\":{}}}",
    b"\"created\":9223372036854775807",
    b"\"type\":\"customer.subscription.deleted\"",
    b"\"type\":\"checkout.session.expired\"",
    b"null",
    b"[]",
    b"{}",
    b"\\u0000",
    b"\\ud800",
];

struct FixedClock;

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        NOW
    }
}

static PROVIDER: LazyLock<Provider> = LazyLock::new(|| {
    let access = Access {
        base: "http://127.0.0.1:9".to_owned(),
        secret_key: Secret::new("sk_test_unused"),
        webhook_secret: Secret::new(SECRET),
    };
    Provider::new(access, Ambient::new(Arc::new(FixedClock), Arc::new(SystemRandom))).unwrap()
});

#[test]
fn any_header_and_body_are_accepted_only_with_the_right_signature() {
    // Created before any cost is measured.
    LazyLock::force(&PROVIDER);
    check_bytes("webhooks", TOKENS, |bytes| {
        let mut parts = line(bytes).splitn(2, |byte| *byte == b'\n');
        let (header, body) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if let Ok(header) = std::str::from_utf8(header) {
            let outcome = bounded(bytes.len(), || verify(SECRET, header, body, NOW));
            check_outcome(header, body, outcome);
        }
        let signed = sign(SECRET, NOW, body);
        match bounded(bytes.len(), || PROVIDER.verify_webhook(Some(&signed), body)) {
            Ok(event) => check_event(&event),
            Err(WebhookError::Unreadable) => {}
            Err(WebhookError::Signature(error)) => panic!("a right signature is refused: {error}"),
        }
    });
}

fn check_outcome(header: &str, body: &[u8], outcome: Result<(), SignatureError>) {
    let time = header.split(',').find_map(|part| part.trim().strip_prefix("t=")?.parse::<i64>().ok());
    let time = time.filter(|time| time.checked_mul(SECOND).is_some());
    let contains_right = time.is_some_and(|time| {
        let right = sign(SECRET, Timestamp::from_seconds(time), body);
        header.to_ascii_lowercase().contains(right.split_once(",v1=").unwrap().1)
    });
    match outcome {
        Ok(()) => {
            assert!(contains_right, "accepted without a signature of the body");
            assert!((NOW - Timestamp::from_seconds(time.unwrap())).abs() <= TOLERANCE);
            assert_eq!(verify("whsec_other", header, body, NOW), Err(SignatureError::Mismatch));
        }
        Err(SignatureError::Stale) => {
            assert!(
                time.is_none_or(|time| (NOW - Timestamp::from_seconds(time)).saturating_abs() > TOLERANCE)
            );
        }
        Err(SignatureError::Malformed | SignatureError::Mismatch) => {}
    }
}

fn check_event(event: &Event) {
    assert!((1..=255).contains(&event.id.len()) && event.name.len() <= 255);
    let prefixes = [
        ("checkout.session.", EventKind::Checkout),
        ("customer.subscription.", EventKind::Subscription),
        ("invoice.", EventKind::Invoice),
    ];
    let kind = prefixes.iter().find(|(prefix, _)| event.name.starts_with(prefix));
    assert_eq!(event.kind, kind.map_or(EventKind::Other, |(_, kind)| *kind));
    assert!(event.checkout.is_none() || event.kind == EventKind::Checkout);
    assert!(event.subscription.is_none() || event.kind != EventKind::Other);
}

#[test]
fn a_right_signature_is_accepted_exactly_within_the_tolerance() {
    let age = prop_oneof![
        -2 * TOLERANCE..2 * TOLERANCE,
        TOLERANCE - 2 * SECOND..TOLERANCE + 2 * SECOND,
        -TOLERANCE - 2 * SECOND..-TOLERANCE + 2 * SECOND,
    ];
    check("webhooks: age", ("[ -~]{1,100}", vec(any::<u8>(), 0..200), age), |(secret, body, age)| {
        let header = sign(secret, NOW - *age, body);
        // Headers have whole seconds.
        let signed = Timestamp::from_seconds((NOW - *age).seconds());
        let expected =
            if (NOW - signed).abs() < TOLERANCE + SECOND { Ok(()) } else { Err(SignatureError::Stale) };
        assert_eq!(verify(secret, &header, body, NOW), expected);
    });
}

#[test]
fn a_signature_by_another_secret_or_of_another_body_is_refused() {
    // No NUL, because HMAC pads short keys with it.
    let secrets = ("[ -~]{1,100}", "[ -~]{1,100}").prop_filter("different", |(ours, other)| ours != other);
    let values = (secrets, vec(any::<u8>(), 1..200), any::<prop::sample::Index>(), 0_u32..8, 1_i64..1_000);
    check("webhooks: forgeries", values, |((ours, other), body, at, bit, later)| {
        let refused = Err(SignatureError::Mismatch);
        let header = sign(ours, NOW, body);
        assert_eq!(verify(other, &header, body, NOW), refused);
        let mut changed = body.clone();
        changed[at.index(body.len())] ^= 1 << bit;
        assert_eq!(verify(ours, &header, &changed, NOW), refused);
        let (time, signature) = header.split_once(',').unwrap();
        let seconds: i64 = time[2..].parse().unwrap();
        assert_eq!(verify(ours, &format!("t={},{signature}", seconds + later), body, NOW), refused);
    });
}

#[test]
fn signatures_of_other_secrets_and_schemes_do_not_hide_the_right_one() {
    let others = vec(("(v0|v1|v2|x)", "([0-9a-f]{64}|[ -+.-~]{0,20})"), 0..7);
    check("webhooks: several signatures", (others, any::<prop::sample::Index>()), |(others, at)| {
        let right = sign(SECRET, NOW, b"{}");
        let (time, own) = right.split_once(',').unwrap();
        let mut parts: Vec<String> = others.iter().map(|(scheme, text)| format!("{scheme}={text}")).collect();
        assert_ne!(verify(SECRET, &format!("{time},{}", parts.join(",")), b"{}", NOW), Ok(()));
        parts.insert(at.index(parts.len() + 1), own.to_owned());
        parts.insert(at.index(parts.len() + 1), time.to_owned());
        assert_eq!(verify(SECRET, &parts.join(","), b"{}", NOW), Ok(()));
    });
}
