//! One file per operation.

mod change_organisation;
mod create_organisation;
mod list_memberships;
mod list_organisations;
mod list_people;
mod list_staff;
mod make_join_url;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Orgs;

pub fn routes() -> OpenApiRouter<Orgs> {
    OpenApiRouter::new()
        .routes(routes!(list_memberships::list_memberships))
        .routes(routes!(list_organisations::list_organisations, create_organisation::create_organisation))
        .routes(routes!(change_organisation::change_organisation))
        .routes(routes!(make_join_url::make_join_url))
        .routes(routes!(list_staff::list_staff))
        .routes(routes!(list_people::list_people))
        .route("/profiles/", axum::routing::get(list_people::list_people_without_ids))
}
