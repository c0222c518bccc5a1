//! One file per background job.

pub mod purge;

use ::jobs::{Handlers, Queue};
use kernel::HOUR;

use crate::Analytics;

/// Registers the handlers of the jobs.
pub fn register(analytics: &Analytics, handlers: &mut Handlers) {
    let (asked, analytics) = (analytics.clone(), analytics.clone());
    let has_work = move || purge::has_work(asked.clone());
    handlers.every_if("purge_analytics", HOUR, Queue::Quick, has_work, move || {
        let analytics = analytics.clone();
        async move { Ok(analytics.purge().await?) }
    });
}
