//! Announcements.

use kernel::{Millis, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait as _, QueryFilter, QueryOrder,
    QuerySelect,
};

use crate::entity::news::{ActiveModel, Column, Entity, Model};
use crate::piece::{Kind, Piece, State};

impl From<Model> for Piece {
    fn from(row: Model) -> Self {
        Self {
            subject: row.subject,
            org: row.org,
            kind: Kind::read(&row.kind),
            state: State::read(&row.state),
            until: row.until,
            told_to: row.told_to,
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
        told_to: Set(None),
        looked_at: Set(now),
        created_at: Set(now),
    };
    let known = OnConflict::column(Column::Subject).do_nothing().to_owned();
    Entity::insert(row).on_conflict(known).exec_without_returning(tx).await?;
    Ok(())
}

/// Returns the announcement of a subject.
pub async fn by_subject(conn: &impl ConnectionTrait, org: Uid, subject: Uid) -> Result<Option<Piece>, DbErr> {
    let row = Entity::find_by_id(subject).filter(Column::Org.eq(org)).one(conn).await?;
    Ok(row.map(Into::into))
}

/// Returns the announcement an email belongs to. Looks it up without an organisation, because the
/// organisation whose members may get the email is what the caller needs.
pub async fn of_letter(conn: &impl ConnectionTrait, subject: Uid) -> Result<Option<Piece>, DbErr> {
    Ok(Entity::find_by_id(subject).one(conn).await?.map(Into::into))
}

/// Returns the organisation's waiting announcements, ordered by subject id.
pub async fn waiting(conn: &impl ConnectionTrait, org: Uid) -> Result<Vec<Piece>, DbErr> {
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
pub async fn forgotten(conn: &impl ConnectionTrait, before: Millis) -> Result<Vec<Piece>, DbErr> {
    let rows = Entity::find()
        .filter(Column::State.eq(State::Telling.as_str()))
        .filter(Column::LookedAt.lt(before))
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Updates the progress of an announcement; `told_to` is the last recipient.
pub async fn set(
    tx: &impl ConnectionTrait,
    piece: &Piece,
    state: State,
    told_to: Option<Uid>,
    now: Millis,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::State, Expr::val(state.as_str()))
        .col_expr(Column::ToldTo, Expr::val(told_to))
        .col_expr(Column::LookedAt, Expr::val(now))
        .filter(Column::Subject.eq(piece.subject))
        .filter(Column::Org.eq(piece.org))
        .exec(tx)
        .await?;
    Ok(())
}
