//! `GET /unsubscribe/staff/{token}`: the unsubscribe page of emails about leads. It asks for confirmation and changes
//! nothing, because mail scanners open every link.

use audience::PageState;
use axum::extract::State;
use axum::response::Response;
use httpkit::{ApiResult, Path};

use crate::store::email::Wanted;
use crate::unsubscribe::{EmailKind, page_emails};
use crate::{Error, Leads, store, unsubscribe};

/// Get the unsubscribe page of emails to staff
#[utoipa::path(get, path = "/unsubscribe/staff/{token}", tag = "leads",
    params(("token" = String, Path)), responses(
    (status = 200, content_type = "text/html"), (status = 404, content_type = "text/html"),
))]
pub async fn read_staff_unsubscribe_page(
    State(leads): State<Leads>,
    Path(token): Path<String>,
) -> ApiResult<Response> {
    let Some(link) = unsubscribe::read(&leads.signer, &token) else {
        return Ok(leads.unsubscribe_page.invalid_link());
    };
    let conn = leads.db.read();
    let wanted = store::email::wanted(conn, link.org, link.person).await.map_err(Error::from)?;
    let is_wanted = match (link.kind, wanted) {
        (EmailKind::HotLeads, Wanted { hot_leads, .. }) => hot_leads,
        (EmailKind::WeeklySummary, Wanted { weekly_summary, .. }) => weekly_summary,
    };
    let organisation = leads.orgs.organisation(conn, link.org).await.map_err(Error::from)?;
    let state = if is_wanted { PageState::Confirm } else { PageState::Unsubscribed };
    let emails = page_emails(link.kind, organisation.as_ref());
    Ok(leads.unsubscribe_page.render(organisation.as_ref(), &leads.public, &emails, state))
}
