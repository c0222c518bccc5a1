//! What people withdrew or had erased.

use db::rows::bulk_upsert;
use kernel::{OrgId, PersonId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ActiveEnum as _, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait as _, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Select, Value,
};

use crate::entity::removal::{ActiveModel, Column, Entity, Model};
use crate::removals::Removal;

impl From<Model> for Removal {
    fn from(row: Model) -> Self {
        let org = Some(row.org).filter(|org| !org.is_nil());
        Self { kind: row.kind, org, person: row.person, at: row.at }
    }
}

/// Stores a removal in place of the last one of its kind, and later than that.
pub async fn note(tx: &impl ConnectionTrait, removal: Removal) -> Result<(), DbErr> {
    let row = ActiveModel {
        org: Set(removal.org.unwrap_or(OrgId::nil())),
        person: Set(removal.person),
        kind: Set(removal.kind),
        at: Set(removal.at),
        is_listed: Set(false),
    };
    let later = Expr::cust("CASE WHEN excluded.at > removal.at THEN excluded.at ELSE removal.at + 1 END");
    let instead = OnConflict::columns([Column::Org, Column::Person, Column::Kind])
        .value(Column::At, later)
        .value(Column::IsListed, false)
        .to_owned();
    Entity::insert(row).on_conflict(instead).exec_without_returning(tx).await.map(drop)
}

/// Stores removals. Of two of a kind, the later one stays.
pub async fn add(tx: &impl ConnectionTrait, removals: &[Removal]) -> Result<(), DbErr> {
    let row = |one: &Removal| -> [Value; 5] {
        let org = one.org.unwrap_or(OrgId::nil());
        [org.into(), one.person.into(), one.kind.to_value().into(), one.at.into(), false.into()]
    };
    let rows: Vec<_> = removals.iter().map(row).collect();
    let tail = "ON CONFLICT (org, person, kind) DO UPDATE SET is_listed = FALSE, \
                at = CASE WHEN excluded.at > removal.at THEN excluded.at ELSE removal.at END";
    bulk_upsert(tx, "removal (org, person, kind, at, is_listed)", &rows, tail).await.map(drop)
}

/// Returns all removals.
pub async fn all(conn: &impl ConnectionTrait) -> Result<Vec<Removal>, DbErr> {
    Ok(Entity::find().all(conn).await?.into_iter().map(Removal::from).collect())
}

/// Returns whether there are removals that are not listed.
pub async fn has_unlisted(conn: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let first = find_unlisted().select_only().column(Column::Person);
    Ok(first.into_tuple::<PersonId>().one(conn).await?.is_some())
}

/// Returns the removals that are not listed.
pub async fn unlisted(conn: &impl ConnectionTrait) -> Result<Vec<Removal>, DbErr> {
    Ok(find_unlisted().all(conn).await?.into_iter().map(Removal::from).collect())
}

fn find_unlisted() -> Select<Entity> {
    // The condition of the index.
    Entity::find().filter(Expr::cust("NOT is_listed"))
}

/// Marks removals as listed, unless there was another one of the kind since.
pub async fn mark_listed(tx: &impl ConnectionTrait, removals: &[Removal]) -> Result<(), DbErr> {
    for one in removals {
        Entity::update_many()
            .col_expr(Column::IsListed, Expr::value(true))
            .filter(Column::Org.eq(one.org.unwrap_or(OrgId::nil())))
            .filter(Column::Person.eq(one.person))
            .filter(Column::Kind.eq(one.kind))
            .filter(Column::At.eq(one.at))
            .exec(tx)
            .await?;
    }
    Ok(())
}

/// Removes all removals of a person.
pub async fn forget(tx: &impl ConnectionTrait, person: PersonId) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Person.eq(person)).exec(tx).await.map(drop)
}

/// Returns whether there are removals from before `before`.
pub async fn has_older(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    let old = Entity::find().select_only().column(Column::Person).filter(Column::At.lt(before));
    Ok(old.into_tuple::<PersonId>().one(conn).await?.is_some())
}

/// Removes up to `max` removals from before `before`. Returns their number.
pub async fn remove_old(tx: &impl ConnectionTrait, before: Timestamp, max: u64) -> Result<u64, DbErr> {
    let key = [Column::Org, Column::Person, Column::Kind];
    let old = Entity::find()
        .select_only()
        .columns(key)
        .filter(Column::At.lt(before))
        .order_by_asc(Column::At)
        .limit(max)
        .into_query();
    let is_old = Expr::tuple(key.map(Expr::col)).in_subquery(old);
    Ok(Entity::delete_many().filter(is_old).exec(tx).await?.rows_affected)
}
