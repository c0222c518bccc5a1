//! One file per operation.

mod change_emails;
mod explain_lead;
mod export_leads;
mod list_leads;
mod read_emails;
mod read_unsubscribe_page;
mod summarize_leads;
mod unsubscribe;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Leads;

pub fn routes() -> OpenApiRouter<Leads> {
    OpenApiRouter::new()
        .routes(routes!(list_leads::list_leads))
        .routes(routes!(export_leads::export_leads))
        .routes(routes!(summarize_leads::summarize_leads))
        .routes(routes!(explain_lead::explain_lead))
        .routes(routes!(read_emails::read_emails, change_emails::change_emails))
        .routes(routes!(read_unsubscribe_page::read_staff_unsubscribe_page, unsubscribe::unsubscribe_staff))
}
