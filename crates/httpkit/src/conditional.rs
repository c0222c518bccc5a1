//! Conditional requests.

use headers::{HeaderMapExt as _, IfNoneMatch};
use http::HeaderMap;

/// Returns whether If-None-Match names this entity tag, so that the response is 304.
pub fn is_not_modified(headers: &HeaderMap, etag: &str) -> bool {
    let known = headers.typed_get::<IfNoneMatch>().zip(etag.parse().ok());
    known.is_some_and(|(tags, etag)| !tags.precondition_passes(&etag))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::IF_NONE_MATCH;

    use super::*;

    fn known(value: &'static str, etag: &str) -> bool {
        is_not_modified(&HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(value))]), etag)
    }

    #[test]
    fn conditions_are_read_as_the_standard_says() {
        assert!(known("\"a\", W/\"b\"", "\"b\""));
        assert!(known("*", "\"b\""));
        assert!(!known("\"a\"", "\"b\""));
    }

    #[test]
    fn a_condition_that_cannot_be_read_is_not_met() {
        for odd in ["a", "\"a b\"", "\"a", "\"b, \"a\", c\"", ""] {
            assert!(!known(odd, "\"a\""), "{odd}");
        }
    }
}
