//! Accounts and their managers. All reads except [`by_uid`] are bound to a manager.

use kernel::{AccountId, Keyset, PersonId, Timestamp};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use crate::entity::{account_manager, billing_account, provision};
use crate::model::{Account, NewAccount};

use account_manager::Column as ManagerColumn;
use billing_account::{ActiveModel, Column, Entity, Model};

fn account(row: Model, managers: Vec<PersonId>) -> Result<Account, DbErr> {
    Ok(Account {
        uid: row.uid,
        kind: row.kind.known("billing_account", "kind", row.uid)?,
        friendly_name: row.friendly_name,
        billing_name: row.billing_name,
        billing_email: row.billing_email,
        billing_phone: row.billing_phone,
        billing_address: row.billing_address,
        refusal: row.refusal,
        customer: row.customer,
        customer_source: row.customer_source,
        managers,
        created_at: row.created_at,
    })
}

/// Inserts an account with its first manager.
pub async fn insert(
    tx: &impl ConnectionTrait,
    uid: AccountId,
    owner: PersonId,
    new: NewAccount,
    request_key: Option<&str>,
    now: Timestamp,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(uid),
        kind: Set(new.kind.into()),
        friendly_name: Set(new.friendly_name),
        billing_name: Set(new.billing_name),
        billing_email: Set(new.billing_email),
        billing_phone: Set(new.billing_phone),
        billing_address: Set(new.billing_address),
        refusal: Set(None),
        customer: Set(None),
        customer_source: Set(None),
        created_by: Set(owner),
        request_key: Set(request_key.map(str::to_owned)),
        created_at: Set(now),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    add_manager(tx, uid, owner, now).await
}

/// Adds a manager.
pub async fn add_manager(
    tx: &impl ConnectionTrait,
    account: AccountId,
    person: PersonId,
    now: Timestamp,
) -> Result<(), DbErr> {
    let manager =
        account_manager::ActiveModel { account: Set(account), person: Set(person), created_at: Set(now) };
    account_manager::Entity::insert(manager).exec_without_returning(tx).await.map(drop)
}

/// Removes a manager.
pub async fn remove_manager(
    tx: &impl ConnectionTrait,
    account: AccountId,
    person: PersonId,
) -> Result<(), DbErr> {
    account_manager::Entity::delete_by_id((account, person)).exec(tx).await.map(drop)
}

/// Returns the account. Not bound to a manager, so never for a request that has not been authorised.
pub async fn by_uid(c: &impl ConnectionTrait, uid: AccountId) -> Result<Option<Account>, DbErr> {
    let Some(row) = Entity::find_by_id(uid).one(c).await? else { return Ok(None) };
    let managers = managers_of(c, &[uid]).await?;
    account(row, managers.into_iter().map(|manager| manager.person).collect()).map(Some)
}

/// Returns the account if the person manages it.
pub async fn managed(
    c: &impl ConnectionTrait,
    person: PersonId,
    uid: AccountId,
) -> Result<Option<Account>, DbErr> {
    Ok(by_uid(c, uid).await?.filter(|account| account.managers.contains(&person)))
}

/// Returns the account created by an earlier request with the same idempotency key.
pub async fn by_request_key(
    c: &impl ConnectionTrait,
    person: PersonId,
    key: &str,
) -> Result<Option<Account>, DbErr> {
    let found =
        Entity::find().filter(Column::CreatedBy.eq(person)).filter(Column::RequestKey.eq(key)).one(c).await?;
    match found {
        Some(row) => by_uid(c, row.uid).await,
        None => Ok(None),
    }
}

