//! Which organisation a purchase pays for: an ended one of the account that returns, or a new one.

use db::{WriteTx, none_if_empty};
use kernel::{AccountId, OrgId, ProvisionId, Timestamp};
use orgs::{NewOrg, Organisation, PlanStanding, Standing};
use sea_orm::ConnectionTrait;

use crate::model::{Account, AccountType};
use crate::provision::Provision;
use crate::{Billing, Error, PurchaseError, store};

/// The word that asks for a new organisation.
const NEW: &str = "new";

/// What the buyer wants the plan for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Not said.
    Unset,
    /// A new organisation.
    New,
    /// An ended organisation of the account.
    Ended(OrgId),
}

impl Choice {
    /// Parses `new` or the id of an organisation.
    pub fn parse(text: Option<&str>) -> Result<Self, Error> {
        match text {
            None | Some("") => Ok(Self::Unset),
            Some(NEW) => Ok(Self::New),
            Some(id) => id.parse().map(Self::Ended).map_err(|_| PurchaseError::NotEnded.into()),
        }
    }
}

/// An organisation whose plan has ended.
pub struct EndedOrg {
    pub organisation: Organisation,
    pub ended_at: Timestamp,
}

impl Billing {
    /// Returns the account's organisations that no purchase pays for, the one that ended last first. Deleted ones are
    /// left out.
    pub(crate) async fn ended_orgs(
        &self,
        conn: &impl ConnectionTrait,
        account: AccountId,
        except: Option<ProvisionId>,
    ) -> Result<Vec<EndedOrg>, Error> {
        let now = self.ambient.now();
        let mut past = store::provision::of_account(conn, account).await?;
        past.retain(|one| Some(one.uid) != except);
        let (in_force, mut past): (Vec<_>, Vec<_>) =
            past.into_iter().partition(|one| one.is_in_force_at(now));
        past.sort_by_key(|one| std::cmp::Reverse(one.ended_at()));
        let mut seen: Vec<OrgId> = in_force.iter().filter_map(|one| one.org).collect();
        let mut ended = Vec::new();
        for one in &past {
            let Some(org) = one.org.filter(|org| !seen.contains(org)) else { continue };
            seen.push(org);
            if let Some(organisation) = self.orgs.organisation(conn, org).await? {
                ended.push(EndedOrg { organisation, ended_at: one.ended_at() });
            }
        }
        Ok(ended)
    }

    /// Stores on a new purchase what it is for. An account for one organisation gets its ended one back; an agency gets
    /// a new one unless it chose.
    ///
    /// # Errors
    /// [`PurchaseError::NotEnded`] if the chosen organisation is not one of the account's ended ones, [`PurchaseError::Returns`] if the
    /// account cannot choose a new one.
    pub(crate) async fn choose(
        &self,
        tx: &WriteTx,
        account: &Account,
        choice: Choice,
        provision: &mut Provision,
    ) -> Result<(), Error> {
        let ended = self.ended_orgs(tx, account.uid, None).await?;
        let is_agency = account.kind == AccountType::Agency;
        let last = ended.first().map(|one| one.organisation.uid).filter(|_| !is_agency);
        match choice {
            Choice::Ended(org) if ended.iter().any(|one| one.organisation.uid == org) => {
                provision.chosen_org = Some(org);
            }
            Choice::Ended(_) => return Err(PurchaseError::NotEnded.into()),
            Choice::New if last.is_some() => return Err(PurchaseError::Returns.into()),
            Choice::New | Choice::Unset => {
                provision.chosen_org = last;
                provision.wants_new_org = last.is_none();
            }
        }
        Ok(())
    }

    /// Returns the organisation of a purchase that is paid for the first time: the chosen one if it can still return,
    /// or else a new one. Without a choice, as after a rebuild, it follows the type of the account.
    pub(crate) async fn organisation_for(
        &self,
        tx: &WriteTx,
        account: &Account,
        provision: &Provision,
    ) -> Result<OrgId, Error> {
        let ended = self.ended_orgs(tx, account.uid, Some(provision.uid)).await?;
        let follows_type = account.kind != AccountType::Agency;
        let chosen = ended.iter().find(|one| Some(one.organisation.uid) == provision.chosen_org);
        let returning = chosen.or(ended.first().filter(|_| follows_type));
        match returning {
            Some(one) => self.bring_back(tx, account, provision, &one.organisation).await,
            None => self.create_org(tx, account, provision).await,
        }
    }

    /// Returns who becomes super admin: a buyer who was removed from the account while paying gets nothing.
    fn owner(account: &Account, provision: &Provision) -> kernel::PersonId {
        let is_manager = account.managers.contains(&provision.buyer);
        account.managers.first().filter(|_| !is_manager).copied().unwrap_or(provision.buyer)
    }

    async fn bring_back(
        &self,
        tx: &WriteTx,
        account: &Account,
        provision: &Provision,
        organisation: &Organisation,
    ) -> Result<OrgId, Error> {
        let org = organisation.uid;
        self.orgs.set_standing(tx, org, PlanStanding::from(Standing::Active)).await?;
        self.orgs.record_standing(tx, org, organisation.standing, Standing::Active).await?;
        self.orgs.ensure_super_admin(tx, org, Self::owner(account, provision)).await?;
        Ok(org)
    }

    async fn create_org(
        &self,
        tx: &WriteTx,
        account: &Account,
        provision: &Provision,
    ) -> Result<OrgId, Error> {
        let new_org = NewOrg {
            name: account.friendly_name.clone(),
            owner: Self::owner(account, provision),
            contact_email: none_if_empty(account.billing_email.clone()),
            contact_phone: none_if_empty(account.billing_phone.clone()),
            time_zone: provision.time_zone.clone(),
        };
        Ok(self.orgs.create(tx, &new_org).await?.uid)
    }
}
