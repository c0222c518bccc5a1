//! Removes the events and totals of an organisation with it.

use jobs::JobError;
use kernel::OrgId;
use orgs::OrgData;

use crate::{Analytics, store};

#[async_trait::async_trait]
impl OrgData for Analytics {
    async fn purge(&self, org: OrgId) -> Result<(), JobError> {
        Ok(store::org_data::remove(&self.deps.db, org).await?)
    }
}
