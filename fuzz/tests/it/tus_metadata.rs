//! The Upload-Metadata header of resumable uploads.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use content::fuzzing::{Metadata, TusError};
use fuzz::{bounded, check, check_bytes};
use http::{HeaderMap, HeaderName, HeaderValue};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use crate::line;

const NAME: HeaderName = HeaderName::from_static("upload-metadata");

const TOKENS: &[&[u8]] = &[
    b"ingest ",
    b"ingest",
    b"Ingest ",
    b"ingest aHR0cHM6Ly92LmV4YW1wbGUvdjEvaW5nZXN0L2FiYw==",
    b"filename Zm9vLm1wNA==",
    b"is_confidential",
    b",",
    b", ",
    b" ",
    b"\t",
    b"=",
    b"==",
    b"/w==",
    b"YQ==",
    b"YR==",
    b"Lw==",
    b"\xff",
];

fn read(value: HeaderValue) -> Result<Metadata, TusError> {
    Metadata::read(&HeaderMap::from_iter([(NAME, value)]))
}

#[test]
fn any_header_is_refused_or_can_be_written_and_read_again() {
    check_bytes("tus_metadata", TOKENS, |bytes| {
        let Ok(value) = HeaderValue::from_bytes(line(bytes)) else { return };
        let found = match bounded(bytes.len(), || read(value.clone())) {
            Ok(found) => found,
            Err(error) => return assert_eq!(error, TusError::Metadata),
        };
        assert!(!found.token.contains('/'));
        assert!(found.token.len() + found.others.len() <= bytes.len());
        let pairs = found.others.split(',').filter(|pair| !pair.is_empty());
        for (key, text) in pairs.map(|pair| pair.split_once(' ').unwrap_or((pair, ""))) {
            assert!(key != "ingest" && key.bytes().all(|byte| byte.is_ascii_graphic()), "{key}");
            assert!(STANDARD.decode(text).is_ok(), "{text}");
        }
        let again = Metadata::header(&found.token, &found.others).unwrap();
        assert_eq!(read(again).unwrap(), found);
        let mut twice = HeaderMap::from_iter([(NAME, value.clone())]);
        twice.append(NAME, value);
        assert_eq!(Metadata::read(&twice), Err(TusError::Metadata));
    });
}

#[test]
fn the_address_is_found_among_other_pairs() {
    let values = (
        "[!-+0-~äß€]{0,40}",
        btree_map("[!-+\\--~]{1,12}", proptest::option::of(vec(any::<u8>(), 0..30)), 0..8),
        any::<prop::sample::Index>(),
        "[ \t]{0,2},[ \t]{0,2}",
    );
    check("tus_metadata: pairs", values, |(token, others, at, comma)| {
        let pair = |(key, value): (&String, &Option<Vec<u8>>)| match value {
            Some(value) if !value.is_empty() => format!("{key} {}", STANDARD.encode(value)),
            _ => key.clone(),
        };
        let others: Vec<String> = others.iter().filter(|(key, _)| *key != "ingest").map(pair).collect();
        let address = format!("https://v.example/v1/ingest/{token}");
        let mut all = others.clone();
        all.insert(at.index(others.len() + 1), format!("ingest {}", STANDARD.encode(&address)));
        let expected = Metadata { token: token.clone(), others: others.join(",") };
        assert_eq!(read(HeaderValue::from_str(&all.join(comma)).unwrap()).unwrap(), expected);
        let written = Metadata::header(&address, &expected.others).unwrap();
        assert_eq!(read(written).unwrap(), expected);
        // Neither without the address, nor with a key twice.
        assert_eq!(read(HeaderValue::from_str(&others.join(",")).unwrap()), Err(TusError::Metadata));
        all.push(all[0].clone());
        assert_eq!(read(HeaderValue::from_str(&all.join(",")).unwrap()), Err(TusError::Metadata));
    });
}
