//! `POST /accounts/{id}/checkout`.

use axum::Json;
use axum::extract::State;
use db::WriteTx;
use httpkit::{ApiResult, Body, Path};
use identity::Caller;
use kernel::{AccountId, PersonId, Problem, ProvisionId, Uuid};
use payments::{Checkout, NewCheckout, PaymentError, Provider};
use serde::{Deserialize, Serialize};

use crate::activation::Trigger;
use crate::free::free_provision;
use crate::model::{Account, AccountType, Cause, ProvisionState, SESSION_LIFETIME};
use crate::plans::Plan;
use crate::provision::Provision;
use crate::returning::Choice;
use crate::{Billing, Error, PurchaseError, access, customer, store};

/// The plan to buy.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckoutIn {
    /// Id of a plan.
    plan_id: Option<String>,
    /// What the plan is for: the id of an ended organization of the account, or `new`. If absent, an agency gets a new
    /// one and other accounts get their ended one back.
    organisation: Option<String>,
    /// IANA name of your time zone, which becomes that of a new organization's reports; UTC if it is absent or
    /// unknown.
    time_zone: Option<String>,
}

/// The started purchase.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckoutOut {
    /// The provider's session id; empty if payment is off.
    session_id: String,
    /// The address to send the buyer to.
    url: String,
    /// The purchase, as in the `provision_id` parameter of the success page.
    provision_id: Uuid,
}

/// Start the purchase of a plan
///
/// Returns the checkout started for the same plan and organization within the last 30 minutes, if it is still open.
#[utoipa::path(post, path = "/accounts/{id}/checkout", tag = "billing", params(("id" = Uuid, Path)),
    request_body = CheckoutIn, responses(
    (status = 200, body = CheckoutOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem), (status = 502, body = Problem),
))]
pub async fn start_checkout(
    State(billing): State<Billing>,
    caller: Caller,
    Path(id): Path<AccountId>,
    Body(body): Body<CheckoutIn>,
) -> ApiResult<Json<CheckoutOut>> {
    let account = access::own_account(&billing, caller.person(), id).await?;
    let plan = body.plan_id.as_deref().and_then(|id| billing.plans.get(id)).ok_or(Error::PlanMissing)?;
    let buyer = Buyer {
        person: caller.person(),
        time_zone: body.time_zone.as_deref().and_then(orgs::known_time_zone),
        choice: Choice::parse(body.organisation.as_deref())?,
    };
    let (provision, url) = match &billing.provider {
        Some(provider) => buy(&billing, provider, &account, buyer, plan).await?,
        None => grant_free(&billing, &account, buyer).await?,
    };
    let session_id = provision.session.unwrap_or_default();
    Ok(Json(CheckoutOut { session_id, url, provision_id: provision.uid.into() }))
}

/// The person who buys.
struct Buyer {
    person: PersonId,
    /// Name of a time zone, if the person's is known.
    time_zone: Option<String>,
    choice: Choice,
}

/// Starts a checkout at the provider. The purchase is stored before the provider is called, and the provider
/// creates one session per purchase however often it is called, so a lost answer or a double click costs
/// nothing.
async fn buy(
    billing: &Billing,
    provider: &Provider,
    account: &Account,
    buyer: Buyer,
    plan: &Plan,
) -> Result<(Provision, String), Error> {
    let mut provision = find_or_create_purchase(billing, account, buyer, plan).await?;
    if let Some(url) = provision.session_url.clone() {
        return Ok((provision, url));
    }
    let (uid, expires_at) = (provision.uid, provision.session_expires);
    let start = |customer| async move {
        let new = NewCheckout {
            account: account.uid,
            provision: uid,
            plan: plan.id.clone(),
            customer,
            success_url: success_url(billing, uid),
            cancel_url: billing.public.at("/billing/cancelled"),
            expires_at,
        };
        provider.create_checkout(&new).await
    };
    let session = customer::with(billing, provider, account, start).await?;
    let url = session.url.clone().ok_or(PaymentError::Unreadable("checkout session without url"))?;
    // Known by now: the customer could not have been found without it.
    let source = provider.source().await?.map(|source| source.to_string());
    store_session(billing, &mut provision, session, source).await?;
    Ok((provision, url))
}

fn success_url(billing: &Billing, provision: ProvisionId) -> String {
    billing.public.at(&format!("/billing/success?provision_id={provision}"))
}

