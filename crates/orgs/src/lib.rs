//! Where: organisations, memberships and rights.
//!
//! [`Orgs::enter`] is the only door into an organisation. It reads session, membership and standing in one
//! query on every request and hands out an [`OrgScope`] that proves a right; use cases demand it, and stores
//! take [`OrgScope::org`] as their first filter.

mod entity;
mod error;
mod migrations;
mod model;
mod ops;
mod ports;
pub mod rights;
mod scope;
mod store;
mod wire;

use std::sync::Arc;

use db::{Db, Migration, WriteTx};
use httpkit::Api;
use identity::Identity;
use kernel::{Ambient, Patch, PublicUrl, Uid};
use sea_orm::{ConnectionTrait, DbErr};

pub use error::Error;
pub use model::{Founding, Membership, Organisation, Standing, Theme, contact_email};
pub use ports::{Pictures, PlaylistFacts, Provisions};
pub use rights::{Right, Role};
pub use scope::OrgScope;
pub use wire::{ContactOut, OrganisationOut, ThemeOut};

/// The room's handle. Cloning shares it.
#[derive(Clone)]
pub struct Orgs {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    identity: Identity,
    playlists: Arc<dyn PlaylistFacts>,
    provisions: Arc<dyn Provisions>,
    pictures: Arc<dyn Pictures>,
}

impl Orgs {
    /// Opens the room.
    pub fn new(
        db: Db,
        ambient: Ambient,
        public: PublicUrl,
        identity: Identity,
        playlists: Arc<dyn PlaylistFacts>,
        provisions: Arc<dyn Provisions>,
        pictures: Arc<dyn Pictures>,
    ) -> Self {
        Self { db, ambient, public, identity, playlists, provisions, pictures }
    }

    /// Who people are.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Makes an organisation and its first super admin as part of `tx` (S-03, S-21, G-29).
    ///
    /// # Errors
    /// An empty or far too long name, or the database's own.
    pub async fn found(&self, tx: &WriteTx, founding: &Founding) -> Result<Organisation, Error> {
        model::name(Patch::Value(founding.name.clone()))?;
        let now = self.ambient.now();
        let organisation = store::organisation::insert(tx, self.ambient.uid(), founding, now).await?;
        let membership = self.ambient.uid();
        store::membership::insert(tx, membership, organisation.uid, founding.owner, Role::SuperAdmin, now)
            .await?;
        Ok(organisation)
    }

    /// Writes how an organisation stands with its plan, as part of billing's `tx`.
    ///
    /// # Errors
    /// The database's own.
    pub async fn set_standing(&self, tx: &WriteTx, org: Uid, standing: Standing) -> Result<(), DbErr> {
        store::organisation::set_standing(tx, org, standing).await
    }

    /// The organisation with this id, unless it was deleted. Not a right to show it: enter first.
    ///
    /// # Errors
    /// The database's own.
    pub async fn organisation(
        &self,
        conn: &impl ConnectionTrait,
        org: Uid,
    ) -> Result<Option<Organisation>, DbErr> {
        store::organisation::by_uid(conn, org).await
    }

    /// Takes a deleted playlist out of the pins and the default (S-37), as part of `tx`.
    ///
    /// # Errors
    /// The database's own.
    pub async fn forget_playlist(&self, tx: &WriteTx, org: Uid, playlist: Uid) -> Result<(), DbErr> {
        let Some(organisation) = store::organisation::by_uid(tx, org).await? else { return Ok(()) };
        let now = organisation.next_modified_at(self.ambient.now());
        let pins = organisation.pinned_playlists;
        let mut changes = model::Changes::default();
        if pins.contains(&playlist) {
            changes.pinned_playlists = Some(pins.into_iter().filter(|pin| *pin != playlist).collect());
        }
        if organisation.default_playlist == Some(playlist) {
            changes.default_playlist = Some(None);
        }
        if changes != model::Changes::default() {
            store::organisation::change(tx, org, changes, now).await?;
        }
        Ok(())
    }

