//! Checks of the stored purchases: their journal, and the organisations that they pay for.

use std::collections::HashMap;

use kernel::{DAY, Finding, Millis, OrgId, ProvisionId};
use orgs::{PlanStanding, Standing};
use sea_orm::{ActiveEnum as _, DbErr};

use crate::model::ProvisionState;
use crate::provision::Provision;
use crate::store::provision_change::Recorded;
use crate::{Billing, store};

/// Rows read in one query.
const PAGE: u64 = 500;
/// How long after the end of a checkout session the provider must have been asked about it. It keeps saying for a day that a
/// session is open.
const CHECKOUT_GRACE: Millis = 2 * DAY;

impl Billing {
    /// Checks the journal of each purchase, and that each organisation has the standing of its purchase. Changes nothing.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn verify(&self) -> Result<Vec<Finding>, DbErr> {
        let mut found = self.verify_journals().await?;
        let mut after = OrgId::nil();
        loop {
            let page = self.orgs.plan_standings(self.db.read(), after, PAGE).await?;
            let Some((last, _)) = page.last() else { return Ok(found) };
            after = *last;
            for (org, stored) in page {
                match stored {
                    Ok(stored) => found.extend(self.verify_org(org, stored).await?),
                    Err(error) => {
                        found.push(Finding::new("plan_standing", "organisation", org, error.to_string()));
                    }
                }
            }
        }
    }

    async fn verify_journals(&self) -> Result<Vec<Finding>, DbErr> {
        let (mut found, mut after) = (Vec::new(), ProvisionId::nil());
        loop {
            let page = store::provision::all_after(self.db.read(), after, PAGE).await?;
            let Some((last, _)) = page.last() else { return Ok(found) };
            after = *last;
            let uids: Vec<ProvisionId> = page.iter().map(|(uid, _)| *uid).collect();
            let mut journals: HashMap<ProvisionId, Vec<Recorded>> = HashMap::new();
            for (uid, entry) in store::provision_change::of_provisions(self.db.read(), &uids).await? {
                journals.entry(uid).or_default().push(entry);
            }
            for (uid, provision) in page {
                match provision {
                    Ok(provision) => {
                        found.extend(self.check_checkout(&provision));
                        found
                            .extend(check_journal(&provision, journals.get(&uid).map_or(&[], Vec::as_slice)));
                    }
                    Err(error) => found.push(Finding::new("purchase", "provision", uid, error.to_string())),
                }
            }
        }
    }

    /// Checks that a checkout whose session has expired was looked at.
    fn check_checkout(&self, provision: &Provision) -> Option<Finding> {
        let now = self.ambient.now();
        let is_open = provision.state_at(now) == ProvisionState::Open && provision.answer.is_none();
        if !is_open || self.provider.is_none() || provision.session_expires + CHECKOUT_GRACE >= now {
            return None;
        }
        let what = "its checkout expired, but the provider was never asked for its status";
        Some(Finding::new("checkout_open", "provision", provision.uid, what))
    }

    async fn verify_org(&self, org: OrgId, stored: PlanStanding) -> Result<Vec<Finding>, DbErr> {
        let now = self.ambient.now();
        // A purchase that cannot be read was reported.
        let Ok(paid) = store::provision::of_orgs(self.db.read(), &[org]).await else { return Ok(Vec::new()) };
        let found = check_org(org, stored, &paid, now, self.provider.is_some());
        if found.is_empty() {
            return Ok(found);
        }
        // Purchases change during the check. What is wrong stays wrong.
        let Some(stored) = self.orgs.plan_standing(self.db.read(), org).await? else { return Ok(Vec::new()) };
        let paid = store::provision::of_orgs(self.db.read(), &[org]).await?;
        Ok(check_org(org, stored, &paid, now, self.provider.is_some()))
    }
}

/// Checks that each entry of a journal begins with the state in which the one before it ended, and that the last one is
/// the recorded state.
fn check_journal(provision: &Provision, journal: &[Recorded]) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut report = |check: &str, what: String| {
        found.push(Finding::new(check, "provision", provision.uid, what));
    };
    for pair in journal.windows(2) {
        if pair[0].to != pair[1].from {
            let (before, after) = (pair[0].to.to_value(), pair[1].from.to_value());
            report(
                "journal_gap",
                format!("an entry of the journal ends with {before}, the next begins with {after}"),
            );
        }
    }
    // Purchases of older versions, and free ones, have no entry until they change.
    if let Some(last) = journal.last().filter(|last| last.to != provision.recorded) {
        let (last, recorded) = (last.to.to_value(), provision.recorded.to_value());
        report("journal_end", format!("the journal ends with {last}, but {recorded} is recorded"));
    }
    found
}

/// Checks an organisation against its purchases, newest first.
fn check_org(
    org: OrgId,
    stored: PlanStanding,
    paid: &[Provision],
    now: kernel::Timestamp,
    is_paid: bool,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut report = |check: &str, what: String| found.push(Finding::new(check, "organisation", org, what));
    let in_force: Vec<&Provision> = paid.iter().filter(|one| one.is_in_force_at(now)).collect();
    if in_force.len() > 1 {
        report("plan_double", format!("{} purchases pay for it", in_force.len()));
    }
    if paid.is_empty() && is_paid {
        report("plan_missing", "no purchase pays for it or did".to_owned());
    }
    let live = paid.iter().find(|one| one.is_live_at(now));
    if let Some(decisive) = in_force.first().copied().or(live).or(paid.first())
        && let Some(expected) = decisive.plan_standing()
        && expected != stored
        // With payment off, an invoice cannot be paid, so it suspends nothing.
        && (is_paid || stored.answered != Standing::Active)
    {
        let (expected, stored) = (expected.at(now).to_value(), stored.at(now).to_value());
        report("plan_standing", format!("its standing is {stored}, but that of its purchase is {expected}"));
    }
    found
}
