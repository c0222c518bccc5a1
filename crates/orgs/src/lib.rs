#![doc = include_str!("../README.md")]

mod admin_log;
mod audit;
mod brand;
pub mod calendar;
mod deletion;
mod dto;
mod entity;
mod erasure;
mod error;
mod exports;
mod grant;
mod identity_ports;
mod invites;
mod jobs;
mod members;
mod migrations;
mod model;
mod operator;
mod ops;
mod plan_usage;
mod ports;
mod provisioning;
mod references;
pub mod removals;
pub mod rights;
mod roles;
mod scope;
mod staff_error;
mod store;
mod verify;
mod viewer_invites;

use std::sync::Arc;

use ::jobs::{Handlers, JobError};
use db::{Db, Migration};
use exports::Exports;
use httpkit::Api;
use identity::Identity;
use kernel::{Ambient, Millis, OrgId, PublicUrl};
use mail::Mailer;
use sea_orm::{ConnectionTrait, DbErr};

pub use admin_log::{AdminEntry, AdminRecord};
pub use audit::{AuditAction, AuditFilter, AuditRecord, AuditSubject};
pub use brand::brand;
pub use deletion::{DeletedOrg, ENDED_LIFETIME, Initiator, OrgData, removed_at};
pub use dto::{AuditEntryOut, ContactOut, OrganisationOut, ThemeOut};
pub use erasure::MemberErasure;
pub use error::Error;
pub use exports::ExportPermit;
pub use identity_ports::{JoinCodes, MembershipData, PeopleSearch};
pub use members::{forget_answers, role_of};
pub use model::{
    ConsentAnswer, Membership, NewOrg, OrgPerson, Organisation, PlanStanding, Standing, Theme, contact_email,
    known_time_zone, may_see_profile,
};
pub use operator::OrgSummary;
pub use plan_usage::PlanUsage;
pub use ports::{ImageOwnership, LastSeen, OrgPlaylists, PersonData, PlanEnd, Ports, Provisions, Seats};
pub use rights::{Right, Role};
pub use scope::{OrgCaller, OrgOf, OrgScope, TxScope};
pub use store::word_search::WordSearch;
pub use viewer_invites::JoinLink;

/// The public API of this crate. Clones share their state.
#[derive(Clone)]
pub struct Orgs {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    mailer: Mailer,
    identity: Arc<Identity>,
    ports: Ports,
    exports: Exports,
    /// The crates with data of organisations; empty until [`Orgs::with_org_data`].
    org_data: Vec<Arc<dyn OrgData>>,
    /// How long entries of the audit log and of the operator's log are kept.
    audit_kept: Millis,
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
            identity: identity.into(),
            ports,
            exports: Exports::default(),
            org_data: Vec::new(),
            audit_kept: audit::KEPT,
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

    /// Registers the removal of old entries of the audit logs and of the data of deleted organisations.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }

    /// Removes the data of organisations that were deleted 30 days ago, or whose plan ended 90 days ago. Runs as the
    /// schedule `purge_organisations`.
    pub async fn purge_organisations(&self) -> Result<(), JobError> {
        jobs::purge_organisations::run(self).await
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
}

/// Returns the migrations of this crate's tables.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
