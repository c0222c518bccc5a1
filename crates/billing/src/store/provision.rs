//! Purchases. Queries for requests are bound to the account; those for the provider's answers use its ids. The
//! state of a purchase is computed ([`Provision::state_at`]), so that queries by state read the few purchases of
//! an account or organisation.

use kernel::{AccountId, Keyset, OrgId, PersonId, ProvisionId, Timestamp, Uid};
use payments::{SubscriptionPrice, SubscriptionState};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::{Expr, Query, SimpleExpr};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait as _, Iterable,
    QueryFilter, QueryOrder, QuerySelect, Select,
};

use crate::entity::billing_account;
use crate::entity::provision::{ActiveModel, Column, Entity, Model};
use crate::model::{AccountType, CHECKOUT_REUSE, ProvisionState};
use crate::provision::{PendingPlan, Provision};

impl TryFrom<Model> for Provision {
    type Error = DbErr;

    fn try_from(row: Model) -> Result<Self, DbErr> {
        let checkout = row.checkout_status;
        Ok(Self {
            checkout: checkout.map(|word| word.known("provision", "checkout_status", row.uid)).transpose()?,
            answer: answer(&row)?,
            uid: row.uid,
            account: row.account,
            buyer: row.buyer,
            time_zone: row.time_zone,
            org: row.org,
            plan: row.plan,
            price_unknown_since: row.price_unknown_since,
            activated_at: row.activated_at,
            refused_at: row.refused_at,
            replaced_at: row.replaced_at,
            session: row.session,
            session_url: row.session_url,
            session_expires: row.session_expires,
            subscription: row.subscription,
            given_up_at: row.given_up_at,
            source: row.source,
            pending: row.pending_plan.zip(row.pending_at).map(|(plan, at)| PendingPlan { plan, at }),
            chosen_org: row.chosen_org,
            wants_new_org: row.wants_new_org,
            applied_ticket: row.applied_ticket,
            synced_at: row.synced_at,
            recorded: row.recorded_state.known("provision", "recorded_state", row.uid)?,
            recorded_reason: row
                .recorded_reason
                .map(|word| word.known("provision", "recorded_reason", row.uid))
                .transpose()?,
            created_at: row.created_at,
        })
    }
}

/// Returns what the provider said about the subscription, if it was asked.
fn answer(row: &Model) -> Result<Option<SubscriptionState>, DbErr> {
    let unreadable = |column| db::unreadable("provision", column, row.uid);
    let Some(status) = row.status else { return Ok(None) };
    Ok(Some(SubscriptionState {
        status: status.known("provision", "status", row.uid)?,
        price_key: row.price_key.clone(),
        price: price(row),
        quantity: row.quantity,
        period_end: row.period_end.ok_or_else(|| unreadable("period_end"))?,
        cancel_at: row.cancel_at,
        ended_unpaid: row.ended_unpaid,
        end_reason: row.end_reason.clone(),
        ended_at: row.ended_at,
        unpaid_since: row.unpaid_since,
        attempts: u32::try_from(row.attempts).map_err(|_| unreadable("attempts"))?,
        next_attempt_at: row.next_attempt_at,
        live_mode: row.live_mode,
    }))
}

/// Returns what a period costs, if the provider said so.
fn price(row: &Model) -> Option<SubscriptionPrice> {
    let (amount, currency) = (row.price_amount?, row.price_currency.clone()?);
    Some(SubscriptionPrice { amount, currency, interval: row.price_interval.clone() })
}

/// Converts the row, if there is one.
fn optional(row: Option<Model>) -> Result<Option<Provision>, DbErr> {
    row.map(Provision::try_from).transpose()
}

