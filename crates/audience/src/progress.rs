//! How far people are in items: positions to resume from, marks of what was seen, and the last visit. It belongs to
//! the person, needs no consent, and no one else can read it.

pub mod model;

use std::sync::Arc;

use db::Db;
use httpkit::Api;
use kernel::Ambient;
use orgs::Orgs;
use playlists::Playlists;

use crate::ops;

/// Handle to the progress of people; clones share the same state.
#[derive(Clone)]
pub struct Progress {
    pub(crate) db: Db,
    pub(crate) ambient: Ambient,
    pub(crate) orgs: Arc<Orgs>,
    pub(crate) playlists: Arc<Playlists>,
}

impl Progress {
    /// Creates the handle.
    pub fn new(db: Db, ambient: Ambient, orgs: Orgs, playlists: Playlists) -> Self {
        Self { db, ambient, orgs: orgs.into(), playlists: playlists.into() }
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::progress_routes().with_state(self.clone())
    }
}
