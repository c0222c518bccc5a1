//! `GET` and `POST /auth/oidc/{provider}/callback`: the popup returns from a provider.
//!
//! The state is kept on the server and not in a cookie, because a form posted by the provider carries no
//! SameSite cookies. It is bound to a secret that only the opener of the popup knows.

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use httpkit::{ApiResult, Path};
use kernel::{MINUTE, Millis, Problem};

use crate::codes;
use crate::openid::{AuthRequest, ProviderName};
use crate::popup::{self, Outcome};
use crate::store::provider_sign_in as pending_sign_in;
use crate::{Error, Identity};

/// How long the opener has to redeem the result.
const REDEEM_WINDOW: Millis = 2 * MINUTE;

/// The parameters a provider returns, in the query or in a form.
#[derive(Default)]
struct CallbackParams {
    state: String,
    code: String,
    error: String,
    /// The person's name as JSON: sent by Apple, and only on the first sign-in.
    user: String,
}

impl CallbackParams {
    fn parse(form: &[u8]) -> Self {
        let mut params = Self::default();
        for (name, value) in url::form_urlencoded::parse(form) {
            let field = match name.as_ref() {
                "state" => &mut params.state,
                "code" => &mut params.code,
                "error" => &mut params.error,
                "user" => &mut params.user,
                _ => continue,
            };
            *field = value.into_owned();
        }
        params
    }
}

/// Complete a provider sign-in in the popup, by query
///
/// The provider redirects the popup here. The page reports the outcome to the window that opened the popup.
#[utoipa::path(get, path = "/auth/oidc/{provider}/callback", tag = "identity",
    params(("provider" = inline(ProviderName), Path)),
    responses((status = 200, content_type = "text/html"), (status = 404, body = Problem)))]
pub async fn finish_provider_sign_in(
    State(identity): State<Identity>,
    Path(provider): Path<String>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    finish(&identity, &provider, query.unwrap_or_default().as_bytes()).await
}

/// Complete a provider sign-in in the popup, by form
///
/// Apple posts a form here. The page reports the outcome to the window that opened the popup.
#[utoipa::path(post, path = "/auth/oidc/{provider}/callback", tag = "identity",
    params(("provider" = inline(ProviderName), Path)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, content_type = "text/html"), (status = 404, body = Problem)))]
pub async fn finish_posted_provider_sign_in(
    State(identity): State<Identity>,
    Path(provider): Path<String>,
    form: Bytes,
) -> ApiResult<Response> {
    finish(&identity, &provider, &form).await
}

async fn finish(identity: &Identity, provider: &str, form: &[u8]) -> ApiResult<Response> {
    let name = ProviderName::parse(provider).ok_or_else(|| Problem::not_found("Provider"))?;
    let params = CallbackParams::parse(form);
    let state = codes::hash(&params.state);
    // A request without a state of ours must learn nothing, change nothing, and not wait for the database's
    // writer.
    if !pending_sign_in::exists(identity.db.read(), &state).await? {
        return Ok(popup::page("", &Outcome::Failed));
    }
    let response = complete(identity, name, &state, params).await;
    Ok(response.unwrap_or_else(|error| popup::error_page("", error)))
}

async fn complete(
    identity: &Identity,
    name: ProviderName,
    state: &[u8],
    params: CallbackParams,
) -> Result<Response, Error> {
    let tx = identity.db.write_tx().await?;
    let row = pending_sign_in::mark_answered(&tx, name, state, identity.ambient.now()).await?;
    tx.commit().await?;
    let Some(row) = row else { return Ok(popup::page("", &Outcome::Failed)) };
    let Some(provider) = identity.providers.get(name) else {
        return Ok(popup::page(&row.challenge, &Outcome::Unavailable));
    };
    if !params.error.is_empty() || params.code.is_empty() {
        let by_person = matches!(params.error.as_str(), "access_denied" | "user_cancelled_authorize");
        let outcome = if by_person { Outcome::Cancelled } else { Outcome::Failed };
        return Ok(popup::page(&row.challenge, &outcome));
    }
    let auth_request = AuthRequest { state: params.state, nonce: row.nonce, verifier: row.verifier };
    match provider.finish(params.code, auth_request, Some(&params.user)).await {
        Ok(claims) => {
            let code = identity.ambient.code();
            let tx = identity.db.write_tx().await?;
            let until = identity.ambient.now() + REDEEM_WINDOW;
            pending_sign_in::store_claims(&tx, row.uid, &claims, &codes::hash(&code), until).await?;
            tx.commit().await?;
            Ok(popup::page(&row.challenge, &Outcome::Code(code)))
        }
        Err(error) => {
            tracing::warn!(provider = name.word(), %error, "provider sign-in failed");
            Ok(popup::page(&row.challenge, &Outcome::Failed))
        }
    }
}
