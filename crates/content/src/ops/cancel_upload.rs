//! `DELETE /uploads/{uid}`: cancels an upload.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use identity::{Bearer, Caller};
use kernel::{Problem, UploadId};
use orgs::rights::EditContent;

use crate::upload::release;
use crate::{Content, Error, store};

/// Cancel a pending upload
///
/// Ends a request that is still sending, removes what was received, and frees the reserved space in the plan
/// before the response is sent. Content that was available stays as it is. A draft stays without a file until it is
/// deleted. Repeating the call does no harm.
#[utoipa::path(delete, path = "/uploads/{uid}", tag = "content", params(("uid" = Uuid, Path)), responses(
    (status = 204, description = "The upload has ended; its `reason` is `cancelled`"), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn cancel_upload(
    State(content): State<Content>,
    caller: Caller,
    bearer: Bearer,
    Path(uid): Path<UploadId>,
) -> ApiResult<StatusCode> {
    let upload = store::upload::by_uid(content.db.read(), uid).await?;
    let org = upload.as_ref().and_then(|upload| upload.org);
    let own = upload.as_ref().is_some_and(|upload| upload.org.is_none() && upload.person == caller.person());
    if !own {
        content.orgs.enter_of::<EditContent>(&bearer, org, "Upload").await.map_err(Error::from)?;
    }
    release::cancel(&content, uid).await?;
    Ok(StatusCode::NO_CONTENT)
}
