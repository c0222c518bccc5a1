//! Announcements.

use kernel::{Millis, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait as _, QueryFilter, QueryOrder,
    QuerySelect,
};

use crate::announcements::{Announcement, Kind, State};
use crate::entity::announcement::{ActiveModel, Column, Entity, Model};

impl From<Model> for Announcement {
    fn from(row: Model) -> Self {
        Self {
            subject: row.subject,
            org: row.org,
            kind: Kind::read(&row.kind),
            state: State::read(&row.state),
            until: row.until,
            last_recipient: row.last_recipient,
        }
    }
}

/// Inserts an announcement; an existing one for the same subject stays unchanged.
pub async fn insert(
    tx: &impl ConnectionTrait,
    (org, subject): (Uid, Uid),
    kind: Kind,
    until: Millis,
    now: Millis,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        subject: Set(subject),
        org: Set(org),
        kind: Set(kind.as_str().to_owned()),
        state: Set(State::Waiting.as_str().to_owned()),
        until: Set(until),
        last_recipient: Set(None),
        processed_at: Set(now),
        created_at: Set(now),
    };
    let keep_existing = OnConflict::column(Column::Subject).do_nothing().to_owned();
    Entity::insert(row).on_conflict(keep_existing).exec_without_returning(tx).await?;
    Ok(())
}

/// Returns the announcement of a subject.
pub async fn by_subject(
    conn: &impl ConnectionTrait,
    org: Uid,
    subject: Uid,
) -> Result<Option<Announcement>, DbErr> {
    let row = Entity::find_by_id(subject).filter(Column::Org.eq(org)).one(conn).await?;
    Ok(row.map(Into::into))
}

/// Returns the announcement an email belongs to. Looks it up without an organisation, because the
/// organisation whose members may get the email is what the caller needs.
pub async fn of_email(conn: &impl ConnectionTrait, subject: Uid) -> Result<Option<Announcement>, DbErr> {
    Ok(Entity::find_by_id(subject).one(conn).await?.map(Into::into))
}

/// Returns the organisation's waiting announcements, ordered by subject id.
pub async fn waiting(conn: &impl ConnectionTrait, org: Uid) -> Result<Vec<Announcement>, DbErr> {
    let rows = Entity::find()
        .filter(Column::State.eq(State::Waiting.as_str()))
        .filter(Column::Org.eq(org))
        .order_by_asc(Column::Subject)
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Returns whether the organisation has a waiting announcement.
pub async fn any_waiting(conn: &impl ConnectionTrait, org: Uid) -> Result<bool, DbErr> {
    let waiting = Entity::find()
        .filter(Column::State.eq(State::Waiting.as_str()))
        .filter(Column::Org.eq(org))
        .limit(1)
        .count(conn)
        .await?;
    Ok(waiting > 0)
}

/// Returns the organisations with waiting announcements.
pub async fn orgs_waiting(conn: &impl ConnectionTrait) -> Result<Vec<Uid>, DbErr> {
    Entity::find()
        .select_only()
        .column(Column::Org)
        .distinct()
        .filter(Column::State.eq(State::Waiting.as_str()))
        .into_tuple()
        .all(conn)
        .await
}

/// Returns announcements in progress that no job has processed since `before`.
pub async fn stalled(conn: &impl ConnectionTrait, before: Millis) -> Result<Vec<Announcement>, DbErr> {
    let rows = Entity::find()
        .filter(Column::State.eq(State::Sending.as_str()))
        .filter(Column::ProcessedAt.lt(before))
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Updates the progress of an announcement.
pub async fn set_progress(
    tx: &impl ConnectionTrait,
    announcement: &Announcement,
    state: State,
    last_recipient: Option<Uid>,
    now: Millis,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::State, Expr::val(state.as_str()))
        .col_expr(Column::LastRecipient, Expr::val(last_recipient))
        .col_expr(Column::ProcessedAt, Expr::val(now))
        .filter(Column::Subject.eq(announcement.subject))
        .filter(Column::Org.eq(announcement.org))
        .exec(tx)
        .await?;
    Ok(())
}
