//! PATCH fields that tell absent from null from value.

use serde::{Deserialize, Deserializer};

/// One field of a PATCH body. Use with `#[serde(default)]` and `#[schema(value_type = Option<..>)]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// The field was not sent: leave the stored value.
    #[default]
    Absent,
    /// The field was sent as null: clear the stored value.
    Null,
    /// The field was sent with a value.
    Value(T),
}

impl<T> Patch<T> {
    /// The value, when one was sent.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Whether the field was sent at all.
    pub fn is_sent(&self) -> bool {
        !matches!(self, Self::Absent)
    }

    /// Null as the given value: for text fields, where null means empty.
    pub fn or_null(self, empty: T) -> Option<T> {
        match self {
            Self::Absent => None,
            Self::Null => Some(empty),
            Self::Value(value) => Some(value),
        }
    }

    /// Parses a sent value, keeping absent and null.
    ///
    /// # Errors
    /// What `parse` says of the value.
    pub fn try_map<U, E>(self, parse: impl FnOnce(T) -> Result<U, E>) -> Result<Patch<U>, E> {
        Ok(match self {
            Self::Absent => Patch::Absent,
            Self::Null => Patch::Null,
            Self::Value(value) => Patch::Value(parse(value)?),
        })
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
    fn absent_null_and_value_are_three_things() {
        let parse = |text| serde_json::from_str::<Body>(text).unwrap().title;
        assert_eq!(parse("{}"), Patch::Absent);
        assert_eq!(parse(r#"{"title":null}"#), Patch::Null);
        assert_eq!(parse(r#"{"title":"a"}"#), Patch::Value("a".into()));
    }
}
