//! One file per background job.

mod cool;

use jobs::{Handlers, Lane};
use kernel::HOUR;

use crate::Leads;

pub fn register(leads: &Leads, handlers: &mut Handlers) {
    let leads = leads.clone();
    // Hourly, to update leads soon after midnight UTC; leads that are up to date are skipped.
    handlers.every("cool_leads", HOUR, Lane::Quick, move || {
        let leads = leads.clone();
        async move { Ok(cool::run(&leads).await.map(|_| ())?) }
    });
}

pub use cool::run as cool;
