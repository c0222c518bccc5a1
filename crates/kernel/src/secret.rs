//! Settings that must not be printed.

use serde::{Deserialize, Serialize, Serializer};

/// A secret string, shown as asterisks wherever it is printed or serialized.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps a string.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the secret itself: only for the code that uses it, never for a log.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns whether the setting is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn masked(&self) -> &'static str {
        if self.0.is_empty() { "" } else { "********" }
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.masked())
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.masked())
    }
}
