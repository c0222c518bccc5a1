//! The people an organisation knows: members, and people who answered its notice. One row per person, written
//! with the membership, the answer and the profile. The rows are derived; memberships decide about rights.

use std::collections::{BTreeSet, HashSet};

use db::rows::bulk_upsert;
use db::search::words;
use db::{Stored, log_unreadable};
use kernel::{Keyset, OrgId, PersonId, Timestamp, Uid};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait as _, QueryFilter,
    QueryResult, QuerySelect, Statement, Value,
};

use super::organisation::add_to_person_count;
use super::word_search::{Matches, WordSearch};
use crate::calendar::{DayRange, QUARTER};
use crate::entity::org_person::{ActiveModel, Column, Entity, Model};
use crate::entity::org_person_word;
use crate::model::{ConsentAnswer, Membership, OrgPerson, PeopleFilter, may_see_profile};
use crate::rights::Role;

/// Newest people that are read in the order of the list, in case many of them match.
const SCAN: i64 = 1_000;

/// $1 organisation, $2 person after whom the page starts, $3 page size.
const COLUMNS: &str =
    "SELECT e.person, e.membership, e.role, e.joined_at, e.consent, e.answered_at, e.blocked_at";
const CONDITIONS: &str = "e.org = $1 AND e.person < $2 \
     AND e.role IN ('user', 'teamUser', 'teamLeader', 'manager', 'accountAdmin', 'superAdmin')";
/// The condition of an index.
const ADMINS: &str = "AND e.role IN ('manager', 'accountAdmin', 'superAdmin')";
const ORDER: &str = "ORDER BY e.person DESC LIMIT $3";

/// $1 organisation.
const COUNT: &str = "SELECT o.person_count - (SELECT COUNT(*) FROM membership m \
     JOIN org_person e ON e.org = m.org AND e.person = m.person WHERE m.org = $1 AND m.role <> 'user' \
     AND e.role NOT IN ('user', 'teamUser', 'teamLeader', 'manager', 'accountAdmin', 'superAdmin')) \
     FROM organisation o WHERE o.uid = $1";

/// Returns the number of people in the list: people with a role that this version does not know are left out. They
/// are few, because they are staff.
pub async fn count(conn: &impl ConnectionTrait, org: OrgId) -> Result<i64, DbErr> {
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), COUNT, [org.into()]);
    let row = conn.query_one_raw(statement).await?;
    row.map_or(Ok(0), |row| row.try_get_by_index(0))
}

/// Returns a page of the organisation's people, newest person first. People with a role that this version does not
/// know are left out.
///
/// If a search stands for one word, the people who have it are read in the order of the list. Otherwise those who have
/// the rarest of its words are read. If many have it, the newest people of the list are read first, because they often
/// fill the page.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    filter: &PeopleFilter,
    keyset: Keyset,
) -> Result<Vec<OrgPerson>, DbErr> {
    let query = PageQuery { org, admins: filter.admins, keyset };
    let search = WordSearch::of(org, filter.search.as_deref().unwrap_or_default());
    // An organisation has few admins.
    let Some(mut search) = search.filter(|_| !filter.admins) else {
        let search = WordSearch::of(org, filter.search.as_deref().unwrap_or_default());
        return query.in_order(conn, search.as_ref(), i64::MAX).await;
    };
    match search.look_up(conn).await? {
        Matches::None => return Ok(Vec::new()),
        Matches::One => return query.of_found(conn, &search).await,
        Matches::Several => {}
    }
    if !search.rank(conn).await? {
        let newest = query.in_order(conn, Some(&search), SCAN).await?;
        if newest.len() as u64 == keyset.limit {
            return Ok(newest);
        }
        search.rank_further(conn).await?;
    }
    query.of_found(conn, &search).await
}

/// A page to read.
#[derive(Clone, Copy)]
struct PageQuery {
    org: OrgId,
    admins: bool,
    keyset: Keyset,
}

