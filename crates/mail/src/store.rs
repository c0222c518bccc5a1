//! All SQL of the outbox.

use kernel::{Email, Millis, Uid};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, UpdateMany,
};

use crate::entity::mail_outbox::{ActiveModel, Column, Entity, Model};
use crate::render::Rendered;
use crate::{Round, RoundsWaiting};

pub(crate) const WAITING: &str = "waiting";
pub(crate) const SENT: &str = "sent";
pub(crate) const FAILED: &str = "failed";
pub(crate) const WITHDRAWN: &str = "withdrawn";

/// A rendered email.
pub(crate) struct New<'a> {
    pub(crate) uid: Uid,
    pub(crate) to: &'a Email,
    pub(crate) kind: &'a str,
    pub(crate) letter: Rendered,
    /// The job that sends it.
    pub(crate) job: Uid,
    /// For bulk email.
    pub(crate) round: Option<&'a Round>,
    /// When its links stop working.
    pub(crate) expires_at: Option<Millis>,
}

pub(crate) async fn insert(c: &impl ConnectionTrait, new: New<'_>, now: Millis) -> Result<(), DbErr> {
    let New { uid, to, kind, letter, job, round, expires_at } = new;
    let row = ActiveModel {
        uid: Set(uid),
        recipient: Set(to.as_str().to_owned()),
        kind: Set(kind.to_owned()),
        subject: Set(letter.subject),
        text_body: Set(letter.text),
        html_body: Set(letter.html),
        state: Set(WAITING.to_owned()),
        trouble: Set(String::new()),
        time_created: Set(now),
        tries: Set(0),
        time_tried: Set(None),
        job: Set(Some(job)),
        about: Set(round.map(|round| round.about)),
        person: Set(round.map(|round| round.person)),
        stop: Set(round.map(|round| round.stop.clone()).unwrap_or_default()),
        expires_at: Set(expires_at),
    };
    Entity::insert(row).exec_without_returning(c).await.map(drop)
}

pub(crate) async fn by_id(c: &impl ConnectionTrait, uid: Uid) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(uid).one(c).await
}

/// The outcome of an email.
pub(crate) struct End<'a> {
    /// [`SENT`], [`FAILED`] or [`WITHDRAWN`].
    pub(crate) state: &'a str,
    /// The server's last answer; empty if it accepted the email.
    pub(crate) trouble: &'a str,
    /// Whether the row keeps the text. Otherwise it is erased, because links are secrets.
    pub(crate) keep: bool,
}

/// Records the outcome, unless the email has been sent, withdrawn or pruned. Returns whether it did.
pub(crate) async fn settle(
    c: &impl ConnectionTrait,
    uid: Uid,
    end: End<'_>,
    now: Millis,
) -> Result<bool, DbErr> {
    let mut update = tried(uid, end.trouble, now).col_expr(Column::State, Expr::val(end.state));
    if !end.keep {
        update = without_words(update);
    }
    Ok(update.exec(c).await?.rows_affected == 1)
}

fn without_words(update: UpdateMany<Entity>) -> UpdateMany<Entity> {
    [Column::TextBody, Column::HtmlBody, Column::Stop]
        .into_iter()
        .fold(update, |update, words| update.col_expr(words, Expr::val("")))
}

/// Erases the text of failed emails whose links stopped working before `now`.
pub(crate) async fn erase_expired(c: &impl ConnectionTrait, now: Millis) -> Result<u64, DbErr> {
    let erased = without_words(Entity::update_many())
        .filter(Column::State.eq(FAILED))
        .filter(Column::ExpiresAt.lte(now))
        .filter(Column::TextBody.ne(""))
        .exec(c)
        .await?;
    Ok(erased.rows_affected)
}

/// Records a failed try that will be repeated.
pub(crate) async fn later(
    c: &impl ConnectionTrait,
    uid: Uid,
    trouble: &str,
    now: Millis,
) -> Result<(), DbErr> {
    tried(uid, trouble, now).col_expr(Column::State, Expr::val(WAITING)).exec(c).await.map(drop)
}

fn tried(uid: Uid, trouble: &str, now: Millis) -> UpdateMany<Entity> {
    Entity::update_many()
        .col_expr(Column::Tries, Expr::col(Column::Tries).add(1))
        .col_expr(Column::TimeTried, Expr::val(Some(now)))
        .col_expr(Column::Trouble, Expr::val(trouble))
        .filter(Column::Uid.eq(uid))
        .filter(Column::State.is_in([WAITING, FAILED]))
}

/// Returns emails that failed or wait for another try, newest first.
pub(crate) async fn troubled(c: &impl ConnectionTrait, limit: u64) -> Result<Vec<Model>, DbErr> {
    Entity::find()
        .filter(Column::State.is_in([WAITING, FAILED]))
        .filter(Column::Trouble.ne(""))
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
pub(crate) async fn rounds_waiting(c: &impl ConnectionTrait) -> Result<RoundsWaiting, DbErr> {
    let waiting = Entity::find().filter(Column::State.eq(WAITING)).filter(Column::About.is_not_null());
    let untried = waiting.clone().filter(Column::Tries.eq(0)).count(c).await?;
    Ok(RoundsWaiting { untried, all: waiting.count(c).await? })
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
