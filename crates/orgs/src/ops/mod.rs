//! One file per operation.

mod block_person;
mod change_organisation;
mod create_invites;
mod create_organisation;
mod delete_organisation;
mod export_users;
mod give_role;
mod list_audit_log;
mod list_invites;
mod list_memberships;
mod list_organisations;
mod list_people;
mod list_staff;
mod list_users;
mod make_join_url;
mod read_invite;
mod remove_role;
mod resend_invite;
mod restore_organisation;
mod revoke_invite;
mod summarize_users;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Orgs;

pub fn routes() -> OpenApiRouter<Orgs> {
    OpenApiRouter::new()
        .routes(routes!(list_memberships::list_memberships))
        .routes(routes!(list_organisations::list_organisations, create_organisation::create_organisation))
        .routes(routes!(change_organisation::change_organisation, delete_organisation::delete_organisation))
        .routes(routes!(restore_organisation::restore_organisation))
        .routes(routes!(make_join_url::make_join_url))
        .routes(routes!(give_role::give_role))
        .routes(routes!(remove_role::remove_role))
        .routes(routes!(list_invites::list_invites, create_invites::create_invites))
        .routes(routes!(list_audit_log::list_audit_log))
        .routes(routes!(revoke_invite::revoke_invite))
        .routes(routes!(resend_invite::resend_invite))
        .routes(routes!(read_invite::read_invite))
        .routes(routes!(list_staff::list_staff))
        .routes(routes!(list_users::list_users))
        .routes(routes!(summarize_users::summarize_users))
        .routes(routes!(block_person::block_person, block_person::unblock_person))
        .routes(routes!(export_users::export_users))
        .routes(routes!(list_people::list_people))
        .route("/profiles/", axum::routing::get(list_people::list_people_without_ids))
}
