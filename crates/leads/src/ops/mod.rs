//! One file per operation.

mod export_leads;
mod list_leads;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Leads;

pub fn routes() -> OpenApiRouter<Leads> {
    OpenApiRouter::new().routes(routes!(list_leads::list_leads)).routes(routes!(export_leads::export_leads))
}
