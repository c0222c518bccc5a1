//! Ends the announcements of a deleted organisation, and removes what is kept about its audience. The records of consent
//! stay: they prove what people agreed to.

use db::WriteTx;
use jobs::JobError;
use kernel::OrgId;
use orgs::OrgData;
use sea_orm::DbErr;

use crate::{Audience, store};

#[async_trait::async_trait]
impl OrgData for Audience {
    async fn close(&self, tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
        store::announcements::drop_unsent(tx, org, self.ambient.now()).await
    }

    async fn purge(&self, org: OrgId) -> Result<(), JobError> {
        store::announcements::remove_of_org(&self.db, org).await?;
        store::unsubscribe::remove_of_org(&self.db, org).await?;
        store::progress::remove_of_org(&self.db, org).await?;
        Ok(store::consent::remove_standings(&self.db, org).await?)
    }
}