/// Returns a page of the accounts the person manages, newest first.
pub async fn page(c: &impl ConnectionTrait, person: PersonId, keyset: Keyset) -> Result<Vec<Account>, DbErr> {
    let own = Query::select()
        .column(ManagerColumn::Account)
        .from(account_manager::Entity)
        .and_where(ManagerColumn::Person.eq(person))
        .to_owned();
    let mut query = Entity::find().filter(Column::Uid.in_subquery(own));
    if let Some(after) = keyset.start_after {
        query = query.filter(Column::Uid.lt(after));
    }
    let rows = query.order_by_desc(Column::Uid).limit(keyset.limit).all(c).await?;
    let uids: Vec<AccountId> = rows.iter().map(|row| row.uid).collect();
    let managers = managers_of(c, &uids).await?;
    rows.into_iter()
        .map(|row| {
            let own = managers.iter().filter(|manager| manager.account == row.uid);
            let own = own.map(|manager| manager.person).collect();
            account(row, own)
        })
        .collect()
}

/// Returns the managers of some accounts, oldest first.
async fn managers_of(
    c: &impl ConnectionTrait,
    accounts: &[AccountId],
) -> Result<Vec<account_manager::Model>, DbErr> {
    account_manager::Entity::find()
        .filter(ManagerColumn::Account.is_in(accounts.iter().copied()))
        .order_by_asc(ManagerColumn::CreatedAt)
        .order_by_asc(ManagerColumn::Person)
        .all(c)
        .await
}

/// Deletes the accounts the person created on which nothing was bought.
pub async fn remove_unused(tx: &impl ConnectionTrait, person: PersonId) -> Result<(), DbErr> {
    let bought = Query::select().column(provision::Column::Account).from(provision::Entity).to_owned();
    let unused = Query::select()
        .column(Column::Uid)
        .from(Entity)
        .and_where(Column::CreatedBy.eq(person))
        .and_where(Column::Uid.not_in_subquery(bought))
        .to_owned();
    account_manager::Entity::delete_many()
        .filter(ManagerColumn::Account.in_subquery(unused.clone()))
        .exec(tx)
        .await?;
    Entity::delete_many().filter(Column::Uid.in_subquery(unused)).exec(tx).await.map(drop)
}

/// Stores what people can change of an account.
pub async fn update(tx: &impl ConnectionTrait, account: &Account) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Unchanged(account.uid),
        kind: Set(account.kind.into()),
        friendly_name: Set(account.friendly_name.clone()),
        billing_name: Set(account.billing_name.clone()),
        billing_email: Set(account.billing_email.clone()),
        billing_phone: Set(account.billing_phone.clone()),
        billing_address: Set(account.billing_address.clone()),
        refusal: Set(account.refusal.clone()),
        ..Default::default()
    };
    row.update(tx).await.map(drop)
}

/// Stores the provider's customer id, and where the customer was made. The provider has accepted the details.
pub async fn set_customer(
    tx: &impl ConnectionTrait,
    uid: AccountId,
    customer: &str,
    source: Option<String>,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Unchanged(uid),
        customer: Set(Some(customer.to_owned())),
        customer_source: Set(source),
        refusal: Set(None),
        ..Default::default()
    };
    row.update(tx).await.map(drop)
}

/// Stores the payment provider's message if it rejected the billing details.
pub async fn set_refusal(
    tx: &impl ConnectionTrait,
    uid: AccountId,
    refusal: Option<String>,
) -> Result<(), DbErr> {
    let row = ActiveModel { uid: Unchanged(uid), refusal: Set(refusal), ..Default::default() };
    row.update(tx).await.map(drop)
}

/// Returns the ids of the accounts that the person manages, in order.
pub async fn managed_by(c: &impl ConnectionTrait, person: PersonId) -> Result<Vec<AccountId>, DbErr> {
    account_manager::Entity::find()
        .select_only()
        .column(ManagerColumn::Account)
        .filter(ManagerColumn::Person.eq(person))
        .order_by_asc(ManagerColumn::Account)
        .into_tuple()
        .all(c)
        .await
}

/// Replaces the person who created accounts, and forgets the keys of the requests.
pub async fn hand_over(tx: &impl ConnectionTrait, person: PersonId, stand_in: PersonId) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::CreatedBy, Expr::value(stand_in))
        .col_expr(Column::RequestKey, Expr::value(None::<String>))
        .filter(Column::CreatedBy.eq(person))
        .exec(tx)
        .await
        .map(drop)
}
