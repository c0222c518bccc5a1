//! Writes to those who pay for an organisation 14 days before its data is removed, because its plan has ended.

use kernel::{DAY, Millis, OrgId, ProvisionId, Timestamp, iso};
use mail::{PlanEmail, PlanNotice};
use sea_orm::DbErr;

use crate::model::ProvisionState;
use crate::store::billing_notice::NoticeKind;
use crate::{Billing, Error, store};

/// How long before the removal the email is sent.
const NOTICE: Millis = 14 * DAY;

/// The data of an organisation that is to be removed.
pub struct Removal {
    /// The purchase that ended last.
    provision: ProvisionId,
    org: OrgId,
    at: Timestamp,
}

/// Returns the removals of the next 14 days that nothing was written about.
pub async fn due(billing: &Billing) -> Result<Vec<Removal>, DbErr> {
    let (conn, now) = (billing.db.read(), billing.ambient.now());
    let mut found = Vec::new();
    for provision in store::provision_change::ended_since(conn, now - orgs::ENDED_LIFETIME).await? {
        let Some(provision) = store::provision::by_uid(conn, provision).await? else { continue };
        let Some(org) = provision.org.filter(|_| provision.state_at(now) == ProvisionState::Ended) else {
            continue;
        };
        let Some(at) = billing.removed_at(conn, org).await? else { continue };
        let is_last = orgs::removed_at(provision.ended_at()) == at;
        if is_last
            && (at - NOTICE..at).contains(&now)
            && !store::billing_notice::exists(conn, provision.uid, NoticeKind::Removal, &iso(at)).await?
        {
            found.push(Removal { provision: provision.uid, org, at });
        }
    }
    Ok(found)
}

pub async fn run(billing: &Billing, removal: &Removal) -> Result<(), Error> {
    let &Removal { provision, org, at } = removal;
    let Some(unlocked) = store::provision::by_uid(billing.db.read(), provision).await? else { return Ok(()) };
    let tx = billing.db.write_tx_on(unlocked.account).await?;
    // It may have been paid for meanwhile.
    if billing.removed_at(&tx, org).await? != Some(at) {
        return Ok(());
    }
    let Some(account) = store::account::by_uid(&tx, unlocked.account).await? else { return Ok(()) };
    let is_new = store::billing_notice::add(&tx, provision, NoticeKind::Removal, &iso(at)).await?;
    if is_new && let Some(organisation) = billing.orgs.organisation(&tx, org).await? {
        let email = PlanEmail {
            notice: PlanNotice::DataRemoval { removed: at, restorable: false },
            plan: String::new(),
            organisation: organisation.name,
            account: account.friendly_name.clone(),
            link: billing.public.at("/billing"),
        };
        billing.send_notice(&tx, &account, email).await?;
    }
    Ok(tx.commit().await?)
}
