//! Purchases. Queries for requests are bound to the account; those for the provider's answers use its ids.

use db::Stored;
use kernel::{AccountId, Keyset, OrgId, PersonId, ProvisionId, Timestamp};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::Query;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, Iterable, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, QueryTrait,
};

use crate::entity::provision::{ActiveModel, Column, Entity, Model};
use crate::entity::{account_manager, billing_account};
use crate::model::{AccountType, CHECKOUT_REUSE, Plan, Provision, ProvisionState};

impl TryFrom<Model> for Provision {
    type Error = DbErr;

    fn try_from(row: Model) -> Result<Self, DbErr> {
        Ok(Self {
            uid: row.uid,
            account: row.account,
            buyer: row.buyer,
            time_zone: row.time_zone,
            org: row.org,
            plan: row.plan.map(|plan| plan.known("provision", "plan", row.uid)).transpose()?,
            state: row.state.known("provision", "state", row.uid)?,
            state_since: row.state_since,
            session: row.session,
            session_url: row.session_url,
            session_expires: row.session_expires,
            subscription: row.subscription,
            synced_at: row.synced_at,
            created_at: row.created_at,
        })
    }
}

/// Converts the row, if there is one.
fn optional(row: Option<Model>) -> Result<Option<Provision>, DbErr> {
    row.map(Provision::try_from).transpose()
}

/// Inserts a purchase.
pub async fn insert(tx: &impl ConnectionTrait, new: &Provision) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(new.uid),
        account: Set(new.account),
        buyer: Set(new.buyer),
        org: Set(new.org),
        plan: Set(new.plan.map(Stored::Known)),
        state: Set(new.state.into()),
        state_since: Set(new.state_since),
        session: Set(new.session.clone()),
        session_url: Set(new.session_url.clone()),
        session_expires: Set(new.session_expires),
        subscription: Set(new.subscription.clone()),
        synced_at: Set(new.synced_at),
        // Free plans have no provider to poll.
        next_sync_at: Set(new.plan.and_then(|_| new.next_sync_at(new.created_at))),
        refunded_at: Set(None),
        created_at: Set(new.created_at),
        time_zone: Set(new.time_zone.clone()),
    };
    Entity::insert(row).exec_without_returning(tx).await.map(drop)
}

/// Updates the mutable columns: organisation, state, session, subscription and the next poll.
pub async fn update(tx: &impl ConnectionTrait, provision: &Provision, now: Timestamp) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Unchanged(provision.uid),
        org: Set(provision.org),
        state: Set(provision.state.into()),
        state_since: Set(provision.state_since),
        session: Set(provision.session.clone()),
        session_url: Set(provision.session_url.clone()),
        subscription: Set(provision.subscription.clone()),
        synced_at: Set(provision.synced_at),
        next_sync_at: Set(provision.next_sync_at(now)),
        ..Default::default()
    };
    row.update(tx).await.map(drop)
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

/// Counts the account's live purchases, without `except` if there is one.
pub async fn count_live(
    c: &impl ConnectionTrait,
    account: AccountId,
    except: Option<ProvisionId>,
) -> Result<u64, DbErr> {
    Entity::find()
        .filter(Column::Account.eq(account))
        .filter(Column::State.is_in(ProvisionState::LIVE))
        .apply_if(except, |query, except| query.filter(Column::Uid.ne(except)))
        .count(c)
        .await
}

/// Counts the live purchases in all accounts that the person manages.
pub async fn count_live_of_manager(c: &impl ConnectionTrait, person: PersonId) -> Result<u64, DbErr> {
    let managed = Query::select()
        .column(account_manager::Column::Account)
        .from(account_manager::Entity)
        .and_where(account_manager::Column::Person.eq(person))
        .to_owned();
    Entity::find()
        .filter(Column::Account.in_subquery(managed))
        .filter(Column::State.is_in(ProvisionState::LIVE))
        .count(c)
        .await
}

