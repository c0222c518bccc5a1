//! All SQL of the outbox.

use db::empty_if_none;
use kernel::{Email, EmailId, JobId, Timestamp, Uid};
use sea_orm::sea_query::{Expr, ExprTrait, SimpleExpr};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, SelectExt as _, UpdateMany,
};

use crate::entity::mail_outbox::{ActiveModel, Column, Entity, Model, State};
use crate::render::Rendered;
use crate::{BulkBacklog, BulkEmail};

/// An email to insert.
pub(crate) struct NewEmail<'a> {
    pub(crate) uid: EmailId,
    pub(crate) to: &'a Email,
    pub(crate) kind: &'a str,
    pub(crate) rendered: Rendered,
    /// The job that sends it.
    pub(crate) job: JobId,
    pub(crate) bulk: Option<&'a BulkEmail>,
    /// When its links stop working.
    pub(crate) expires_at: Option<Timestamp>,
}

pub(crate) async fn insert(c: &impl ConnectionTrait, new: NewEmail<'_>, now: Timestamp) -> Result<(), DbErr> {
    let NewEmail { uid, to, kind, rendered, job, bulk, expires_at } = new;
    let row = ActiveModel {
        uid: Set(uid),
        recipient: Set(to.as_str().to_owned()),
        kind: Set(kind.to_owned()),
        subject: Set(rendered.subject),
        text_body: Set(rendered.text),
        html_body: Set(rendered.html),
        state: Set(State::Waiting.into()),
        last_error: Set(String::new()),
        time_created: Set(now),
        attempts: Set(0),
        attempted_at: Set(None),
        job: Set(Some(job)),
        topic: Set(bulk.map(|bulk| bulk.topic)),
        person: Set(bulk.map(|bulk| bulk.person)),
        unsubscribe_url: Set(empty_if_none(bulk.map(|bulk| bulk.unsubscribe_url.clone()))),
        expires_at: Set(expires_at),
    };
    Entity::insert(row).exec_without_returning(c).await.map(drop)
}

pub(crate) async fn by_id(c: &impl ConnectionTrait, uid: EmailId) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(uid).one(c).await
}

/// Sets the job that sends an email that was not sent.
pub(crate) async fn set_job(c: &impl ConnectionTrait, uid: EmailId, job: JobId) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::State, Expr::val(State::Waiting))
        .col_expr(Column::Job, Expr::val(Some(job)))
        .filter(Column::Uid.eq(uid))
        .filter(unsent())
        .exec(c)
        .await
        .map(drop)
}

/// The outcome of an email.
pub(crate) struct SendOutcome<'a> {
    /// Never [`State::Waiting`].
    pub(crate) state: State,
    /// The server's last answer; `None` if it accepted the email.
    pub(crate) last_error: Option<&'a str>,
    /// Whether the row keeps the text. Otherwise it is erased, because links are secrets.
    pub(crate) keep_text: bool,
}

/// Records the outcome, unless the email has been sent, withdrawn or pruned. Returns whether it did.
pub(crate) async fn record_outcome(
    c: &impl ConnectionTrait,
    uid: EmailId,
    outcome: SendOutcome<'_>,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let mut update =
        attempt_update(uid, outcome.last_error, now).col_expr(Column::State, Expr::val(outcome.state));
    if !outcome.keep_text {
        update = erase_text(update);
    }
    Ok(update.exec(c).await?.rows_affected == 1)
}

/// Replaces the text of an email that was not sent. Returns false if there is no text left to replace.
pub(crate) async fn rewrite(
    c: &impl ConnectionTrait,
    uid: EmailId,
    rendered: &Rendered,
) -> Result<bool, DbErr> {
    let update = Entity::update_many()
        .col_expr(Column::Subject, Expr::val(rendered.subject.as_str()))
        .col_expr(Column::TextBody, Expr::val(rendered.text.as_str()))
        .col_expr(Column::HtmlBody, Expr::val(rendered.html.as_str()))
        .filter(Column::Uid.eq(uid))
        .filter(Column::TextBody.ne(""))
        .filter(unsent());
    Ok(update.exec(c).await?.rows_affected == 1)
}

fn erase_text(update: UpdateMany<Entity>) -> UpdateMany<Entity> {
    [Column::TextBody, Column::HtmlBody, Column::UnsubscribeUrl]
        .into_iter()
        .fold(update, |update, column| update.col_expr(column, Expr::val("")))
}

/// Erases the text of failed emails whose links stopped working before `now`.
pub(crate) async fn erase_expired(c: &impl ConnectionTrait, now: Timestamp) -> Result<u64, DbErr> {
    Ok(erase_text(Entity::update_many()).filter(expired_text(now)).exec(c).await?.rows_affected)
}

/// Returns whether any text has to be erased, or any email was created before `before`.
pub(crate) async fn any_to_clean_up(
    c: &impl ConnectionTrait,
    now: Timestamp,
    before: Timestamp,
) -> Result<bool, DbErr> {
    Entity::find().filter(expired_text(now).or(Column::TimeCreated.lt(before))).exists(c).await
}

fn expired_text(now: Timestamp) -> SimpleExpr {
    Column::State.eq(State::Failed).and(Column::ExpiresAt.lte(now)).and(Column::TextBody.ne(""))
}

