//! Implements a port of orgs.

use std::collections::HashMap;

use kernel::{OrgId, PersonId, Timestamp};
use sea_orm::{DatabaseConnection, DbErr};

use crate::store;

/// Tells `orgs` when people were last active.
pub struct Visitors;

#[async_trait::async_trait]
impl orgs::LastSeen for Visitors {
    async fn last_seen(
        &self,
        read: &DatabaseConnection,
        org: OrgId,
        people: &[PersonId],
    ) -> Result<HashMap<PersonId, Timestamp>, DbErr> {
        store::people::last_seen(read, org, people).await
    }
}
