//! Answers the questions of orgs about plans and account types.

use db::WriteTx;
use kernel::{Ambient, OrgId};
use orgs::Seats;
use sea_orm::{DatabaseConnection, DbErr};

use crate::free::FreePlan;
use crate::model::{Limits, Plan};
use crate::store;

/// What plans allow in staff and app users, and the organisations of individual accounts.
pub struct PlanSeats {
    ambient: Ambient,
    /// `None` if plans are paid.
    free_plan: Option<FreePlan>,
}

impl PlanSeats {
    /// Pass `free_plan` if payment is off.
    pub fn new(ambient: Ambient, free_plan: Option<FreePlan>) -> Self {
        Self { ambient, free_plan }
    }

    /// Returns the limits of the organisation's plan; `None` for a free plan, which has none.
    async fn limits(&self, tx: &WriteTx, org: OrgId) -> Result<Option<Limits>, DbErr> {
        let provision = store::provision::live_of_org(tx, org, self.ambient.now()).await?;
        Ok(match (provision.map(|provision| provision.plan), self.free_plan) {
            (Some(Some(plan)), _) => Some(plan.limits()),
            (Some(None), _) | (None, Some(_)) => None,
            (None, None) => Some(Plan::EssentialsMonthly.limits()),
        })
    }
}

#[async_trait::async_trait]
impl Seats for PlanSeats {
    async fn allowed(&self, tx: &WriteTx, org: OrgId) -> Result<Option<u64>, DbErr> {
        Ok(self.limits(tx, org).await?.and_then(|limits| limits.staff_seats))
    }

    async fn app_users(&self, tx: &WriteTx, org: OrgId) -> Result<Option<u64>, DbErr> {
        Ok(self.limits(tx, org).await?.and_then(|limits| limits.app_users))
    }

    async fn individual_among(&self, read: &DatabaseConnection, orgs: &[OrgId]) -> Result<Vec<OrgId>, DbErr> {
        store::provision::individual_among(read, orgs, self.ambient.now()).await
    }

    async fn is_individual(&self, tx: &WriteTx, org: OrgId) -> Result<bool, DbErr> {
        Ok(!store::provision::individual_among(tx, &[org], self.ambient.now()).await?.is_empty())
    }
}
