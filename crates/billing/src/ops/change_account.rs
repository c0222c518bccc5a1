//! `PATCH /accounts/{id}`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, Body, Path};
use identity::Caller;
use kernel::{AccountId, PersonId, Problem};
use orgs::{AuditAction, AuditRecord, AuditSubject};
use serde::Deserialize;
use serde_json::json;

use crate::dto::AccountOut;
use crate::model::{Account, AccountType};
use crate::{Billing, Error, access, store};

/// A change of a billing account. Only the type can be changed here; the rest is edited in the provider's
/// portal.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct AccountChange {
    account: AccountChangeIn,
}

/// The fields that can change.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct AccountChangeIn {
    /// individual, business or agency; never narrower than the current type.
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// Change the type of a billing account
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
    let kind = match body.account.kind.as_deref() {
        None => None,
        Some(word) => Some(AccountType::parse(word).ok_or(Error::UnknownType)?),
    };
    Ok(Json(change(&billing, caller.person(), id, kind).await?.into()))
}

async fn change(
    billing: &Billing,
    manager: PersonId,
    id: AccountId,
    kind: Option<AccountType>,
) -> Result<Account, Error> {
    let tx = billing.db.write_tx_on(id).await?;
    let mut account = store::account::by_uid(&tx, id).await?.ok_or(Error::NotFound)?;
    if let Some(kind) = kind {
        if kind < account.kind {
            return Err(Error::NarrowerType);
        }
        store::account::set_kind(&tx, id, kind).await?;
        let subject = AuditSubject::Account(id);
        let changed = AuditRecord::new(subject, Some(manager), AuditAction::AccountChanged, id.uid());
        let word = |kind: AccountType| json!({ "type": kind });
        let changed = changed.named(&account.friendly_name).change(word(account.kind), word(kind));
        billing.orgs.record(&tx, changed).await?;
        account.kind = kind;
    }
    tx.commit().await?;
    Ok(account)
}
