//! Parses requests to the authorization endpoint strictly: a client that works here makes no mistake that a
//! real provider would reject.

use super::Provider;
use super::keys::encoded;
use crate::stripe::Fields;

/// Longest value, in bytes.
const MAX_VALUE_BYTES: usize = 2_048;
/// Length of a SHA-256 digest in base64url.
const CHALLENGE_CHARS: usize = 43;

/// How the answer is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ResponseMode {
    #[default]
    Query,
    FormPost,
}

/// A valid request, which can be answered with a code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) mode: ResponseMode,
    pub(super) scope: String,
    pub(super) state: Option<String>,
    pub(super) nonce: Option<String>,
    challenge: String,
    /// The address that the client expects to sign in.
    pub(super) hint: Option<String>,
}

/// Why there is no sign-in page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum AuthorizeError {
    /// Client or return address are in doubt: the error is shown to the person and sent nowhere.
    ShownToUser(&'static str),
    /// The error is sent to the client.
    SentToClient { error: &'static str, why: &'static str, mode: ResponseMode, state: Option<String> },
}

/// The client that the request must come from.
pub(super) struct RegisteredClient<'a> {
    pub(super) provider: Provider,
    pub(super) client_id: &'a str,
    pub(super) callback: &'a str,
}

impl Request {
    pub(super) fn parse(query: &str, client: &RegisteredClient<'_>) -> Result<Self, AuthorizeError> {
        let fields = Fields::parse(query.as_bytes());
        if fields.longest() > MAX_VALUE_BYTES {
            return Err(AuthorizeError::ShownToUser("A value in this address is longer than 2048 bytes."));
        }
        let repeated = fields.repeated();
        if fields.get("client_id") != Some(client.client_id) || repeated.contains(&"client_id") {
            return Err(AuthorizeError::ShownToUser("The client_id is unknown."));
        }
        if fields.get("redirect_uri") != Some(client.callback) || repeated.contains(&"redirect_uri") {
            return Err(AuthorizeError::ShownToUser(
                "The redirect_uri is not the one registered for this client.",
            ));
        }
        let text = |name: &str| fields.get(name).map(str::to_owned);
        let mode = match fields.get("response_mode") {
            Some("form_post") => ResponseMode::FormPost,
            _ => ResponseMode::Query,
        };
        let mistake = if repeated.is_empty() {
            find_mistake(&fields, client.provider)
        } else {
            Some(("invalid_request", "A parameter is repeated."))
        };
        if let Some((error, why)) = mistake {
            return Err(AuthorizeError::SentToClient { error, why, mode, state: text("state") });
        }
        Ok(Self {
            mode,
            scope: text("scope").unwrap_or_default(),
            state: text("state"),
            nonce: text("nonce"),
            challenge: text("code_challenge").unwrap_or_default(),
            hint: text("login_hint"),
        })
    }

    /// Returns whether a scope was requested.
    pub(super) fn has_scope(&self, scope: &str) -> bool {
        self.scope.split(' ').any(|requested| requested == scope)
    }

    /// Returns whether `verifier` matches the challenge of the request (RFC 7636).
    pub(super) fn is_verified_by(&self, verifier: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let fits = (43..=128).contains(&verifier.len()) && verifier.bytes().all(plain);
        let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, verifier.as_bytes());
        fits && encoded(digest.as_ref()) == self.challenge
    }
}

