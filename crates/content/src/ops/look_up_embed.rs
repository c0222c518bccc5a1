//! `POST /content/embeds/lookup`: the title of a video at its host.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Body};
use identity::Bearer;
use kernel::{Problem, Uuid};
use orgs::rights::EditContent;
use serde::{Deserialize, Serialize};

use crate::embed::EmbeddedVideo;
use crate::{Content, Error, model};

/// How long a person waits for the title; after that they type it.
const PATIENCE: Duration = Duration::from_secs(5);

/// A video that will be embedded.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmbedLookupIn {
    org_id: Uuid,
    /// URL of the video, as for a new content item.
    url: String,
}

/// What the host of a video says about it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct EmbedLookupOut {
    /// Title of the video; null if its host does not say, or may not be asked.
    title: Option<String>,
}

/// Look up an embedded video
///
/// Asks YouTube or Vimeo for the title of a video, to suggest it for a new content item. The title is null if the video is
/// private or unknown, if there is no answer within 5 seconds, and on a server that asks no video hosts.
#[utoipa::path(post, path = "/content/embeds/lookup", tag = "content", request_body = EmbedLookupIn, responses(
    (status = 200, body = EmbedLookupOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn look_up_embed(
    State(content): State<Content>,
    bearer: Bearer,
    Body(sent): Body<EmbedLookupIn>,
) -> ApiResult<Json<EmbedLookupOut>> {
    content.orgs.enter::<EditContent>(&bearer, sent.org_id.into()).await.map_err(Error::from)?;
    let link = model::link(&sent.url)?;
    Ok(Json(EmbedLookupOut { title: title(&content, &link).await }))
}

async fn title(content: &Content, link: &str) -> Option<String> {
    let lookup = content.embed_lookup.as_ref()?;
    let video = EmbeddedVideo::parse(link)?;
    match tokio::time::timeout(PATIENCE, lookup.describe(&video)).await {
        Ok(Ok(described)) => described.title,
        Ok(Err(error)) => {
            tracing::info!(%error, "the title of a video was not found");
            None
        }
        Err(_) => None,
    }
}