/// Returns the organisations of the account's live purchases.
pub async fn live_orgs(c: &impl ConnectionTrait, account: AccountId) -> Result<Vec<OrgId>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Account.eq(account))
        .filter(Column::State.is_in(ProvisionState::LIVE))
        .filter(Column::Org.is_not_null())
        .all(c)
        .await?;
    Ok(rows.into_iter().filter_map(|row| row.org).collect())
}

/// Returns the buyer's checkout for this account and plan that was started within [`CHECKOUT_REUSE`] and can
/// still be paid.
pub async fn reusable(
    c: &impl ConnectionTrait,
    account: AccountId,
    buyer: PersonId,
    plan: Plan,
    now: Timestamp,
) -> Result<Option<Provision>, DbErr> {
    let row = Entity::find()
        .filter(Column::Account.eq(account))
        .filter(Column::Buyer.eq(buyer))
        .filter(Column::Plan.eq(plan))
        .filter(Column::State.eq(ProvisionState::Open))
        .filter(Column::CreatedAt.gt(now - CHECKOUT_REUSE))
        .filter(Column::SessionExpires.gt(now))
        .order_by_desc(Column::Uid)
        .one(c)
        .await?;
    optional(row)
}

/// Returns the organisations of the account's ended purchases, most recently ended first.
pub async fn ended_orgs(c: &impl ConnectionTrait, account: AccountId) -> Result<Vec<OrgId>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Account.eq(account))
        .filter(Column::State.eq(ProvisionState::Ended))
        .filter(Column::Org.is_not_null())
        .order_by_desc(Column::StateSince)
        .all(c)
        .await?;
    Ok(rows.into_iter().filter_map(|row| row.org).collect())
}

/// Returns the live purchase of this organisation.
pub async fn live_of_org(c: &impl ConnectionTrait, org: OrgId) -> Result<Option<Provision>, DbErr> {
    // Excludes the other states, so that a state that cannot be read fails here and is not taken for no plan.
    let other = ProvisionState::iter().filter(|state| !state.is_live());
    let row = Entity::find()
        .filter(Column::Org.eq(org))
        .filter(Column::State.is_not_in(other))
        .order_by_desc(Column::Uid)
        .one(c)
        .await?;
    optional(row)
}

/// Returns the given organisations whose plan belongs to an individual account.
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
        .filter(Column::State.is_in(ProvisionState::iter().filter(|state| state.is_live())))
        .filter(Column::Account.in_subquery(individual))
        .into_tuple()
        .all(c)
        .await?;
    Ok(found.into_iter().flatten().collect())
}

/// Returns an active purchase of the account without an organisation, which was deleted.
pub async fn active_without_org(
    c: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Option<Provision>, DbErr> {
    let row = Entity::find()
        .filter(Column::Account.eq(account))
        .filter(Column::State.eq(ProvisionState::Active))
        .filter(Column::Org.is_null())
        .order_by_asc(Column::Uid)
        .one(c)
        .await?;
    optional(row)
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

/// Postpones the next poll.
pub async fn postpone_sync(tx: &impl ConnectionTrait, uid: ProvisionId, at: Timestamp) -> Result<(), DbErr> {
    let row = ActiveModel { uid: Unchanged(uid), next_sync_at: Set(Some(at)), ..Default::default() };
    row.update(tx).await.map(drop)
}

/// Returns purchases that have been in `state` since before `before`, without those that cannot be read.
pub async fn in_state_since(
    c: &impl ConnectionTrait,
    state: ProvisionState,
    before: Timestamp,
) -> Result<Vec<Provision>, DbErr> {
    let rows = Entity::find()
        .filter(Column::State.eq(state))
        .filter(Column::StateSince.lte(before))
        .order_by_asc(Column::Uid)
        .all(c)
        .await?;
    // What cannot be read was logged, and must not keep other plans from lapsing.
    Ok(rows.into_iter().filter_map(|row| row.try_into().ok()).collect())
}

/// Marks a purchase as refunded. Returns false if it was already.
pub async fn set_refunded(
    tx: &impl ConnectionTrait,
    uid: ProvisionId,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::RefundedAt, sea_orm::sea_query::Expr::val(Some(now)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::RefundedAt.is_null())
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}
