//! What other crates answer or do for this one.

use std::sync::Arc;

use db::WriteTx;
use kernel::{Email, PersonId};
use mail::Brand;
use sea_orm::DbErr;

use crate::Identity;

/// Looks up the organisation that a sign-in email mentions; implemented by orgs.
#[async_trait::async_trait]
pub trait JoinCodeLookup: Send + Sync + 'static {
    /// Returns the brand of the organisation with this join code, if the owner of the address can join by it.
    async fn brand_of(&self, join_code: &str, email: &Email) -> Result<Option<Brand>, DbErr>;
}

/// Ownership of photos; implemented by the crate that stores images.
#[async_trait::async_trait]
pub trait PhotoOwnership: Send + Sync + 'static {
    /// Returns whether this person uploaded the image at `path` as their own, read in the transaction that
    /// puts it to use.
    async fn is_owned_by(&self, tx: &WriteTx, person: PersonId, path: &str) -> Result<bool, DbErr>;
}

/// Data stored about a person; implemented by each crate that has some.
#[async_trait::async_trait]
pub trait PersonData: Send + Sync + 'static {
    /// Deletes what was set up for an address before its owner verified it, because someone else may have
    /// done so. Runs in the transaction of the verification.
    async fn delete_unverified(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr>;
}

/// The crate that keeps texts of profiles for a search; implemented by orgs.
#[async_trait::async_trait]
pub trait ProfileChanged: Send + Sync + 'static {
    /// Updates the texts of a person whose profile changed, in the transaction of the change.
    async fn profile_changed(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr>;
}

impl Identity {
    /// Sets the lookup of join codes.
    #[must_use]
    pub fn with_join_codes(mut self, join_codes: Arc<dyn JoinCodeLookup>) -> Self {
        self.join_codes = Some(join_codes);
        self
    }

    /// Sets the check of photos; without it, every photo is refused.
    #[must_use]
    pub fn with_photos(mut self, photos: Arc<dyn PhotoOwnership>) -> Self {
        self.photos = Some(photos);
        self
    }

    /// Sets the crate that follows changes of profiles.
    #[must_use]
    pub fn with_profile_changed(mut self, follower: Arc<dyn ProfileChanged>) -> Self {
        self.profile_changed = Some(follower);
        self
    }

    /// Adds a crate that stores data about people.
    #[must_use]
    pub fn with_person_data(mut self, data: Arc<dyn PersonData>) -> Self {
        self.person_data.push(data);
        self
    }
}
