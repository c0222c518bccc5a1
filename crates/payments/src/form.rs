//! Form bodies in Stripe's format: percent-encoded, with nested names in brackets.

use sha2::{Digest as _, Sha256};

/// A form body under construction.
#[derive(Default)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Adds a field. `name` is spelled as in Stripe's documentation: `line_items[0][price]`.
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.0.push((name.to_owned(), value.into()));
        self
    }

    /// Adds a field that has a value. An empty one is left out too: Stripe would read it as "clear this field".
    pub(crate) fn with_some(self, name: &str, value: Option<&str>) -> Self {
        match value.filter(|value| !value.is_empty()) {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Returns a short text that differs for different bodies.
    pub(crate) fn digest(&self) -> String {
        hex::encode(&Sha256::digest(self.encode())[..8])
    }

    /// Returns the encoded body.
    pub(crate) fn encode(&self) -> String {
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn nested_names_and_odd_values_survive_the_encoding() {
        let form = Form::default()
            .with("mode", "subscription")
            .with("line_items[0][price]", "price_1")
            .with("metadata[name]", "Zoë & Söhne = 100 %")
            .with_some("customer_email", Some(""))
            .with_some("customer_name", None);
        let body = form.encode();
        assert!(body.starts_with("mode=subscription&line_items%5B0%5D%5Bprice%5D=price_1&"), "{body}");
        let back: Vec<_> = url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
        assert_eq!(back, form.0);
        assert_eq!(back.len(), 3);
    }
}
