//! Announcements.

use db::Db;
use kernel::{OrgId, PersonId, Timestamp, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _, OnConflict, SimpleExpr};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait as _, QueryFilter, QueryOrder,
    QuerySelect, SelectExt as _,
};

use crate::announcements::{Announcement, State};
use crate::entity::announcement::{ActiveModel, Column, Entity, Model};

impl TryFrom<Model> for Announcement {
    type Error = DbErr;

    fn try_from(row: Model) -> Result<Self, DbErr> {
        Ok(Self {
            subject: row.subject,
            org: row.org,
            kind: row.kind.known("announcement", "kind", row.subject)?,
            state: row.state.known("announcement", "state", row.subject)?,
            until: row.until,
            last_recipient: row.last_recipient,
            visible_since: row.visible_since,
        })
    }
}

/// Inserts an announcement; an existing one for the same subject stays unchanged.
pub async fn insert(
    tx: &impl ConnectionTrait,
    announcement: &Announcement,
    now: Timestamp,
) -> Result<(), DbErr> {
    let row = ActiveModel {
        subject: Set(announcement.subject),
        org: Set(announcement.org),
        kind: Set(announcement.kind.into()),
        state: Set(announcement.state.into()),
        until: Set(announcement.until),
        last_recipient: Set(announcement.last_recipient),
        processed_at: Set(now),
        created_at: Set(now),
        visible_since: Set(announcement.visible_since),
        listed_in: Set(None),
    };
    let keep_existing = OnConflict::column(Column::Subject).do_nothing().to_owned();
    Entity::insert(row).on_conflict(keep_existing).exec_without_returning(tx).await?;
    Ok(())
}

/// Returns the announcement of a subject and those that its emails list, too, ordered by subject id.
pub async fn with_listed(
    conn: &impl ConnectionTrait,
    org: OrgId,
    subject: Uid,
) -> Result<Vec<Announcement>, DbErr> {
    let rows = Entity::find()
        .filter(Column::Org.eq(org))
        .filter(Column::Subject.eq(subject).or(Column::ListedIn.eq(subject)))
        .order_by_asc(Column::Subject)
        .all(conn)
        .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Returns the organisation of the announcement that an email belongs to. Looks it up without an organisation, because
/// the organisation whose members may get the email is what the caller needs.
pub async fn org_of_email(conn: &impl ConnectionTrait, subject: Uid) -> Result<Option<OrgId>, DbErr> {
    Entity::find_by_id(subject).select_only().column(Column::Org).into_tuple().one(conn).await
}

/// Returns the organisation's waiting announcements, ordered by subject id.
pub async fn waiting(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<Announcement>, DbErr> {
    let rows = Entity::find()
        .filter(Column::State.eq(State::Waiting))
        .filter(Column::Org.eq(org))
        .order_by_asc(Column::Subject)
        .all(conn)
        .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Returns whether the organisation has a waiting announcement.
pub async fn any_waiting(conn: &impl ConnectionTrait, org: OrgId) -> Result<bool, DbErr> {
    let waiting = Entity::find()
        .filter(Column::State.eq(State::Waiting))
        .filter(Column::Org.eq(org))
        .limit(1)
        .count(conn)
        .await?;
    Ok(waiting > 0)
}

/// Returns the organisations with waiting announcements.
pub async fn orgs_waiting(conn: &impl ConnectionTrait) -> Result<Vec<OrgId>, DbErr> {
    Entity::find()
        .select_only()
        .column(Column::Org)
        .distinct()
        .filter(Column::State.eq(State::Waiting))
        .into_tuple()
        .all(conn)
        .await
}

/// Returns announcements in progress that no job has processed since `before`.
pub async fn stalled(conn: &impl ConnectionTrait, before: Timestamp) -> Result<Vec<Announcement>, DbErr> {
    let rows = Entity::find().filter(stalled_since(before)).all(conn).await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Returns whether any announcement is waiting, or in progress without a job since `before`.
pub async fn any_open(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(Column::State.eq(State::Waiting).or(stalled_since(before))).exists(conn).await
}

fn stalled_since(before: Timestamp) -> SimpleExpr {
    Column::State.eq(State::Sending).and(Column::ProcessedAt.lt(before))
}

/// Updates the progress of an announcement.
pub async fn set_progress(
    tx: &impl ConnectionTrait,
    announcement: &Announcement,
    state: State,
    last_recipient: Option<PersonId>,
    now: Timestamp,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::State, Expr::val(state))
        .col_expr(Column::LastRecipient, Expr::val(last_recipient))
        .col_expr(Column::ProcessedAt, Expr::val(now))
        .filter(Column::Subject.eq(announcement.subject))
        .filter(Column::Org.eq(announcement.org))
        .exec(tx)
        .await?;
    Ok(())
}

/// Lets a waiting announcement wait until a later time.
pub async fn set_until(
    tx: &impl ConnectionTrait,
    announcement: &Announcement,
    until: Timestamp,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Until, Expr::val(until))
        .filter(Column::Subject.eq(announcement.subject))
        .filter(Column::Org.eq(announcement.org))
        .exec(tx)
        .await?;
    Ok(())
}

/// Stores since when app users can see these subjects.
pub async fn set_visible_since(
    tx: &impl ConnectionTrait,
    org: OrgId,
    subjects: &[Uid],
    since: Option<Timestamp>,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::VisibleSince, Expr::val(since))
        .filter(db::among(tx.get_database_backend(), Column::Subject, subjects))
        .filter(Column::Org.eq(org))
        .exec(tx)
        .await
        .map(drop)
}

/// Lets the emails of an announcement list these subjects, too.
pub async fn join(
    tx: &impl ConnectionTrait,
    announcement: &Announcement,
    subjects: &[Uid],
    now: Timestamp,
) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::State, Expr::val(State::Listed))
        .col_expr(Column::ListedIn, Expr::val(Some(announcement.subject)))
        .col_expr(Column::ProcessedAt, Expr::val(now))
        .filter(db::among(tx.get_database_backend(), Column::Subject, subjects))
        .filter(Column::Org.eq(announcement.org))
        .exec(tx)
        .await
        .map(drop)
}

