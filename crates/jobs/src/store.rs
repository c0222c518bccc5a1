//! All SQL of the queue.

use std::collections::HashSet;

use db::Db;
use kernel::{DAY, HOUR, JobId, Millis, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait, LockBehavior, LockType, OnConflict, Query, SimpleExpr};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, PaginatorTrait as _, QueryFilter,
    QueryOrder, QuerySelect, SelectExt as _,
};
use serde_json::Value;

use crate::Leftover;
use crate::entity::job::{ActiveModel, Column, Entity, JobState, Model};
use crate::operate::{JobSelector, JobSummary};

/// Longer than any lease, and than any difference between the clocks of two servers with which they work.
const LEASE_MAX: Millis = HOUR;

/// A job to be added.
pub struct NewJob {
    pub uid: JobId,
    pub kind: &'static str,
    pub payload: Value,
    pub due: Timestamp,
    pub max_crashes: i32,
    pub trace: Option<String>,
}

/// Adds a job.
pub async fn insert(tx: &impl ConnectionTrait, new: NewJob, now: Timestamp) -> Result<(), DbErr> {
    let NewJob { uid, kind, payload, due, max_crashes, trace } = new;
    let row = row(uid, kind, payload, due, max_crashes, now, None);
    Entity::insert(ActiveModel { trace: Set(trace), ..row }).exec_without_returning(tx).await?;
    Ok(())
}

/// Adds the row of a schedule unless it exists. One that is due after `latest` is due now: that was written before the clock
/// was set back.
pub async fn ensure_schedule(
    tx: &impl ConnectionTrait,
    uid: JobId,
    name: &str,
    now: Timestamp,
    latest: Timestamp,
) -> Result<(), DbErr> {
    Entity::insert(row(uid, name, Value::Null, now, i32::MAX, now, Some(name.to_owned())))
        .on_conflict(OnConflict::column(Column::Schedule).do_nothing().to_owned())
        .exec_without_returning(tx)
        .await?;
    // A schedule never ends. One that was given up nevertheless starts again.
    Entity::update_many()
        .col_expr(Column::State, Expr::val(JobState::Ready))
        .col_expr(Column::DueAt, Expr::val(now))
        .col_expr(Column::Attempt, Expr::val(0))
        .filter(Column::Schedule.eq(name))
        .filter(Column::State.eq(JobState::Dead))
        .exec(tx)
        .await?;
    Entity::update_many()
        .col_expr(Column::DueAt, Expr::val(now))
        .filter(Column::Schedule.eq(name))
        .filter(Column::State.eq(JobState::Ready))
        .filter(Column::DueAt.gt(latest))
        .exec(tx)
        .await?;
    Ok(())
}

fn row(
    uid: JobId,
    kind: &str,
    payload: Value,
    due: Timestamp,
    max_crashes: i32,
    now: Timestamp,
    schedule: Option<String>,
) -> ActiveModel {
    ActiveModel {
        uid: Set(uid),
        kind: Set(kind.to_owned()),
        payload: Set(payload),
        state: Set(JobState::Ready.into()),
        due_at: Set(due),
        attempt: Set(0),
        max_crashes: Set(max_crashes),
        lease_until: Set(None),
        worker: Set(None),
        last_error: Set(None),
        created_at: Set(now),
        finished_at: Set(None),
        schedule: Set(schedule),
        first_attempt_at: Set(None),
        crashes: Set(0),
        trace: Set(None),
    }
}

/// Selects the jobs of the given kinds that can be claimed at `now`: ready ones that are due, and those whose
/// lease ended because their worker died. No lease is as long as [`LEASE_MAX`]: one that is was given before the clock was
/// set back.
fn due(kinds: &[&str], now: Timestamp) -> Expr {
    let ready = Expr::col(Column::State).eq(JobState::Ready).and(Expr::col(Column::DueAt).lte(now));
    let lease = Expr::col(Column::LeaseUntil);
    let ended = lease.clone().lt(now).or(lease.gt(now + LEASE_MAX));
    let abandoned = Expr::col(Column::State).eq(JobState::Running).and(ended);
    ready.or(abandoned).and(Expr::col(Column::Kind).is_in(kinds.iter().copied()))
}