impl PageQuery {
    /// Reads people in the order of the list, the first `max` of them, and returns those who have all words.
    async fn in_order(
        self,
        conn: &impl ConnectionTrait,
        search: Option<&WordSearch>,
        max: i64,
    ) -> Result<Vec<OrgPerson>, DbErr> {
        let mut values = self.values();
        let has_words = search.map(|search| search.conditions("e.person", &mut values)).unwrap_or_default();
        let conditions = self.conditions();
        let from = if max == i64::MAX {
            format!("org_person e WHERE {conditions}")
        } else {
            values.push(max.into());
            let max = values.len();
            format!(
                "(SELECT e.* FROM org_person e WHERE {conditions} ORDER BY e.person DESC LIMIT ${max}) e WHERE true"
            )
        };
        let rows = rows(conn, &format!("{COLUMNS} FROM {from} {has_words} {ORDER}"), values).await?;
        rows.iter().filter_map(|row| org_person(row).transpose()).collect()
    }

    /// Reads the people whom the search finds.
    async fn of_found(
        mut self,
        conn: &impl ConnectionTrait,
        search: &WordSearch,
    ) -> Result<Vec<OrgPerson>, DbErr> {
        let limit = usize::try_from(self.keyset.limit).unwrap_or(usize::MAX);
        let mut people = Vec::new();
        loop {
            let mut values = self.values();
            let found = search.people(&mut values);
            let sql = format!(
                "{COLUMNS} FROM org_person e WHERE e.org = $1 AND e.person IN (SELECT DISTINCT f.person \
                 FROM ({found}) f WHERE f.person < $2 ORDER BY f.person DESC LIMIT $3) ORDER BY e.person DESC"
            );
            let rows = rows(conn, &sql, values).await?;
            for row in &rows {
                people.extend(org_person(row)?);
            }
            // People with an unknown role took places of others.
            let is_short = rows.len() == limit && people.len() < limit;
            let Some(last) = rows.last().filter(|_| is_short) else { break };
            self.keyset.start_after = Some(last.try_get::<PersonId>("", "person")?.into());
        }
        people.truncate(limit);
        Ok(people)
    }

    fn values(self) -> Vec<Value> {
        let after = self.keyset.start_after.unwrap_or(Uid::max());
        let limit = i64::try_from(self.keyset.limit).unwrap_or(i64::MAX);
        vec![self.org.into(), after.into(), limit.into()]
    }

    fn conditions(self) -> String {
        if self.admins { format!("{CONDITIONS} {ADMINS}") } else { CONDITIONS.to_owned() }
    }
}

async fn rows(conn: &impl ConnectionTrait, sql: &str, values: Vec<Value>) -> Result<Vec<QueryResult>, DbErr> {
    conn.query_all_raw(Statement::from_sql_and_values(conn.get_database_backend(), sql, values)).await
}

/// Returns `None` for a person with a role that this version does not know.
fn org_person(row: &QueryResult) -> Result<Option<OrgPerson>, DbErr> {
    let Stored::Known(role) = row.try_get("", "role")? else { return Ok(None) };
    let given: Option<bool> = row.try_get("", "consent")?;
    let at: Option<Timestamp> = row.try_get("", "answered_at")?;
    Ok(Some(OrgPerson {
        person: row.try_get("", "person")?,
        membership: row.try_get("", "membership")?,
        role,
        joined_at: row.try_get("", "joined_at")?,
        answer: given.zip(at).map(|(given, at)| ConsentAnswer { given, at }),
        is_blocked: row.try_get::<Option<Timestamp>>("", "blocked_at")?.is_some(),
    }))
}

/// Returns these people, in no particular order, as far as the organisation knows them. People with a role that this
/// version does not know are left out.
pub async fn of_people(
    conn: &impl ConnectionTrait,
    org: OrgId,
    people: &[PersonId],
) -> Result<Vec<OrgPerson>, DbErr> {
    let of_org = Entity::find().filter(Column::Org.eq(org));
    let rows = of_org.filter(Column::Person.is_in(people.iter().copied())).all(conn).await?;
    let known = rows.into_iter().filter_map(|row| {
        let Stored::Known(role) = row.role else {
            log_unreadable("org_person", "role", row.person);
            return None;
        };
        Some(OrgPerson {
            person: row.person,
            membership: row.membership,
            role,
            joined_at: row.joined_at,
            answer: row.consent.zip(row.answered_at).map(|(given, at)| ConsentAnswer { given, at }),
            is_blocked: row.blocked_at.is_some(),
        })
    });
    Ok(known.collect())
}