/// Erases the texts of the emails about a topic, and withdraws those that were not sent.
pub(crate) async fn erase_topic(c: &impl ConnectionTrait, topic: Uid) -> Result<(), DbErr> {
    let about = || Column::Topic.eq(topic);
    withdraw(Entity::update_many()).filter(about()).filter(unsent()).exec(c).await?;
    erase_text(Entity::update_many()).filter(about()).exec(c).await.map(drop)
}

/// Withdraws the emails that wait, and erases their texts.
pub(crate) async fn withdraw_waiting(c: &impl ConnectionTrait) -> Result<u64, DbErr> {
    let waiting = Column::State.eq(State::Waiting);
    Ok(withdraw(erase_text(Entity::update_many())).filter(waiting).exec(c).await?.rows_affected)
}

/// Erases the emails to an address with the address, and withdraws those that were not sent.
pub(crate) async fn erase_recipient(c: &impl ConnectionTrait, to: &Email) -> Result<(), DbErr> {
    let sent_to = || Column::Recipient.eq(to.as_str());
    withdraw(Entity::update_many()).filter(sent_to()).filter(unsent()).exec(c).await?;
    erase_text(Entity::update_many())
        .col_expr(Column::Recipient, Expr::val(""))
        .col_expr(Column::Subject, Expr::val(""))
        .col_expr(Column::Person, Expr::val(None::<kernel::PersonId>))
        .filter(sent_to())
        .exec(c)
        .await
        .map(drop)
}

fn withdraw(update: UpdateMany<Entity>) -> UpdateMany<Entity> {
    update.col_expr(Column::State, Expr::val(State::Withdrawn))
}

fn unsent() -> SimpleExpr {
    Column::State.is_in([State::Waiting, State::Failed])
}

/// Records a failed try that will be repeated.
pub(crate) async fn record_retry(
    c: &impl ConnectionTrait,
    uid: EmailId,
    last_error: &str,
    now: Timestamp,
) -> Result<(), DbErr> {
    attempt_update(uid, Some(last_error), now)
        .col_expr(Column::State, Expr::val(State::Waiting))
        .exec(c)
        .await
        .map(drop)
}

fn attempt_update(uid: EmailId, last_error: Option<&str>, now: Timestamp) -> UpdateMany<Entity> {
    Entity::update_many()
        .col_expr(Column::Attempts, Expr::col(Column::Attempts).add(1))
        .col_expr(Column::AttemptedAt, Expr::val(Some(now)))
        .col_expr(Column::LastError, Expr::val(last_error.unwrap_or_default()))
        .filter(Column::Uid.eq(uid))
        .filter(Column::State.is_in([State::Waiting, State::Failed]))
}

/// Returns emails that failed or wait for another try, newest first.
pub(crate) async fn failures(c: &impl ConnectionTrait, limit: u64) -> Result<Vec<Model>, DbErr> {
    Entity::find()
        .filter(Column::State.is_in([State::Waiting, State::Failed]))
        .filter(Column::LastError.ne(""))
        .order_by_desc(Column::Uid)
        .limit(limit)
        .all(c)
        .await
}

/// Returns the waiting emails with their jobs.
pub(crate) async fn waiting(c: &impl ConnectionTrait) -> Result<Vec<(EmailId, Option<JobId>)>, DbErr> {
    Entity::find()
        .select_only()
        .columns([Column::Uid, Column::Job])
        .filter(Column::State.eq(State::Waiting))
        .into_tuple()
        .all(c)
        .await
}

/// Counts the waiting emails, and returns when the oldest was written.
pub(crate) async fn backlog(c: &impl ConnectionTrait) -> Result<(u64, Option<Timestamp>), DbErr> {
    let found: Option<(i64, Option<Timestamp>)> = Entity::find()
        .select_only()
        .column_as(Column::Uid.count(), "emails")
        .column_as(Column::TimeCreated.min(), "oldest")
        .filter(Column::State.eq(State::Waiting))
        .into_tuple()
        .one(c)
        .await?;
    Ok(found.map_or((0, None), |(emails, oldest)| (emails.cast_unsigned(), oldest)))
}

/// Counts the waiting bulk emails.
pub(crate) async fn bulk_backlog(c: &impl ConnectionTrait) -> Result<BulkBacklog, DbErr> {
    let waiting = Entity::find().filter(Column::State.eq(State::Waiting)).filter(Column::Topic.is_not_null());
    let untried = waiting.clone().filter(Column::Attempts.eq(0)).count(c).await?;
    Ok(BulkBacklog { untried, all: waiting.count(c).await? })
}

/// Returns sent emails, newest first.
pub(crate) async fn sent(
    c: &impl ConnectionTrait,
    to: Option<&Email>,
    limit: u64,
) -> Result<Vec<Model>, DbErr> {
    let mut query = Entity::find().filter(Column::State.eq(State::Sent));
    if let Some(to) = to {
        query = query.filter(Column::Recipient.eq(to.as_str()));
    }
    query.order_by_desc(Column::Uid).limit(limit).all(c).await
}

/// Deletes emails written before `before`. Returns how many.
pub(crate) async fn prune(db: &db::Db, before: Timestamp) -> Result<u64, DbErr> {
    db::remove_in_pages::<Entity>(db, Column::Uid, Column::TimeCreated.lt(before)).await
}
