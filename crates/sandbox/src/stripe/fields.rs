//! Form bodies and queries in Stripe's format, with brackets in names.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// The fields of a call, in the order sent.
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Parses a form body or query string.
    pub(crate) fn parse(encoded: &[u8]) -> Self {
        Self(url::form_urlencoded::parse(encoded).into_owned().collect())
    }

    /// Returns a field's value. An empty one counts as absent.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.iter().find(|(sent, _)| sent == name)?.1.as_str();
        (!value.is_empty()).then_some(value)
    }

    /// Returns a field's value, also an empty one, which unsets.
    pub(crate) fn sent(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(sent, _)| sent == name).map(|(_, value)| value.as_str())
    }

    /// Returns the values of an array: `name[]` or `name[0]`.
    pub(crate) fn indexed<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let is_element = move |sent: &str| {
            let index = sent.strip_prefix(name).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
            index.is_some_and(|index| index.chars().all(|c| c.is_ascii_digit()))
        };
        self.0.iter().filter(move |(sent, _)| is_element(sent)).map(|(_, value)| value.as_str())
    }

    /// Returns whether there is a field with this prefix.
    pub(crate) fn has(&self, prefix: &str) -> bool {
        self.0.iter().any(|(sent, _)| sent.starts_with(prefix))
    }

    /// Returns the names that were sent more than once.
    pub(crate) fn repeated(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        self.0.iter().map(|(name, _)| name.as_str()).filter(|name| !seen.insert(*name)).collect()
    }

    /// Returns the length of the longest name or value, in bytes.
    pub(crate) fn longest(&self) -> usize {
        self.0.iter().map(|(name, value)| name.len().max(value.len())).max().unwrap_or_default()
    }

    /// Collects all `prefix[key]` fields into an object, as for metadata.
    pub(crate) fn map(&self, prefix: &str) -> Value {
        let map: Map<String, Value> = self
            .0
            .iter()
            .filter_map(|(name, value)| {
                let key = name.strip_prefix(prefix)?.strip_prefix('[')?.strip_suffix(']')?;
                Some((key.to_owned(), Value::String(value.clone())))
            })
            .collect();
        Value::Object(map)
    }
}

#[cfg(test)]
mod tests {
    use super::Fields;

    #[test]
    fn brackets_become_maps() {
        let fields = Fields::parse(b"a=1&metadata%5Bx%5D=Zo%C3%AB&metadata[y]=2&data[metadata][z]=3&b=");
        assert_eq!(fields.map("metadata"), serde_json::json!({"x": "Zoë", "y": "2"}));
        assert_eq!(fields.map("data[metadata]"), serde_json::json!({"z": "3"}));
        assert_eq!((fields.get("a"), fields.get("b")), (Some("1"), None));
        assert_eq!((fields.sent("b"), fields.sent("c")), (Some(""), None));
        let list = Fields::parse(b"key[]=1&key[1]=2&key[x]=3&keys[]=4");
        assert_eq!(list.indexed("key").collect::<Vec<_>>(), ["1", "2"]);
        assert!(list.has("key[x") && !list.has("x"));
    }

    #[test]
    fn repeated_and_long_fields_are_detected() {
        let fields = Fields::parse(b"a=1&b=%C3%AB&a=&c=123&c=4&a=5");
        assert_eq!(fields.repeated(), ["a", "c", "a"]);
        assert_eq!((fields.longest(), Fields::parse(b"").longest()), (3, 0));
    }
}
