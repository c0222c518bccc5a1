//! The peculiarities of Apple: the client secret is a token signed with the team's key, and the person's name
//! is sent once, next to the code.

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use kernel::Timestamp;
use serde::{Deserialize, Serialize};

/// How long a client secret is valid, in seconds; Apple allows up to six months.
const SECRET_LIFETIME: i64 = 300;

/// Signs client secrets.
pub struct AppleKey {
    team: String,
    key_id: String,
    key: EncodingKey,
}

#[derive(Serialize)]
struct SecretClaims<'a> {
    iss: &'a str,
    iat: i64,
    exp: i64,
    aud: &'a str,
    sub: &'a str,
}

impl AppleKey {
    /// Parses the key.
    pub fn new(team: &str, key_id: &str, pem: &str) -> Result<Self, String> {
        let key = EncodingKey::from_ec_pem(pem.as_bytes()).map_err(|_| {
            "VITRINE_OIDC_APPLE_KEY_FILE does not contain a private key as issued by Apple (PEM, PKCS#8, P-256)."
                .to_owned()
        })?;
        Ok(Self { team: team.to_owned(), key_id: key_id.to_owned(), key })
    }

    /// Returns a client secret that is valid for the next five minutes.
    pub fn secret(
        &self,
        client_id: &str,
        audience: &str,
        now: Timestamp,
    ) -> jsonwebtoken::errors::Result<String> {
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some(self.key_id.clone());
        let iat = now.seconds();
        let claims =
            SecretClaims { iss: &self.team, iat, exp: iat + SECRET_LIFETIME, aud: audience, sub: client_id };
        jsonwebtoken::encode(&header, &claims, &self.key)
    }
}

/// Returns the name from the `user` field of Apple's first response. The field is not signed: good enough to
/// greet people, but not to identify them.
pub fn name_of(user: &str) -> Option<(String, String)> {
    #[derive(Deserialize)]
    struct User {
        name: Option<Name>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Name {
        #[serde(default)]
        first_name: String,
        #[serde(default)]
        last_name: String,
    }
    let name = serde_json::from_str::<User>(user).ok()?.name?;
    Some((name.first_name, name.last_name))
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn only_the_name_is_read_from_the_user_field() {
        let user = r#"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"evil@example.com"}"#;
        assert_eq!(name_of(user), Some(("Ada".into(), "Lovelace".into())));
        assert_eq!(name_of(r#"{"name":{"firstName":"Ada"}}"#), Some(("Ada".into(), String::new())));
        for odd in ["", "{}", "[]", r#"{"name":"Ada"}"#, r#"{"name":{"firstName":1}}"#] {
            assert_eq!(name_of(odd), None, "{odd}");
        }
    }
}
