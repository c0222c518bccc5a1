//! The `Upload-Metadata` header: comma-separated pairs of a key and a base64 value.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue};

use super::UPLOAD_METADATA;
use crate::tus_error::TusError;

/// Key of the ingest address.
const INGEST: &str = "ingest";
/// Maximum characters of the header.
const MAX: usize = 4_096;

/// The parsed header.
#[derive(Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The signed token: the last segment of the ingest address.
    pub token: String,
    /// The other pairs, as they were sent. The server does not use them.
    pub others: String,
}

impl Metadata {
    /// Parses the header.
    pub fn read(headers: &HeaderMap) -> Result<Self, TusError> {
        let mut all = headers.get_all(UPLOAD_METADATA).iter();
        let (Some(value), None) = (all.next(), all.next()) else { return Err(TusError::Metadata) };
        let text = value.to_str().ok().filter(|text| text.len() <= MAX).ok_or(TusError::Metadata)?;
        let (mut ingest, mut keys, mut others) = (None, Vec::new(), Vec::new());
        for pair in text.split(',').map(str::trim) {
            let (key, value) = pair.split_once(' ').unwrap_or((pair, ""));
            let bytes = STANDARD.decode(value).map_err(|_| TusError::Metadata)?;
            if key.is_empty() || !key.bytes().all(|b| b.is_ascii_graphic()) || keys.contains(&key) {
                return Err(TusError::Metadata);
            }
            keys.push(key);
            match key {
                INGEST => ingest = Some(bytes),
                _ => others.push(pair),
            }
        }
        let address = ingest.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or(TusError::Metadata)?;
        let token = address.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(Self { token, others: others.join(",") })
    }

    /// Formats the header as it was sent, apart from the order. The ingest address is a secret and is not
    /// stored, so it is created again.
    pub fn header(ingest: &str, others: &str) -> Option<HeaderValue> {
        let mine = format!("{INGEST} {}", STANDARD.encode(ingest));
        let text = if others.is_empty() { mine } else { format!("{mine},{others}") };
        HeaderValue::from_str(&text).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Metadata, TusError> {
        Metadata::read(&HeaderMap::from_iter([(UPLOAD_METADATA, HeaderValue::from_str(text).unwrap())]))
    }

    #[test]
    fn the_address_is_found_among_other_metadata_and_created_again() {
        let ingest = STANDARD.encode("https://v.example/v1/ingest/abc");
        for text in [format!("ingest {ingest}"), format!("filename Zm9v, ingest {ingest},is_confidential")] {
            let found = read(&text).unwrap();
            assert_eq!(found.token, "abc");
            let again = Metadata::header("https://v.example/v1/ingest/abc", &found.others).unwrap();
            assert_eq!(read(again.to_str().unwrap()).unwrap(), found);
        }
        assert_eq!(read(&format!("a Zm9v,ingest {ingest},b")).unwrap().others, "a Zm9v,b");
    }

    #[test]
    fn hostile_metadata_is_refused() {
        let ingest = STANDARD.encode("abc");
        for bad in [
            "",
            "ingest",
            "ingest abc",
            "ingest /w==",
            "Ingest YWJj",
            &format!("ingest {ingest},ingest {ingest}"),
            &format!("ingest {ingest},"),
            &format!("ingest {ingest},a b c"),
            &format!("ingest {ingest},a\tb YQ=="),
            &format!("ingest {ingest},a {}", "A".repeat(MAX)),
        ] {
            let found = read(bad);
            assert!(
                found.is_err() || found.as_ref().is_ok_and(|found| found.token.is_empty()),
                "{bad} {found:?}"
            );
        }
        let twice = [("upload-metadata", "ingest YWJj"), ("upload-metadata", "ingest YWJj")];
        let mut headers = HeaderMap::new();
        for (_, value) in twice {
            headers.append(UPLOAD_METADATA, HeaderValue::from_static(value));
        }
        assert!(Metadata::read(&headers).is_err() && Metadata::read(&HeaderMap::new()).is_err());
    }
}
