//! `GET` and `POST /auth/oidc/{provider}/callback`: the popup returns from a provider.
//!
//! The state is kept on the server and not in a cookie, because a form posted by the provider carries no
//! SameSite cookies. It is bound to a secret that only the opener of the popup knows.

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use httpkit::{Path, Reply};
use kernel::{MINUTE, Millis, Problem};

use crate::codes;
use crate::openid::{Asked, ProviderName};
use crate::popup::{self, Outcome};
use crate::store::provider_sign_in as under_way;
use crate::{Error, Identity};

/// How long the opener has to redeem the result.
const PICK_UP: Millis = 2 * MINUTE;

/// The parameters a provider returns, in the query or in a form.
#[derive(Default)]
struct Answer {
    state: String,
    code: String,
    error: String,
    /// The person's name as JSON: sent by Apple, and only on the first sign-in.
    user: String,
}

impl Answer {
    fn parse(form: &[u8]) -> Self {
        let mut answer = Self::default();
        for (name, value) in url::form_urlencoded::parse(form) {
            let field = match name.as_ref() {
                "state" => &mut answer.state,
                "code" => &mut answer.code,
                "error" => &mut answer.error,
                "user" => &mut answer.user,
                _ => continue,
            };
            *field = value.into_owned();
        }
        answer
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
) -> Reply<Response> {
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
) -> Reply<Response> {
    finish(&identity, &provider, &form).await
}

async fn finish(identity: &Identity, provider: &str, form: &[u8]) -> Reply<Response> {
    let name = ProviderName::parse(provider).ok_or_else(|| Problem::not_found("Provider"))?;
    let answer = Answer::parse(form);
    let state = codes::hash(&answer.state);
    // A request without a state of ours must learn nothing, change nothing, and not wait for the database's
    // writer.
    if !under_way::is_asked(identity.db.read(), &state).await? {
        return Ok(popup::page("", &Outcome::Failed));
    }
    let taken = take(identity, name, &state, answer).await;
    Ok(taken.unwrap_or_else(|error| popup::trouble("", error)))
}

async fn take(
    identity: &Identity,
    name: ProviderName,
    state: &[u8],
    answer: Answer,
) -> Result<Response, Error> {
    let tx = identity.db.write_tx().await?;
    let row = under_way::answer(&tx, name, state, identity.ambient.now()).await?;
    tx.commit().await?;
    let Some(row) = row else { return Ok(popup::page("", &Outcome::Failed)) };
    let Some(provider) = identity.providers.get(name) else {
        return Ok(popup::page(&row.challenge, &Outcome::Unavailable));
    };
    if !answer.error.is_empty() || answer.code.is_empty() {
        let by_person = matches!(answer.error.as_str(), "access_denied" | "user_cancelled_authorize");
        let outcome = if by_person { Outcome::Cancelled } else { Outcome::Failed };
        return Ok(popup::page(&row.challenge, &outcome));
    }
    let asked = Asked { state: answer.state, nonce: row.nonce, verifier: row.verifier };
    match provider.finish(answer.code, asked, Some(&answer.user)).await {
        Ok(claims) => {
            let code = URL_SAFE_NO_PAD.encode(identity.ambient.bytes::<16>());
            let tx = identity.db.write_tx().await?;
            let until = identity.ambient.now() + PICK_UP;
            under_way::keep(&tx, row.uid, &claims, &codes::hash(&code), until).await?;
            tx.commit().await?;
            Ok(popup::page(&row.challenge, &Outcome::Code(code)))
        }
        Err(error) => {
            tracing::warn!(provider = name.as_str(), %error, "provider sign-in failed");
            Ok(popup::page(&row.challenge, &Outcome::Failed))
        }
    }
}
