//! One file a background job.

mod cool;

use jobs::{Handlers, Lane};
use kernel::HOUR;

use crate::Leads;

pub fn register(leads: &Leads, handlers: &mut Handlers) {
    let leads = leads.clone();
    // Hourly, so that no lead waits long after midnight; those that were brought to the day are left alone.
    handlers.every("cool_leads", HOUR, Lane::Quick, move || {
        let leads = leads.clone();
        async move { Ok(cool::run(&leads).await.map(|_| ())?) }
    });
}

pub use cool::run as cool;
