//! Removes the events, totals and archived events of an organisation with it.

use jobs::JobError;
use kernel::OrgId;
use orgs::OrgData;

use crate::{Analytics, store};

#[async_trait::async_trait]
impl OrgData for Analytics {
    async fn purge(&self, org: OrgId) -> Result<(), JobError> {
        store::org_data::remove(&self.deps.db, org).await?;
        Ok(self.remove_archived(org).await?)
    }
}
