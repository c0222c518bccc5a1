//! `POST /accounts/{id}/managers`.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Body, Path};
use identity::{Caller, Person};
use kernel::{AccountId, Email, OrgId, PersonId, Problem};
use orgs::{AuditAction, AuditRecord, AuditSubject};
use serde::Deserialize;

use crate::dto::ManagerOut;
use crate::{Billing, Error, access, store};

/// The person to add.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct NewManager {
    /// Their email address.
    email: Option<String>,
}

/// Let a person manage a billing account
///
/// The person must belong to the staff of one of the account's organizations. Adding a manager again changes nothing.
#[utoipa::path(post, path = "/accounts/{id}/managers", tag = "billing", params(("id" = Uuid, Path)),
    request_body = NewManager, responses(
    (status = 201, body = ManagerOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 404, body = Problem),
))]
pub async fn add_manager(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
    Body(body): Body<NewManager>,
) -> ApiResult<(StatusCode, Json<ManagerOut>)> {
    access::own_account(&billing, caller.person(), id).await?;
    let email = body.email.as_deref().and_then(Email::parse).ok_or(Error::InvalidEmail)?;
    let added = add(&billing, caller.person(), id, &email).await?;
    Ok((StatusCode::CREATED, Json(ManagerOut::from(&added))))
}

async fn add(billing: &Billing, manager: PersonId, id: AccountId, email: &Email) -> Result<Person, Error> {
    let tx = billing.db.write_tx_on(id).await?;
    let account = store::account::managed(&tx, manager, id).await?.ok_or(Error::NotFound)?;
    let person = billing.orgs.identity().person_by_email(&tx, email).await?;
    let person = person.filter(|person| person.is_verified).ok_or(Error::PersonUnknown)?;
    // Others did not agree to anything, and the answer must not tell who has an account.
    let paid = store::provision::of_account(&tx, id).await?;
    let orgs: Vec<OrgId> = paid.iter().filter_map(|provision| provision.org).collect();
    if !billing.orgs.is_staff_of_any(&tx, &orgs, person.uid).await? {
        return Err(Error::PersonUnknown);
    }
    if !account.managers.contains(&person.uid) {
        store::account::add_manager(&tx, id, person.uid, billing.ambient.now()).await?;
        let subject = AuditSubject::Account(id);
        let action = AuditAction::BillingManagerAdded;
        billing.orgs.record(&tx, AuditRecord::new(subject, Some(manager), action, person.uid.uid())).await?;
    }
    tx.commit().await?;
    Ok(person)
}
