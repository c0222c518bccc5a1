//! What people watch: the intake of events, and every number that is read from them.
//!
//! `definitions` holds the rules behind the numbers, pure. `intake` takes events: one task writes for all
//! requests, many in a transaction, and answers when it is durable. Every answer is read from sums that the
//! same transaction added to. Rights and consent are read in that transaction as well; nothing about them is
//! remembered. What people without consent do goes into sums without a name, and what came before a consent
//! stays there.

mod definitions;
mod error;
mod intake;
mod migrations;
mod model;
mod ops;
mod ports;
mod series;
mod store;
mod wire;

use std::sync::Arc;

use audience::Audience;
use content::Content;
use db::{Db, Migration};
use httpkit::Api;
use kernel::{Ambient, Uid};
use orgs::Orgs;
use playlists::Playlists;
use storage::Signer;

pub use error::Error;
pub use ops::post_events::EventsIn;
pub use ports::{Interest, Sign, SignKind};

use intake::Intake;
use store::people::Consenting;

/// What the room is built from.
pub struct Parts {
    /// The database.
    pub db: Db,
    /// Time, chance and ids.
    pub ambient: Ambient,
    /// Where.
    pub orgs: Orgs,
    /// Who consented.
    pub audience: Audience,
    /// What is watched.
    pub content: Content,
    /// Where it is shown.
    pub playlists: Playlists,
    /// Its secret names viewers.
    pub signer: Signer,
    /// Who makes something of what people do.
    pub interest: Option<Arc<dyn Interest>>,
}

/// The room's handle. Cloning shares it.
#[derive(Clone)]
pub struct Analytics {
    parts: Arc<Parts>,
    intake: Intake,
}

impl std::ops::Deref for Analytics {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Analytics {
    /// Opens the room and starts the task that writes events; needs a running tokio.
    pub fn new(parts: Parts) -> Self {
        let parts = Arc::new(parts);
        Self { intake: Intake::open(Arc::clone(&parts)), parts }
    }

    /// The operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// A person of the organisation whose numbers may be shown; `None` without consent.
    async fn consenting(&self, org: Uid, person: Uid) -> Result<Option<Consenting>, Error> {
        let conn = self.db.read();
        let consent = self.audience.consent_of(conn, org, person).await?;
        if consent.is_none() && self.orgs.memberships_in(conn, org, &[person]).await?.is_empty() {
            return Err(Error::PersonNotFound);
        }
        Ok(consent.filter(|consent| consent.given).map(|consent| Consenting {
            org,
            person,
            since: consent.since,
        }))
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
