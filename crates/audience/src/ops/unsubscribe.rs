//! `POST /unsubscribe/{token}`: unsubscribes a person from an organisation's announcements, or subscribes
//! again (one-click unsubscribe of RFC 8058).

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use httpkit::{ApiResult, Path};

use crate::unsubscribe::UnsubscribeLink;
use crate::unsubscribe_page::{PageEmails, PageState, UNDO};
use crate::{Announcements, Error, store, unsubscribe};

/// Unsubscribe from announcements
///
/// Mail programs send `List-Unsubscribe=One-Click`. The body `unsubscribe=undo`, sent by a button on the
/// page, subscribes again. Any other body unsubscribes.
#[utoipa::path(post, path = "/unsubscribe/{token}", tag = "audience", params(("token" = String, Path)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"), responses(
    (status = 200, content_type = "text/html"), (status = 404, content_type = "text/html"),
))]
pub async fn unsubscribe(
    State(announcements): State<Announcements>,
    Path(token): Path<String>,
    form: Bytes,
) -> ApiResult<Response> {
    let Some(link) = unsubscribe::read(&announcements.signer, &token) else {
        return Ok(announcements.unsubscribe_page.invalid_link());
    };
    let undo = *form == *UNDO.as_bytes();
    change(&announcements, link, undo).await?;
    let organisation =
        announcements.orgs.organisation(announcements.db.read(), link.org).await.map_err(Error::from)?;
    let state = if undo { PageState::Resubscribed } else { PageState::Unsubscribed };
    let emails = PageEmails::announcements(organisation.as_ref());
    Ok(announcements.unsubscribe_page.render(organisation.as_ref(), &announcements.public, &emails, state))
}

async fn change(announcements: &Announcements, link: UnsubscribeLink, undo: bool) -> Result<(), Error> {
    let tx = announcements.db.write_tx_on(link.person).await?;
    if undo {
        store::unsubscribe::clear(&tx, link.org, link.person).await?;
    } else {
        store::unsubscribe::set(&tx, link.org, link.person, announcements.ambient.now()).await?;
    }
    Ok(tx.commit().await?)
}
