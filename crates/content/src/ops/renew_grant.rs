//! `POST /media/grants/renew`: extends a playback address by an hour.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Body};
use identity::Caller;
use kernel::{Problem, SECOND};
use serde::{Deserialize, Serialize};

use crate::access::authorised_item;
use crate::grant::{Grant, LIFETIME};
use crate::{Content, Error, store};

/// The playback address to renew.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct RenewIn {
    url: String,
}

/// How long the address is valid now.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenewOut {
    /// Remaining validity in seconds.
    expires_in: i64,
}

/// Renew a playback address
///
/// Extends its validity to one hour from now, or to the expiry of the content if that is earlier. The address
/// itself does not change. Players call this at half of its lifetime.
#[utoipa::path(post, path = "/media/grants/renew", tag = "content", request_body = RenewIn, responses(
    (status = 200, body = RenewOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn renew_grant(
    State(content): State<Content>,
    caller: Caller,
    Body(renew): Body<RenewIn>,
) -> ApiResult<Json<RenewOut>> {
    let grant = token_of(&renew.url).and_then(|token| Grant::read(&content.signer, token));
    let grant = grant.filter(|grant| grant.person == caller.person()).ok_or(Error::GrantExpired)?;
    let closes_at = authorised_item(&content, &grant).await?.closes_at;
    let now = content.ambient.now();
    let until = closes_at.map_or(now + LIFETIME, |at| at.min(now + LIFETIME));
    let tx = content.db.write_tx().await?;
    store::grant::renew(&tx, grant.uid(), grant.content, until).await?;
    tx.commit().await?;
    Ok(Json(RenewOut { expires_in: (until - now) / SECOND }))
}

/// Returns the token in `../media/{token}/name`, for any origin.
fn token_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("/media/")?;
    rest.split_once('/').map(|(token, _)| token)
}
