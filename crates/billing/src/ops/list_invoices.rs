//! `GET /accounts/{id}/invoices`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Path};
use identity::Caller;
use kernel::{AccountId, Problem, iso};
use payments::{Card, Invoice, Provider};
use serde::Serialize;

use crate::activation::optional;
use crate::model::Account;
use crate::provision::Provision;
use crate::{Billing, Error, access, store};

/// An invoice of the payment provider.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceOut {
    /// The number printed on it; null if it has none.
    number: Option<String>,
    /// When it was made.
    time_created: String,
    /// In the smallest unit of the currency, such as cents.
    amount: i64,
    /// ISO code of the currency, in lower case.
    currency: String,
    /// `open`, `paid`, `void` or `uncollectible`, as the payment provider calls it.
    status: String,
    /// The payment provider's page about it, where an open one can be paid.
    url: Option<String>,
    /// The address of the PDF document.
    pdf_url: Option<String>,
}

/// The card that pays.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardOut {
    /// Its brand, such as `visa`.
    brand: String,
    /// The last four digits of its number.
    last4: String,
    /// The month after which it is invalid, from 1.
    exp_month: u16,
    /// The year of that month.
    exp_year: u16,
}

/// The invoices of a billing account.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
pub struct InvoicesOut {
    /// The last invoices, newest first.
    data: Vec<InvoiceOut>,
    /// The card that pays the next one; null if there is none.
    card: Option<CardOut>,
}

/// List the invoices of a billing account
///
/// The last 100, newest first, and the card that pays. Empty if payment is turned off or nothing was bought.
#[utoipa::path(get, path = "/accounts/{id}/invoices", tag = "billing", params(("id" = Uuid, Path)), responses(
    (status = 200, body = InvoicesOut), (status = 401, body = Problem), (status = 404, body = Problem),
    (status = 502, body = Problem),
))]
pub async fn list_invoices(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
) -> ApiResult<Json<InvoicesOut>> {
    let account = access::own_account(&billing, caller.person(), id).await?;
    let (Some(provider), Some(customer)) = (&billing.provider, &account.customer) else {
        return Ok(Json(InvoicesOut::default()));
    };
    Ok(Json(read(&billing, provider, &account, customer).await?))
}

async fn read(
    billing: &Billing,
    provider: &Provider,
    account: &Account,
    customer: &str,
) -> Result<InvoicesOut, Error> {
    let paid = store::provision::of_account(billing.db.read(), account.uid).await?;
    let open = paid.iter().find(|one| one.has_open_subscription());
    let subscription = open.and_then(|one: &Provision| one.subscription.as_deref());
    // A customer whom the provider does not know has no invoices there.
    let invoices = optional(provider.invoices(customer).await)?.unwrap_or_default();
    let card = optional(provider.card(customer, subscription).await)?.flatten();
    Ok(InvoicesOut {
        data: invoices.into_iter().map(InvoiceOut::from).collect(),
        card: card.map(CardOut::from),
    })
}

impl From<Invoice> for InvoiceOut {
    fn from(invoice: Invoice) -> Self {
        Self {
            number: invoice.number,
            time_created: iso(invoice.created),
            amount: invoice.amount,
            currency: invoice.currency,
            status: invoice.status,
            url: invoice.page,
            pdf_url: invoice.pdf,
        }
    }
}

impl From<Card> for CardOut {
    fn from(card: Card) -> Self {
        let Card { brand, last4, exp_month, exp_year } = card;
        Self { brand, last4, exp_month, exp_year }
    }
}