/// Returns true if a job of the given kinds can be claimed at `now`. Another worker may claim it first.
pub async fn any_due(conn: &impl ConnectionTrait, kinds: &[&str], now: Timestamp) -> Result<bool, DbErr> {
    let found: Option<JobId> = Entity::find()
        .select_only()
        .column(Column::Uid)
        .filter(due(kinds, now))
        .limit(1)
        .into_tuple()
        .one(conn)
        .await?;
    Ok(found.is_some())
}

/// Claims the job of the given kinds that has been due the longest.
pub async fn claim(
    tx: &impl ConnectionTrait,
    kinds: &[&str],
    worker: &str,
    now: Timestamp,
    lease_until: Timestamp,
) -> Result<Option<Model>, DbErr> {
    let mut oldest = Query::select();
    oldest
        .column(Column::Uid)
        .from(Entity)
        .and_where(due(kinds, now))
        .order_by(Column::DueAt, sea_orm::Order::Asc)
        .limit(1);
    if tx.get_database_backend() == DbBackend::Postgres {
        oldest.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    }
    let claimed = Entity::update_many()
        .col_expr(Column::State, Expr::val(JobState::Running))
        .col_expr(Column::Attempt, Expr::col(Column::Attempt).add(1))
        .col_expr(Column::Worker, Expr::val(worker))
        .col_expr(Column::LeaseUntil, Expr::val(lease_until))
        .col_expr(Column::FirstAttemptAt, Expr::col(Column::FirstAttemptAt).if_null(now))
        .col_expr(
            Column::Crashes,
            Expr::col(Column::Crashes)
                .add(Expr::case(Expr::col(Column::State).eq(JobState::Running), 1).finally(0)),
        )
        .filter(Column::Uid.in_subquery(oldest))
        .exec_with_returning(tx)
        .await?;
    Ok(claimed.into_iter().next())
}

/// Extends the lease. Returns false if another attempt owns the job.
pub async fn heartbeat(
    tx: &impl ConnectionTrait,
    uid: JobId,
    attempt: i32,
    lease_until: Timestamp,
) -> Result<bool, DbErr> {
    let update = Entity::update_many().col_expr(Column::LeaseUntil, Expr::val(lease_until));
    Ok(fenced(update, uid, attempt).exec(tx).await?.rows_affected == 1)
}

/// Marks the job done. Returns false if another attempt owns it.
pub async fn finish(
    tx: &impl ConnectionTrait,
    uid: JobId,
    attempt: i32,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let update = Entity::update_many()
        .col_expr(Column::State, Expr::val(JobState::Done))
        .col_expr(Column::FinishedAt, Expr::val(Some(now)))
        .col_expr(Column::LeaseUntil, Expr::val(None::<Timestamp>))
        .col_expr(Column::LastError, Expr::val(None::<String>));
    Ok(fenced(update, uid, attempt).exec(tx).await?.rows_affected == 1)
}

/// Makes the job ready again at `due` and records the error, if any. Returns false if another attempt owns
/// it. `fresh` resets all counters, for schedules.
pub async fn reschedule(
    tx: &impl ConnectionTrait,
    uid: JobId,
    attempt: i32,
    due: Timestamp,
    error: Option<&str>,
    fresh: bool,
) -> Result<bool, DbErr> {
    let mut update = Entity::update_many()
        .col_expr(Column::State, Expr::val(JobState::Ready))
        .col_expr(Column::DueAt, Expr::val(due))
        .col_expr(Column::LeaseUntil, Expr::val(None::<Timestamp>))
        .col_expr(Column::LastError, Expr::val(error.map(ToOwned::to_owned)));
    if fresh {
        update = update
            .col_expr(Column::Attempt, Expr::val(0))
            .col_expr(Column::Crashes, Expr::val(0))
            .col_expr(Column::FirstAttemptAt, Expr::val(None::<Timestamp>));
    }
    Ok(fenced(update, uid, attempt).exec(tx).await?.rows_affected == 1)
}

