#![doc = include_str!("../README.md")]

mod audit;
mod brand;
mod deletion;
mod dto;
mod entity;
mod error;
mod exports;
mod grant;
mod invites;
mod jobs;
mod migrations;
mod model;
mod ops;
mod plan_usage;
mod ports;
pub mod rights;
mod roles;
mod scope;
mod staff_error;
mod store;
mod viewer_invites;

use std::sync::Arc;

use ::jobs::{Handlers, JobError, Queue};
use db::{Db, Migration, WriteTx};
use exports::Exports;
use grant::Grant;
use httpkit::Api;
use identity::Identity;
use kernel::{Ambient, DAY, HOUR, OrgId, Patch, PersonId, PlaylistId, PublicUrl};
use mail::Mailer;
use sea_orm::{ConnectionTrait, DbErr};
use serde_json::json;
use store::membership::Target;

pub use audit::{AuditAction, AuditFilter, AuditRecord, AuditSubject};
pub use brand::brand;
pub use deletion::{DeletedOrg, ENDED_LIFETIME, OrgData, removed_at};
pub use dto::{AuditEntryOut, ContactOut, OrganisationOut, ThemeOut};
pub use error::Error;
pub use exports::ExportPermit;
pub use model::{
    ConsentAnswer, Membership, NewOrg, OrgPerson, Organisation, PlanStanding, Standing, Theme, contact_email,
    known_time_zone, may_see_profile,
};
pub use plan_usage::PlanUsage;
pub use ports::{ImageOwnership, LastSeen, OrgPlaylists, PlanEnd, Ports, Provisions, Seats};
pub use rights::{Right, Role};
pub use scope::{OrgCaller, OrgScope, TxScope};
pub use viewer_invites::JoinLink;

/// The public API of this crate. Clones share their state.
#[derive(Clone)]
pub struct Orgs {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    mailer: Mailer,
    identity: Identity,
    ports: Ports,
    exports: Exports,
    /// The crates with data of organisations; empty until [`Orgs::with_org_data`].
    org_data: Vec<Arc<dyn OrgData>>,
}

impl Orgs {
    /// Creates the handle from its dependencies.
    pub fn new(
        db: Db,
        ambient: Ambient,
        public: PublicUrl,
        mailer: Mailer,
        identity: Identity,
        ports: Ports,
    ) -> Self {
        Self {
            db,
            ambient,
            public,
            mailer,
            identity,
            ports,
            exports: Exports::default(),
            org_data: Vec::new(),
        }
    }

    /// Returns the identity crate's handle.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Registers the removal of old entries of the audit log and of the data of deleted organisations.
    pub fn register(&self, handlers: &mut Handlers) {
        let (asked, orgs) = (self.clone(), self.clone());
        let has_work = move || {
            let orgs = asked.clone();
            async move { jobs::prune_audit::has_work(&orgs).await }
        };
        handlers.every_if("prune_audit", DAY, Queue::Quick, has_work, move || {
            let orgs = orgs.clone();
            async move { orgs.prune_audit_log().await }
        });
        let (asked, orgs) = (self.clone(), self.clone());
        let has_work = move || {
            let orgs = asked.clone();
            async move { jobs::purge_organisations::has_work(&orgs).await }
        };
        handlers.every_if("purge_organisations", HOUR, Queue::Quick, has_work, move || {
            let orgs = orgs.clone();
            async move { orgs.purge_organisations().await }
        });
    }

    /// Removes the data of organisations that were deleted 30 days ago, or whose plan ended 90 days ago. Runs as the
    /// schedule `purge_organisations`.
    pub async fn purge_organisations(&self) -> Result<(), JobError> {
        jobs::purge_organisations::run(self).await
    }

    /// Removes old entries of the audit log. Runs as the schedule `prune_audit`.
    pub async fn prune_audit_log(&self) -> Result<(), JobError> {
        jobs::prune_audit::run(self).await
    }

