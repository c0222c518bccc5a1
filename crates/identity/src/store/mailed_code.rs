//! Codes sent by email.

use kernel::{CodeId, Email, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QueryTrait, SelectExt as _,
};

use crate::entity::mailed_code::{ActiveModel, Column, Entity, Model};
use crate::model::Purpose;

/// A new code, about to be sent.
pub struct NewCode<'a> {
    pub uid: CodeId,
    pub purpose: Purpose,
    pub email: &'a Email,
    /// The mailbox of the address, by which emails are counted.
    pub mailbox: &'a str,
    pub hash: &'a [u8],
    pub digits: Option<DigitHashes>,
    pub now: Timestamp,
    pub expires_at: Timestamp,
}

/// What is stored of the six digits of an email.
pub struct DigitHashes {
    /// The digest of the digits.
    pub digits: [u8; 32],
    /// The hash of the token of the browser that may enter them.
    pub browser: [u8; 32],
}

/// Stores the hash of a new code.
pub async fn insert(tx: &impl ConnectionTrait, code: NewCode<'_>) -> Result<(), DbErr> {
    let (digits_hash, browser_hash) = code.digits.map(|hashes| (hashes.digits, hashes.browser)).unzip();
    let row = ActiveModel {
        uid: Set(code.uid),
        kind: Set(code.purpose.into()),
        email: Set(code.email.as_str().to_owned()),
        mailbox: Set(code.mailbox.to_owned()),
        code_hash: Set(code.hash.to_vec()),
        digits_hash: Set(digits_hash.map(Vec::from)),
        browser_hash: Set(browser_hash.map(Vec::from)),
        wrong_digits: Set(0),
        created_at: Set(code.now),
        expires_at: Set(code.expires_at),
        used_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Returns when codes of this purpose were sent to a mailbox after `since`, newest first. With `only`, counts
/// just that address of the mailbox.
pub async fn sent_since(
    tx: &impl ConnectionTrait,
    purpose: Purpose,
    mailbox: &str,
    only: Option<&Email>,
    since: Timestamp,
) -> Result<Vec<Timestamp>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Mailbox.eq(mailbox))
        .apply_if(only, |query, email| query.filter(Column::Email.eq(email.as_str())))
        .filter(Column::Kind.eq(purpose))
        .filter(Column::CreatedAt.gt(since))
        .order_by_desc(Column::CreatedAt)
        .all(tx)
        .await?;
    Ok(rows.into_iter().map(|row| row.created_at).collect())
}

/// Returns the row of a code that is unused and has not expired.
pub async fn find_valid(
    conn: &impl ConnectionTrait,
    purpose: Purpose,
    hash: &[u8],
    now: Timestamp,
) -> Result<Option<Model>, DbErr> {
    Entity::find()
        .filter(Column::CodeHash.eq(hash.to_vec()))
        .filter(Column::Kind.eq(purpose))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .one(conn)
        .await
}

/// Parses the address that a code was sent to.
pub fn address(row: &Model) -> Result<Email, DbErr> {
    Email::parse(&row.email).ok_or_else(|| db::unreadable("mailed_code", "email", row.uid))
}

/// Uses up a code. Returns true for exactly one call with the right address and code, before it expires.
pub async fn use_up(
    tx: &impl ConnectionTrait,
    purpose: Purpose,
    email: &str,
    hash: &[u8],
    now: Timestamp,
) -> Result<bool, DbErr> {
    let used = Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(Some(now)))
        .filter(Column::CodeHash.eq(hash.to_vec()))
        .filter(Column::Kind.eq(purpose))
        .filter(Column::Email.eq(email))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .exec(tx)
        .await?;
    Ok(used.rows_affected == 1)
}

/// Returns the links whose digits may still be entered in this browser: unused, valid, and with fewer than
/// `tries` wrong attempts.
pub async fn with_digits(
    conn: &impl ConnectionTrait,
    email: &Email,
    browser: &[u8],
    tries: i32,
    now: Timestamp,
) -> Result<Vec<Model>, DbErr> {
    Entity::find()
        .filter(Column::Email.eq(email.as_str()))
        .filter(Column::Kind.eq(Purpose::Link))
        .filter(Column::BrowserHash.eq(browser.to_vec()))
        .filter(Column::WrongDigits.lt(tries))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .all(conn)
        .await
}

/// Counts wrong digits for each of these links.
pub async fn count_wrong_digits(tx: &impl ConnectionTrait, links: &[Model]) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::WrongDigits, Expr::col(Column::WrongDigits).add(1))
        .filter(Column::Uid.is_in(links.iter().map(|link| link.uid)))
        .exec(tx)
        .await?;
    Ok(())
}

/// Invalidates all unused codes of this purpose for an address.
pub async fn invalidate_all(
    tx: &impl ConnectionTrait,
    purpose: Purpose,
    email: &str,
    now: Timestamp,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(Some(now)))
        .filter(Column::Email.eq(email))
        .filter(Column::Kind.eq(purpose))
        .filter(Column::UsedAt.is_null())
        .exec(tx)
        .await?;
    Ok(())
}

/// Deletes codes that expired before `before`. Returns how many.
pub async fn prune(db: &db::Db, before: Timestamp) -> Result<u64, DbErr> {
    db::remove_in_pages::<Entity>(db, Column::Uid, Column::ExpiresAt.lt(before)).await
}

/// Returns whether [`prune`] would delete anything.
pub async fn any_expired(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(Column::ExpiresAt.lt(before)).exists(conn).await
}

/// Removes all codes that were sent to an address.
pub async fn remove_all(tx: &impl ConnectionTrait, email: &kernel::Email) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Email.eq(email.as_str())).exec(tx).await.map(drop)
}
