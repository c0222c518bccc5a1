//! PATCH fields that distinguish absent, null and a value.

use serde::{Deserialize, Deserializer};

/// One field of a PATCH body. Use it with `#[serde(default)]` and `#[schema(value_type = Option<..>)]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// The field was not sent: keep the stored value.
    #[default]
    Absent,
    /// The field was sent as null: clear the stored value.
    Null,
    /// The field was sent with a value.
    Value(T),
}

impl<T> Patch<T> {
    /// Returns the value, if one was sent.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Returns whether the field was sent, as null or with a value.
    pub fn is_sent(&self) -> bool {
        !matches!(self, Self::Absent)
    }

    /// Returns the sent value, or `empty` for null: for text fields, where null means empty.
    pub fn or_null(self, empty: T) -> Option<T> {
        match self {
            Self::Absent => None,
            Self::Null => Some(empty),
            Self::Value(value) => Some(value),
        }
    }

    /// Parses the value, if any; absent and null stay as they are.
    ///
    /// # Errors
    /// Fails with the error of `parse`.
    pub fn try_map<U, E>(self, parse: impl FnOnce(T) -> Result<U, E>) -> Result<Patch<U>, E> {
        Ok(match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(parse(value)?),
        })
    }
}

impl Patch<String> {
    /// Treats an empty text like null: it clears the stored one.
    #[must_use]
    pub fn null_if_empty(self) -> Self {
        match self {
            Self::Value(text) if text.is_empty() => Self::Null,
            other => other,
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<T>::deserialize(deserializer)?.map_or(Self::Null, Self::Value))
    }
}

#[cfg(test)]
mod tests {
    use super::Patch;

    #[derive(serde::Deserialize)]
    struct Body {
        #[serde(default)]
        title: Patch<String>,
    }

    #[test]
    fn absent_null_and_value_are_distinguished() {
        let parse = |text| serde_json::from_str::<Body>(text).unwrap().title;
        assert_eq!(parse("{}"), Patch::Absent);
        assert_eq!(parse(r#"{"title":null}"#), Patch::Null);
        assert_eq!(parse(r#"{"title":"a"}"#), Patch::Value("a".into()));
    }
}
