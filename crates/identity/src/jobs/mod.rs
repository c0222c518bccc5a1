//! Background jobs.
mod prune;

use ::jobs::JobError;

use crate::Identity;

pub use prune::{has_expired, prune};

impl Identity {
    /// Deletes expired rows now instead of at the next hour: for the command line and for tests.
    pub async fn prune(&self) -> Result<(), JobError> {
        prune(self).await
    }
}