/// Returns the columns that change.
fn changeable(provision: &Provision, now: Timestamp) -> ActiveModel {
    let answer = provision.answer.as_ref();
    let price = answer.and_then(|answer| answer.price.as_ref());
    ActiveModel {
        uid: Unchanged(provision.uid),
        org: Set(provision.org),
        plan: Set(provision.plan.clone()),
        price_unknown_since: Set(provision.price_unknown_since),
        activated_at: Set(provision.activated_at),
        refused_at: Set(provision.refused_at),
        session: Set(provision.session.clone()),
        session_url: Set(provision.session_url.clone()),
        checkout_status: Set(provision.checkout.map(Into::into)),
        subscription: Set(provision.subscription.clone()),
        status: Set(answer.map(|answer| answer.status.into())),
        price_key: Set(answer.and_then(|answer| answer.price_key.clone())),
        price_amount: Set(price.map(|price| price.amount)),
        price_currency: Set(price.map(|price| price.currency.clone())),
        price_interval: Set(price.and_then(|price| price.interval.clone())),
        quantity: Set(answer.map_or(1, |answer| answer.quantity)),
        period_end: Set(answer.map(|answer| answer.period_end)),
        cancel_at: Set(answer.and_then(|answer| answer.cancel_at)),
        ended_unpaid: Set(answer.is_some_and(|answer| answer.ended_unpaid)),
        end_reason: Set(answer.and_then(|answer| answer.end_reason.clone())),
        ended_at: Set(answer.and_then(|answer| answer.ended_at)),
        unpaid_since: Set(answer.and_then(|answer| answer.unpaid_since)),
        attempts: Set(answer.map_or(0, |answer| answer.attempts.into())),
        next_attempt_at: Set(answer.and_then(|answer| answer.next_attempt_at)),
        given_up_at: Set(provision.given_up_at),
        source: Set(provision.source.clone()),
        pending_plan: Set(provision.pending.as_ref().map(|pending| pending.plan.clone())),
        pending_at: Set(provision.pending.as_ref().map(|pending| pending.at)),
        applied_ticket: Set(provision.applied_ticket),
        live_mode: Set(answer.is_some_and(|answer| answer.live_mode)),
        synced_at: Set(provision.synced_at),
        next_sync_at: Set(provision.next_sync_at(now)),
        recorded_state: Set(provision.recorded.into()),
        recorded_reason: Set(provision.recorded_reason.map(Into::into)),
        ..Default::default()
    }
}

/// Inserts a purchase.
pub async fn insert(tx: &impl ConnectionTrait, new: &Provision) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(new.uid),
        account: Set(new.account),
        buyer: Set(new.buyer),
        time_zone: Set(new.time_zone.clone()),
        session_expires: Set(new.session_expires),
        refunded_at: Set(None),
        replaced_at: Set(None),
        asked_at: Set(Timestamp::default()),
        chosen_org: Set(new.chosen_org),
        wants_new_org: Set(new.wants_new_org),
        ticket: Set(new.applied_ticket),
        created_at: Set(new.created_at),
        ..changeable(new, new.created_at)
    };
    Entity::insert(row).exec_without_returning(tx).await.map(drop)
}

/// Stores what changed: the organisation, the session, and what the provider said.
pub async fn update(tx: &impl ConnectionTrait, provision: &Provision, now: Timestamp) -> Result<(), DbErr> {
    changeable(provision, now).update(tx).await.map(drop)
}

/// Returns the purchase with this id. For jobs and webhooks; not bound to an account, so never for a request.
pub async fn by_uid(c: &impl ConnectionTrait, uid: ProvisionId) -> Result<Option<Provision>, DbErr> {
    optional(Entity::find_by_id(uid).one(c).await?)
}

/// Returns the purchase with this subscription or checkout session of the provider.
pub async fn by_provider_id(
    c: &impl ConnectionTrait,
    subscription: Option<&str>,
    session: Option<&str>,
) -> Result<Option<Provision>, DbErr> {
    for (column, id) in [(Column::Subscription, subscription), (Column::Session, session)] {
        if let Some(id) = id
            && let Some(row) = Entity::find().filter(column.eq(id)).one(c).await?
        {
            return optional(Some(row));
        }
    }
    Ok(None)
}

/// Returns a page of an account's purchases, newest first.
pub async fn page(
    c: &impl ConnectionTrait,
    account: AccountId,
    keyset: Keyset,
) -> Result<Vec<Provision>, DbErr> {
    let mut query = Entity::find().filter(Column::Account.eq(account));
    if let Some(after) = keyset.start_after {
        query = query.filter(Column::Uid.lt(after));
    }
    let rows = query.order_by_desc(Column::Uid).limit(keyset.limit).all(c).await?;
    rows.into_iter().map(Provision::try_from).collect()
}

/// Returns the account's purchases that were activated, newest first.
pub async fn of_account(c: &impl ConnectionTrait, account: AccountId) -> Result<Vec<Provision>, DbErr> {
    all(paid().filter(Column::Account.eq(account)), c).await
}

/// Returns a page of all purchases, ordered by id, starting after `after`. One that cannot be read does not fail the
/// others.
pub async fn all_after(
    c: &impl ConnectionTrait,
    after: ProvisionId,
    limit: u64,
) -> Result<Vec<(ProvisionId, Result<Provision, DbErr>)>, DbErr> {
    let rows =
        Entity::find().filter(Column::Uid.gt(after)).order_by_asc(Column::Uid).limit(limit).all(c).await?;
    Ok(rows.into_iter().map(|row| (row.uid, row.try_into())).collect())
}

