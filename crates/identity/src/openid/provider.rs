//! One provider: where to send people, and how to verify who returned.

use std::sync::Arc;

use kernel::{Ambient, HOUR, Millis, PublicUrl, SECOND, Timestamp};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreIdToken, CoreJwsSigningAlgorithm, CoreProviderMetadata,
};
use openidconnect::{
    AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken, HttpRequest,
    IssuerUrl, Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse as _,
};
use parking_lot::{Mutex, MutexGuard};

use super::apple::AppleKey;
use super::{Claims, ProviderName, SignInSettings, apple, http};

/// How long to wait before contacting a provider again that could not be reached.
const RETRY_DELAY: Millis = 5 * SECOND;
/// How long a discovery document and its keys are cached.
const CACHE_LIFETIME: Millis = HOUR;

/// Why a provider sign-in failed, for the log.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The discovery document or the keys could not be read.
    #[error("the provider's configuration could not be read: {0}")]
    Discovery(String),
    /// The provider did not exchange the code.
    #[error("the provider did not exchange the code: {0}")]
    Exchange(String),
    /// The ID token is missing or invalid.
    #[error("the provider's ID token is invalid: {0}")]
    Token(String),
}

/// The values that tie the provider's response to the request.
pub struct AuthRequest {
    /// Identifies the stored row.
    pub state: String,
    /// Must be repeated in the ID token.
    pub nonce: String,
    /// PKCE verifier: proves that the code is exchanged by the server that started the sign-in.
    pub verifier: String,
}

/// The cached discovery document of a provider, and its last failure.
#[derive(Clone, Default)]
struct CachedMetadata {
    metadata: Option<(Arc<CoreProviderMetadata>, Timestamp)>,
    failed: Option<(String, Timestamp)>,
}

/// A configured provider.
pub struct Provider {
    name: ProviderName,
    issuer: IssuerUrl,
    client_id: ClientId,
    credential: Credential,
    redirect: RedirectUrl,
    http: reqwest::Client,
    ambient: Ambient,
    cached: Mutex<CachedMetadata>,
}

enum Credential {
    Secret(ClientSecret),
    Apple(AppleKey),
}

impl Provider {
    pub(super) fn google(
        settings: &SignInSettings,
        public: &PublicUrl,
        ambient: &Ambient,
        http: &reqwest::Client,
    ) -> Result<Option<Self>, String> {
        if settings.oidc_google_client_id.is_empty() {
            return Ok(None);
        }
        let secret = ClientSecret::new(settings.oidc_google_client_secret.reveal().to_owned());
        let registration = (
            ProviderName::Google,
            settings.oidc_google_issuer.as_str(),
            settings.oidc_google_client_id.as_str(),
        );
        Self::new(registration, Credential::Secret(secret), public, ambient, http).map(Some)
    }

    pub(super) fn apple(
        settings: &SignInSettings,
        public: &PublicUrl,
        ambient: &Ambient,
        http: &reqwest::Client,
    ) -> Result<Option<Self>, String> {
        if settings.oidc_apple_client_id.is_empty() {
            return Ok(None);
        }
        let pem = settings.apple_pem()?;
        let key = AppleKey::new(&settings.oidc_apple_team_id, &settings.oidc_apple_key_id, pem.reveal())?;
        let registration = (
            ProviderName::Apple,
            settings.oidc_apple_issuer.as_str(),
            settings.oidc_apple_client_id.as_str(),
        );
        Self::new(registration, Credential::Apple(key), public, ambient, http).map(Some)
    }

    fn new(
        (name, issuer, client_id): (ProviderName, &str, &str),
        credential: Credential,
        public: &PublicUrl,
        ambient: &Ambient,
        http: &reqwest::Client,
    ) -> Result<Self, String> {
        let invalid =
            |error: url::ParseError| format!("the issuer of {} is not a URL: {error}", name.title());
        let callback = public.at(&format!("/v1/auth/oidc/{}/callback", name.word()));
        Ok(Self {
            name,
            issuer: IssuerUrl::new(issuer.to_owned()).map_err(invalid)?,
            client_id: ClientId::new(client_id.to_owned()),
            credential,
            redirect: RedirectUrl::new(callback).map_err(invalid)?,
            http: http.clone(),
            ambient: ambient.clone(),
            cached: Mutex::default(),
        })
    }