    /// Those of the pictures' paths that an organisation, or a person, shows.
    ///
    /// # Errors
    /// The database's own.
    pub async fn pictures_among(&self, tx: &WriteTx, paths: &[String]) -> Result<Vec<String>, DbErr> {
        let mut shown = store::organisation::pictures_among(tx, paths).await?;
        shown.extend(self.identity.photos_among(tx, paths).await?);
        Ok(shown)
    }

    /// The organisation behind a joining code that still holds.
    ///
    /// # Errors
    /// The database's own.
    pub async fn by_join_code(
        &self,
        conn: &impl ConnectionTrait,
        code: &str,
    ) -> Result<Option<Organisation>, DbErr> {
        store::organisation::by_join_code(conn, code).await
    }

    /// Makes the person a member in the role user, unless a member already; true when it is new.
    ///
    /// # Errors
    /// The database's own.
    pub async fn admit(&self, tx: &WriteTx, org: Uid, person: Uid) -> Result<bool, DbErr> {
        tx.lock(org).await?;
        if store::membership::of(tx, org, person).await?.is_some() {
            return Ok(false);
        }
        let (uid, now) = (self.ambient.uid(), self.ambient.now());
        store::membership::insert(tx, uid, org, person, Role::User, now).await?;
        Ok(true)
    }

    /// Ends the membership of an app user; false when the person is staff or no member.
    ///
    /// # Errors
    /// The database's own.
    pub async fn dismiss(&self, tx: &WriteTx, org: Uid, person: Uid) -> Result<bool, DbErr> {
        store::membership::remove_user(tx, org, person).await
    }

    /// Gives a member a role as part of `tx`, making the membership when there is none: for tests, the
    /// command line and founding; requests go through the role operation with its weight rule.
    ///
    /// # Errors
    /// The database's own.
    pub async fn appoint(&self, tx: &WriteTx, org: Uid, person: Uid, role: Role) -> Result<(), DbErr> {
        tx.lock(org).await?;
        if store::membership::of(tx, org, person).await?.is_some() {
            return store::membership::set_role(tx, org, person, role).await;
        }
        let (uid, now) = (self.ambient.uid(), self.ambient.now());
        store::membership::insert(tx, uid, org, person, role, now).await.map(|_| ())
    }

    /// The person's memberships of living organisations, oldest first.
    ///
    /// # Errors
    /// The database's own.
    pub async fn memberships_of(
        &self,
        conn: &impl ConnectionTrait,
        person: Uid,
    ) -> Result<Vec<(Membership, Organisation)>, DbErr> {
        store::membership::of_person(conn, person).await
    }

    /// The memberships of some people in one organisation.
    ///
    /// # Errors
    /// The database's own.
    pub async fn memberships_in(
        &self,
        conn: &impl ConnectionTrait,
        org: Uid,
        people: &[Uid],
    ) -> Result<Vec<Membership>, DbErr> {
        store::membership::of_people(conn, org, people).await
    }

    /// How many people have a role in the organisation.
    ///
    /// # Errors
    /// The database's own.
    pub async fn member_count(&self, conn: &impl ConnectionTrait, org: Uid) -> Result<u64, DbErr> {
        store::membership::count(conn, org).await
    }
}

/// Answers identity's question whose joining link somebody signs in by.
pub struct JoiningPlaces(pub Db);

#[async_trait::async_trait]
impl identity::Places for JoiningPlaces {
    async fn organisation_of(&self, join_code: &str) -> Result<Option<String>, DbErr> {
        let organisation = store::organisation::by_join_code(self.0.read(), join_code).await?;
        Ok(organisation.map(|organisation| organisation.name))
    }
}

/// Memberships in people's names.
pub struct MembershipData;

#[async_trait::async_trait]
impl identity::PersonData for MembershipData {
    /// Ends memberships as an app user, which anybody could have begun. Staff were appointed by somebody with the
    /// right, or founded the organisation, which must not lose its only super admin.
    async fn clear_unproved(&self, tx: &WriteTx, person: Uid) -> Result<(), DbErr> {
        store::membership::remove_user_everywhere(tx, person).await
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
