//! Answers the questions of orgs about plans and account types.

use db::WriteTx;
use kernel::{Ambient, OrgId};
use orgs::Seats;
use sea_orm::{DatabaseConnection, DbErr};

use crate::free::FreePlan;
use crate::plans::{Limits, Plans};
use crate::{Sales, store};

/// What plans allow in staff and app users, and the organisations of individual accounts.
pub struct PlanSeats {
    ambient: Ambient,
    plans: Plans,
    /// `None` if plans are paid.
    free_plan: Option<FreePlan>,
}

impl PlanSeats {
    /// Creates the port.
    pub fn new(ambient: Ambient, sales: &Sales) -> Self {
        Self { ambient, plans: sales.plans.clone(), free_plan: sales.free_plan() }
    }

    /// Returns the limits of the organisation's plan; `None` while payment is off.
    async fn limits(&self, tx: &WriteTx, org: OrgId) -> Result<Option<Limits>, DbErr> {
        if self.free_plan.is_some() {
            return Ok(None);
        }
        let now = self.ambient.now();
        let provision = store::provision::live_of_org(tx, org, now).await?;
        let bought = provision.filter(|provision| !provision.is_free());
        let limits =
            bought.map_or_else(|| self.plans.smallest(), |bought| self.plans.limits_of(&bought, now));
        Ok(Some(limits))
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
        store::provision::individual_among(read, orgs).await
    }

    async fn is_individual(&self, tx: &WriteTx, org: OrgId) -> Result<bool, DbErr> {
        Ok(!store::provision::individual_among(tx, &[org]).await?.is_empty())
    }
}
