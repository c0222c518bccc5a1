//! Answers to the consent notice: the records, and the current standing per person.

use db::Db;
use kernel::{ConsentId, Keyset, OrgId, PersonId, Timestamp, iso};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ActiveEnum as _, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use crate::entity::consent;
use crate::entity::consent_standing::{ActiveModel, Column, Entity, Model};
use crate::model::{Consent, ConsentAnswer, ConsentRecord};
use crate::notice;

impl TryFrom<Model> for ConsentRecord {
    type Error = DbErr;

    fn try_from(row: Model) -> Result<Self, DbErr> {
        Ok(Self {
            uid: row.record,
            org: row.org,
            person: row.person,
            consent: Consent { given: row.consent, since: row.since },
            notice_version: row.notice_version,
            method: row.method.known("consent_standing", "method", row.record)?,
            created_at: row.created_at,
        })
    }
}

/// Returns a person's latest answer.
pub async fn latest(
    conn: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
) -> Result<Option<ConsentRecord>, DbErr> {
    Entity::find_by_id((org, person)).one(conn).await?.map(TryInto::try_into).transpose()
}

/// Returns a person's answers in an organisation, newest first, at most `limit`.
pub async fn history(
    conn: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    limit: u64,
) -> Result<Vec<ConsentRecord>, DbErr> {
    let rows = consent::Entity::find()
        .filter(consent::Column::Org.eq(org))
        .filter(consent::Column::Person.eq(person))
        .order_by_desc(consent::Column::Uid)
        .limit(limit)
        .all(conn)
        .await?;
    rows.into_iter()
        .map(|row| {
            Ok(ConsentRecord {
                uid: row.uid,
                org: row.org,
                person: row.person,
                consent: Consent { given: row.consent, since: row.created_at },
                notice_version: row.notice_version,
                method: row.method.known("consent", "method", row.uid)?,
                created_at: row.created_at,
            })
        })
        .collect()
}

/// Returns a page of the latest answers, newest first.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    keyset: Keyset,
) -> Result<Vec<ConsentRecord>, DbErr> {
    let mut query = Entity::find().filter(Column::Org.eq(org));
    if let Some(after) = keyset.start_after {
        query = query.filter(Column::Record.lt(after));
    }
    let rows = query.order_by_desc(Column::Record).limit(keyset.limit).all(conn).await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Returns the latest answers of the given people.
pub async fn of_people(
    conn: &impl ConnectionTrait,
    org: OrgId,
    people: &[PersonId],
) -> Result<Vec<ConsentRecord>, DbErr> {
    if people.is_empty() {
        return Ok(Vec::new());
    }
    let rows = Entity::find()
        .filter(Column::Org.eq(org))
        .filter(Column::Person.is_in(people.iter().copied()))
        .all(conn)
        .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Returns one person's latest answers in the given organisations.
pub async fn in_orgs(
    conn: &impl ConnectionTrait,
    person: PersonId,
    orgs: &[OrgId],
) -> Result<Vec<ConsentRecord>, DbErr> {
    if orgs.is_empty() {
        return Ok(Vec::new());
    }
    let rows = Entity::find()
        .filter(Column::Org.is_in(orgs.iter().copied()))
        .filter(Column::Person.eq(person))
        .all(conn)
        .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Deletes all answers of a person, in all organisations.
pub async fn remove_all(tx: &impl ConnectionTrait, person: PersonId) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Person.eq(person)).exec(tx).await?;
    consent::Entity::delete_many().filter(consent::Column::Person.eq(person)).exec(tx).await?;
    Ok(())
}

/// Inserts an answer and makes it the latest.
pub async fn add(
    tx: &impl ConnectionTrait,
    uid: ConsentId,
    answer: &ConsentAnswer,
    standing: Consent,
    now: Timestamp,
) -> Result<ConsentRecord, DbErr> {
    let record = consent::ActiveModel {
        uid: Set(uid),
        org: Set(answer.org),
        person: Set(answer.person),
        consent: Set(answer.given),
        notice_version: Set(notice::VERSION.to_owned()),
        notice_digest: Set(notice::digest().to_vec()),
        method: Set(answer.method.into()),
        created_at: Set(now),
    };
    consent::Entity::insert(record).exec_without_returning(tx).await?;
    let row = Model {
        org: answer.org,
        person: answer.person,
        record: uid,
        consent: standing.given,
        since: standing.since,
        notice_version: notice::VERSION.to_owned(),
        method: answer.method.into(),
        created_at: now,
    };
    let latest = ActiveModel {
        org: Set(row.org),
        person: Set(row.person),
        record: Set(row.record),
        consent: Set(row.consent),
        since: Set(row.since),
        notice_version: Set(row.notice_version.clone()),
        method: Set(row.method),
        created_at: Set(row.created_at),
    };
    let replace = OnConflict::columns([Column::Org, Column::Person])
        .update_columns([
            Column::Record,
            Column::Consent,
            Column::Since,
            Column::NoticeVersion,
            Column::Method,
            Column::CreatedAt,
        ])
        .to_owned();
    Entity::insert(latest).on_conflict(replace).exec_without_returning(tx).await?;
    row.try_into()
}

/// Removes the current answers of an organisation. The records stay.
pub async fn remove_standings(db: &Db, org: OrgId) -> Result<(), DbErr> {
    db::rows::remove_all(db, "consent_standing", "org, person", "org", org).await
}

/// Removes the current answers of a person who is erased. The records stay, under the id of the stand-in.
pub async fn hand_over(tx: &impl ConnectionTrait, person: PersonId, stand_in: PersonId) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Person.eq(person)).exec(tx).await?;
    consent::Entity::update_many()
        .col_expr(consent::Column::Person, Expr::value(stand_in))
        .filter(consent::Column::Person.eq(person))
        .exec(tx)
        .await
        .map(drop)
}

/// Returns all answers of a person, oldest first, for the person's export.
pub async fn export(conn: &impl ConnectionTrait, person: PersonId) -> Result<serde_json::Value, DbErr> {
    let rows = consent::Entity::find()
        .filter(consent::Column::Person.eq(person))
        .order_by_asc(consent::Column::Uid)
        .all(conn)
        .await?;
    rows.into_iter()
        .map(|row| {
            Ok(serde_json::json!({
                "orgId": row.org, "consent": row.consent, "noticeVersion": row.notice_version,
                "method": row.method.known("consent", "method", row.uid)?.to_value(),
                "time": iso(row.created_at),
            }))
        })
        .collect()
}
