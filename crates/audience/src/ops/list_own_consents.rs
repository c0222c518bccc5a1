//! `GET /organizations/{id}/users/me/consent`: your own answers to the consent notice, and its text.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Bearer;
use kernel::{OrgId, Problem, Uuid, iso};
use orgs::rights::Withdraw;
use serde::Serialize;

use crate::dto::NoticeOut;
use crate::model::{ConsentRecord, Method};
use crate::{Audience, store};

/// Answers that are listed at most; a person rarely has more than a few.
const ANSWERS_MAX: u64 = 100;

/// One of your answers to the notice.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnConsentOut {
    /// Id of the consent record.
    uid: Uuid,
    /// Whether you consented.
    consent: bool,
    /// Version of the notice that you answered.
    notice_version: String,
    /// How you answered.
    method: Method,
    /// When you answered.
    time_created: String,
}

impl OwnConsentOut {
    fn of(record: ConsentRecord) -> Self {
        Self {
            uid: record.uid.into(),
            consent: record.consent.given,
            notice_version: record.notice_version,
            method: record.method,
            time_created: iso(record.created_at),
        }
    }
}

/// Your answers and the current notice.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct OwnConsentsOut {
    /// Newest first, at most 100.
    data: Vec<OwnConsentOut>,
    /// The notice that a new answer is about.
    notice: NoticeOut,
}

/// List your own answers to the consent notice
///
/// Works regardless of the state of the organization's plan.
#[utoipa::path(get, path = "/organizations/{id}/users/me/consent", tag = "audience",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = OwnConsentsOut), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_own_consents(
    State(audience): State<Audience>,
    bearer: Bearer,
    Path(id): Path<OrgId>,
) -> ApiResult<Json<OwnConsentsOut>> {
    let scope = audience.orgs.enter::<Withdraw>(&bearer, id).await?;
    let read = audience.db.read();
    let records = store::consent::history(read, scope.org(), scope.person(), ANSWERS_MAX).await?;
    let data = records.into_iter().map(OwnConsentOut::of).collect();
    Ok(Json(OwnConsentsOut { data, notice: NoticeOut::current() }))
}