/// Makes the job ready again as if the attempt had not happened. Returns false if another attempt owns it.
pub async fn give_back(
    tx: &impl ConnectionTrait,
    uid: JobId,
    attempt: i32,
    due: Timestamp,
    why: &str,
) -> Result<bool, DbErr> {
    // This reuses attempt numbers, and the fence still works: a worker that lost its lease has a lower number
    // than the attempt given back, and the next claim continues counting from there.
    let update = Entity::update_many()
        .col_expr(Column::State, Expr::val(JobState::Ready))
        .col_expr(Column::DueAt, Expr::val(due))
        .col_expr(Column::Attempt, Expr::val(attempt - 1))
        .col_expr(Column::LeaseUntil, Expr::val(None::<Timestamp>))
        .col_expr(Column::LastError, Expr::val(Some(why.to_owned())));
    Ok(fenced(update, uid, attempt).exec(tx).await?.rows_affected == 1)
}

/// Makes all running jobs due, also those whose lease has not ended.
pub async fn give_back_all(tx: &impl ConnectionTrait, now: Timestamp, why: &str) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::State, Expr::val(JobState::Ready))
        .col_expr(Column::DueAt, Expr::val(now))
        .col_expr(Column::LeaseUntil, Expr::val(None::<Timestamp>))
        .col_expr(Column::LastError, Expr::val(Some(why.to_owned())))
        .filter(Column::State.eq(JobState::Running))
        .exec(tx)
        .await
        .map(drop)
}

/// Gives the job up. Returns false if another attempt owns it.
pub async fn give_up(
    tx: &impl ConnectionTrait,
    uid: JobId,
    attempt: i32,
    now: Timestamp,
    error: &str,
) -> Result<bool, DbErr> {
    let update = Entity::update_many()
        .col_expr(Column::State, Expr::val(JobState::Dead))
        .col_expr(Column::FinishedAt, Expr::val(Some(now)))
        .col_expr(Column::LeaseUntil, Expr::val(None::<Timestamp>))
        .col_expr(Column::LastError, Expr::val(Some(error.to_owned())));
    Ok(fenced(update, uid, attempt).exec(tx).await?.rows_affected == 1)
}

fn fenced(update: sea_orm::UpdateMany<Entity>, uid: JobId, attempt: i32) -> sea_orm::UpdateMany<Entity> {
    update
        .filter(Column::Uid.eq(uid))
        .filter(Column::Attempt.eq(attempt))
        .filter(Column::State.eq(JobState::Running))
}

/// How long done jobs are kept.
const DONE_KEPT: Millis = 7 * DAY;
/// How long jobs that were given up stay for the operator.
const DEAD_KEPT: Millis = 90 * DAY;

/// Removes old jobs.
pub async fn prune(db: &Db, now: Timestamp) -> Result<u64, DbErr> {
    db::remove_in_pages::<Entity>(db, Column::Uid, old(now)).await
}

/// Returns whether [`prune`] would remove anything.
pub async fn any_old(conn: &impl ConnectionTrait, now: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(old(now)).exists(conn).await
}

fn old(now: Timestamp) -> SimpleExpr {
    let done = Column::State.eq(JobState::Done).and(Column::FinishedAt.lt(now - DONE_KEPT));
    let dead = Column::State.eq(JobState::Dead).and(Column::FinishedAt.lt(now - DEAD_KEPT));
    done.or(dead.and(Column::Schedule.is_null()))
}

/// Returns the jobs that are not done, oldest first, without schedules.
pub async fn leftovers(conn: &impl ConnectionTrait) -> Result<Vec<Leftover>, DbErr> {
    let rows = Entity::find()
        .filter(Column::State.ne(JobState::Done))
        .filter(Column::Schedule.is_null())
        .order_by_asc(Column::Uid)
        .all(conn)
        .await?;
    Ok(rows
        .into_iter()
        .map(|row| Leftover { uid: row.uid, kind: row.kind, state: row.state, last_error: row.last_error })
        .collect())
}

