//! Removes the leads of an organisation with it.

use jobs::JobError;
use kernel::OrgId;
use orgs::OrgData;

use crate::{Leads, store};

#[async_trait::async_trait]
impl OrgData for Leads {
    async fn purge(&self, org: OrgId) -> Result<(), JobError> {
        Ok(store::remove_of_org(&self.db, org).await?)
    }
}
