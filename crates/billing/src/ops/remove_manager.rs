//! `DELETE /accounts/{id}/managers/{uid}`.

use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Path};
use identity::Caller;
use kernel::{AccountId, PersonId, Problem};
use orgs::{AuditAction, AuditRecord, AuditSubject};

use crate::{Billing, Error, access, store};

/// End a person's right to manage a billing account
///
/// You can remove yourself. The last manager cannot be removed. Removing a person who is not a manager succeeds.
#[utoipa::path(delete, path = "/accounts/{id}/managers/{uid}", tag = "billing",
    params(("id" = Uuid, Path), ("uid" = Uuid, Path, description = "Id of the person")), responses(
    (status = 204), (status = 401, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn remove_manager(
    State(billing): State<Billing>,
    caller: Caller,
    Path((id, person)): Path<(AccountId, PersonId)>,
) -> ApiResult<StatusCode> {
    access::own_account(&billing, caller.person(), id).await?;
    remove(&billing, caller.person(), id, person).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn remove(billing: &Billing, manager: PersonId, id: AccountId, person: PersonId) -> Result<(), Error> {
    let tx = billing.db.write_tx_on(id).await?;
    let account = store::account::managed(&tx, manager, id).await?.ok_or(Error::NotFound)?;
    if !account.managers.contains(&person) {
        return Ok(());
    }
    if account.managers.len() == 1 {
        return Err(Error::LastManager);
    }
    store::account::remove_manager(&tx, id, person).await?;
    let subject = AuditSubject::Account(id);
    let action = AuditAction::BillingManagerRemoved;
    billing.orgs.record(&tx, AuditRecord::new(subject, Some(manager), action, person.uid())).await?;
    Ok(tx.commit().await?)
}
