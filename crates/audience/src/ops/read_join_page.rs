//! `GET /join/{code}`: the page behind a joining link or an invitation.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use kernel::Problem;
use serde::Serialize;

use crate::dto::JoinOrganisationOut;
use crate::{Audience, Error, notice};

/// The consent notice to be answered.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct NoticeOut {
    /// Version, to be sent back with the answer.
    version: &'static str,
    /// Text, with paragraphs separated by blank lines.
    text: &'static str,
}

/// Content of the join page.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinPageOut {
    organisation: JoinOrganisationOut,
    notice: NoticeOut,
    /// The only address that can join by an invitation; null for the organization's joining link.
    invited_email: Option<String>,
}

/// Get the join page of a link
///
/// Requires no token.
#[utoipa::path(get, path = "/join/{code}", tag = "audience", params(("code" = String, Path)), responses(
    (status = 200, body = JoinPageOut), (status = 404, body = Problem),
))]
pub async fn read_join_page(
    State(audience): State<Audience>,
    Path(code): Path<String>,
) -> ApiResult<Json<JoinPageOut>> {
    let link = audience.orgs.join_link(audience.db.read(), &code).await?.ok_or(Error::InvalidLink)?;
    Ok(Json(JoinPageOut {
        organisation: JoinOrganisationOut::of(&link.organisation, &audience.public),
        invited_email: link.invited_email().map(str::to_owned),
        notice: NoticeOut { version: notice::VERSION, text: notice::TEXT },
    }))
}