/// Returns the open purchase started recently or inserts a new one. Fails if the account is full.
async fn find_or_create_purchase(
    billing: &Billing,
    account: &Account,
    buyer: Buyer,
    plan: &Plan,
) -> Result<Provision, Error> {
    let now = billing.ambient.now();
    let tx = billing.db.write_tx_on(account.uid).await?;
    billing.orgs.identity().require_verified_email(&tx, buyer.person).await?;
    // Read again under the lock: the type may have been widened in between, and the buyer removed.
    let account = store::account::managed(&tx, buyer.person, account.uid).await?.ok_or(Error::NotFound)?;
    let (uid, plan) = (billing.ambient.uid(), Some(plan.id.clone()));
    let mut provision = Provision {
        time_zone: buyer.time_zone,
        session_expires: now + SESSION_LIFETIME,
        ..Provision::begun(uid, account.uid, buyer.person, plan, now)
    };
    require_room(billing, &tx, &account, buyer.choice).await?;
    billing.choose(&tx, &account, buyer.choice, &mut provision).await?;
    if let Some(open) = store::provision::reusable(&tx, &provision).await? {
        return Ok(open);
    }
    store::provision::insert(&tx, &provision).await?;
    tx.commit().await?;
    Ok(provision)
}

/// Checks whether the account may have one more organisation. One whose plan is suspended is paid for by its invoice.
async fn require_room(
    billing: &Billing,
    tx: &WriteTx,
    account: &Account,
    choice: Choice,
) -> Result<(), Error> {
    let now = billing.ambient.now();
    let paid = store::provision::of_account(tx, account.uid).await?;
    let in_force: Vec<_> = paid.iter().filter(|one| one.is_in_force_at(now)).collect();
    let is_suspended = |one: &Provision| one.state_at(now) == ProvisionState::Suspended;
    let is_chosen = |one: &Provision| one.org.is_some_and(|org| choice == Choice::Ended(org));
    if in_force.iter().any(|one| is_suspended(one) && is_chosen(one)) {
        return Err(PurchaseError::PlanSuspended.into());
    }
    if account.kind.has_capacity(in_force.len()) {
        return Ok(());
    }
    let any_suspended = in_force.iter().any(|one| is_suspended(one));
    Err(if any_suspended { PurchaseError::PlanSuspended.into() } else { Error::AccountFull(account.kind) })
}

/// Stores the session on the current row, which may have changed while the provider was called.
async fn store_session(
    billing: &Billing,
    provision: &mut Provision,
    session: Checkout,
    source: Option<String>,
) -> Result<(), Error> {
    let tx = billing.db.write_tx_on(provision.account).await?;
    let Some(mut current) = store::provision::by_uid(&tx, provision.uid).await? else { return Ok(()) };
    current.session = Some(session.id);
    current.session_url = session.url;
    current.source = source.or(current.source);
    store::provision::update(&tx, &current, billing.ambient.now()).await?;
    tx.commit().await?;
    *provision = current;
    Ok(())
}

/// Activates the plan without payment and sends the buyer to the success page, as after a payment. An account that has
/// an organisation gets another only if it is an agency and the buyer asked for it.
async fn grant_free(
    billing: &Billing,
    account: &Account,
    buyer: Buyer,
) -> Result<(Provision, String), Error> {
    let now = billing.ambient.now();
    let tx = billing.db.write_tx_on(buyer.person).await?;
    billing.orgs.identity().require_verified_email(&tx, buyer.person).await?;
    tx.lock(account.uid).await?;
    let account = store::account::managed(&tx, buyer.person, account.uid).await?.ok_or(Error::NotFound)?;
    let paid = store::provision::of_account(&tx, account.uid).await?;
    let works =
        |one: &Provision| matches!(one.state_at(now), ProvisionState::Active | ProvisionState::PastDue);
    let is_served = match buyer.choice {
        Choice::Unset => true,
        Choice::New => account.kind != AccountType::Agency,
        Choice::Ended(_) => false,
    };
    if let Some(existing) = paid.into_iter().find(|one| is_served && one.org.is_some() && works(one)) {
        let url = success_url(billing, existing.uid);
        return Ok((existing, url));
    }
    if !billing.free_plan.has_capacity(&tx, buyer.person, now).await? {
        return Err(orgs::Error::NoFreeProvision.into());
    }
    let mut provision = Provision {
        time_zone: buyer.time_zone,
        activated_at: None,
        recorded: ProvisionState::Open,
        ..free_provision(billing.ambient.uid(), account.uid, buyer.person, None, now)
    };
    billing.choose(&tx, &account, buyer.choice, &mut provision).await?;
    billing.activate(&tx, &mut provision).await?;
    if provision.refused_at.is_some() {
        return Err(Error::AccountFull(account.kind));
    }
    let person = buyer.person.to_string();
    let trigger = Trigger { cause: Cause::Person, id: Some(&person) };
    store::provision::insert(&tx, &provision).await?;
    billing.record_state(&tx, &mut provision, trigger).await?;
    store::provision::update(&tx, &provision, now).await?;
    tx.commit().await?;
    let url = success_url(billing, provision.uid);
    Ok((provision, url))
}
