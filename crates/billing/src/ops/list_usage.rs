//! `GET /accounts/{id}/usage`.

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, Path};
use identity::Caller;
use kernel::{AccountId, OrgId, Problem, Uuid};
use serde::Serialize;

use crate::{Billing, Error, access, store};

/// How much of something a plan allows, and how much of it is used.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct UsedOut {
    /// How much is used.
    used: u64,
    /// How much is allowed; null means unlimited.
    allowed: Option<u64>,
}

/// What an organization uses of its plan.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageOut {
    /// Id of the organization that uses the plan.
    org_id: Uuid,
    /// Bytes of files, with deleted ones until they are removed and the space reserved for uploads under way.
    storage: UsedOut,
    /// Staff, including pending invitations.
    staff: UsedOut,
    /// People who joined the app, including pending invitations.
    app_users: UsedOut,
}

/// List what the organizations of a billing account use of their plans
///
/// Only organizations whose plan has not ended.
#[utoipa::path(get, path = "/accounts/{id}/usage", tag = "billing", params(("id" = Uuid, Path)), responses(
    (status = 200, body = List<UsageOut>), (status = 401, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_usage(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
) -> ApiResult<Json<List<UsageOut>>> {
    let account = access::own_account(&billing, caller.person(), id).await?;
    let now = billing.ambient.now();
    let paid = store::provision::of_account(billing.db.read(), account.uid).await.map_err(Error::from)?;
    let mut usages = Vec::new();
    // Two purchases may name the same one, as after buying again.
    let live: BTreeSet<OrgId> =
        paid.iter().filter(|one| one.is_live_at(now)).filter_map(|one| one.org).collect();
    for org in live {
        usages.push(usage_of(&billing, org).await?);
    }
    Ok(Json(usages.into_iter().collect()))
}

async fn usage_of(billing: &Billing, org: OrgId) -> Result<UsageOut, Error> {
    let read = billing.db.read();
    let limits = billing.limits_of(read, org).await?;
    let usage = billing.orgs.plan_usage(read, org).await?;
    let mut stored = 0;
    if let Some(storage) = &billing.storage {
        stored = storage.charged(read, org).await?;
        for other in billing.sharing_storage(read, org).await? {
            stored += storage.charged(read, other).await?;
        }
    }
    Ok(UsageOut {
        org_id: org.into(),
        storage: UsedOut { used: stored, allowed: limits.storage_bytes },
        staff: UsedOut { used: usage.staff, allowed: limits.staff_seats },
        app_users: UsedOut { used: usage.app_users, allowed: limits.app_users },
    })
}
