//! Packs what people watched in periods that are over, so that a person's page reads a period at a time.

use std::collections::HashSet;

use db::SubjectPart;
use kernel::Timestamp;
use sea_orm::DbErr;

use crate::Analytics;
use crate::person_pack::{FORTNIGHT, fortnight_of};
use crate::store::person_packs::{self, PersonPeriodKey, end_of_over};

/// Totals of a person in a period from which on it is packed. Fewer are read as fast.
const ROWS_MIN: i64 = 16;
/// People who are looked up at once.
const PAGE: i64 = 100;

/// What there is to do.
struct Work {
    /// Whether periods are packed that are not over.
    too_early: bool,
    /// The periods to pack, oldest first.
    periods: Vec<Timestamp>,
}

/// Returns whether there is a period to pack.
pub async fn has_work(analytics: Analytics) -> Result<bool, DbErr> {
    let Work { too_early, periods } = work(&analytics).await?;
    Ok(too_early || !periods.is_empty())
}

/// Totals stay, but those of people are packed only as far back as histories reach.
async fn work(analytics: &Analytics) -> Result<Work, DbErr> {
    let now = analytics.deps.ambient.now();
    let (first, over) = (fortnight_of(now - analytics.history_kept), end_of_over(now));
    let read = analytics.deps.db.read();
    let done: HashSet<Timestamp> = person_packs::done(read).await?.into_iter().collect();
    let all = std::iter::successors(Some(first), |period| Some(*period + FORTNIGHT));
    let mut periods: Vec<Timestamp> =
        all.take_while(|period| *period < over).filter(|period| !done.contains(period)).collect();
    if !periods.is_empty() && !person_packs::any_totals(read).await? {
        periods.clear();
    }
    Ok(Work { too_early: done.iter().any(|period| *period >= over), periods })
}

impl Analytics {
    /// Packs what people watched in periods that are over. Runs as the schedule `pack_people`.
    ///
    /// # Errors
    /// If a person could not be packed, after the others were.
    pub async fn pack_people(&self) -> Result<(), DbErr> {
        let Work { too_early, periods } = work(self).await?;
        if too_early {
            let tx = self.deps.db.write_tx().await?;
            person_packs::remove_since(&tx, end_of_over(self.deps.ambient.now())).await?;
            tx.commit().await?;
        }
        let mut outcome = Ok(());
        for period in periods {
            outcome = outcome.and(self.pack_period(period).await);
        }
        outcome
    }

    async fn pack_period(&self, period: Timestamp) -> Result<(), DbErr> {
        let (mut last, mut outcome) = (PersonPeriodKey::first(period), Ok(()));
        loop {
            let page = person_packs::unpacked(self.deps.db.read(), last, ROWS_MIN, PAGE).await?;
            let Some(next) = page.last() else { break };
            last = *next;
            for key in &page {
                if let Err(error) = self.pack_person(*key).await {
                    tracing::error!(org = %key.org, %error, "what a person watched in a period could not be packed");
                    outcome = Err(error);
                }
            }
            db::pause_after_page().await;
        }
        if outcome.is_ok() {
            let tx = self.deps.db.write_tx().await?;
            person_packs::set_done(&tx, period).await?;
            tx.commit().await?;
        }
        outcome
    }

    /// Packs one person in a transaction that excludes the person's events, and those that lock the organisation. Events
    /// of others do not wait.
    async fn pack_person(&self, key: PersonPeriodKey) -> Result<(), DbErr> {
        let part = SubjectPart::new(key.org, key.person);
        let tx = self.deps.db.write_tx_on_part(key.org, part).await?;
        person_packs::pack(&tx, key).await?;
        tx.commit().await
    }
}