/// Returns the purchases that were activated for these organisations, newest first.
pub async fn of_orgs(c: &impl ConnectionTrait, orgs: &[OrgId]) -> Result<Vec<Provision>, DbErr> {
    all(paid().filter(Column::Org.is_in(orgs.iter().copied())), c).await
}

/// Returns the person's purchases that were activated, newest first.
pub async fn of_buyer(c: &impl ConnectionTrait, person: PersonId) -> Result<Vec<Provision>, DbErr> {
    all(paid().filter(Column::Buyer.eq(person)), c).await
}

/// Returns the purchase that pays for this organisation.
pub async fn live_of_org(
    c: &impl ConnectionTrait,
    org: OrgId,
    now: Timestamp,
) -> Result<Option<Provision>, DbErr> {
    let mut found = all(paid().filter(Column::Org.eq(org)).filter(recorded_live()), c).await?;
    found.retain(|provision| provision.is_live_at(now));
    let in_force = found.iter().position(|provision| provision.is_in_force_at(now));
    Ok(found.into_iter().nth(in_force.unwrap_or_default()))
}

/// The purchases that may be live. Time alone never makes one live or ends it, so the recorded state decides. Rows with
/// an unreadable state are included, not treated as "no plan".
fn recorded_live() -> SimpleExpr {
    Column::RecordedState.is_not_in(ProvisionState::iter().filter(|state| !state.is_live()))
}

/// Returns those of the given organisations that an individual account pays for.
pub async fn individual_among(c: &impl ConnectionTrait, orgs: &[OrgId]) -> Result<Vec<OrgId>, DbErr> {
    if orgs.is_empty() {
        return Ok(Vec::new());
    }
    let individual = Query::select()
        .column(billing_account::Column::Uid)
        .from(billing_account::Entity)
        .and_where(billing_account::Column::Kind.eq(AccountType::Individual))
        .to_owned();
    let found: Vec<Option<OrgId>> = Entity::find()
        .select_only()
        .column(Column::Org)
        .filter(Column::Org.is_in(orgs.iter().copied()))
        .filter(recorded_live())
        .filter(Column::Account.in_subquery(individual))
        .into_tuple()
        .all(c)
        .await?;
    Ok(found.into_iter().flatten().collect())
}

fn paid() -> Select<Entity> {
    Entity::find().filter(Column::ActivatedAt.is_not_null()).order_by_desc(Column::Uid)
}

async fn all(query: Select<Entity>, c: &impl ConnectionTrait) -> Result<Vec<Provision>, DbErr> {
    query.all(c).await?.into_iter().map(Provision::try_from).collect()
}

/// Returns the checkout like `new` that the same buyer started within [`CHECKOUT_REUSE`] and that can still be paid.
pub async fn reusable(c: &impl ConnectionTrait, new: &Provision) -> Result<Option<Provision>, DbErr> {
    let now = new.created_at;
    let query = Entity::find()
        .filter(Column::Account.eq(new.account))
        .filter(Column::Buyer.eq(new.buyer))
        .filter(Column::Plan.eq(new.plan.as_deref()))
        .filter(Column::CreatedAt.gt(now - CHECKOUT_REUSE))
        .filter(Column::SessionExpires.gt(now))
        .order_by_desc(Column::Uid);
    let found = all(query, c).await?;
    let is_same = |one: &Provision| {
        (one.chosen_org, one.wants_new_org) == (new.chosen_org, new.wants_new_org)
            && one.state_at(now) == ProvisionState::Open
    };
    Ok(found.into_iter().find(is_same))
}

/// Returns purchases due for polling with their ids, longest overdue first. One that cannot be read does not
/// fail the others.
pub async fn due_for_sync(
    c: &impl ConnectionTrait,
    now: Timestamp,
    limit: u64,
) -> Result<Vec<(ProvisionId, Result<Provision, DbErr>)>, DbErr> {
    let rows = Entity::find()
        .filter(Column::NextSyncAt.lte(now))
        .order_by_asc(Column::NextSyncAt)
        .limit(limit)
        .all(c)
        .await?;
    Ok(rows.into_iter().map(|row| (row.uid, row.try_into())).collect())
}

/// Counts a look at the provider and returns its number, by which answers are ordered; `None` if the purchase is gone.
pub async fn take_ticket(tx: &impl ConnectionTrait, uid: ProvisionId) -> Result<Option<i64>, DbErr> {
    let counted = Entity::update_many()
        .col_expr(Column::Ticket, Expr::col(Column::Ticket).add(1))
        .filter(Column::Uid.eq(uid))
        .exec_with_returning(tx)
        .await?;
    Ok(counted.first().map(|row| row.ticket))
}

