//! `POST /unsubscribe/staff/{token}`: stops emails about leads, or starts them again (one-click unsubscribe of
//! RFC 8058).

use audience::{PageState, UNDO};
use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use httpkit::{ApiResult, Path};
use orgs::rights::ViewAnalytics;

use crate::unsubscribe::{EmailKind, UnsubscribeLink, page_emails};
use crate::{Error, Leads, emails, store, unsubscribe};

/// Stop emails to staff
///
/// Mail programs send `List-Unsubscribe=One-Click`. The body `unsubscribe=undo`, sent by a button on the
/// page, starts the emails again. Any other body stops them.
#[utoipa::path(post, path = "/unsubscribe/staff/{token}", tag = "leads", params(("token" = String, Path)),
    request_body(content = String, content_type = "application/x-www-form-urlencoded"), responses(
    (status = 200, content_type = "text/html"), (status = 404, content_type = "text/html"),
))]
pub async fn unsubscribe_staff(
    State(leads): State<Leads>,
    Path(token): Path<String>,
    form: Bytes,
) -> ApiResult<Response> {
    let Some(link) = unsubscribe::read(&leads.signer, &token) else {
        return Ok(leads.unsubscribe_page.invalid_link());
    };
    let undo = *form == *UNDO.as_bytes();
    if !change(&leads, link, undo).await? {
        return Ok(leads.unsubscribe_page.invalid_link());
    }
    let organisation = leads.orgs.organisation(leads.db.read(), link.org).await.map_err(Error::from)?;
    let state = if undo { PageState::Resubscribed } else { PageState::Unsubscribed };
    let emails = page_emails(link.kind, organisation.as_ref());
    Ok(leads.unsubscribe_page.render(organisation.as_ref(), &leads.public, &emails, state))
}

/// Stores the change. Returns false if the person, who would get emails again, no longer belongs to the staff.
async fn change(leads: &Leads, link: UnsubscribeLink, undo: bool) -> Result<bool, Error> {
    let UnsubscribeLink { org, person, kind } = link;
    let tx = leads.db.write_tx_on(org).await?;
    let is_staff = leads.orgs.may::<ViewAnalytics>(&tx, org, person).await?;
    if !is_staff {
        return Ok(!undo);
    }
    let mut wanted = store::email::wanted(&tx, org, person).await?;
    match kind {
        EmailKind::HotLeads => wanted.hot_leads = undo,
        EmailKind::WeeklySummary => wanted.weekly_summary = undo,
    }
    emails::set_wanted(leads, &tx, org, person, wanted).await?;
    tx.commit().await?;
    Ok(true)
}
