//! Applies the daily decay of points to leads.

use kernel::{OrgId, Timestamp};
use sea_orm::DbErr;

use crate::{Leads, store};

/// Leads per transaction.
const CHUNK: usize = 500;

/// Returns whether any lead is outdated.
pub async fn has_work(leads: Leads) -> Result<bool, DbErr> {
    store::any_stale(leads.db.read(), leads.ambient.now().days()).await
}

/// Updates all leads to today and returns how many were outdated. Running it again on the same day changes
/// nothing. An organisation whose leads cannot be updated does not keep the others from being updated.
pub async fn run(leads: &Leads) -> Result<usize, DbErr> {
    let now = leads.ambient.now();
    let (mut updated, mut failure) = (0, None);
    for org in store::stale_orgs(leads.db.read(), now.days()).await? {
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
        let mut stale = store::stale(&tx, org, today, CHUNK as i64).await?;
        for lead in &mut stale {
            lead.update(std::iter::empty(), today, now);
        }
        store::save(&tx, &stale).await?;
        tx.commit().await?;
        updated += stale.len();
        if stale.len() < CHUNK {
            return Ok(updated);
        }
    }
}
