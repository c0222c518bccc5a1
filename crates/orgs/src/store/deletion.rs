//! Deleted organisations, and those that are to be removed.

use db::{Db, Stored};
use kernel::{AccountId, Keyset, OrgId, Privacy, Timestamp};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait as _, QueryFilter,
    QueryOrder, QuerySelect, Select,
};

use crate::deletion::DeletedOrg;
use crate::entity::organisation::{ActiveModel, Column, Entity};
use crate::model::{Standing, Theme};
use crate::store::organisation::plan_standing;

/// Marks an organisation as deleted. Its joining link ends.
pub async fn delete(
    tx: &impl ConnectionTrait,
    org: OrgId,
    account: AccountId,
    now: Timestamp,
) -> Result<(), DbErr> {
    deleted(org, account, now).update(tx).await.map(drop)
}

fn deleted(org: OrgId, account: AccountId, now: Timestamp) -> ActiveModel {
    ActiveModel {
        uid: Unchanged(org),
        join_code: Set(None),
        deleted_at: Set(Some(now)),
        deleted_account: Set(Some(account)),
        ..Default::default()
    }
}

/// Takes back the deletion.
pub async fn restore(tx: &impl ConnectionTrait, org: OrgId) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Unchanged(org),
        deleted_at: Set(None),
        deleted_account: Set(None),
        removal_announced_at: Set(None),
        ..Default::default()
    };
    row.update(tx).await.map(drop)
}

/// The deleted organisations whose data is not removed.
fn unpurged() -> Select<Entity> {
    Entity::find().filter(Column::DeletedAt.is_not_null()).filter(Column::PurgedAt.is_null())
}

/// Returns those deleted after `since`.
fn restorable(since: Timestamp) -> Select<Entity> {
    unpurged()
        .filter(Column::DeletedAt.gt(since))
        .filter(Column::DeletedAccount.is_not_null())
        .filter(Column::PurgeBeganAt.is_null())
}

type Row = (OrgId, String, Option<AccountId>, Option<Timestamp>, Stored<Standing>, Option<Timestamp>);

async fn read(
    query: Select<Entity>,
    conn: &impl ConnectionTrait,
    now: Timestamp,
) -> Result<Vec<DeletedOrg>, DbErr> {
    let rows: Vec<Row> = query
        .select_only()
        .columns([Column::Uid, Column::Name, Column::DeletedAccount, Column::DeletedAt])
        .columns([Column::Standing, Column::SuspendedFrom])
        .into_tuple()
        .all(conn)
        .await?;
    let mut found = Vec::new();
    for (uid, name, account, deleted_at, standing, suspended_from) in rows {
        if let (Some(account), Some(deleted_at)) = (account, deleted_at) {
            let standing = plan_standing(uid, standing, suspended_from)?.at(now);
            found.push(DeletedOrg { uid, name, account, deleted_at, standing });
        }
    }
    Ok(found)
}

/// Returns the organisation if it was deleted after `since`.
pub async fn by_uid(
    conn: &impl ConnectionTrait,
    org: OrgId,
    since: Timestamp,
    now: Timestamp,
) -> Result<Option<DeletedOrg>, DbErr> {
    Ok(read(restorable(since).filter(Column::Uid.eq(org)), conn, now).await?.pop())
}

/// Returns the organisations with this name that were deleted after `since`.
pub async fn by_name(
    conn: &impl ConnectionTrait,
    name: &str,
    since: Timestamp,
    now: Timestamp,
) -> Result<Vec<DeletedOrg>, DbErr> {
    read(restorable(since).filter(Column::Name.eq(name)).order_by_asc(Column::Uid), conn, now).await
}

/// Returns a page of an account's organisations that were deleted after `since`, ordered by id, newest first.
pub async fn page(
    conn: &impl ConnectionTrait,
    account: AccountId,
    since: Timestamp,
    keyset: Keyset,
    now: Timestamp,
) -> Result<Vec<DeletedOrg>, DbErr> {
    let mut query = restorable(since).filter(Column::DeletedAccount.eq(account));
    if let Some(after) = keyset.start_after {
        query = query.filter(Column::Uid.lt(after));
    }
    read(query.order_by_desc(Column::Uid).limit(keyset.limit), conn, now).await
}

/// Returns the organisations deleted after `since` and not after `until` whose removal was not announced.
pub async fn unannounced(
    conn: &impl ConnectionTrait,
    since: Timestamp,
    until: Timestamp,
    now: Timestamp,
) -> Result<Vec<DeletedOrg>, DbErr> {
    let query = restorable(since).filter(Column::DeletedAt.lte(until));
    let query = query.filter(Column::RemovalAnnouncedAt.is_null()).order_by_asc(Column::Uid);
    read(query, conn, now).await
}

