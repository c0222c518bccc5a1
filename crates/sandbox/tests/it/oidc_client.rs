//! A correct client of the OpenID issuer, in which tests change single steps.

use std::collections::HashMap;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde_json::{Value, json};

use crate::test_app::{PUBLIC, TestApp};

/// A verifier of 43 characters, the minimum.
pub(crate) const VERIFIER: &str = "abcdefghijklmnopqrstuvwxyz0123456789-._~ABC";

/// Named fields of a query or form.
pub(crate) type Fields = Vec<(&'static str, String)>;

/// The client's view of one provider.
#[derive(Clone, Copy)]
pub(crate) struct Client<'a> {
    pub(crate) app: &'a TestApp,
    provider: &'static str,
}

impl<'a> Client<'a> {
    pub(crate) fn google(app: &'a TestApp) -> Self {
        Self { app, provider: "google" }
    }

    pub(crate) fn apple(app: &'a TestApp) -> Self {
        Self { app, provider: "apple" }
    }

    pub(crate) fn issuer(&self) -> String {
        format!("{PUBLIC}/sandbox/oidc/{}", self.provider)
    }

    pub(crate) fn callback(&self) -> String {
        format!("{PUBLIC}/v1/auth/oidc/{}/callback", self.provider)
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/sandbox/oidc/{}/{rest}", self.provider)
    }

    /// Returns a valid request.
    pub(crate) fn request(&self) -> Fields {
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, VERIFIER.as_bytes()));
        let apple = self.provider == "apple";
        let scope = if apple { "openid name email" } else { "openid email profile" };
        let mut request: Fields = [
            ("client_id", format!("vitrine.{}", self.provider)),
            ("redirect_uri", self.callback()),
            ("response_type", "code".into()),
            ("scope", scope.into()),
            ("state", "the state".into()),
            ("nonce", "the nonce".into()),
            ("code_challenge", challenge),
            ("code_challenge_method", "S256".into()),
        ]
        .into();
        if apple {
            request.push(("response_mode", "form_post".into()));
        }
        request
    }

    /// Returns where the browser is sent for this request.
    pub(crate) fn page(&self, request: &Fields) -> String {
        self.path(&format!("authorize?{}", encoded(request)))
    }

    /// Submits the sign-in page. Returns the fields that reach the return address.
    pub(crate) async fn answer(&self, request: &Fields, form: &Fields) -> HashMap<String, String> {
        let (status, text) = self.app.form(&self.page(request), &encoded(form)).await;
        let target = self.callback();
        if let Some(query) = text.strip_prefix(&format!("{target}?")) {
            assert_eq!(status, 302);
            return url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        }
        assert_eq!(status, 200, "{text}");
        let action = format!(r#"method="post" action="{}""#, target.replace('/', "&#x2f;"));
        assert!(text.contains(&action), "{text}");
        hidden(&text)
    }

    /// Signs a person in and returns the code.
    pub(crate) async fn code(&self) -> String {
        self.answer(&self.request(), &person("Ada King Lovelace", "ada@example.com")).await["code"].clone()
    }

    /// Returns a valid token call.
    pub(crate) fn call(&self, code: &str) -> Fields {
        let secret = if self.provider == "apple" {
            self.secret(&self.secret_claims(), &Header { kid: Some("KEY1234567".into()), ..es256() })
        } else {
            "s&cret+of:google".to_owned()
        };
        [
            ("grant_type", "authorization_code".to_owned()),
            ("code", code.to_owned()),
            ("redirect_uri", self.callback()),
            ("code_verifier", VERIFIER.to_owned()),
            ("client_id", format!("vitrine.{}", self.provider)),
            ("client_secret", secret),
        ]
        .into()
    }

    /// Returns the claims of Apple's client secret.
    pub(crate) fn secret_claims(&self) -> Value {
        let now = self.app.ambient.now().seconds();
        json!({
            "iss": "TEAM123456", "sub": "vitrine.apple", "aud": self.issuer(), "iat": now, "exp": now + 300,
        })
    }

    /// Returns Apple's client secret, signed with the client's key.
    pub(crate) fn secret(&self, claims: &Value, header: &Header) -> String {
        let key = self.app.apple_key.to_pkcs8v1().unwrap();
        jsonwebtoken::encode(header, claims, &EncodingKey::from_ec_der(key.as_ref())).unwrap()
    }

    /// Makes a token call. Returns status and answer.
    pub(crate) async fn token(&self, call: &Fields) -> (u16, Value) {
        let (status, text) = self.app.form(&self.path("token"), &encoded(call)).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Makes a token call. Returns status and error code.
    pub(crate) async fn refusal(&self, call: &Fields) -> (u16, String) {
        let (status, answer) = self.token(call).await;
        (status, answer["error"].as_str().unwrap_or_default().to_owned())
    }

    /// Exchanges the code and verifies the ID token with a library. Returns its claims.
    pub(crate) async fn claims(&self, code: &str) -> Value {
        let (status, answer) = self.token(&self.call(code)).await;
        assert_eq!(status, 200, "{answer}");
        assert_eq!((&answer["token_type"], &answer["expires_in"]), (&json!("Bearer"), &json!(3600)));
        let token = answer["id_token"].as_str().unwrap();
        let keys: JwkSet = serde_json::from_str(&self.app.get(&self.path("jwks.json")).await.1).unwrap();
        let kid = jsonwebtoken::decode_header(token).unwrap().kid.unwrap();
        let key = DecodingKey::from_jwk(keys.find(&kid).unwrap()).unwrap();
        let mut rules = Validation::new(Algorithm::RS256);
        rules.set_audience(&[format!("vitrine.{}", self.provider)]);
        rules.set_issuer(&[self.issuer()]);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let claims = jsonwebtoken::decode::<Value>(token, &key, &rules).unwrap().claims;
        let hash = digest(&SHA256, answer["access_token"].as_str().unwrap().as_bytes());
        assert_eq!(claims["at_hash"], URL_SAFE_NO_PAD.encode(&hash.as_ref()[..16]));
        claims
    }
}

/// The header of Apple's client secret, without the key id.
pub(crate) fn es256() -> Header {
    Header::new(Algorithm::ES256)
}

/// The completed sign-in form, with the box checked.
pub(crate) fn person(name: &str, email: &str) -> Fields {
    [("name", name), ("email", email), ("email_verified", "true"), ("action", "continue")]
        .map(|(name, value)| (name, value.to_owned()))
        .into()
}

/// Returns the fields with one changed, or removed if the value is empty.
pub(crate) fn with(fields: &Fields, name: &'static str, value: &str) -> Fields {
    let mut fields = fields.clone();
    fields.retain(|(one, _)| *one != name);
    if !value.is_empty() {
        fields.push((name, value.to_owned()));
    }
    fields
}

pub(crate) fn encoded(fields: &Fields) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Returns the hidden fields of a page, as a browser would send them.
fn hidden(page: &str) -> HashMap<String, String> {
    page.split(r#"<input type="hidden" name=""#)
        .skip(1)
        .map(|part| {
            let (name, rest) = part.split_once(r#"" value=""#).unwrap();
            let (value, _) = rest.split_once(r#"">"#).unwrap();
            let plain = [
                ("&lt;", "<"),
                ("&gt;", ">"),
                ("&quot;", "\""),
                ("&#x27;", "'"),
                ("&#x2f;", "/"),
                ("&amp;", "&"),
            ]
            .iter()
            .fold(value.to_owned(), |text, (written, meant)| text.replace(written, meant));
            (name.to_owned(), plain)
        })
        .collect()
}
