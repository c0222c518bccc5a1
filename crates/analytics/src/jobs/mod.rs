//! One file per background job.

pub mod archive;
pub mod pack;
pub mod pack_people;
pub mod pack_totals;
pub mod purge;
pub mod recount_zones;

use ::jobs::{Handlers, Queue};
use kernel::{HOUR, MINUTE};

use crate::Analytics;

/// Registers the handlers of the jobs.
pub fn register(analytics: &Analytics, handlers: &mut Handlers) {
    let (asked, archiving) = (analytics.clone(), analytics.clone());
    let has_work = move || archive::has_work(asked.clone());
    // Heavy, because a run may take ten minutes.
    handlers
        .every_if("archive_events", HOUR, Queue::Heavy, has_work, move || archive::run(archiving.clone()));
    let (asked, packing) = (analytics.clone(), analytics.clone());
    let has_work = move || pack::has_work(asked.clone());
    // Heavy, because the first run after an upgrade packs all weeks.
    handlers.every_if("pack_views", HOUR, Queue::Heavy, has_work, move || {
        let analytics = packing.clone();
        async move { Ok(analytics.pack_views().await?) }
    });
    let (asked, packing) = (analytics.clone(), analytics.clone());
    let has_work = move || pack_people::has_work(asked.clone());
    handlers.every_if("pack_people", HOUR, Queue::Heavy, has_work, move || {
        let analytics = packing.clone();
        async move { Ok(analytics.pack_people().await?) }
    });
    let (asked, packing) = (analytics.clone(), analytics.clone());
    let has_work = move || pack_totals::has_work(asked.clone());
    handlers.every_if("pack_totals", 5 * MINUTE, Queue::Quick, has_work, move || {
        let analytics = packing.clone();
        async move { Ok(analytics.pack_totals().await?) }
    });
    let (asked, counting) = (analytics.clone(), analytics.clone());
    let has_work = move || recount_zones::has_work(asked.clone());
    // Heavy, because all events of an organisation are counted again.
    handlers.every_if("recount_zones", 5 * MINUTE, Queue::Heavy, has_work, move || {
        let analytics = counting.clone();
        async move { Ok(analytics.recount_zones().await?) }
    });
    let (asked, analytics) = (analytics.clone(), analytics.clone());
    let has_work = move || purge::has_work(asked.clone());
    handlers.every_if("purge_analytics", HOUR, Queue::Quick, has_work, move || {
        let analytics = analytics.clone();
        async move { Ok(analytics.purge().await?) }
    });
}
