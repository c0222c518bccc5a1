//! All SQL of the outbox.

use kernel::{Email, Millis, Uid};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect,
};

use crate::entity::mail_outbox::{ActiveModel, Column, Entity, Model};
use crate::letter::Rendered;

pub(crate) const WAITING: &str = "waiting";
pub(crate) const SENT: &str = "sent";
pub(crate) const FAILED: &str = "failed";

pub(crate) async fn insert(
    c: &impl ConnectionTrait,
    uid: Uid,
    to: &Email,
    kind: &str,
    letter: Rendered,
    now: Millis,
) -> Result<(), DbErr> {
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
    };
    Entity::insert(row).exec_without_returning(c).await.map(drop)
}

pub(crate) async fn by_id(c: &impl ConnectionTrait, uid: Uid) -> Result<Option<Model>, DbErr> {
    Entity::find_by_id(uid).one(c).await
}

/// Ends a letter's way. `keep` leaves its words in the row; else they go, for a link is a secret.
pub(crate) async fn settle(
    c: &impl ConnectionTrait,
    uid: Uid,
    state: &str,
    trouble: &str,
    keep: bool,
) -> Result<(), DbErr> {
    let mut row = ActiveModel {
        uid: sea_orm::ActiveValue::Unchanged(uid),
        state: Set(state.to_owned()),
        trouble: Set(trouble.to_owned()),
        ..Default::default()
    };
    if !keep {
        row.text_body = Set(String::new());
        row.html_body = Set(String::new());
    }
    match row.update(c).await {
        // Pruned in the meantime: nothing is left to be said about it.
        Ok(_) | Err(DbErr::RecordNotUpdated) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Newest first, sent letters only.
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

/// Removes what was written before `before`; returns how many.
pub(crate) async fn prune(c: &impl ConnectionTrait, before: Millis) -> Result<u64, DbErr> {
    Ok(Entity::delete_many().filter(Column::TimeCreated.lt(before)).exec(c).await?.rows_affected)
}
