//! A setting that must not be printed.

use serde::{Deserialize, Serialize, Serializer};

/// A secret text: shows as stars wherever it is printed or serialised.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself. For the one place that needs it; never for a log.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether nothing was set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn stars(&self) -> &'static str {
        if self.0.is_empty() { "" } else { "********" }
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.stars())
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.stars())
    }
}
