//! One file per background job.

mod decay;
mod prune;
mod send_hot_lead;
mod send_summaries;

use ::jobs::{Handlers, Queue};
use kernel::{DAY, HOUR, MINUTE};

use crate::Leads;

pub use decay::run as decay;
pub use prune::run as prune;
pub use send_hot_lead::SendHotLead;
pub use send_summaries::run as send_summaries;

pub fn register(leads: &Leads, handlers: &mut Handlers) {
    let handle = leads.clone();
    handlers.on(Queue::Quick, move |job: SendHotLead| send_hot_lead::run(handle.clone(), job));
    let (asked, handle) = (leads.clone(), leads.clone());
    // Hourly, to update leads soon after midnight UTC; leads whose score stays the same are skipped.
    let has_work = move || decay::has_work(asked.clone());
    handlers.every_if("decay_leads", HOUR, Queue::Quick, has_work, move || {
        let leads = handle.clone();
        async move { Ok(decay::run(&leads).await.map(|_| ())?) }
    });
    let (asked, handle) = (leads.clone(), leads.clone());
    let has_work = move || prune::has_work(asked.clone());
    handlers.every_if("prune_leads", DAY, Queue::Quick, has_work, move || {
        let leads = handle.clone();
        async move { prune::run(&leads).await }
    });
    let (asked, handle) = (leads.clone(), leads.clone());
    let has_work = move || send_summaries::has_work(asked.clone());
    handlers.every_if("send_lead_summaries", 5 * MINUTE, Queue::Quick, has_work, move || {
        let leads = handle.clone();
        async move { send_summaries::run(&leads).await }
    });
}