    /// Returns the URL at the provider to redirect a person to.
    ///
    /// # Errors
    /// [`ProviderError::Discovery`] if the provider cannot be reached.
    pub async fn begin(&self, auth_request: &AuthRequest) -> Result<String, ProviderError> {
        let metadata = self.metadata(false).await?;
        let client = CoreClient::from_provider_metadata((*metadata).clone(), self.client_id.clone(), None)
            .set_redirect_uri(self.redirect.clone());
        let (state, nonce) =
            (CsrfToken::new(auth_request.state.clone()), Nonce::new(auth_request.nonce.clone()));
        let verifier = PkceCodeVerifier::new(auth_request.verifier.clone());
        let mut request = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || state, || nonce)
            .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
            .add_scope(Scope::new("email".to_owned()));
        request = match self.name {
            ProviderName::Google => request.add_scope(Scope::new("profile".to_owned())),
            // Apple sends the name and the address only with response_mode=form_post.
            ProviderName::Apple => {
                request.add_scope(Scope::new("name".to_owned())).add_extra_param("response_mode", "form_post")
            }
        };
        Ok(request.url().0.into())
    }

    /// Exchanges the code and returns the provider's verified claims about the person.
    ///
    /// # Errors
    /// [`ProviderError`]; the cause is only for the log.
    pub async fn finish(
        &self,
        code: String,
        auth_request: AuthRequest,
        user: Option<&str>,
    ) -> Result<Claims, ProviderError> {
        let metadata = self.metadata(false).await?;
        let token = self.exchange(&metadata, code, auth_request.verifier).await?;
        let nonce = Nonce::new(auth_request.nonce);
        match self.verified_claims(&metadata, &token, &nonce) {
            // The provider may have rotated its keys since they were read.
            Err(ClaimsVerificationError::SignatureVerification(_)) => {
                let metadata = self.metadata(true).await?;
                self.verified_claims(&metadata, &token, &nonce)
            }
            other => other,
        }
        .map(|claims| self.with_name(claims, user))
        .map_err(|error| ProviderError::Token(error.to_string()))
    }

    async fn exchange(
        &self,
        metadata: &CoreProviderMetadata,
        code: String,
        verifier: String,
    ) -> Result<CoreIdToken, ProviderError> {
        let exchange = |error: &dyn std::fmt::Display| ProviderError::Exchange(error.to_string());
        let secret = self.secret().map_err(|error| exchange(&error))?;
        let client =
            CoreClient::from_provider_metadata(metadata.clone(), self.client_id.clone(), Some(secret))
                .set_auth_type(AuthType::RequestBody)
                .set_redirect_uri(self.redirect.clone());
        let call = self.http_call();
        let response = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|error| exchange(&error))?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier))
            .request_async(&call)
            .await
            .map_err(|error| exchange(&error))?;
        response.id_token().cloned().ok_or_else(|| ProviderError::Token("it is missing".to_owned()))
    }

    /// Verifies signature, issuer, audience, time and nonce of an ID token. Returns its claims.
    fn verified_claims(
        &self,
        metadata: &CoreProviderMetadata,
        token: &CoreIdToken,
        nonce: &Nonce,
    ) -> Result<Claims, ClaimsVerificationError> {
        let client = CoreClient::from_provider_metadata(metadata.clone(), self.client_id.clone(), None);
        // Whatever the discovery document offers: never `none`, and never an HMAC with a shared secret.
        let verifier = client.id_token_verifier().set_allowed_algs([
            CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
            CoreJwsSigningAlgorithm::EcdsaP256Sha256,
        ]);
        let claims = token.claims(&verifier, nonce)?;
        Ok(Claims {
            issuer: claims.issuer().to_string(),
            subject: claims.subject().to_string(),
            email: claims.email().map(|email| email.to_string()),
            is_verified: claims.email_verified().unwrap_or(false),
            first_name: clean_name(
                claims.given_name().and_then(|name| name.get(None)).map(|name| name.as_str()),
            ),
            last_name: clean_name(
                claims.family_name().and_then(|name| name.get(None)).map(|name| name.as_str()),
            ),
            display_name: clean_name(claims.name().and_then(|name| name.get(None)).map(|name| name.as_str())),
        })
    }

    /// Adds the name that Apple sends next to the code, and the full name if it is missing.
    fn with_name(&self, mut claims: Claims, user: Option<&str>) -> Claims {
        if self.name == ProviderName::Apple
            && let Some((first, last)) = user.and_then(apple::name_of)
        {
            (claims.first_name, claims.last_name) = (clean_name(Some(&first)), clean_name(Some(&last)));
        }
        if claims.display_name.is_empty() {
            claims.display_name = clean_name(Some(&format!("{} {}", claims.first_name, claims.last_name)));
        }
        claims
    }

    fn secret(&self) -> jsonwebtoken::errors::Result<ClientSecret> {
        match &self.credential {
            Credential::Secret(secret) => Ok(secret.clone()),
            Credential::Apple(key) => key
                .secret(self.client_id.as_str(), self.issuer.as_str(), self.ambient.now())
                .map(ClientSecret::new),
        }
    }

    fn http_call(
        &self,
    ) -> impl Fn(
        HttpRequest,
    )
        -> futures::future::BoxFuture<'static, Result<openidconnect::HttpResponse, http::HttpError>>
    + Send
    + Sync
    + use<> {
        let client = self.http.clone();
        move |request| Box::pin(http::call(client.clone(), request))
    }

    /// Returns the discovery document with its keys, reading it again if the cached one is old or `reload` is
    /// set. While the provider cannot be reached, an old document is still used, except with `reload`.
    pub(super) async fn metadata(&self, reload: bool) -> Result<Arc<CoreProviderMetadata>, ProviderError> {
        let now = self.ambient.now();
        let CachedMetadata { metadata, failed } = self.lock().clone();
        let old = match metadata {
            Some((metadata, read_at)) if !reload && now - read_at < CACHE_LIFETIME => return Ok(metadata),
            other => other.map(|(metadata, _)| metadata),
        };
        let just_failed = failed.filter(|(_, at)| (0..RETRY_DELAY).contains(&(now - at)));
        let read = match just_failed {
            Some((sentence, _)) if !reload => Err(sentence),
            // Requests do not wait for each other's read: a provider slow for one must not delay all.
            _ => {
                let call = self.http_call();
                let read = CoreProviderMetadata::discover_async(self.issuer.clone(), &call).await;
                read.map(Arc::new).map_err(|error| error.to_string())
            }
        };
        match (read, old) {
            (Ok(metadata), _) => {
                *self.lock() = CachedMetadata { metadata: Some((Arc::clone(&metadata), now)), failed: None };
                Ok(metadata)
            }
            (Err(sentence), old) => {
                self.lock().failed = Some((sentence.clone(), now));
                old.filter(|_| !reload).ok_or(ProviderError::Discovery(sentence))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, CachedMetadata> {
        self.cached.lock()
    }
}

/// Cleans a name for the profile: no control characters, no surrounding spaces, limited length.
fn clean_name(text: Option<&str>) -> String {
    let text = text.unwrap_or_default();
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    clean.trim().chars().take(crate::model::FIELD_MAX).collect()
}
