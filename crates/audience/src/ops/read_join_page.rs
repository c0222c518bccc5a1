//! `GET /join/{code}`: the page behind a joining link.

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
pub struct JoinPageOut {
    organisation: JoinOrganisationOut,
    notice: NoticeOut,
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
    let organisation =
        audience.orgs.by_join_code(audience.db.read(), &code).await?.ok_or(Error::InvalidLink)?;
    Ok(Json(JoinPageOut {
        organisation: JoinOrganisationOut::of(&organisation, &audience.public),
        notice: NoticeOut { version: notice::VERSION, text: notice::TEXT },
    }))
}
