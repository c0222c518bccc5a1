//! `PATCH /accounts/{id}`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Body, Path};
use identity::Caller;
use kernel::{AccountId, Patch, PersonId, Problem};
use orgs::{AuditAction, AuditRecord, AuditSubject};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::dto::AccountOut;
use crate::jobs::update_customer::UpdateCustomer;
use crate::model::{Account, AccountType, required_text};
use crate::{Billing, Error, access, customer, store};

/// A change of a billing account.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct AccountChange {
    account: AccountChangeIn,
}

/// The fields to change.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountChangeIn {
    friendly_name: Option<String>,
    billing_name: Option<String>,
    billing_email: Option<String>,
    billing_phone: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    billing_address: Patch<Value>,
    /// individual, business or agency; never narrower than the current type.
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// Change a billing account
///
/// Name, email and phone are passed on to the payment provider; what it refuses is shown as `refusal`.
#[utoipa::path(patch, path = "/accounts/{id}", tag = "billing", params(("id" = Uuid, Path)),
    request_body = AccountChange, responses(
    (status = 200, body = AccountOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn change_account(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
    Body(body): Body<AccountChange>,
) -> ApiResult<Json<AccountOut>> {
    access::own_account(&billing, caller.person(), id).await?;
    Ok(Json(change(&billing, caller.person(), id, body.account).await?.into()))
}

async fn change(
    billing: &Billing,
    manager: PersonId,
    id: AccountId,
    form: AccountChangeIn,
) -> Result<Account, Error> {
    let tx = billing.db.write_tx_on(id).await?;
    let before = store::account::managed(&tx, manager, id).await?.ok_or(Error::NotFound)?;
    let mut account = changed(before.clone(), form)?;
    let subject = AuditSubject::Account(id);
    let record = AuditRecord::new(subject, Some(manager), AuditAction::AccountChanged, id.uid())
        .named(&account.friendly_name)
        .change(audited(&before, &before), audited(&account, &before));
    if account == before {
        return Ok(account);
    }
    // Until the provider has seen the new details.
    account.refusal = None;
    store::account::update(&tx, &account).await?;
    billing.orgs.record(&tx, record).await?;
    if billing.provider.is_some() && account.customer.is_some() {
        billing.jobs.enqueue(&tx, &UpdateCustomer { account: id }).await?;
    }
    tx.commit().await?;
    Ok(account)
}

/// Returns the account with the sent fields. Fails if a required one is blank, or if the type gets narrower.
fn changed(mut account: Account, form: AccountChangeIn) -> Result<Account, Error> {
    if let Some(word) = form.kind.as_deref() {
        let kind = AccountType::parse(word).ok_or(Error::UnknownType)?;
        if kind < account.kind {
            return Err(Error::NarrowerType);
        }
        account.kind = kind;
    }
    for (field, message, value, stored) in [
        ("friendlyName", "Nick name is required", form.friendly_name, &mut account.friendly_name),
        ("billingName", "Billing name is required", form.billing_name, &mut account.billing_name),
        ("billingEmail", "Billing email is required.", form.billing_email, &mut account.billing_email),
        ("billingPhone", "Billing phone is required", form.billing_phone, &mut account.billing_phone),
    ] {
        if value.is_some() {
            *stored = required_text(field, message, value)?;
        }
    }
    match form.billing_address {
        Patch::Absent => {}
        Patch::Null => account.billing_address = None,
        Patch::Value(address) => {
            identity::check_address("billingAddress", &address)?;
            account.billing_address = Some(address);
        }
    }
    Ok(account)
}

/// Returns what the audit log has of an account. Details of the payee may be personal: only that they changed is
/// recorded.
fn audited(account: &Account, before: &Account) -> Value {
    let payee = |account: &Account| (customer::details(account), account.billing_address.clone());
    let change = (payee(account) != payee(before)).then_some("changed");
    json!({ "type": account.kind, "friendlyName": account.friendly_name, "payee": change })
}
