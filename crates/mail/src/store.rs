//! All SQL of the outbox.

use kernel::{Email, Millis, Uid};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, UpdateMany,
};

use crate::entity::mail_outbox::{ActiveModel, Column, Entity, Model};
use crate::render::Rendered;
use crate::{BulkBacklog, BulkEmail};

pub(crate) const WAITING: &str = "waiting";
pub(crate) const SENT: &str = "sent";
pub(crate) const FAILED: &str = "failed";
pub(crate) const WITHDRAWN: &str = "withdrawn";

/// A rendered email.
pub(crate) struct NewEmail<'a> {
    pub(crate) uid: Uid,
    pub(crate) to: &'a Email,
    pub(crate) kind: &'a str,
    pub(crate) rendered: Rendered,
    /// The job that sends it.
    pub(crate) job: Uid,
    /// For bulk email.
    pub(crate) bulk: Option<&'a BulkEmail>,
    /// When its links stop working.
    pub(crate) expires_at: Option<Millis>,
}

pub(crate) async fn insert(c: &impl ConnectionTrait, new: NewEmail<'_>, now: Millis) -> Result<(), DbErr> {
    let NewEmail { uid, to, kind, rendered, job, bulk, expires_at } = new;
    let row = ActiveModel {
        uid: Set(uid),
        recipient: Set(to.as_str().to_owned()),
        kind: Set(kind.to_owned()),
        subject: Set(rendered.subject),
        text_body: Set(rendered.text),
        html_body: Set(rendered.html),
        state: Set(WAITING.to_owned()),
        last_error: Set(String::new()),
        time_created: Set(now),
        attempts: Set(0),
        attempted_at: Set(None),
        job: Set(Some(job)),
        topic: Set(bulk.map(|bulk| bulk.topic)),
        person: Set(bulk.map(|bulk| bulk.person)),
        unsubscribe_url: Set(bulk.map(|bulk| bulk.unsubscribe_url.clone()).unwrap_or_default()),
        expires_at: Set(expires_at),
    };
    Entity::insert(row).exec_without_returning(c).await.map(drop)
}

pub(crate) async fn by_id(c: &impl ConnectionTrait, uid: Uid) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(uid).one(c).await
}

/// The outcome of an email.
pub(crate) struct SendOutcome<'a> {
    /// [`SENT`], [`FAILED`] or [`WITHDRAWN`].
    pub(crate) state: &'a str,
    /// The server's last answer; empty if it accepted the email.
    pub(crate) last_error: &'a str,
    /// Whether the row keeps the text. Otherwise it is erased, because links are secrets.
    pub(crate) keep_text: bool,
}

/// Records the outcome, unless the email has been sent, withdrawn or pruned. Returns whether it did.
pub(crate) async fn record_outcome(
    c: &impl ConnectionTrait,
    uid: Uid,
    outcome: SendOutcome<'_>,
    now: Millis,
) -> Result<bool, DbErr> {
    let mut update =
        attempt_update(uid, outcome.last_error, now).col_expr(Column::State, Expr::val(outcome.state));
    if !outcome.keep_text {
        update = erase_text(update);
    }
    Ok(update.exec(c).await?.rows_affected == 1)
}

fn erase_text(update: UpdateMany<Entity>) -> UpdateMany<Entity> {
    [Column::TextBody, Column::HtmlBody, Column::UnsubscribeUrl]
        .into_iter()
        .fold(update, |update, column| update.col_expr(column, Expr::val("")))
}

/// Erases the text of failed emails whose links stopped working before `now`.
pub(crate) async fn erase_expired(c: &impl ConnectionTrait, now: Millis) -> Result<u64, DbErr> {
    let erased = erase_text(Entity::update_many())
        .filter(Column::State.eq(FAILED))
        .filter(Column::ExpiresAt.lte(now))
        .filter(Column::TextBody.ne(""))
        .exec(c)
        .await?;
    Ok(erased.rows_affected)
}

/// Records a failed try that will be repeated.
pub(crate) async fn record_retry(
    c: &impl ConnectionTrait,
    uid: Uid,
    last_error: &str,
    now: Millis,
) -> Result<(), DbErr> {
    attempt_update(uid, last_error, now).col_expr(Column::State, Expr::val(WAITING)).exec(c).await.map(drop)
}

fn attempt_update(uid: Uid, last_error: &str, now: Millis) -> UpdateMany<Entity> {
    Entity::update_many()
        .col_expr(Column::Attempts, Expr::col(Column::Attempts).add(1))
        .col_expr(Column::AttemptedAt, Expr::val(Some(now)))
        .col_expr(Column::LastError, Expr::val(last_error))
        .filter(Column::Uid.eq(uid))
        .filter(Column::State.is_in([WAITING, FAILED]))
}

/// Returns emails that failed or wait for another try, newest first.
pub(crate) async fn failures(c: &impl ConnectionTrait, limit: u64) -> Result<Vec<Model>, DbErr> {
    Entity::find()
        .filter(Column::State.is_in([WAITING, FAILED]))
        .filter(Column::LastError.ne(""))
        .order_by_desc(Column::Uid)
        .limit(limit)
        .all(c)
        .await
}

/// Returns the waiting emails with their jobs.
pub(crate) async fn waiting(c: &impl ConnectionTrait) -> Result<Vec<(Uid, Option<Uid>)>, DbErr> {
    Entity::find()
        .select_only()
        .columns([Column::Uid, Column::Job])
        .filter(Column::State.eq(WAITING))
        .into_tuple()
        .all(c)
        .await
}

/// Counts the waiting bulk emails.
pub(crate) async fn bulk_backlog(c: &impl ConnectionTrait) -> Result<BulkBacklog, DbErr> {
    let waiting = Entity::find().filter(Column::State.eq(WAITING)).filter(Column::Topic.is_not_null());
    let untried = waiting.clone().filter(Column::Attempts.eq(0)).count(c).await?;
    Ok(BulkBacklog { untried, all: waiting.count(c).await? })
}

/// Returns sent emails, newest first.
pub(crate) async fn sent(
    c: &impl ConnectionTrait,
    to: Option<&Email>,
    limit: u64,
) -> Result<Vec<Model>, DbErr> {
    let mut query = Entity::find().filter(Column::State.eq(SENT));
    if let Some(to) = to {
        query = query.filter(Column::Recipient.eq(to.as_str()));
    }
    query.order_by_desc(Column::Uid).limit(limit).all(c).await
}

/// Deletes emails written before `before`. Returns how many.
pub(crate) async fn prune(c: &impl ConnectionTrait, before: Millis) -> Result<u64, DbErr> {
    Ok(Entity::delete_many().filter(Column::TimeCreated.lt(before)).exec(c).await?.rows_affected)
}
