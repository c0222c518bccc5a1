//! Implements the ports of identity.

use db::{Db, WriteTx};
use kernel::{Ambient, Email, PersonId, PublicUrl};
use mail::Brand;
use sea_orm::DbErr;

use crate::members::locked_orgs_of;
use crate::{brand, store, viewer_invites};

/// Keeps the words by which people are found up to date with their profiles.
pub struct PeopleSearch;

#[async_trait::async_trait]
impl identity::ProfileChanged for PeopleSearch {
    async fn profile_changed(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr> {
        for org in store::people::orgs_of(tx, person).await? {
            store::people::update_words(tx, org, person).await?;
        }
        Ok(())
    }
}

/// Looks up the organisation of a join code for the sign-in email.
pub struct JoinCodes(pub Db, pub Ambient, pub PublicUrl);

#[async_trait::async_trait]
impl identity::JoinCodeLookup for JoinCodes {
    async fn brand_of(&self, join_code: &str, email: &Email) -> Result<Option<Brand>, DbErr> {
        let now = self.1.now();
        let link = viewer_invites::find(self.0.read(), join_code, now).await?;
        Ok(link.filter(|link| link.admits(email, now)).map(|link| brand::brand(&link.organisation, &self.2)))
    }
}

/// The memberships that identity clears when an address is verified.
pub struct MembershipData;

#[async_trait::async_trait]
impl identity::PersonData for MembershipData {
    /// Removes memberships as an app user, which anyone using the address could have started. Staff roles
    /// stay: they were assigned by someone with the right, or belong to the founder, who may be the only
    /// super admin.
    async fn delete_unverified(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr> {
        locked_orgs_of(tx, person).await?;
        store::membership::remove_user_everywhere(tx, person).await
    }
}
