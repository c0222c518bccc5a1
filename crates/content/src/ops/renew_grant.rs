//! `POST /media/grants/renew`: lets a playback address hold for another hour.

use axum::Json;
use axum::extract::State;
use httpkit::{Body, Reply};
use identity::Caller;
use kernel::{Problem, SECOND};
use serde::{Deserialize, Serialize};

use crate::grant::{Grant, LIFE};
use crate::ops::serve_media::opened;
use crate::{Content, Error, store};

/// The address that is played.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct RenewIn {
    url: String,
}

/// How long the address holds now.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenewOut {
    /// Seconds.
    expires_in: i64,
}

/// Lets an address hold for an hour from now. The address itself does not change; players call this at half
/// of its life.
#[utoipa::path(post, path = "/media/grants/renew", tag = "content", request_body = RenewIn, responses(
    (status = 200, body = RenewOut), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn renew_grant(
    State(room): State<Content>,
    caller: Caller,
    Body(renew): Body<RenewIn>,
) -> Reply<Json<RenewOut>> {
    let grant = token_of(&renew.url).and_then(|token| Grant::read(&room.signer, token));
    let grant = grant.filter(|grant| grant.person == caller.person()).ok_or(Error::GrantExpired)?;
    opened(&room, &grant).await?;
    let tx = room.db.write_tx().await?;
    store::grant::prolong(&tx, grant.uid(), grant.content, room.ambient.now() + LIFE).await?;
    tx.commit().await?;
    Ok(Json(RenewOut { expires_in: LIFE / SECOND }))
}

/// The token in `../media/{token}/name`, whatever origin stands before it.
fn token_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("/media/")?;
    rest.split_once('/').map(|(token, _)| token)
}