    /// Creates an organisation and its first super admin as part of `tx`.
    ///
    /// # Errors
    /// Fails if the name is empty or too long.
    pub async fn create(&self, tx: &WriteTx, new_org: &NewOrg) -> Result<Organisation, Error> {
        model::name(Patch::Value(new_org.name.clone()))?;
        let now = self.ambient.now();
        let organisation = store::organisation::insert(tx, self.ambient.uid(), new_org, now).await?;
        let target = Target { uid: self.ambient.uid(), org: organisation.uid, person: new_org.owner, now };
        store::membership::write(tx, target, Grant::to_founder()).await?;
        let (subject, uid) = (AuditSubject::Org(organisation.uid), organisation.uid.into());
        let created = AuditRecord::new(subject, Some(new_org.owner), AuditAction::OrganisationCreated, uid);
        self.record(tx, created.named(&new_org.name)).await?;
        Ok(organisation)
    }

    /// Makes a person super admin of an organisation that returns, as part of billing's `tx`.
    pub async fn ensure_super_admin(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr> {
        tx.lock(org).await?;
        let old = store::membership::of_people(tx, org, &[person]).await?.pop().map(|found| found.role);
        if old == Some(Role::SuperAdmin) {
            return Ok(());
        }
        store::membership::write(tx, self.target(org, person), Grant::to_founder()).await?;
        let role = |role: Option<Role>| json!({ "role": role });
        let changed = AuditRecord::new(AuditSubject::Org(org), None, AuditAction::RoleChanged, person.into());
        self.record(tx, changed.change(role(old), role(Some(Role::SuperAdmin)))).await
    }

    /// Stores the standing of an organisation, as part of billing's `tx`.
    pub async fn set_standing(&self, tx: &WriteTx, org: OrgId, plan: PlanStanding) -> Result<(), DbErr> {
        // Others prove a right, which depends on the standing, under this lock.
        tx.lock(org).await?;
        store::organisation::set_standing(tx, org, plan).await
    }

    /// Returns the stored standings of a page of the organisations that were not deleted, ordered by id, starting after
    /// `after`. One that cannot be read does not fail the others.
    pub async fn plan_standings(
        &self,
        conn: &impl ConnectionTrait,
        after: OrgId,
        limit: u64,
    ) -> Result<Vec<(OrgId, Result<PlanStanding, DbErr>)>, DbErr> {
        store::organisation::plan_standings(conn, after, limit).await
    }

    /// Returns the stored standing of an organisation that was not deleted.
    pub async fn plan_standing(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
    ) -> Result<Option<PlanStanding>, DbErr> {
        store::organisation::plan_standing_of(conn, org).await
    }

    /// Records a change of the standing in the audit log, as part of billing's `tx`. Time changes a standing without
    /// a write, so the change may be older than the entry.
    pub async fn record_standing(
        &self,
        tx: &WriteTx,
        org: OrgId,
        from: Standing,
        to: Standing,
    ) -> Result<(), DbErr> {
        let Some(name) = store::organisation::name(tx, org).await? else { return Ok(()) };
        let changed =
            AuditRecord::new(AuditSubject::Org(org), None, AuditAction::StandingChanged, org.into());
        let state = |standing: Standing| json!({ "state": standing });
        self.record(tx, changed.named(&name).change(state(from), state(to))).await
    }

    /// Returns the organisation with this id, unless it was deleted. Checks no rights: call [`Orgs::enter`]
    /// before showing it to a caller.
    pub async fn organisation(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
    ) -> Result<Option<Organisation>, DbErr> {
        store::organisation::by_uid(conn, org, self.ambient.now()).await
    }

    /// Returns the IANA name of the time zone in which an organisation's days and hours are reported.
    pub async fn time_zone(&self, conn: &impl ConnectionTrait, org: OrgId) -> Result<String, DbErr> {
        Ok(store::organisation::time_zone(conn, org).await?.unwrap_or_else(|| model::UTC.to_owned()))
    }

    /// Removes a deleted playlist from the pins and from the default playlist, as part of `tx`.
    pub async fn forget_playlist(&self, tx: &WriteTx, org: OrgId, playlist: PlaylistId) -> Result<(), DbErr> {
        let now = self.ambient.now();
        let Some(organisation) = store::organisation::by_uid(tx, org, now).await? else { return Ok(()) };
        let now = organisation.next_modified_at(now);
        let pins = organisation.pinned_playlists;
        let mut changes = model::Changes::default();
        if pins.contains(&playlist) {
            changes.pinned_playlists = Some(pins.into_iter().filter(|pin| *pin != playlist).collect());
        }
        if organisation.default_playlist == Some(playlist) {
            changes.default_playlist = Patch::Null;
        }
        if changes != model::Changes::default() {
            store::organisation::change(tx, org, changes, now).await?;
        }
        Ok(())
    }

    /// Returns which of these image paths are in use by an organisation or a person.
    pub async fn images_in_use(
        &self,
        conn: &impl ConnectionTrait,
        paths: &[String],
    ) -> Result<Vec<String>, DbErr> {
        let mut in_use = store::organisation::images_in_use(conn, paths).await?;
        in_use.extend(self.identity.photos_in_use(conn, paths).await?);
        Ok(in_use)
    }

    /// Adds the person as a member with the role `user`. Returns false if the person is a member already.
    pub async fn add_member(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<bool, DbErr> {
        tx.lock(org).await?;
        if store::membership::exists(tx, org, person).await? {
            return Ok(false);
        }
        store::membership::write(tx, self.target(org, person), Grant::to_app_user()).await?;
        Ok(true)
    }

    /// Returns the person's memberships, oldest first. Organisations that were deleted or whose plan has
    /// ended are left out.
    pub async fn memberships_of(
        &self,
        conn: &impl ConnectionTrait,
        person: PersonId,
    ) -> Result<Vec<(Membership, Organisation)>, DbErr> {
        store::membership::of_person(conn, person, self.ambient.now()).await
    }

    /// Returns the organisations that know a person: as a member, by an answer to their notice, or as blocked.
    pub async fn orgs_that_know(
        &self,
        conn: &impl ConnectionTrait,
        person: PersonId,
    ) -> Result<Vec<OrgId>, DbErr> {
        store::people::orgs_of(conn, person).await
    }

    /// Returns the memberships of these people in one organisation.
    pub async fn memberships_in(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        people: &[PersonId],
    ) -> Result<Vec<Membership>, DbErr> {
        store::membership::of_people(conn, org, people).await
    }

    /// Returns whether the person is kept from rejoining, read in the transaction that would add the person.
    pub async fn is_blocked(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<bool, DbErr> {
        Ok(store::people::blocked(tx, org, person).await? == Some(true))
    }

    /// Stores a person's latest answer to the organisation's notice, as part of audience's `tx`, which must hold
    /// the organisation's lock.
    pub async fn set_answer(
        &self,
        tx: &WriteTx,
        org: OrgId,
        person: PersonId,
        answer: ConsentAnswer,
    ) -> Result<(), DbErr> {
        store::people::set_answer(tx, org, person, Some(answer)).await
    }
}

/// Forgets a person's answers to the notices of all organisations, as part of audience's `tx`.
pub async fn forget_answers(tx: &WriteTx, person: PersonId) -> Result<(), DbErr> {
    for org in locked_orgs_of(tx, person).await? {
        store::people::set_answer(tx, org, person, None).await?;
    }
    Ok(())
}

/// Takes the locks of the organisations that know the person, always in the same order.
async fn locked_orgs_of(tx: &WriteTx, person: PersonId) -> Result<Vec<OrgId>, DbErr> {
    let mut orgs = store::people::orgs_of(tx, person).await?;
    orgs.sort_unstable();
    for org in &orgs {
        tx.lock(*org).await?;
    }
    Ok(orgs)
}

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
pub struct JoinCodes(pub Db, pub Ambient);

#[async_trait::async_trait]
impl identity::JoinCodeLookup for JoinCodes {
    async fn organisation_of(&self, join_code: &str) -> Result<Option<String>, DbErr> {
        let link = viewer_invites::find(self.0.read(), join_code, self.1.now()).await?;
        Ok(link.map(|link| link.organisation.name))
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

/// Returns the migrations of this crate's tables.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
