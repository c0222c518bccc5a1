//! Removal of old entries of the logs.

use kernel::{AuditEntryId, Timestamp};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
};

/// Returns whether there are entries made before `before`.
pub async fn has_older<E: EntityTrait>(
    conn: &impl ConnectionTrait,
    (uid, created_at): (E::Column, E::Column),
    before: Timestamp,
) -> Result<bool, DbErr> {
    let old = E::find().select_only().column(uid).filter(created_at.lt(before)).limit(1);
    Ok(old.into_tuple::<AuditEntryId>().one(conn).await?.is_some())
}

/// Removes up to `max` of the entries made before `before`. Returns their number.
pub async fn remove_old<E: EntityTrait>(
    tx: &impl ConnectionTrait,
    (uid, created_at): (E::Column, E::Column),
    before: Timestamp,
    max: u64,
) -> Result<u64, DbErr> {
    let old = E::find()
        .select_only()
        .column(uid)
        .filter(created_at.lt(before))
        .order_by_asc(created_at)
        .limit(max)
        .into_query();
    let removed = E::delete_many().filter(uid.in_subquery(old)).exec(tx).await?;
    Ok(removed.rows_affected)
}
