#![doc = include_str!("../README.md")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

mod ambient;
mod app;
mod bucket;
mod client;
mod database;
mod ports;
mod setup;

use httpkit::Api;
use identity::Identity;
use jobs::{Handlers, Jobs};
use kernel::{Ambient, PublicUrl, Signer, Timestamp};
use mail::Mailer;
use orgs::Orgs;

pub use ambient::{Dice, ManualClock, SeededRandom};
pub use app::{TestApp, TestOrg};
pub use bucket::SignedBucket;
pub use client::{ApiResponse, Client};
pub use database::Database;
pub use ports::{AlwaysFree, AnyImage, NoActivity, NoPlaylists, TestSeats};
pub use setup::Setup;

/// Time at which every test starts.
pub const START_TIME: Timestamp = Timestamp::from_ms(1_795_161_600_000); // 2026-11-20T08:00:00Z

/// Returns an answer to the consent notice.
pub fn answer(given: bool) -> serde_json::Value {
    serde_json::json!({ "consent": given, "noticeVersion": "2026-11-20" })
}

/// Dependencies of the feature crate under test.
#[derive(Clone)]
pub struct TestDeps {
    /// Database with the tables of all crates under test.
    pub db: db::Db,
    /// Test clock and seeded randomness.
    pub ambient: Ambient,
    /// Public URL, `http://vitrine.test`.
    pub public: PublicUrl,
    /// Signer with a fixed secret.
    pub signer: Signer,
    /// Job queue.
    pub jobs: Jobs,
    /// Mailer that writes to the outbox.
    pub mailer: Mailer,
    /// People and sessions.
    pub identity: Identity,
    /// Organisations and memberships.
    pub orgs: Orgs,
    /// Temporary folder of the test.
    pub folder: std::path::PathBuf,
}

/// Function that registers the jobs of a feature crate.
pub type Register = Box<dyn FnOnce(&mut Handlers)>;

/// Contribution of one feature crate to the app: its routes and its jobs.
#[derive(Default)]
pub struct Feature {
    /// Routes nested under `/v1`.
    pub routes: Option<Api>,
    /// Routes at the root.
    pub root: Option<Api>,
    /// Registers the crate's jobs.
    pub register: Option<Register>,
}
