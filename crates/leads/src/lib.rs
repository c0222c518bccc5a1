#![doc = include_str!("../README.md")]

mod error;
mod interest;
mod jobs;
mod migrations;
mod model;
mod ops;
mod org_data;
mod person_data;
mod store;

use ::jobs::Handlers;
use db::{Db, Migration};
use httpkit::Api;
use kernel::Ambient;
use orgs::Orgs;
use sea_orm::DbErr;

pub use error::Error;
pub use model::Temperature;
pub use person_data::PersonLeads;

/// Handle to the leads crate; clones share the same state.
#[derive(Clone)]
pub struct Leads {
    db: Db,
    ambient: Ambient,
    orgs: Orgs,
}

impl Leads {
    /// Creates the handle.
    pub fn new(db: Db, ambient: Ambient, orgs: Orgs) -> Self {
        Self { db, ambient, orgs }
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Registers the handlers of this crate's jobs.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }

    /// Applies decay to all leads up to today, as the hourly job does; returns how many were outdated.
    pub async fn decay(&self) -> Result<usize, DbErr> {
        jobs::decay(self).await
    }
}

/// Returns the migrations of this crate.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
