//! Writes to those who pay for an organisation 14 days before its data is removed, because its plan has ended or because
//! it was deleted.

use db::WriteTx;
use kernel::{AccountId, DAY, Millis, OrgId, ProvisionId, Timestamp, iso};
use mail::{PlanEmail, PlanNotice};
use orgs::DeletedOrg;
use sea_orm::DbErr;

use crate::model::ProvisionState;
use crate::store::billing_notice::NoticeKind;
use crate::{Billing, Error, store};

/// How long before the removal the email is sent.
const NOTICE: Millis = 14 * DAY;

/// The data of an organisation that is to be removed, because its plan has ended.
struct Removal {
    /// The purchase that ended last.
    provision: ProvisionId,
    org: OrgId,
    at: Timestamp,
}

/// Returns whether there is anything to write about.
pub async fn is_due(billing: &Billing) -> Result<bool, DbErr> {
    let deleted = billing.orgs.unannounced_removals(billing.db.read(), NOTICE).await?;
    Ok(!deleted.is_empty() || !ended(billing).await?.is_empty())
}

pub async fn run(billing: &Billing) -> Result<(), Error> {
    for removal in ended(billing).await? {
        warn_of_end(billing, &removal).await?;
    }
    for deleted in billing.orgs.unannounced_removals(billing.db.read(), NOTICE).await? {
        warn_of_deletion(billing, &deleted).await?;
    }
    Ok(())
}

/// Returns the removals of the next 14 days after the end of a plan that nothing was written about.
async fn ended(billing: &Billing) -> Result<Vec<Removal>, DbErr> {
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

async fn warn_of_end(billing: &Billing, removal: &Removal) -> Result<(), Error> {
    let &Removal { provision, org, at } = removal;
    let Some(unlocked) = store::provision::by_uid(billing.db.read(), provision).await? else { return Ok(()) };
    let tx = billing.db.write_tx_on(unlocked.account).await?;
    // It may have been paid for meanwhile.
    if billing.removed_at(&tx, org).await? != Some(at) {
        return Ok(());
    }
    let is_new = store::billing_notice::add(&tx, provision, NoticeKind::Removal, &iso(at)).await?;
    if is_new && let Some(organisation) = billing.orgs.organisation(&tx, org).await? {
        let notice = PlanNotice::DataRemoval { removed: at, restorable: false };
        send(billing, &tx, unlocked.account, organisation.name, notice).await?;
    }
    Ok(tx.commit().await?)
}

async fn warn_of_deletion(billing: &Billing, deleted: &DeletedOrg) -> Result<(), Error> {
    let tx = billing.db.write_tx_on(deleted.account).await?;
    tx.lock(deleted.uid).await?;
    if billing.orgs.announce_removal(&tx, deleted).await? {
        let notice = PlanNotice::DataRemoval { removed: deleted.removed_at(), restorable: true };
        send(billing, &tx, deleted.account, deleted.name.clone(), notice).await?;
    }
    Ok(tx.commit().await?)
}

async fn send(
    billing: &Billing,
    tx: &WriteTx,
    account: AccountId,
    organisation: String,
    notice: PlanNotice,
) -> Result<(), Error> {
    let Some(account) = store::account::by_uid(tx, account).await? else { return Ok(()) };
    let email = PlanEmail {
        notice,
        plan: String::new(),
        organisation,
        account: account.friendly_name.clone(),
        link: billing.public.at("/billing"),
    };
    billing.send_notice(tx, &account, email).await
}