/// Lets an announcement without any email, and those joined to it, wait again, each for itself.
pub async fn separate(
    tx: &impl ConnectionTrait,
    announcement: &Announcement,
    now: Timestamp,
) -> Result<(), DbErr> {
    let subject = announcement.subject;
    Entity::update_many()
        .col_expr(Column::State, Expr::val(State::Waiting))
        .col_expr(Column::VisibleSince, Expr::val(None::<Timestamp>))
        .col_expr(Column::ListedIn, Expr::val(None::<Uid>))
        .col_expr(Column::ProcessedAt, Expr::val(now))
        .filter(Column::Org.eq(announcement.org))
        .filter(Column::Subject.eq(subject).or(Column::ListedIn.eq(subject)))
        .exec(tx)
        .await
        .map(drop)
}

/// Drops the organisation's announcements that have not been sent to everyone.
pub async fn drop_unsent(tx: &impl ConnectionTrait, org: OrgId, now: Timestamp) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::State, Expr::val(State::Dropped))
        .col_expr(Column::ProcessedAt, Expr::val(now))
        .filter(Column::State.is_in([State::Waiting, State::Sending]))
        .filter(Column::Org.eq(org))
        .exec(tx)
        .await?;
    Ok(())
}

/// Removes the announcements of an organisation.
pub async fn remove_of_org(db: &Db, org: OrgId) -> Result<(), DbErr> {
    db::rows::remove_all(db, "announcement", "subject", "org", org).await
}

/// Replaces a person who was the last recipient by the id before, so that the announcement continues with the same people.
pub async fn forget_recipient(tx: &impl ConnectionTrait, person: PersonId) -> Result<(), DbErr> {
    let before = PersonId::from_u128(person.uid().as_u128().saturating_sub(1));
    Entity::update_many()
        .col_expr(Column::LastRecipient, Expr::val(Some(before)))
        .filter(Column::LastRecipient.eq(person))
        .exec(tx)
        .await
        .map(drop)
}