/// Returns the first mistake in a request whose sender is known: the error code and a sentence for the
/// developer.
fn find_mistake(fields: &Fields, provider: Provider) -> Option<(&'static str, &'static str)> {
    let scope = fields.get("scope").unwrap_or_default();
    let has_scope = |wanted: &str| scope.split(' ').any(|requested| requested == wanted);
    let by_form = fields.get("response_mode") == Some("form_post");
    let digest = |text: &str| {
        text.len() == CHALLENGE_CHARS
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    Some(match fields.get("response_type") {
        None => ("invalid_request", "response_type is missing."),
        Some(kind) if kind != "code" => ("unsupported_response_type", "response_type must be code."),
        _ if fields.get("request").is_some() => ("request_not_supported", "request is not supported."),
        _ if fields.get("request_uri").is_some() => {
            ("request_uri_not_supported", "request_uri is not supported.")
        }
        _ if !matches!(fields.get("response_mode"), None | Some("query" | "form_post")) => {
            ("invalid_request", "response_mode must be query or form_post.")
        }
        _ if !has_scope("openid") => ("invalid_scope", "scope must include openid."),
        _ if !scope.split(' ').all(|requested| provider.scopes().contains(&requested)) => {
            ("invalid_scope", "scope contains an unknown value.")
        }
        _ if provider == Provider::Apple && (has_scope("name") || has_scope("email")) && !by_form => {
            ("invalid_request", "response_mode must be form_post when name or email scope is requested.")
        }
        _ if fields.get("code_challenge_method") != Some("S256") => {
            ("invalid_request", "code_challenge_method must be S256.")
        }
        _ if !fields.get("code_challenge").is_some_and(digest) => {
            ("invalid_request", "code_challenge must be a SHA-256 digest in base64url.")
        }
        _ if fields.get("prompt").is_some_and(|prompt| prompt.split(' ').any(|one| one == "none")) => {
            ("login_required", "Signing in requires the page, so prompt=none is not possible.")
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: &str = "client_id=vitrine&redirect_uri=http%3A%2F%2Fa%2Fb";
    // The example of RFC 7636, appendix B.
    const RFC: &str = "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";

    fn read(query: &str, provider: Provider) -> Result<Request, AuthorizeError> {
        Request::parse(query, &RegisteredClient { provider, client_id: "vitrine", callback: "http://a/b" })
    }

    /// Returns the error code sent to the client.
    fn error_sent(query: &str, provider: Provider) -> &'static str {
        match read(query, provider) {
            Err(AuthorizeError::SentToClient { error, .. }) => error,
            Err(AuthorizeError::ShownToUser(_)) => "shown",
            Ok(_) => "",
        }
    }

    #[test]
    fn the_example_of_the_standard_matches_its_verifier_only() {
        let query = format!("{CLIENT}&response_type=code&scope=openid+email&state=s&nonce=n&{RFC}");
        let request = read(&query, Provider::Google).unwrap();
        assert!(request.is_verified_by("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
        assert!(!request.is_verified_by("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK"));
        assert!(!request.is_verified_by(""));
        assert!(request.has_scope("email") && !request.has_scope("profile"));
        assert_eq!((request.state.as_deref(), request.nonce.as_deref()), (Some("s"), Some("n")));
    }

    #[test]
    fn nothing_is_sent_to_an_unknown_client_or_address() {
        for query in [
            "",
            "client_id=vitrine",
            "client_id=other&redirect_uri=http%3A%2F%2Fa%2Fb",
            "client_id=vitrine&redirect_uri=http%3A%2F%2Fa%2Fb%2F",
            "client_id=vitrine&redirect_uri=http%3A%2F%2FA%2Fb",
            "client_id=vitrine&client_id=other&redirect_uri=http%3A%2F%2Fa%2Fb",
            "client_id=vitrine&redirect_uri=http%3A%2F%2Fa%2Fb&redirect_uri=http%3A%2F%2Fevil%2F",
        ] {
            assert_eq!(error_sent(query, Provider::Google), "shown", "{query}");
        }
        let long = format!("{CLIENT}&response_type=code&scope=openid&{RFC}&state={}", "x".repeat(2_049));
        assert_eq!(error_sent(&long, Provider::Google), "shown");
    }

    #[test]
    fn each_mistake_has_its_error() {
        let plain = RFC.replace("S256", "plain");
        for (rest, error) in [
            ("scope=openid", "invalid_request"),
            ("response_type=token&scope=openid", "unsupported_response_type"),
            ("response_type=code&scope=email", "invalid_scope"),
            ("response_type=code", "invalid_scope"),
            ("response_type=code&scope=openid+admin", "invalid_scope"),
            ("response_type=code&scope=openid&response_mode=fragment", "invalid_request"),
            ("response_type=code&scope=openid&scope=email", "invalid_request"),
            ("response_type=code&scope=openid&prompt=none", "login_required"),
            ("response_type=code&scope=openid&request=x", "request_not_supported"),
            ("response_type=code&scope=openid&request_uri=x", "request_uri_not_supported"),
        ] {
            assert_eq!(error_sent(&format!("{CLIENT}&{rest}&{RFC}"), Provider::Google), error, "{rest}");
        }
        for pkce in
            ["", &plain, "code_challenge_method=S256", "code_challenge_method=S256&code_challenge=short"]
        {
            let query = format!("{CLIENT}&response_type=code&scope=openid&{pkce}");
            assert_eq!(error_sent(&query, Provider::Google), "invalid_request", "{pkce}");
        }
    }

    #[test]
    fn apple_requires_form_post_for_the_name_or_the_address() {
        for scope in ["openid+name", "openid+email", "openid+name+email"] {
            let query = format!("{CLIENT}&response_type=code&scope={scope}&{RFC}");
            assert_eq!(error_sent(&query, Provider::Apple), "invalid_request", "{scope}");
            assert_eq!(
                error_sent(&format!("{query}&response_mode=form_post"), Provider::Apple),
                "",
                "{scope}"
            );
        }
        assert_eq!(
            error_sent(&format!("{CLIENT}&response_type=code&scope=openid&{RFC}"), Provider::Apple),
            ""
        );
    }
}
