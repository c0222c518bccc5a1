//! One file per background job.

mod decay;

use jobs::{Handlers, Queue};
use kernel::HOUR;

use crate::Leads;

pub fn register(leads: &Leads, handlers: &mut Handlers) {
    let (asked, leads) = (leads.clone(), leads.clone());
    // Hourly, to update leads soon after midnight UTC; leads that are up to date are skipped.
    let has_work = move || decay::has_work(asked.clone());
    handlers.every_if("decay_leads", HOUR, Queue::Quick, has_work, move || {
        let leads = leads.clone();
        async move { Ok(decay::run(&leads).await.map(|_| ())?) }
    });
}

pub use decay::run as decay;