/// Returns a page of the jobs that are not done, oldest first, without schedules.
pub async fn list(
    conn: &impl ConnectionTrait,
    dead: bool,
    after: Option<JobId>,
    limit: u64,
) -> Result<Vec<JobSummary>, DbErr> {
    let mut query = Entity::find().filter(Column::Schedule.is_null());
    query = if dead {
        query.filter(Column::State.eq(JobState::Dead))
    } else {
        query.filter(Column::State.ne(JobState::Done))
    };
    if let Some(after) = after {
        query = query.filter(Column::Uid.gt(after));
    }
    let rows = query.order_by_asc(Column::Uid).limit(limit).all(conn).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

impl From<Model> for JobSummary {
    fn from(row: Model) -> Self {
        Self {
            uid: row.uid,
            kind: row.kind,
            state: row.state,
            attempts: row.attempt,
            created_at: row.created_at,
            due_at: row.due_at,
            lease_until: row.lease_until,
            last_error: row.last_error,
            payload: row.payload,
        }
    }
}

/// Makes jobs due now that were given up or are waiting. The attempt number stays, because it is the fence.
pub async fn retry(tx: &impl ConnectionTrait, selector: JobSelector, now: Timestamp) -> Result<u64, DbErr> {
    let update = Entity::update_many()
        .col_expr(Column::State, Expr::val(JobState::Ready))
        .col_expr(Column::DueAt, Expr::val(now))
        .col_expr(Column::FinishedAt, Expr::val(None::<Timestamp>))
        .col_expr(Column::FirstAttemptAt, Expr::val(None::<Timestamp>))
        .col_expr(Column::Crashes, Expr::val(0));
    Ok(update.filter(selected(selector)).exec(tx).await?.rows_affected)
}

fn selected(selector: JobSelector) -> SimpleExpr {
    let dead = Column::State.eq(JobState::Dead);
    match selector {
        JobSelector::Dead => dead,
        JobSelector::DeadOfKind(kind) => dead.and(Column::Kind.eq(kind)),
        JobSelector::One(uid) => {
            Column::Uid.eq(uid).and(Column::State.is_in([JobState::Dead, JobState::Ready]))
        }
    }
}

/// Removes jobs that were given up or are waiting, without schedules.
pub async fn remove(tx: &impl ConnectionTrait, selector: JobSelector) -> Result<u64, DbErr> {
    let delete = Entity::delete_many().filter(selected(selector)).filter(Column::Schedule.is_null());
    Ok(delete.exec(tx).await?.rows_affected)
}

/// Returns a job that is neither done nor a schedule.
pub async fn find(conn: &impl ConnectionTrait, uid: JobId) -> Result<Option<JobSummary>, DbErr> {
    let query = Entity::find_by_id(uid).filter(Column::Schedule.is_null());
    let row = query.filter(Column::State.ne(JobState::Done)).one(conn).await?;
    Ok(row.map(Into::into))
}

/// Counts the jobs that were given up.
pub async fn count_dead(conn: &impl ConnectionTrait) -> Result<u64, DbErr> {
    Entity::find().filter(Column::State.eq(JobState::Dead)).count(conn).await
}

/// Returns the number of jobs that are due and wait, and the earliest time at which one was due, by kind. A schedule
/// is a row that is due whether or not it has work, so it is not counted.
pub async fn due_by_kind(
    conn: &impl ConnectionTrait,
    now: Timestamp,
) -> Result<Vec<(String, u64, Timestamp)>, DbErr> {
    let rows: Vec<(String, i64, Timestamp)> = Entity::find()
        .select_only()
        .column(Column::Kind)
        .column_as(Column::Uid.count(), "jobs")
        .column_as(Column::DueAt.min(), "due")
        .filter(Column::State.eq(JobState::Ready))
        .filter(Column::DueAt.lte(now))
        .filter(Column::Schedule.is_null())
        .group_by(Column::Kind)
        .into_tuple()
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(|(kind, jobs, due)| (kind, jobs.cast_unsigned(), due)).collect())
}

/// Returns the payloads of the waiting and running jobs of one kind.
pub async fn active_payloads(conn: &impl ConnectionTrait, kind: &str) -> Result<Vec<Value>, DbErr> {
    Entity::find()
        .select_only()
        .column(Column::Payload)
        .filter(Column::Kind.eq(kind))
        .filter(Column::State.is_in([JobState::Ready, JobState::Running]))
        .into_tuple()
        .all(conn)
        .await
}

/// Returns the given jobs that are waiting or running.
pub async fn active_among(conn: &impl ConnectionTrait, uids: &[JobId]) -> Result<HashSet<JobId>, DbErr> {
    let mut active = HashSet::new();
    for page in uids.chunks(500) {
        let found: Vec<JobId> = Entity::find()
            .select_only()
            .column(Column::Uid)
            .filter(Column::Uid.is_in(page.iter().copied()))
            .filter(Column::State.is_in([JobState::Ready, JobState::Running]))
            .into_tuple()
            .all(conn)
            .await?;
        active.extend(found);
    }
    Ok(active)
}
