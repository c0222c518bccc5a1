//! Implementations of the ports of orgs and identity for tests without the crates that implement them.

use std::collections::HashMap;

use db::WriteTx;
use kernel::{AccountId, OrgId, PersonId, PlaylistId, Timestamp, Uid};
use orgs::{ImageOwnership, LastSeen, OrgPlaylists, PlanEnd, PlanStanding, Provisions, Seats};
use sea_orm::{DatabaseConnection, DbErr};

/// Reports that no playlists exist.
pub struct NoPlaylists;

#[async_trait::async_trait]
impl OrgPlaylists for NoPlaylists {
    async fn public_among(&self, _: &WriteTx, _: OrgId, _: &[PlaylistId]) -> Result<Vec<PlaylistId>, DbErr> {
        Ok(Vec::new())
    }

    async fn exists(&self, _: &WriteTx, _: OrgId, _: PlaylistId) -> Result<bool, DbErr> {
        Ok(false)
    }

    async fn titles(
        &self,
        _: &DatabaseConnection,
        _: OrgId,
        _: &[Uid],
    ) -> Result<HashMap<Uid, String>, DbErr> {
        Ok(HashMap::new())
    }
}

/// Accepts every path below `/images/` as the caller's own image.
pub struct AnyImage;

#[async_trait::async_trait]
impl ImageOwnership for AnyImage {
    async fn is_owned_by(&self, _: &WriteTx, _: OrgId, path: &str) -> Result<bool, DbErr> {
        Ok(path.starts_with("/images/"))
    }
}

#[async_trait::async_trait]
impl identity::PhotoOwnership for AnyImage {
    async fn is_owned_by(&self, _: &WriteTx, _: PersonId, path: &str) -> Result<bool, DbErr> {
        Ok(path.starts_with("/images/"))
    }
}

/// Reports that no activity is known.
pub struct NoActivity;

#[async_trait::async_trait]
impl LastSeen for NoActivity {
    async fn last_seen(
        &self,
        _: &DatabaseConnection,
        _: OrgId,
        _: &[PersonId],
    ) -> Result<HashMap<PersonId, Timestamp>, DbErr> {
        Ok(HashMap::new())
    }
}

/// Always has a free provision.
pub struct AlwaysFree;

#[async_trait::async_trait]
impl Provisions for AlwaysFree {
    async fn owner(&self, _: &WriteTx, _: Option<PersonId>, _: OrgId) -> Result<Option<AccountId>, DbErr> {
        Ok(None)
    }

    async fn manages(&self, _: &WriteTx, _: PersonId, _: AccountId) -> Result<bool, DbErr> {
        Ok(false)
    }

    async fn release(&self, _: &WriteTx, _: OrgId, _: bool) -> Result<(), DbErr> {
        Ok(())
    }

    async fn reuse(
        &self,
        _: &WriteTx,
        _: Option<PersonId>,
        _: AccountId,
        _: OrgId,
    ) -> Result<Option<PlanStanding>, DbErr> {
        Ok(None)
    }

    async fn plan_ends(&self, _: &DatabaseConnection, _: &[OrgId]) -> Result<Vec<PlanEnd>, DbErr> {
        Ok(Vec::new())
    }

    async fn plan_end_in(&self, _: &WriteTx, _: OrgId) -> Result<Option<PlanEnd>, DbErr> {
        Ok(None)
    }

    async fn assign(
        &self,
        _: &WriteTx,
        _: PersonId,
        _: Option<AccountId>,
        _: OrgId,
    ) -> Result<(), orgs::Error> {
        Ok(())
    }
}

/// The same plan and type of account for every organisation.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestSeats {
    /// Most staff; `None` if there is no limit.
    pub allowed: Option<u64>,
    /// Most app users; `None` if there is no limit.
    pub app_users: Option<u64>,
    /// Whether organisations belong to one person.
    pub is_individual: bool,
}

#[async_trait::async_trait]
impl Seats for TestSeats {
    async fn allowed(&self, _: &WriteTx, _: OrgId) -> Result<Option<u64>, DbErr> {
        Ok(self.allowed)
    }

    async fn app_users(&self, _: &WriteTx, _: OrgId) -> Result<Option<u64>, DbErr> {
        Ok(self.app_users)
    }

    async fn individual_among(&self, _: &DatabaseConnection, orgs: &[OrgId]) -> Result<Vec<OrgId>, DbErr> {
        Ok(if self.is_individual { orgs.to_vec() } else { Vec::new() })
    }

    async fn is_individual(&self, _: &WriteTx, _: OrgId) -> Result<bool, DbErr> {
        Ok(self.is_individual)
    }
}
