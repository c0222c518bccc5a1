//! Applies the daily decay of points to the leads whose score drops.

use kernel::{OrgId, Timestamp};
use sea_orm::DbErr;

use crate::model::Lead;
use crate::{Leads, store};

/// Leads per transaction: few, to keep other writers from waiting long.
const CHUNK: usize = 200;

/// Returns whether the score of any lead drops today.
pub async fn has_work(leads: Leads) -> Result<bool, DbErr> {
    store::lead::any_due(leads.db.read(), leads.ambient.now().days()).await
}

/// Updates the leads whose score drops by today, and returns how many there were. Running it again on the same day
/// changes nothing. An organisation whose leads cannot be updated does not keep the others from being updated.
pub async fn run(leads: &Leads) -> Result<usize, DbErr> {
    let now = leads.ambient.now();
    let (mut updated, mut failure) = (0, None);
    for org in store::lead::due_orgs(leads.db.read(), now.days()).await? {
        match decay_org(leads, org, now).await {
            Ok(count) => updated += count,
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    failure.map_or(Ok(updated), Err)
}

async fn decay_org(leads: &Leads, org: OrgId, now: Timestamp) -> Result<usize, DbErr> {
    let today = now.days();
    let mut updated = 0;
    loop {
        let tx = leads.db.write_tx_on(org).await?;
        let due = store::lead::due(&tx, org, today, CHUNK as i64).await?;
        let mut chunk: Vec<Lead> = store::lead::locked(&tx, &due).await?.into_values().collect();
        for lead in &mut chunk {
            lead.update(std::iter::empty(), today, now);
        }
        store::lead::save(&tx, &chunk).await?;
        tx.commit().await?;
        updated += chunk.len();
        if due.len() < CHUNK {
            return Ok(updated);
        }
    }
}
