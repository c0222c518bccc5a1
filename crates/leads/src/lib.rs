//! How interested people are: a score and a temperature for each, from points with a half-life.
//!
//! Analytics tells of signs in the transaction that books the events; each becomes a row of the ledger, once
//! a thing and day, and its points go into the person's lead. Points lose worth by whole days, on every new
//! sign and in an hourly job. The list shows whoever consents now: a consent that is taken back hides the
//! lead at once, and a later one begins a new lead.

mod error;
mod interest;
mod jobs;
mod migrations;
mod model;
mod ops;
mod store;

use ::jobs::Handlers;
use db::{Db, Migration};
use httpkit::Api;
use kernel::Ambient;
use orgs::Orgs;
use sea_orm::DbErr;

pub use error::Error;
pub use model::Temperature;

/// The room's handle. Cloning shares it.
#[derive(Clone)]
pub struct Leads {
    db: Db,
    ambient: Ambient,
    orgs: Orgs,
}

impl Leads {
    /// Opens the room.
    pub fn new(db: Db, ambient: Ambient, orgs: Orgs) -> Self {
        Self { db, ambient, orgs }
    }

    /// The operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Says how this room's jobs are done.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }

    /// Brings every lead to the day it is, as the job does; returns how many were behind.
    ///
    /// # Errors
    /// The database's own.
    pub async fn cool(&self) -> Result<usize, DbErr> {
        jobs::cool(self).await
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
