//! `GET /unsubscribe/{token}`: the unsubscribe page. It asks for confirmation and changes nothing, because
//! mail scanners open every link.

use axum::extract::State;
use axum::response::Response;
use httpkit::{ApiResult, Path};

use crate::unsubscribe_page::{PageEmails, PageState};
use crate::{Announcements, Error, store, unsubscribe};

/// Get the unsubscribe page
#[utoipa::path(get, path = "/unsubscribe/{token}", tag = "audience",
    params(("token" = String, Path)), responses(
    (status = 200, content_type = "text/html"), (status = 404, content_type = "text/html"),
))]
pub async fn read_unsubscribe_page(
    State(announcements): State<Announcements>,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let Some(link) = unsubscribe::read(&announcements.signer, &token) else {
        return Ok(announcements.unsubscribe_page.invalid_link());
    };
    let conn = announcements.db.read();
    let unsubscribed = store::unsubscribe::is_set(conn, link.org, link.person).await.map_err(Error::from)?;
    let organisation = announcements.orgs.organisation(conn, link.org).await.map_err(Error::from)?;
    let state = if unsubscribed { PageState::Unsubscribed } else { PageState::Confirm };
    let emails = PageEmails::announcements(organisation.as_ref());
    Ok(announcements.unsubscribe_page.render(organisation.as_ref(), &announcements.public, &emails, state))
}
