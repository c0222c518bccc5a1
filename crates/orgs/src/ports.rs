//! Questions to crates above this one, which implement these traits.

use std::collections::HashMap;
use std::sync::Arc;

use db::WriteTx;
use kernel::{AccountId, OrgId, PersonId, PlaylistId, Timestamp, Uid};
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::Value;

use crate::Error;
use crate::model::PlanStanding;
use crate::rights::Role;

/// Facts about playlists and their items; implemented by playlists.
#[async_trait::async_trait]
pub trait OrgPlaylists: Send + Sync + 'static {
    /// Returns the given ids that are public playlists of `org`.
    async fn public_among(
        &self,
        tx: &WriteTx,
        org: OrgId,
        ids: &[PlaylistId],
    ) -> Result<Vec<PlaylistId>, DbErr>;

    /// Returns whether `id` is a playlist of `org`.
    async fn exists(&self, tx: &WriteTx, org: OrgId, id: PlaylistId) -> Result<bool, DbErr>;

    /// Returns the titles of those of the given ids that are playlists or items of `org`. Deleted ones are left out.
    async fn titles(
        &self,
        read: &DatabaseConnection,
        org: OrgId,
        ids: &[Uid],
    ) -> Result<HashMap<Uid, String>, DbErr>;
}

/// Ownership of images; implemented by content. Only images uploaded here are accepted, never foreign URLs.
#[async_trait::async_trait]
pub trait ImageOwnership: Send + Sync + 'static {
    /// Returns whether the image at `path` was uploaded for `org`, read in the transaction that puts it to
    /// use.
    async fn is_owned_by(&self, tx: &WriteTx, org: OrgId, path: &str) -> Result<bool, DbErr>;
}

/// When the last plan of an organisation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanEnd {
    /// The organisation.
    pub org: OrgId,
    /// The account that owns it.
    pub account: AccountId,
    /// When its last plan ended.
    pub at: Timestamp,
}

/// Plans and the organisations they pay for; implemented by billing.
#[async_trait::async_trait]
pub trait Provisions: Send + Sync + 'static {
    /// Returns the account that owns the organisation, if `person` manages it; to the operator, who is no person, in any
    /// case. Takes the account's lock.
    async fn owner(
        &self,
        tx: &WriteTx,
        person: Option<PersonId>,
        org: OrgId,
    ) -> Result<Option<AccountId>, DbErr>;

    /// Returns whether `person` manages the account.
    async fn manages(&self, tx: &WriteTx, person: PersonId, account: AccountId) -> Result<bool, DbErr>;

    /// Makes the plan of a deleted organisation free for another one, and cancels it at the end of the period that is
    /// paid for if `cancel` is true. `tx` must hold the account's lock.
    async fn release(&self, tx: &WriteTx, org: OrgId, cancel: bool) -> Result<(), DbErr>;

    /// Assigns an unused live plan of the account to a restored organisation and returns the standing it gives; `None`
    /// if there is no such plan. `person` may get a free one, if payment is off. `tx` must hold the account's lock.
    async fn reuse(
        &self,
        tx: &WriteTx,
        person: Option<PersonId>,
        account: AccountId,
        org: OrgId,
    ) -> Result<Option<PlanStanding>, DbErr>;

    /// Returns when the plans of these organisations ended, without those that have a plan.
    async fn plan_ends(&self, read: &DatabaseConnection, orgs: &[OrgId]) -> Result<Vec<PlanEnd>, DbErr>;

    /// Does the same as [`Self::plan_ends`] for one organisation, in the transaction that depends on it.
    async fn plan_end_in(&self, tx: &WriteTx, org: OrgId) -> Result<Option<PlanEnd>, DbErr>;

    /// Assigns an unused active provision of `account`, or of any account that `person` manages, to the new organisation
    /// `org`.
    ///
    /// # Errors
    /// [`Error::NoFreeProvision`] if there is none, [`Error::Problem`] if `person` does not manage the account, or if its
    /// type allows no other organisation.
    async fn assign(
        &self,
        tx: &WriteTx,
        person: PersonId,
        account: Option<AccountId>,
        org: OrgId,
    ) -> Result<(), Error>;
}

/// What an organisation's plan allows; implemented by billing.
#[async_trait::async_trait]
pub trait Seats: Send + Sync + 'static {
    /// Returns the most staff, pending invitations included; `None` if there is no limit.
    async fn allowed(&self, tx: &WriteTx, org: OrgId) -> Result<Option<u64>, DbErr>;

    /// Returns the most app users, pending invitations included; `None` if there is no limit.
    async fn app_users(&self, tx: &WriteTx, org: OrgId) -> Result<Option<u64>, DbErr>;

    /// Returns the given organisations that belong to one person, and so have one super admin only.
    async fn individual_among(&self, read: &DatabaseConnection, orgs: &[OrgId]) -> Result<Vec<OrgId>, DbErr>;

    /// Returns whether the organisation belongs to one person, read in the transaction that depends on it.
    async fn is_individual(&self, tx: &WriteTx, org: OrgId) -> Result<bool, DbErr>;
}

/// Activity of people; implemented by analytics.
#[async_trait::async_trait]
pub trait LastSeen: Send + Sync + 'static {
    /// Returns when these people were last active in the organisation. Activity outside the current consent of a
    /// person is left out.
    async fn last_seen(
        &self,
        read: &DatabaseConnection,
        org: OrgId,
        people: &[PersonId],
    ) -> Result<HashMap<PersonId, Timestamp>, DbErr>;
}

/// What people did in organisations; implemented by analytics and leads.
#[async_trait::async_trait]
pub trait PersonData: Send + Sync + 'static {
    /// Removes the rows that name the person in the organisation, or cuts the person from them, as part of the
    /// transaction in which the person withdraws the consent or leaves. Totals stay. `tx` holds the organisation's
    /// lock. It may run for a person of whom nothing is stored.
    async fn remove_person(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr>;

    /// Returns what is stored about the person in the organisation, as fields of the person's export.
    async fn export(
        &self,
        _read: &DatabaseConnection,
        _org: OrgId,
        _person: PersonId,
    ) -> Result<Vec<(&'static str, Value)>, DbErr> {
        Ok(Vec::new())
    }

    /// Follows a change of a person's role, in its transaction; `None` if the membership has ended. It may be called
    /// without a change.
    async fn role_changed(
        &self,
        _tx: &WriteTx,
        _org: OrgId,
        _person: PersonId,
        _role: Option<Role>,
    ) -> Result<(), DbErr> {
        Ok(())
    }
}

/// The implementations that [`crate::Orgs`] asks.
#[derive(Clone)]
pub struct Ports {
    /// Facts about playlists.
    pub playlists: Arc<dyn OrgPlaylists>,
    /// Plans without an organisation.
    pub provisions: Arc<dyn Provisions>,
    /// Says which images belong to an organisation or a person.
    pub images: Arc<dyn ImageOwnership>,
    /// What plans allow.
    pub seats: Arc<dyn Seats>,
    /// Activity of people.
    pub last_seen: Arc<dyn LastSeen>,
    /// What people did, removed with their consent or membership.
    pub person_data: Vec<Arc<dyn PersonData>>,
}
