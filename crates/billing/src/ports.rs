//! Questions to crates above this one, which implement these traits.

use kernel::OrgId;
use sea_orm::{DatabaseConnection, DbErr};

/// How much an organisation stores; implemented by content.
#[async_trait::async_trait]
pub trait StorageUse: Send + Sync + 'static {
    /// Returns the bytes that are charged to the organisation's plan.
    async fn charged(&self, read: &DatabaseConnection, org: OrgId) -> Result<u64, DbErr>;
}
