//! Applies the daily decay of points to leads.

use kernel::DAY;
use sea_orm::DbErr;

use crate::{Leads, store};

/// Leads per transaction.
const CHUNK: usize = 500;

/// Updates all leads to today and returns how many were outdated. Running it again on the same day changes
/// nothing.
pub async fn run(leads: &Leads) -> Result<usize, DbErr> {
    let now = leads.ambient.now();
    let today = now.div_euclid(DAY);
    let mut updated = 0;
    for org in store::stale_orgs(leads.db.read(), today).await? {
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
                break;
            }
        }
    }
    Ok(updated)
}
