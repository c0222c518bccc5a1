#![doc = include_str!("../README.md")]

mod dto;
mod emails;
mod error;
mod interest;
mod jobs;
mod migrations;
mod model;
mod ops;
mod org_data;
mod person_data;
mod reasons;
mod store;
mod unsubscribe;
mod verify;

use std::sync::Arc;

use ::jobs::{Handlers, JobError, Jobs};
use audience::UnsubscribePage;
use db::{Db, Migration};
use httpkit::Api;
use kernel::{Ambient, DAY, Millis, PublicUrl, Signer};
use mail::Mailer;
use orgs::Orgs;
use playlists::Playlists;
use sea_orm::DbErr;

pub use error::Error;
pub use model::Temperature;
pub use person_data::PersonLeads;

/// Dependencies of [`Leads`].
pub struct LeadsDeps {
    /// Database connections.
    pub db: Db,
    /// Source of time, randomness and ids.
    pub ambient: Ambient,
    /// Public URL of the server, for links.
    pub public: PublicUrl,
    /// Signs unsubscribe links.
    pub signer: Signer,
    /// Job queue.
    pub jobs: Jobs,
    /// Sends the emails.
    pub mailer: Mailer,
    /// Provides organisations, rights and people.
    pub orgs: Orgs,
    /// Provides titles of playlists.
    pub playlists: Playlists,
}

/// Handle to the leads crate; clones share the same state.
#[derive(Clone)]
pub struct Leads {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    signer: Signer,
    jobs: Jobs,
    mailer: Mailer,
    orgs: Arc<Orgs>,
    playlists: Arc<Playlists>,
    unsubscribe_page: Arc<UnsubscribePage>,
    /// How long entries of the ledger are kept.
    ledger_kept: Millis,
}

/// How long entries of the ledger are kept unless another time is set: 13 months. After that, 25 points are worth 0.001.
const LEDGER_KEPT: Millis = 397 * DAY;

impl Leads {
    /// Creates the handle and registers the check that the mailer runs before it sends an email about a hot lead.
    ///
    /// # Errors
    /// If the template of the unsubscribe page is invalid.
    pub fn new(deps: LeadsDeps) -> Result<Self, String> {
        let unsubscribe_page =
            UnsubscribePage::new().map_err(|error| format!("invalid unsubscribe page template: {error}"))?;
        let LeadsDeps { db, ambient, public, signer, jobs, mailer, orgs, playlists } = deps;
        emails::register_check(&mailer, &db, &orgs);
        let unsubscribe_page = Arc::new(unsubscribe_page);
        let (orgs, playlists) = (Arc::new(orgs), Arc::new(playlists));
        let ledger_kept = LEDGER_KEPT;
        Ok(Self { db, ambient, public, signer, jobs, mailer, orgs, playlists, unsubscribe_page, ledger_kept })
    }

    /// Returns the same handle, whose job removes entries of the ledger after this time.
    #[must_use]
    pub fn with_ledger_kept(mut self, kept: Millis) -> Self {
        self.ledger_kept = kept;
        self
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Registers the handlers of this crate's jobs.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }

    /// Applies decay to the leads whose score or temperature changes, as the hourly job does; returns their number.
    pub async fn decay(&self) -> Result<usize, DbErr> {
        jobs::decay(self).await
    }

    /// Writes the weekly summaries that are due, as the schedule `send_lead_summaries` does.
    pub async fn send_summaries(&self) -> Result<(), JobError> {
        jobs::send_summaries(self).await
    }

    /// Removes old entries of the ledger, as the daily job does.
    pub async fn prune(&self) -> Result<(), JobError> {
        jobs::prune(self).await
    }
}

/// Returns the migrations of this crate.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
