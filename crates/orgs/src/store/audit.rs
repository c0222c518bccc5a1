//! The audit log.

use db::Stored;
use identity::ErasedPerson;
use kernel::{Keyset, PersonId, Timestamp, Uid, iso};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ActiveEnum as _, ActiveModelTrait as _, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait,
};

use super::retention;
use crate::audit::{AuditEntry, AuditFilter, AuditRecord, AuditSubject};
use crate::entity::audit_entry::{ActiveModel, Column, Entity, Model};

/// Stores an entry.
pub async fn insert(
    tx: &impl ConnectionTrait,
    uid: Uid,
    record: AuditRecord,
    now: Timestamp,
) -> Result<(), DbErr> {
    let (org, account) = match record.subject {
        AuditSubject::Org(org) => (Some(org), None),
        AuditSubject::Account(account) => (None, Some(account)),
    };
    let row = ActiveModel {
        uid: Set(uid.into()),
        org: Set(org),
        account: Set(account),
        actor: Set(record.actor),
        action: Set(record.action.into()),
        target: Set(record.target),
        target_name: Set(record.name),
        before: Set(record.before),
        after: Set(record.after),
        created_at: Set(now),
    };
    Entity::insert(row).exec_without_returning(tx).await.map(drop)
}

/// Returns a page of a log, newest first.
pub async fn page(
    conn: &impl ConnectionTrait,
    filter: AuditFilter,
    keyset: Keyset,
) -> Result<Vec<AuditEntry>, DbErr> {
    let query = match filter.subject {
        AuditSubject::Org(org) => Entity::find().filter(Column::Org.eq(org)),
        AuditSubject::Account(account) => Entity::find().filter(Column::Account.eq(account)),
    };
    let rows = query
        .apply_if(filter.action, |query, action| query.filter(Column::Action.eq(action)))
        .apply_if(filter.actor, |query, actor| query.filter(Column::Actor.eq(actor)))
        .apply_if(keyset.start_after, |query, after| query.filter(Column::Uid.lt(after)))
        .order_by_desc(Column::Uid)
        .limit(keyset.limit)
        .all(conn)
        .await?;
    Ok(rows.into_iter().filter_map(|row| entry(row, filter.subject)).collect())
}

/// Converts a row. One with an unknown action is logged and left out.
fn entry(row: Model, subject: AuditSubject) -> Option<AuditEntry> {
    let Stored::Known(action) = row.action else {
        db::log_unreadable("audit_entry", "action", row.uid);
        return None;
    };
    Some(AuditEntry {
        uid: row.uid.into(),
        created_at: row.created_at,
        record: AuditRecord {
            subject,
            actor: row.actor,
            action,
            target: row.target,
            name: row.target_name,
            before: row.before,
            after: row.after,
        },
    })
}

/// Returns whether there are entries made before `before`.
pub async fn has_older(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    retention::has_older::<Entity>(conn, (Column::Uid, Column::CreatedAt), before).await
}

/// Removes up to `max` of the entries made before `before`. Returns their number.
pub async fn remove_old(tx: &impl ConnectionTrait, before: Timestamp, max: u64) -> Result<u64, DbErr> {
    retention::remove_old::<Entity>(tx, (Column::Uid, Column::CreatedAt), before, max).await
}

/// Entries of the export of a person.
const EXPORTED_MAX: u64 = 10_000;

/// Replaces a person by the stand-in, and removes the person's address from all entries and the names from those that the
/// person made or that were about the person.
pub async fn erase(tx: &impl ConnectionTrait, erased: &ErasedPerson) -> Result<(), DbErr> {
    let (person, stand_in) = (erased.person, erased.stand_in);
    for (column, is_person) in
        [(Column::Actor, Column::Actor.eq(person)), (Column::Target, Column::Target.eq(person.uid()))]
    {
        let update = Entity::update_many().col_expr(column, Expr::value(stand_in.uid()));
        update.filter(is_person).exec(tx).await?;
    }
    let own = Column::Actor.eq(stand_in).or(Column::Target.eq(stand_in.uid()));
    let with_address = Expr::cust_with_values(
        "LOWER(CAST(\"before\" AS TEXT)) LIKE $1 ESCAPE '\\' OR LOWER(CAST(\"after\" AS TEXT)) LIKE $1 ESCAPE '\\' \
         OR LOWER(target_name) LIKE $1 ESCAPE '\\'",
        [db::search::pattern(erased.email.as_str())],
    );
    for mut row in Entity::find().filter(own.or(with_address)).all(tx).await? {
        let redact =
            |value: &mut Option<serde_json::Value>| value.as_mut().is_some_and(|value| erased.redact(value));
        let (before, after) = (redact(&mut row.before), redact(&mut row.after));
        let name = row.target_name.as_deref().and_then(|name| erased.redacted(name));
        if before || after || name.is_some() {
            let row = ActiveModel {
                uid: Unchanged(row.uid),
                before: Set(row.before),
                after: Set(row.after),
                target_name: Set(name.or(row.target_name)),
                ..Default::default()
            };
            row.update(tx).await?;
        }
    }
    Ok(())
}

/// Returns what a person did, newest first, for the person's export.
pub async fn export(conn: &impl ConnectionTrait, person: PersonId) -> Result<serde_json::Value, DbErr> {
    let rows = Entity::find()
        .filter(Column::Actor.eq(person))
        .order_by_desc(Column::Uid)
        .limit(EXPORTED_MAX)
        .all(conn)
        .await?;
    let entries = rows.into_iter().map(|row| {
        serde_json::json!({
            "orgId": row.org, "accountId": row.account, "time": iso(row.created_at), "target": row.target,
            "action": match row.action {
                Stored::Known(action) => Some(action.to_value()),
                Stored::Unknown => None,
            },
        })
    });
    Ok(entries.collect())
}