/// Returns the account's purchases with a checkout session that were open when they were last looked at.
pub async fn open_of_account(c: &impl ConnectionTrait, account: AccountId) -> Result<Vec<Provision>, DbErr> {
    let open = Entity::find()
        .filter(Column::Account.eq(account))
        .filter(Column::RecordedState.eq(ProvisionState::Open))
        .filter(Column::Session.is_not_null())
        .order_by_desc(Column::Uid);
    all(open, c).await
}

/// Returns the purchases that may be live, with their ids. One that cannot be read does not fail the others.
pub async fn all_recorded_live(
    c: &impl ConnectionTrait,
) -> Result<Vec<(ProvisionId, Result<Provision, DbErr>)>, DbErr> {
    let rows = Entity::find().filter(recorded_live()).order_by_asc(Column::Uid).all(c).await?;
    Ok(rows.into_iter().map(|row| (row.uid, row.try_into())).collect())
}

/// Postpones the next poll.
pub async fn postpone_sync(tx: &impl ConnectionTrait, uid: ProvisionId, at: Timestamp) -> Result<(), DbErr> {
    let row = ActiveModel { uid: Unchanged(uid), next_sync_at: Set(Some(at)), ..Default::default() };
    row.update(tx).await.map(drop)
}

/// Returns the purchases whose last recorded state is past due, without those that cannot be read.
pub async fn recorded_past_due(c: &impl ConnectionTrait) -> Result<Vec<Provision>, DbErr> {
    let rows = Entity::find()
        .filter(Column::RecordedState.eq(ProvisionState::PastDue))
        .order_by_asc(Column::Uid)
        .all(c)
        .await?;
    // What cannot be read was logged, and must not keep other plans from being recorded.
    Ok(rows.into_iter().filter_map(|row| row.try_into().ok()).collect())
}

/// Returns whether the provider was asked about a purchase after `before`, because a page waits for it.
pub async fn was_asked_after(
    c: &impl ConnectionTrait,
    uid: ProvisionId,
    before: Timestamp,
) -> Result<bool, DbErr> {
    let query = Entity::find_by_id(uid).filter(Column::AskedAt.gt(before));
    let found: Option<ProvisionId> = query.select_only().column(Column::Uid).into_tuple().one(c).await?;
    Ok(found.is_some())
}

/// Takes the right to ask the provider about a purchase. Returns false if it was asked after `before`.
pub async fn claim_asking(
    tx: &impl ConnectionTrait,
    uid: ProvisionId,
    now: Timestamp,
    before: Timestamp,
) -> Result<bool, DbErr> {
    let taken = Entity::update_many()
        .col_expr(Column::AskedAt, Expr::val(now))
        .filter(Column::Uid.eq(uid))
        .filter(Column::AskedAt.lte(before))
        .exec(tx)
        .await?;
    Ok(taken.rows_affected == 1)
}

/// Marks a purchase as refunded. Returns false if it was already.
pub async fn set_refunded(
    tx: &impl ConnectionTrait,
    uid: ProvisionId,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::RefundedAt, Expr::val(Some(now)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::RefundedAt.is_null())
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Returns the purchases with this id, of this organisation or of this account, oldest first, with those that were not paid.
pub async fn concerning(c: &impl ConnectionTrait, id: Uid) -> Result<Vec<Provision>, DbErr> {
    let any = Condition::any().add(Column::Uid.eq(id)).add(Column::Org.eq(id)).add(Column::Account.eq(id));
    all(Entity::find().filter(any).order_by_asc(Column::Uid), c).await
}

/// Marks a purchase as one whose place another one has taken.
pub async fn set_replaced(tx: &impl ConnectionTrait, uid: ProvisionId, now: Timestamp) -> Result<(), DbErr> {
    let update = Entity::update_many().col_expr(Column::ReplacedAt, Expr::val(Some(now)));
    update.filter(Column::Uid.eq(uid)).filter(Column::ReplacedAt.is_null()).exec(tx).await.map(drop)
}

/// Returns all purchases and free plans of an account, with those that were not paid.
pub async fn all_of_account(c: &impl ConnectionTrait, account: AccountId) -> Result<Vec<Provision>, DbErr> {
    all(Entity::find().filter(Column::Account.eq(account)).order_by_desc(Column::Uid), c).await
}

/// Replaces the person who bought.
pub async fn hand_over(tx: &impl ConnectionTrait, person: PersonId, stand_in: PersonId) -> Result<(), DbErr> {
    let update = Entity::update_many().col_expr(Column::Buyer, Expr::value(stand_in));
    update.filter(Column::Buyer.eq(person)).exec(tx).await.map(drop)
}
