//! `POST /accounts`.

use axum::Json;
use axum::extract::State;
use http::{HeaderMap, StatusCode};
use httpkit::{ApiResult, Body};
use identity::Caller;
use kernel::{PersonId, Problem};
use orgs::{AuditAction, AuditRecord, AuditSubject};
use serde::Deserialize;
use serde_json::Value;

use crate::dto::AccountOut;
use crate::model::{Account, AccountType, NewAccount, required_text};
use crate::{Billing, Error, store};

/// Longer idempotency keys are ignored.
const KEY_MAX: usize = 255;

/// A new billing account.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewAccountBody {
    account: NewAccountIn,
}

/// The billing form.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewAccountIn {
    friendly_name: Option<String>,
    billing_name: Option<String>,
    billing_email: Option<String>,
    billing_phone: Option<String>,
    #[schema(value_type = Option<Object>)]
    billing_address: Option<Value>,
    /// individual, business (the default) or agency.
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// Create a billing account
///
/// The caller becomes its manager. An `Idempotency-Key` header makes the request safe to repeat.
#[utoipa::path(post, path = "/accounts", tag = "billing", request_body = NewAccountBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "Any text of up to 255 bytes; repeating it returns the same account")),
    responses(
        (status = 201, body = AccountOut), (status = 400, body = Problem), (status = 401, body = Problem),
        (status = 403, body = Problem),
    ))]
pub async fn create_account(
    State(billing): State<Billing>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<NewAccountBody>,
) -> ApiResult<(StatusCode, Json<AccountOut>)> {
    let new = validate(body.account)?;
    let key = headers.get("idempotency-key").and_then(|value| value.to_str().ok());
    let key = key.filter(|key| !key.is_empty() && key.len() <= KEY_MAX);
    let account = create(&billing, caller.person(), new, key).await?;
    Ok((StatusCode::CREATED, Json(account.into())))
}

fn validate(form: NewAccountIn) -> Result<NewAccount, Error> {
    let kind = match form.kind.as_deref() {
        None => AccountType::Business,
        Some(word) => AccountType::parse(word).ok_or(Error::UnknownType)?,
    };
    if let Some(address) = &form.billing_address {
        identity::check_address("billingAddress", address)?;
    }
    Ok(NewAccount {
        kind,
        friendly_name: required_text("friendlyName", "Nick name is required", form.friendly_name)?,
        billing_name: required_text("billingName", "Billing name is required", form.billing_name)?,
        billing_email: required_text("billingEmail", "Billing email is required.", form.billing_email)?,
        billing_phone: required_text("billingPhone", "Billing phone is required", form.billing_phone)?,
        billing_address: form.billing_address,
    })
}

async fn create(
    billing: &Billing,
    owner: PersonId,
    new: NewAccount,
    key: Option<&str>,
) -> Result<Account, Error> {
    let tx = billing.db.write_tx_on(owner).await?;
    billing.orgs.identity().require_verified_email(&tx, owner).await?;
    if let Some(key) = key
        && let Some(existing) = store::account::by_request_key(&tx, owner, key).await?
    {
        // A manager who was removed has no right to it any more.
        return existing.managers.contains(&owner).then_some(existing).ok_or(Error::NotFound);
    }
    let uid = billing.ambient.uid();
    store::account::insert(&tx, uid, owner, new, key, billing.ambient.now()).await?;
    let account = store::account::by_uid(&tx, uid).await?.ok_or(Error::NotFound)?;
    let subject = AuditSubject::Account(uid);
    let created = AuditRecord::new(subject, Some(owner), AuditAction::AccountCreated, uid.uid());
    billing.orgs.record(&tx, created.named(&account.friendly_name)).await?;
    tx.commit().await?;
    Ok(account)
}
