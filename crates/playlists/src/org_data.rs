//! Removes the playlists of an organisation with it.

use ::jobs::JobError;
use kernel::OrgId;
use orgs::OrgData;

use crate::{Playlists, store};

/// Playlists removed in one transaction.
const BATCH: u64 = 100;

#[async_trait::async_trait]
impl OrgData for Playlists {
    async fn purge(&self, org: OrgId) -> Result<(), JobError> {
        loop {
            let tx = self.db.write_tx_on(org).await?;
            let removed = store::deleted::remove_of_org(&tx, org, BATCH).await?;
            tx.commit().await?;
            if removed < BATCH {
                return Ok(());
            }
        }
    }
}
