//! One file an operation.

mod change_account;
mod create_account;
mod list_accounts;
mod list_provisions;
mod manage_account;
mod receive_webhook;
mod start_checkout;

use axum::extract::DefaultBodyLimit;
use kernel::Uid;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::model::Account;
use crate::{Billing, Error, store};

/// Bytes of a webhook: events are a few KiB, and whoever sends one is not known before all of it was hashed.
const WEBHOOK_BYTES: usize = 256 * 1024;

pub fn routes() -> OpenApiRouter<Billing> {
    let webhooks = OpenApiRouter::new()
        .routes(routes!(receive_webhook::receive_stripe_webhook))
        .layer(DefaultBodyLimit::max(WEBHOOK_BYTES));
    OpenApiRouter::new()
        .merge(webhooks)
        .routes(routes!(list_accounts::list_accounts, create_account::create_account))
        .routes(routes!(change_account::change_account))
        .routes(routes!(list_provisions::list_provisions))
        .routes(routes!(start_checkout::start_checkout))
        .routes(routes!(manage_account::manage_account))
}

/// The account, if the person manages it; to everybody else it does not exist (G-31).
async fn own_account(billing: &Billing, person: Uid, account: Uid) -> Result<Account, Error> {
    store::account::managed(billing.db.read(), person, account).await?.ok_or(Error::NotFound)
}
