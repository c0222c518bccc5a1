//! Background jobs of this crate.

pub mod prune_audit;
pub mod purge_organisations;

use jobs::{Handlers, Queue};
use kernel::{DAY, HOUR};

use crate::Orgs;

/// Registers the schedules, which run only while they have work.
pub fn register(orgs: &Orgs, handlers: &mut Handlers) {
    let (asked, pruned) = (orgs.clone(), orgs.clone());
    let has_work = move || {
        let orgs = asked.clone();
        async move { prune_audit::has_work(&orgs).await }
    };
    handlers.every_if("prune_audit", DAY, Queue::Quick, has_work, move || {
        let orgs = pruned.clone();
        async move { orgs.prune_audit_log().await }
    });
    let (asked, purged) = (orgs.clone(), orgs.clone());
    let has_work = move || {
        let orgs = asked.clone();
        async move { purge_organisations::has_work(&orgs).await }
    };
    handlers.every_if("purge_organisations", HOUR, Queue::Quick, has_work, move || {
        let orgs = purged.clone();
        async move { orgs.purge_organisations().await }
    });
}
