//! `POST /auth/magic-links`: sends a sign-in link (rules 5.1, S-43, R-21).

use axum::Json;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use httpkit::{Body, Reply};
use kernel::{Email, HOUR, MINUTE, Millis, Problem, SECOND};
use mail::Letter;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::refresh::App;
use crate::{Error, Identity, store};

/// How long a link works.
const LINK_LIFE: Millis = 10 * MINUTE;
/// Links to one address in an hour; besides, one a minute.
const LINKS_AN_HOUR: usize = 5;

/// What the person wanted when asking for the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkAction {
    /// From /login.
    Login,
    /// From /sign-up.
    Signup,
}

/// A wish for a link.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MagicLinkIn {
    email: String,
    action: LinkAction,
    #[serde(default)]
    app: App,
    join_code: Option<String>,
}

/// The answer is the same for known and unknown addresses.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Accepted {}

/// Sends a magic link.
#[utoipa::path(post, path = "/auth/magic-links", tag = "identity", request_body = MagicLinkIn, responses(
    (status = 202, body = Accepted), (status = 400, body = Problem), (status = 429, body = Problem),
))]
pub async fn request_magic_link(
    State(identity): State<Identity>,
    Body(wish): Body<MagicLinkIn>,
) -> Reply<(StatusCode, Json<Accepted>)> {
    let email = Email::parse(&wish.email).ok_or(Error::InvalidEmail)?;
    send(&identity, &email, &wish).await?;
    Ok((StatusCode::ACCEPTED, Json(Accepted {})))
}

async fn send(identity: &Identity, email: &Email, wish: &MagicLinkIn) -> Result<(), Error> {
    let now = identity.ambient.now();
    let organisation = organisation(identity, wish).await?;
    let code = URL_SAFE_NO_PAD.encode(identity.ambient.bytes::<16>());
    let tx = identity.db.write_tx_on(store::person::address_lock(email)).await?;
    let sent = store::magic_link::sent_since(&tx, email, now - HOUR).await?;
    if let Some(wait) = wait(&sent, now) {
        return Err(Error::TooManyMails(wait));
    }
    let hash = Sha256::digest(&code);
    store::magic_link::insert(&tx, identity.ambient.uid(), email, &hash, now, now + LINK_LIFE).await?;
    let letter = Letter::MagicLink {
        link: identity.public.at(&path(wish, &code)),
        signing_up: wish.action == LinkAction::Signup,
        minutes: LINK_LIFE / MINUTE,
        organisation,
    };
    identity.mailer.enqueue(&tx, email, &letter).await?;
    Ok(tx.commit().await?)
}

async fn organisation(identity: &Identity, wish: &MagicLinkIn) -> Result<Option<String>, Error> {
    match (&identity.places, &wish.join_code) {
        (Some(places), Some(code)) if wish.app == App::Viewer => Ok(places.organisation_of(code).await?),
        _ => Ok(None),
    }
}

/// Seconds until the next link may be sent, if it may not now.
fn wait(sent: &[Millis], now: Millis) -> Option<u32> {
    let newest = sent.first().map(|at| at + MINUTE);
    let fifth = sent.get(LINKS_AN_HOUR - 1).map(|at| at + HOUR);
    let free = newest.max(fifth).filter(|free| *free > now)?;
    u32::try_from((free - now + SECOND - 1) / SECOND).ok()
}

/// Where the link leads: the code is the only secret in it.
fn path(wish: &MagicLinkIn, code: &str) -> String {
    match wish.app {
        App::Portal => {
            let action = if wish.action == LinkAction::Signup { "signup" } else { "login" };
            format!("/authenticate?action={action}&code={code}")
        }
        App::Viewer => {
            let join = wish.join_code.as_deref().filter(|join| {
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
    fn one_link_a_minute_and_five_an_hour() {
        let now = 10 * HOUR;
        assert_eq!(wait(&[], now), None);
        assert_eq!(wait(&[now - MINUTE], now), None);
        assert_eq!(wait(&[now - MINUTE + 1], now), Some(1));
        let five: Vec<Millis> = (1..=5).map(|n| now - n * 5 * MINUTE).collect();
        assert_eq!(wait(&five[..4], now), None);
        assert_eq!(wait(&five, now), Some(35 * 60));
    }

    #[test]
    fn a_join_code_cannot_add_to_the_link() {
        let wish = |join: &str| MagicLinkIn {
            email: String::new(),
            action: LinkAction::Login,
            app: App::Viewer,
            join_code: Some(join.to_owned()),
        };
        assert_eq!(path(&wish("ab-1"), "c"), "/app/authenticate?code=c&joinCode=ab-1");
        assert_eq!(path(&wish("a&b=c"), "c"), "/app/authenticate?code=c");
    }
}
