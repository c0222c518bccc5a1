//! The operations, one per file.

mod add_manager;
mod change_account;
mod create_account;
mod list_account_audit_log;
mod list_accounts;
mod list_deleted_organisations;
mod list_ended_orgs;
mod list_invoices;
mod list_managers;
mod list_plans;
mod list_provisions;
mod list_usage;
mod manage_account;
mod read_provision;
mod receive_webhook;
mod remove_manager;
mod start_checkout;

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Billing;

/// Size limit of a webhook body. Events are a few KiB, and the sender is unverified until the whole body has
/// been hashed.
const WEBHOOK_BYTES: usize = 256 * 1024;

pub fn routes() -> OpenApiRouter<Billing> {
    let webhooks = OpenApiRouter::new()
        .routes(routes!(receive_webhook::receive_stripe_webhook))
        .layer(DefaultBodyLimit::max(WEBHOOK_BYTES));
    OpenApiRouter::new()
        .merge(webhooks)
        .routes(routes!(list_accounts::list_accounts, create_account::create_account))
        .routes(routes!(list_plans::list_plans))
        .routes(routes!(change_account::change_account))
        .routes(routes!(list_provisions::list_provisions))
        .routes(routes!(read_provision::read_provision))
        .routes(routes!(list_account_audit_log::list_account_audit_log))
        .routes(routes!(list_usage::list_usage))
        .routes(routes!(list_invoices::list_invoices))
        .routes(routes!(list_ended_orgs::list_ended_organizations))
        .routes(routes!(list_deleted_organisations::list_deleted_organisations))
        .routes(routes!(list_managers::list_managers, add_manager::add_manager))
        .routes(routes!(remove_manager::remove_manager))
        .routes(routes!(start_checkout::start_checkout))
        .routes(routes!(manage_account::manage_account))
}