/// Returns how many members joined in each quarter of an hour of a range, without empty ones.
pub async fn joined(
    conn: &impl ConnectionTrait,
    org: OrgId,
    range: DayRange,
) -> Result<Vec<(Timestamp, i64)>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT joined_at / $4, COUNT(*) FROM org_person \
         WHERE org = $1 AND joined_at >= $2 AND joined_at < $3 GROUP BY 1 ORDER BY 1",
        [org.into(), range.start.into(), range.end.into(), QUARTER.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            let quarter: i64 = row.try_get_by_index(0)?;
            Ok((Timestamp::from_ms(quarter * QUARTER), row.try_get_by_index(1)?))
        })
        .collect()
}

/// Returns whether the person consents to the organisation seeing who they are.
pub async fn consents(conn: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<bool, DbErr> {
    Ok(Entity::find_by_id((org, person)).one(conn).await?.is_some_and(|row| row.consent == Some(true)))
}

/// Stores a person's membership, or its end.
pub async fn set_membership(
    tx: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    membership: Option<&Membership>,
) -> Result<(), DbErr> {
    change(tx, org, person, |row| {
        row.membership = Set(membership.map(|membership| membership.uid));
        row.role = Set(membership.map_or(Role::User, |membership| membership.role).into());
        row.joined_at = Set(membership.map(|membership| membership.created_at));
        // A role lifts the block.
        if membership.is_some() {
            row.blocked_at = Set(None);
        }
    })
    .await
}

/// Stores a person's latest answer to the notice, or forgets it.
pub async fn set_answer(
    tx: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    answer: Option<ConsentAnswer>,
) -> Result<(), DbErr> {
    change(tx, org, person, |row| {
        row.consent = Set(answer.map(|answer| answer.given));
        row.answered_at = Set(answer.map(|answer| answer.at));
    })
    .await
}

/// Keeps a person from rejoining, or lifts that.
pub async fn set_blocked(
    tx: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    at: Option<Timestamp>,
) -> Result<(), DbErr> {
    change(tx, org, person, |row| row.blocked_at = Set(at)).await
}

/// Forgets a person whose membership was removed.
pub async fn forget(tx: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<(), DbErr> {
    change(tx, org, person, |row| {
        let known = unknown(org, person);
        (row.membership, row.role, row.joined_at) = (known.membership, known.role, known.joined_at);
        (row.consent, row.answered_at, row.blocked_at) = (known.consent, known.answered_at, known.blocked_at);
    })
    .await
}

/// Returns whether the organisation knows the person, and whether the person is kept from rejoining.
pub async fn blocked(
    conn: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
) -> Result<Option<bool>, DbErr> {
    let row = Entity::find_by_id((org, person)).one(conn).await?;
    Ok(row.map(|row| row.blocked_at.is_some()))
}

/// Returns which of these people are kept from rejoining.
pub async fn blocked_among(
    conn: &impl ConnectionTrait,
    org: OrgId,
    people: &[PersonId],
) -> Result<HashSet<PersonId>, DbErr> {
    let people: Vec<PersonId> = Entity::find()
        .select_only()
        .column(Column::Person)
        .filter(Column::Org.eq(org))
        .filter(Column::Person.is_in(people.iter().copied()))
        .filter(Column::BlockedAt.is_not_null())
        .into_tuple()
        .all(conn)
        .await?;
    Ok(people.into_iter().collect())
}

/// Returns the organisations that know the person.
pub async fn orgs_of(conn: &impl ConnectionTrait, person: PersonId) -> Result<Vec<OrgId>, DbErr> {
    let rows = Entity::find().select_only().column(Column::Org).filter(Column::Person.eq(person));
    rows.into_tuple().all(conn).await
}

/// Changes a person's row, which is created with the first fact and removed with the last.
async fn change(
    tx: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    edit: impl FnOnce(&mut ActiveModel),
) -> Result<(), DbErr> {
    identity::lock_profile(tx, person).await?;
    let before = Entity::find_by_id((org, person)).one(tx).await?;
    let is_new = before.is_none();
    let showed_profile = before.as_ref().map(shows_profile);
    let mut row = before.map_or_else(|| unknown(org, person), ActiveModel::from);
    edit(&mut row);
    let facts = [
        row.membership.as_ref().is_some(),
        row.consent.as_ref().is_some(),
        row.blocked_at.as_ref().is_some(),
    ];
    if !facts.contains(&true) {
        if !is_new {
            row.delete(tx).await?;
            write_words(tx, org, person, BTreeSet::new()).await?;
            add_to_person_count(tx, org, -1).await?;
        }
        return Ok(());
    }
    let after = if is_new {
        add_to_person_count(tx, org, 1).await?;
        row.insert(tx).await?
    } else if row.is_changed() {
        row.update(tx).await?
    } else {
        return Ok(());
    };
    if showed_profile == Some(shows_profile(&after)) {
        return Ok(());
    }
    update_words_of(tx, &after).await
}

/// Returns the row of a person of whom nothing is known.
fn unknown(org: OrgId, person: PersonId) -> ActiveModel {
    ActiveModel {
        org: Set(org),
        person: Set(person),
        membership: Set(None),
        role: Set(Role::User.into()),
        joined_at: Set(None),
        consent: Set(None),
        answered_at: Set(None),
        blocked_at: Set(None),
    }
}

fn shows_profile(row: &Model) -> bool {
    may_see_profile(row.membership.is_some(), row.consent)
}

/// Updates the words of a person in one organisation from the profile.
pub async fn update_words(tx: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<(), DbErr> {
    identity::lock_profile(tx, person).await?;
    match Entity::find_by_id((org, person)).one(tx).await? {
        Some(row) => update_words_of(tx, &row).await,
        None => Ok(()),
    }
}

/// People whose profile the organisation may not see are found by their display name only.
async fn update_words_of(tx: &impl ConnectionTrait, row: &Model) -> Result<(), DbErr> {
    let texts = identity::search_texts(tx, &[row.person]).await?.remove(&row.person);
    let Some(texts) = texts else {
        log_unreadable("org_person", "person", row.person);
        return Ok(());
    };
    let text = if shows_profile(row) { texts.profile } else { texts.display_name };
    write_words(tx, row.org, row.person, words(&text)).await
}

async fn write_words(
    tx: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    words: BTreeSet<String>,
) -> Result<(), DbErr> {
    let words: BTreeSet<Vec<u8>> = words.into_iter().map(String::into_bytes).collect();
    let of_person = org_person_word::Column::Org.eq(org).and(org_person_word::Column::Person.eq(person));
    let stored = org_person_word::Entity::find()
        .select_only()
        .column(org_person_word::Column::Word)
        .filter(of_person.clone())
        .into_tuple()
        .all(tx)
        .await?;
    let stored: BTreeSet<Vec<u8>> = stored.into_iter().collect();
    let gone: Vec<Vec<u8>> = stored.difference(&words).cloned().collect();
    if !gone.is_empty() {
        let gone = of_person.and(org_person_word::Column::Word.is_in(gone));
        org_person_word::Entity::delete_many().filter(gone).exec(tx).await?;
    }
    let new: Vec<[Value; 3]> =
        words.difference(&stored).map(|word| [org.into(), word.clone().into(), person.into()]).collect();
    bulk_upsert(tx, "org_person_word (org, word, person)", &new, "").await.map(drop)
}

#[cfg(test)]
mod tests {
    use sea_orm::ActiveEnum as _;

    use super::*;

    #[test]
    fn every_role_is_listed() {
        for role in Role::ALL {
            let word = format!("'{}'", role.to_value());
            assert!(CONDITIONS.contains(&word) && COUNT.contains(&word), "{word}");
            assert_eq!(ADMINS.contains(&word), role.weight() >= Role::Manager.weight(), "{word}");
        }
    }
}
