//! `GET /join/{code}`: what a joining link leads to (V-01).

use axum::Json;
use axum::extract::State;
use httpkit::{Path, Reply};
use kernel::Problem;
use serde::Serialize;

use crate::wire::JoinOrganisationOut;
use crate::{Audience, Error, notice};

/// The notice people are asked to answer.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct NoticeOut {
    /// Its version, to be sent back with the answer.
    version: &'static str,
    /// Its text, in paragraphs.
    text: &'static str,
}

/// A joining page.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct JoinPageOut {
    organisation: JoinOrganisationOut,
    notice: NoticeOut,
}

/// The joining page behind a link; needs no token.
#[utoipa::path(get, path = "/join/{code}", tag = "audience", params(("code" = String, Path)), responses(
    (status = 200, body = JoinPageOut), (status = 404, body = Problem),
))]
pub async fn read_join_page(
    State(audience): State<Audience>,
    Path(code): Path<String>,
) -> Reply<Json<JoinPageOut>> {
    let organisation =
        audience.orgs.by_join_code(audience.db.read(), &code).await?.ok_or(Error::InvalidLink)?;
    Ok(Json(JoinPageOut {
        organisation: JoinOrganisationOut::of(&organisation, &audience.public),
        notice: NoticeOut { version: notice::VERSION, text: notice::TEXT },
    }))
}
