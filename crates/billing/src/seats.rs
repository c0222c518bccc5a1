//! Answers the questions of orgs about plans and account types.

use db::WriteTx;
use kernel::OrgId;
use orgs::Seats;
use sea_orm::{DatabaseConnection, DbErr};

use crate::free::FreePlan;
use crate::model::Plan;
use crate::store;

/// The staff seats of plans, and the organisations of individual accounts.
pub struct PlanSeats {
    /// `None` if plans are paid.
    free_plan: Option<FreePlan>,
}

impl PlanSeats {
    /// Pass `free_plan` if payment is off.
    pub fn new(free_plan: Option<FreePlan>) -> Self {
        Self { free_plan }
    }
}

#[async_trait::async_trait]
impl Seats for PlanSeats {
    async fn allowed(&self, tx: &WriteTx, org: OrgId) -> Result<Option<u64>, DbErr> {
        let provision = store::provision::live_of_org(tx, org).await?;
        Ok(match (provision.map(|provision| provision.plan), self.free_plan) {
            (Some(Some(plan)), _) => plan.limits().staff_seats,
            // A free plan, which has no limit of seats.
            (Some(None), _) | (None, Some(_)) => None,
            (None, None) => Plan::EssentialsMonthly.limits().staff_seats,
        })
    }

    async fn individual_among(&self, read: &DatabaseConnection, orgs: &[OrgId]) -> Result<Vec<OrgId>, DbErr> {
        store::provision::individual_among(read, orgs).await
    }

    async fn is_individual(&self, tx: &WriteTx, org: OrgId) -> Result<bool, DbErr> {
        Ok(!store::provision::individual_among(tx, &[org]).await?.is_empty())
    }
}
