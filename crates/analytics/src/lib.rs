#![doc = include_str!("../README.md")]

mod archive;
mod audience_of_item;
mod cards;
mod country;
mod definitions;
mod dto;
mod error;
#[doc(hidden)]
pub mod fuzzing;
mod horizon;
mod intake;
mod jobs;
mod last_seen;
mod migrations;
mod model;
mod names;
mod ops;
mod org_data;
mod packed;
mod person_pack;
mod ports;
mod raw;
mod recount;
mod reports;
mod returning;
mod seen_parts;
mod series;
mod shortlist;
mod store;
mod titles;
mod total_pack;
mod totals;
mod verify;
mod view_pack;
mod viewer_data;

use std::sync::Arc;

use ::jobs::Handlers;
use audience::Audience;
use content::Content;
use db::{Db, Migration};
use httpkit::Api;
use identity::Identity;
use kernel::{Ambient, Millis, OrgId, PersonId, Signer};
use orgs::Orgs;
use playlists::Playlists;

pub use archive::{ArchiveError, ArchiveSettings, EventArchive, NamedSegment, is_segment, named_segments};
pub use country::{Countries, CountryFile, CountryFileError};
pub use error::Error;
pub use last_seen::Visitors;
pub use ops::post_events::EventsIn;
pub use ports::{Horizon, InterestSignal, InterestSink, SignalKind};
pub use recount::{Counted, Recounted};
pub use store::view_packs::unpack_restored;
pub use viewer_data::ViewerData;

use intake::Intake;
use reports::Reports;
use store::people::Consenting;
use store::sql_reports::SqlReports;

/// Dependencies of [`Analytics`].
pub struct AnalyticsDeps {
    /// Database connections.
    pub db: Db,
    /// Source of time, randomness and ids.
    pub ambient: Ambient,
    /// Checks memberships and rights.
    pub orgs: Orgs,
    /// Provides the names of people.
    pub identity: Identity,
    /// Provides the consent of app users.
    pub audience: Audience,
    /// Provides content items and keeps their counters.
    pub content: Content,
    /// Keeps the playlists' counters.
    pub playlists: Playlists,
    /// Derives the key for pseudonymous viewer names.
    pub signer: Signer,
    /// Tells the countries of requests.
    pub countries: Countries,
    /// Bounds what reports show, if set.
    pub horizon: Option<Arc<dyn Horizon>>,
    /// Receives interest signals, if set.
    pub interest: Option<Arc<dyn InterestSink>>,
}

/// Handle to the analytics crate; clones share the same state. Each request clones it, so its fields are cheap to clone.
#[derive(Clone)]
pub struct Analytics {
    /// Shared with the intake task.
    deps: Arc<AnalyticsDeps>,
    intake: Intake,
    reports: Arc<dyn Reports>,
    /// How long events, views and histories are kept.
    history_kept: Millis,
    archive: Option<Arc<archive::Archive>>,
}

impl Analytics {
    /// Creates the handle and starts the task that writes events. Requires a running Tokio runtime.
    pub fn new(deps: AnalyticsDeps) -> Self {
        let deps = Arc::new(deps);
        let intake = Intake::start(Arc::clone(&deps));
        let reports = Arc::new(SqlReports(deps.db.clone()));
        Self { intake, reports, deps, history_kept: definitions::HISTORY_KEPT, archive: None }
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Registers the jobs of this crate.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }

    /// Returns the person and the start of the consent, or `None` without consent. Fails with
    /// `PersonNotFound` if the organisation has neither a membership nor an answer of this person.
    async fn consenting(&self, org: OrgId, person: PersonId) -> Result<Option<Consenting>, Error> {
        let conn = self.deps.db.read();
        let consent = self.deps.audience.consent_of(conn, org, person).await?;
        if consent.is_none() && self.deps.orgs.memberships_in(conn, org, &[person]).await?.is_empty() {
            return Err(Error::PersonNotFound);
        }
        let given = consent.filter(|consent| consent.given);
        Ok(given.map(|consent| Consenting { org, person, since: consent.since }))
    }
}

/// Returns the migrations of this crate.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
