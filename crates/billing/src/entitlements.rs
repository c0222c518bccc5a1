//! What the plan of an organisation allows, and how long its data is kept.

use kernel::{OrgId, Timestamp};
use sea_orm::{ConnectionTrait, DbErr};

use crate::{Billing, Limits, free, store};

impl Billing {
    /// Returns the limits of an organisation's plan, and those of the smallest if it has none. With payment off they are
    /// those of the free plan, whatever was bought before.
    pub async fn limits_of(&self, conn: &impl ConnectionTrait, org: OrgId) -> Result<Limits, DbErr> {
        if self.provider.is_none() {
            return Ok(self.free_plan.limits());
        }
        let now = self.ambient.now();
        let provision = store::provision::live_of_org(conn, org, now).await?;
        let bought = provision.filter(|provision| !provision.is_free());
        Ok(bought.map_or_else(|| self.plans.smallest(), |provision| self.plans.limits_of(&provision, now)))
    }

    /// Returns when the data of an organisation is removed whose plan has ended; `None` if it has a plan.
    pub async fn removed_at(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
    ) -> Result<Option<Timestamp>, DbErr> {
        let paid = store::provision::of_orgs(conn, &[org]).await?;
        Ok(free::plan_end(org, &paid, self.ambient.now()).map(|end| orgs::removed_at(end.at)))
    }

    /// Returns the other organisations whose files count against this one's storage limit: those of the same
    /// account, if payment is off.
    pub async fn sharing_storage(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
    ) -> Result<Vec<OrgId>, DbErr> {
        let now = self.ambient.now();
        match store::provision::live_of_org(conn, org, now).await? {
            Some(provision) if self.provider.is_none() => {
                let account = provision.account;
                let paid = store::provision::of_account(conn, account).await?;
                let live = paid.into_iter().filter(|one| one.is_live_at(now));
                Ok(live.filter_map(|one| one.org).filter(|other| *other != org).collect())
            }
            _ => Ok(Vec::new()),
        }
    }
}
