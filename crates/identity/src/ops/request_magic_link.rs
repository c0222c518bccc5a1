//! `POST /auth/magic-links`: sends a magic link.

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use http::header::SET_COOKIE;
use http::{HeaderMap, StatusCode};
use httpkit::{ApiResult, Body};
use kernel::{Email, MINUTE, Problem};
use mail::{Brand, EmailMessage};
use serde::{Deserialize, Serialize};

use crate::dto::Accepted;
use crate::model::Purpose;
use crate::refresh::App;
use crate::{Error, Identity, asking_browser, codes, store};

/// The screen on which the link was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkAction {
    /// The sign-in screen, /login.
    Login,
    /// The sign-up screen, /sign-up.
    Signup,
}

/// A request for a magic link.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MagicLinkIn {
    email: String,
    action: LinkAction,
    #[serde(default)]
    app: App,
    join_code: Option<String>,
}

/// Send a magic link
///
/// The link works for ten minutes. At most one is sent per minute and five per hour to an address. The email also has
/// six digits, which do the same in the browser that sent this request; a cookie tells it apart.
#[utoipa::path(post, path = "/auth/magic-links", tag = "identity", request_body = MagicLinkIn, responses(
    (status = 202, body = Accepted), (status = 400, body = Problem), (status = 429, body = Problem),
))]
pub async fn request_magic_link(
    State(identity): State<Identity>,
    headers: HeaderMap,
    Body(input): Body<MagicLinkIn>,
) -> ApiResult<impl IntoResponse> {
    let email = Email::parse(&input.email).ok_or(Error::InvalidEmail)?;
    let browser = asking_browser::token_or_new(&identity.public, &identity.ambient, &headers);
    send(&identity, &email, &input, &browser).await?;
    let cookie = asking_browser::set_cookie(&identity.public, &browser);
    Ok((StatusCode::ACCEPTED, [(SET_COOKIE, cookie)], Json(Accepted {})))
}

async fn send(identity: &Identity, email: &Email, input: &MagicLinkIn, browser: &str) -> Result<(), Error> {
    let brand = brand(identity, email, input).await?;
    let tx = identity.db.write_tx_on(store::person::address_lock(email)).await?;
    let (code, digits) = codes::issue_link(identity, &tx, email, browser).await?;
    let message = EmailMessage::MagicLink {
        link: identity.public.at(&path(input, &code)),
        digits,
        signing_up: input.action == LinkAction::Signup,
        minutes: Purpose::Link.lifetime() / MINUTE,
        brand: brand.map(Box::new),
    };
    identity.mailer.enqueue(&tx, email, &message).await?;
    Ok(tx.commit().await?)
}

async fn brand(identity: &Identity, email: &Email, input: &MagicLinkIn) -> Result<Option<Brand>, Error> {
    match (&identity.join_codes, &input.join_code) {
        (Some(join_codes), Some(code)) if input.app == App::Viewer => {
            Ok(join_codes.brand_of(code, email).await?)
        }
        _ => Ok(None),
    }
}

/// Returns the path and query of a link that signs in to the portal.
pub fn login_path(code: &str) -> String {
    format!("/authenticate?action=login&code={code}")
}

/// Returns the path and query of the link. The code is the only secret in it.
fn path(input: &MagicLinkIn, code: &str) -> String {
    match input.app {
        App::Portal if input.action == LinkAction::Signup => {
            format!("/authenticate?action=signup&code={code}")
        }
        App::Portal => login_path(code),
        App::Viewer => {
            let join = input.join_code.as_deref().filter(|join| {
                !join.is_empty()
                    && join.len() <= 64
                    && join.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
            });
            let join = join.map(|join| format!("&joinCode={join}")).unwrap_or_default();
            format!("/app/authenticate?code={code}{join}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_code_cannot_add_to_the_link() {
        let input = |join: &str| MagicLinkIn {
            email: String::new(),
            action: LinkAction::Login,
            app: App::Viewer,
            join_code: Some(join.to_owned()),
        };
        assert_eq!(path(&input("ab-1"), "c"), "/app/authenticate?code=c&joinCode=ab-1");
        assert_eq!(path(&input("a&b=c"), "c"), "/app/authenticate?code=c");
    }
}
