//! What the operator of the installation may see of organisations, from the command line.

use kernel::{OrgId, Timestamp};
use sea_orm::DbErr;

use crate::{Orgs, Standing, store};

/// An organisation, deleted ones included, as the operator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgSummary {
    /// Its id.
    pub uid: OrgId,
    /// Its name.
    pub name: String,
    /// Its standing, as it is now.
    pub standing: Standing,
    /// The number of people it knows.
    pub people: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was deleted.
    pub deleted_at: Option<Timestamp>,
}

impl Orgs {
    /// Returns a page of all organisations whose data was not removed, oldest first, after the id `after`.
    ///
    /// # Errors
    /// If the query fails or a stored value is unknown.
    pub async fn all(&self, after: OrgId, limit: u64) -> Result<Vec<OrgSummary>, DbErr> {
        store::organisation::all(self.db.read(), after, limit, self.ambient.now()).await
    }
}
