//! What `vitrine --version` prints: version, release tag, commit, and the number of schema steps.

use std::sync::LazyLock;

use crate::{compose, public};

/// The text after the program's name.
pub static TEXT: LazyLock<String> = LazyLock::new(|| {
    let known = |text: &'static str| if text.is_empty() { "unknown" } else { text };
    let tag = if env!("BUILD_TAG").is_empty() { "none" } else { env!("BUILD_TAG") };
    let (commit, schema) = (known(env!("BUILD_COMMIT")), compose::migrations().len());
    format!("{}\ntag {tag}\ncommit {commit}\nschema {schema}", public::VERSION)
});
