//! Writes the weekly summaries: on Mondays at 08:00 in the time zone of the organisation.

use ::jobs::JobError;
use kernel::{OrgId, Timestamp, Uid};
use mail::LeadsNotice;
use orgs::calendar::{next_monday_morning, week_before};
use sea_orm::{ConnectionTrait, DbErr};

use crate::model::Temperature;
use crate::{Leads, emails, store};

/// Organisations read at once.
const PAGE: i64 = 100;

/// Returns whether a summary is due.
pub async fn has_work(leads: Leads) -> Result<bool, DbErr> {
    Ok(!store::email::summaries_due(leads.db.read(), leads.ambient.now(), 1).await?.is_empty())
}

/// Writes the summaries that are due. An organisation whose summary fails does not keep the others from theirs.
pub async fn run(leads: &Leads) -> Result<(), JobError> {
    let now = leads.ambient.now();
    let mut failure = None;
    loop {
        let due = store::email::summaries_due(leads.db.read(), now, PAGE).await?;
        let mut written = 0;
        for org in &due {
            match write(leads, *org, now).await {
                Ok(()) => written += 1,
                Err(error) => {
                    tracing::warn!(%org, %error, "the weekly summary of leads was not written");
                    failure = failure.or(Some(error));
                }
            }
        }
        // Those that failed are due again.
        if written == 0 || i64::try_from(due.len()).unwrap_or(i64::MAX) < PAGE {
            return failure.map_or(Ok(()), |error| Err(error.into()));
        }
    }
}

/// Writes the summary of one organisation and plans the next one, in one transaction. Ends the summaries if no one wants
/// them any more.
async fn write(leads: &Leads, org: OrgId, now: Timestamp) -> Result<(), DbErr> {
    let tx = leads.db.write_tx_on(org).await?;
    let zone = leads.orgs.time_zone(&tx, org).await?;
    let next = next_monday_morning(now, &zone);
    let Some(due) = store::email::take_summary(&tx, org, now, next).await? else { return Ok(()) };
    let wanting = store::email::wanting_weekly(&tx, org).await?;
    if wanting.is_empty() {
        store::email::end_summary(&tx, org).await?;
        return tx.commit().await;
    }
    let recipients = emails::recipients(leads, &tx, org, &wanting).await?;
    if let Some(organisation) = leads.orgs.organisation(&tx, org).await? {
        let notice = numbers(&tx, org, due, &zone).await?;
        let topic: Uid = leads.ambient.uid();
        for recipient in &recipients {
            emails::enqueue(leads, &tx, (org, &organisation.name), recipient, (topic, &notice)).await?;
        }
    }
    tx.commit().await
}

async fn numbers(
    conn: &impl ConnectionTrait,
    org: OrgId,
    due: Timestamp,
    zone: &str,
) -> Result<LeadsNotice, DbErr> {
    let week = week_before(due, zone);
    let new: i64 = store::list::created(conn, org, week).await?.iter().map(|(_, count)| count).sum();
    let before = store::list::created(conn, org, week_before(week.start, zone)).await?;
    let counts = store::tally::counts(conn, org).await?;
    let count = |temperature| counts.get(&temperature).copied().unwrap_or_default();
    Ok(LeadsNotice::Week {
        new,
        before: before.iter().map(|(_, count)| count).sum(),
        hot: count(Temperature::Hot),
        warm: count(Temperature::Warm),
        cold: count(Temperature::Cold),
    })
}