/// Records that the removal of a deleted organisation is announced. Returns false if it was before, or if the
/// organisation was restored or deleted again meanwhile.
pub async fn announce(
    tx: &impl ConnectionTrait,
    org: OrgId,
    deleted_at: Timestamp,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::RemovalAnnouncedAt, Expr::val(Some(now)))
        .filter(Column::Uid.eq(org))
        .filter(Column::DeletedAt.eq(deleted_at))
        .filter(Column::RemovalAnnouncedAt.is_null())
        .filter(Column::PurgeBeganAt.is_null())
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Returns organisations whose removal is due: deleted at `before` or earlier, or begun.
pub async fn due(conn: &impl ConnectionTrait, before: Timestamp, limit: u64) -> Result<Vec<OrgId>, DbErr> {
    unpurged()
        .filter(is_due(before))
        .select_only()
        .column(Column::Uid)
        .order_by_asc(Column::DeletedAt)
        .limit(limit)
        .into_tuple()
        .all(conn)
        .await
}

fn is_due(before: Timestamp) -> SimpleExpr {
    Column::DeletedAt.lte(before).or(Column::PurgeBeganAt.is_not_null())
}

/// Returns a page of the organisations whose plan has ended, ordered by id.
pub async fn ended(conn: &impl ConnectionTrait, after: OrgId, limit: u64) -> Result<Vec<OrgId>, DbErr> {
    Entity::find()
        .select_only()
        .column(Column::Uid)
        // The condition of the index.
        .filter(Expr::cust("standing = 'ended'"))
        .filter(Column::DeletedAt.is_null())
        .filter(Column::Uid.gt(after))
        .order_by_asc(Column::Uid)
        .limit(limit)
        .into_tuple()
        .all(conn)
        .await
}

/// Records that the removal of a deleted organisation has begun, so that it cannot be restored any more. Returns false
/// if it is not due.
pub async fn begin_purge(
    tx: &impl ConnectionTrait,
    org: OrgId,
    before: Timestamp,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::PurgeBeganAt, Expr::val(Some(now)))
        .filter(Column::Uid.eq(org))
        .filter(Column::DeletedAt.is_not_null())
        .filter(Column::PurgedAt.is_null())
        .filter(is_due(before))
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Deletes an organisation whose plan ended long ago, for good.
pub async fn expire(
    tx: &impl ConnectionTrait,
    org: OrgId,
    account: AccountId,
    now: Timestamp,
) -> Result<(), DbErr> {
    let row = ActiveModel { purge_began_at: Set(Some(now)), ..deleted(org, account, now) };
    row.update(tx).await.map(drop)
}

/// Removes the rows of all tables of this crate that belong to an organisation, except its own.
pub async fn remove_rows(db: &Db, org: OrgId) -> Result<(), DbErr> {
    for (table, key) in [
        ("membership", "uid"),
        ("org_person_word", "org, word, person"),
        ("org_person", "org, person"),
        ("invite", "uid"),
        ("audit_entry", "uid"),
        ("removal", "org, person, kind"),
    ] {
        db::rows::remove_all(db, table, key, "org", org).await?;
    }
    Ok(())
}

/// Empties the settings of an organisation whose data is removed. Its row, with name and times, stays: the records of
/// consent and the purchases refer to it. Returns its name and the account that owned it.
pub async fn finish_purge(
    tx: &impl ConnectionTrait,
    org: OrgId,
    now: Timestamp,
) -> Result<(String, Option<AccountId>), DbErr> {
    let theme = Theme::default();
    let row = ActiveModel {
        uid: Unchanged(org),
        description: Set(String::new()),
        logo: Set(String::new()),
        website: Set(String::new()),
        privacy: Set(Privacy::Private.into()),
        join_code: Set(None),
        default_playlist: Set(None),
        pinned_playlists: Set(serde_json::json!([])),
        theme_background: Set(String::new()),
        theme_primary: Set(theme.primary),
        theme_secondary: Set(theme.secondary),
        theme_text: Set(theme.text),
        contact_email: Set(String::new()),
        contact_phone: Set(String::new()),
        person_count: Set(0),
        purged_at: Set(Some(now)),
        ..Default::default()
    };
    let row = row.update(tx).await?;
    Ok((row.name, row.deleted_account))
}
