//! Writes the emails about a lead that has become hot.

use ::jobs::{Job, JobError};
use kernel::{OrgId, Uid};
use mail::LeadsNotice;
use serde::{Deserialize, Serialize};

use crate::model::Temperature;
use crate::{Leads, emails, store};

/// Writes to the staff who want emails about hot leads. The topic stands for the lead, so that a finished job does not
/// name the person.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendHotLead {
    pub org: OrgId,
    /// Topic of the emails.
    pub topic: Uid,
}

impl Job for SendHotLead {
    const KIND: &'static str = "send_hot_lead";
}

/// Writes all emails in one transaction, once. Does nothing if the lead is gone or no longer hot.
pub async fn run(leads: Leads, job: SendHotLead) -> Result<(), JobError> {
    let SendHotLead { org, topic } = job;
    let tx = leads.db.write_tx_on(org).await?;
    let Some(key) = store::email::take(&tx, org, topic).await? else { return Ok(()) };
    let lead = store::lead::locked(&tx, &[key]).await?.remove(&key);
    let person = leads.orgs.identity().people(&tx, &[key.person]).await?.pop();
    let organisation = leads.orgs.organisation(&tx, org).await?;
    let hot = lead.filter(|lead| lead.shown && lead.temperature == Temperature::Hot);
    if let (Some(lead), Some(person), Some(organisation)) = (hot, person, organisation) {
        let wanting = store::email::wanting_hot(&tx, org).await?;
        let notice =
            LeadsNotice::Hot { name: person.display_name.unwrap_or(person.email), score: lead.score };
        for recipient in emails::recipients(&leads, &tx, org, &wanting).await? {
            emails::enqueue(&leads, &tx, (org, &organisation.name), &recipient, (topic, &notice)).await?;
        }
    }
    Ok(tx.commit().await?)
}
