//! Removes the data of organisations that were deleted 30 days ago, or whose plan ended 90 days ago.

use ::jobs::JobError;
use kernel::OrgId;
use sea_orm::DbErr;

use crate::audit::{AuditAction, AuditRecord, AuditSubject};
use crate::deletion::{ENDED_LIFETIME, RESTORABLE};
use crate::ports::PlanEnd;
use crate::{Orgs, store};

/// Organisations read in one query.
const PAGE: u64 = 100;

/// Returns whether there is anything to remove.
pub async fn has_work(orgs: &Orgs) -> Result<bool, DbErr> {
    let before = orgs.ambient.now() - RESTORABLE;
    Ok(!store::deletion::due(orgs.db.read(), before, 1).await?.is_empty()
        || !long_ended(orgs).await?.is_empty())
}

pub async fn run(orgs: &Orgs) -> Result<(), JobError> {
    for end in long_ended(orgs).await? {
        expire(orgs, &end).await?;
    }
    let before = orgs.ambient.now() - RESTORABLE;
    loop {
        let due = store::deletion::due(orgs.db.read(), before, PAGE).await?;
        for org in &due {
            purge(orgs, *org).await?;
        }
        if due.is_empty() {
            return Ok(());
        }
    }
}

/// Returns the organisations whose last plan ended so long ago that their data is removed.
async fn long_ended(orgs: &Orgs) -> Result<Vec<PlanEnd>, DbErr> {
    let before = orgs.ambient.now() - ENDED_LIFETIME;
    let (mut after, mut found) = (OrgId::nil(), Vec::new());
    loop {
        let page = store::deletion::ended(orgs.db.read(), after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = *last;
        let ends = orgs.ports.provisions.plan_ends(orgs.db.read(), &page).await?;
        found.extend(ends.into_iter().filter(|end| end.at <= before));
    }
}

/// Deletes an organisation whose plan has ended, unless a plan was bought for it meanwhile.
async fn expire(orgs: &Orgs, end: &PlanEnd) -> Result<(), DbErr> {
    let (tx, now) = (orgs.db.write_tx_on(end.account).await?, orgs.ambient.now());
    tx.lock(end.org).await?;
    if orgs.ports.provisions.plan_end_in(&tx, end.org).await?.as_ref() != Some(end)
        || !store::organisation::exists(&tx, end.org).await?
    {
        return Ok(());
    }
    store::deletion::expire(&tx, end.org, end.account, now).await?;
    for data in &orgs.org_data {
        data.close(&tx, end.org).await?;
    }
    tx.commit().await
}

async fn purge(orgs: &Orgs, org: OrgId) -> Result<(), JobError> {
    let (tx, now) = (orgs.db.write_tx_on(org).await?, orgs.ambient.now());
    if !store::deletion::begin_purge(&tx, org, now - RESTORABLE, now).await? {
        return Ok(());
    }
    tx.commit().await?;
    for data in &orgs.org_data {
        data.purge(org).await?;
    }
    store::deletion::remove_rows(&orgs.db, org).await?;
    let tx = orgs.db.write_tx_on(org).await?;
    let (name, account) = store::deletion::finish_purge(&tx, org, now).await?;
    if let Some(account) = account {
        let subject = AuditSubject::Account(account);
        let purged = AuditRecord::new(subject, None, AuditAction::OrganisationPurged, org.into());
        orgs.record(&tx, purged.named(&name)).await?;
    }
    tx.commit().await?;
    tracing::info!(%org, "the data of an organisation was removed");
    Ok(())
}
