//! Lists of leads: pages by score, time or search, whose cost does not depend on how many leads there are.

use std::collections::HashMap;

use kernel::{Keyset, OrgId, PersonId, Timestamp};
use orgs::WordSearch;
use orgs::calendar::{DayRange, QUARTER};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, Value};
use serde::Deserialize;

use super::lead::{lead, of_people};
use super::tally;
use crate::model::{Lead, LeadKey, Temperature};

/// First leads of a list that are read in its order, in case many of them match a search.
const SCAN: i64 = 1_000;
/// Most leads with a temperature for which all of them are read and sorted. If there are more, they are frequent enough
/// in a list of all leads.
const SORTED_MAX: i64 = 2_000;

/// Order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LeadSort)]
pub enum Sort {
    /// Highest score first; among equal scores, last seen first.
    #[default]
    Score,
    /// Last seen first.
    LastSeen,
    /// Newest lead first.
    Newest,
}

impl Sort {
    /// Returns the columns by which a list is sorted, before the person.
    fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Score => &["score", "last_seen_at"],
            Self::LastSeen => &["last_seen_at"],
            Self::Newest => &["created_at"],
        }
    }

    /// Returns the order of the rows named `row`.
    fn order_by(self, row: &str) -> String {
        let columns: String = self.columns().iter().map(|column| format!("{row}.{column} DESC, ")).collect();
        format!("{columns}{row}.person DESC")
    }

    /// Returns the values of the columns.
    fn position(self, lead: &Lead) -> Vec<i64> {
        match self {
            Self::Score => vec![lead.score, lead.last_seen_at.ms()],
            Self::LastSeen => vec![lead.last_seen_at.ms()],
            Self::Newest => vec![lead.created_at.ms()],
        }
    }
}

/// Filter and order of the list.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only leads with this temperature.
    pub temperature: Option<Temperature>,
    /// Beginnings of words of a name, the email address or the company.
    pub search: Option<String>,
    pub sort: Sort,
}

/// Returns the people of all leads, highest score first.
pub async fn people(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<PersonId>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT person FROM lead WHERE org = $1 AND shown ORDER BY score DESC, last_seen_at DESC, person DESC",
        [org.into()],
    );
    conn.query_all_raw(statement).await?.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Returns the leads among the given people, without those who are no app users.
pub async fn current(
    conn: &impl ConnectionTrait,
    org: OrgId,
    people: &[PersonId],
) -> Result<HashMap<PersonId, Lead>, DbErr> {
    let keys: Vec<LeadKey> = people.iter().map(|person| LeadKey { org, person: *person }).collect();
    let leads = of_people(conn, &keys).await?;
    Ok(leads.into_iter().filter(|(_, lead)| lead.shown).map(|(key, lead)| (key.person, lead)).collect())
}

/// Returns a page of leads.
///
/// A search reads the people who have the rarest of its words. If many have it, the first leads of the list are read
/// first, because they often fill the page.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    filter: &Filter,
    keyset: Keyset,
) -> Result<Vec<Lead>, DbErr> {
    let Filter { temperature, sort, .. } = *filter;
    let limit = i64::try_from(keyset.limit).unwrap_or(i64::MAX);
    let mut query = PageQuery { org, temperature, sort, after: None, limit, is_rare: false };
    if let Some(after) = keyset.start_after {
        let key = LeadKey { org, person: after.into() };
        // The page continues at the anchor's position even if the person is no longer listed.
        let anchor = of_people(conn, &[key]).await?.remove(&key);
        query.after = Some((anchor.map(|lead| sort.position(&lead)), key.person));
    }
    if let Some(temperature) = temperature {
        let count = tally::counts(conn, org).await?.remove(&temperature).unwrap_or_default();
        query.is_rare = count <= SORTED_MAX;
    }
    let search = filter.search.as_deref().and_then(|text| WordSearch::of(org, text));
    let Some(mut search) = search else { return query.in_order(conn, None, limit).await };
    if !search.rank(conn).await? {
        let first = query.in_order(conn, Some(&search), SCAN).await?;
        if first.len() as u64 == keyset.limit {
            return Ok(first);
        }
        search.rank_further(conn).await?;
    }
    query.of_rarest(conn, &search).await
}

/// A page to read. Limits are part of the statements: PostgreSQL would make a new plan for each value, which takes longer than
/// reading a page.
#[derive(Clone)]
struct PageQuery {
    org: OrgId,
    temperature: Option<Temperature>,
    sort: Sort,
    /// Position and person of the last lead of the page before; no position if the person is no lead any more.
    after: Option<(Option<Vec<i64>>, PersonId)>,
    limit: i64,
    /// Whether few leads have the temperature.
    is_rare: bool,
}

impl PageQuery {
    /// Reads leads in the order of the list, the first `max` of them, and returns those who have all words.
    async fn in_order(
        &self,
        conn: &impl ConnectionTrait,
        search: Option<&WordSearch>,
        max: i64,
    ) -> Result<Vec<Lead>, DbErr> {
        let mut values = vec![self.org.into()];
        let (inner, outer) = (self.sort.order_by("c"), self.sort.order_by("l"));
        let (from, conditions) = self.source(&mut values);
        let after = self.after("c", &mut values);
        let has_words = search.map(|search| search.conditions("l.person", &mut values)).unwrap_or_default();
        let limit = self.limit;
        let sql = format!(
            "SELECT l.* FROM (SELECT c.* FROM {from} c WHERE {conditions} {after} \
             ORDER BY {inner} LIMIT {max}) l WHERE true {has_words} ORDER BY {outer} LIMIT {limit}"
        );
        read(conn, &sql, values).await
    }

    /// Returns the table or rows to read, and the conditions on them. Few leads with a temperature are read by it and
    /// sorted. Otherwise leads are read in their order, and the condition on the temperature is written so that no
    /// index is used for it.
    fn source(&self, values: &mut Vec<Value>) -> (String, String) {
        let shown = "c.org = $1 AND c.shown".to_owned();
        let Some(temperature) = self.temperature else { return ("lead".to_owned(), shown) };
        let temperature = bound(temperature, values);
        if self.sort == Sort::Score {
            return ("lead".to_owned(), format!("{shown} AND c.temperature = {temperature}"));
        }
        if self.is_rare {
            let order = Sort::Score.order_by("r");
            let rows = format!(
                "(SELECT r.* FROM lead r WHERE r.org = $1 AND r.shown AND r.temperature = {temperature} \
                 ORDER BY {order} LIMIT {SORTED_MAX})"
            );
            return (rows, shown);
        }
        ("lead".to_owned(), format!("{shown} AND COALESCE(c.temperature, '') = {temperature}"))
    }

    /// Reads the people who have the rarest word, and returns the leads who have all words.
    async fn of_rarest(&self, conn: &impl ConnectionTrait, search: &WordSearch) -> Result<Vec<Lead>, DbErr> {
        let mut values = vec![self.org.into()];
        let order = self.sort.order_by("l");
        let found = search.people(&mut values);
        let temperature = match self.temperature {
            Some(temperature) => format!("AND l.temperature = {}", bound(temperature, &mut values)),
            None => String::new(),
        };
        let after = self.after("l", &mut values);
        let limit = self.limit;
        // A cross join keeps SQLite from beginning with the leads, and PostgreSQL reuses its plan for an array.
        let (from, among) = match conn.get_database_backend() {
            DbBackend::Postgres if search.is_rare() => {
                ("lead l".to_owned(), format!("l.person = ANY (ARRAY({found}))"))
            }
            _ => (
                format!("(SELECT DISTINCT found.person FROM ({found}) found) p CROSS JOIN lead l"),
                "l.person = p.person".to_owned(),
            ),
        };
        let sql = format!(
            "SELECT l.* FROM {from} WHERE l.org = $1 AND {among} AND l.shown {temperature} {after} \
             ORDER BY {order} LIMIT {limit}"
        );
        read(conn, &sql, values).await
    }

    /// Returns the condition by which a row comes after the page before.
    fn after(&self, row: &str, values: &mut Vec<Value>) -> String {
        match &self.after {
            None => String::new(),
            Some((Some(position), person)) => {
                let columns: String =
                    self.sort.columns().iter().map(|one| format!("{row}.{one}, ")).collect();
                let position: String =
                    position.iter().map(|value| format!("{}, ", bound(*value, values))).collect();
                format!("AND ({columns}{row}.person) < ({position}{})", bound(*person, values))
            }
            Some((None, person)) => format!("AND {row}.person < {}", bound(*person, values)),
        }
    }
}

/// Appends a value and returns its placeholder.
fn bound(value: impl Into<Value>, values: &mut Vec<Value>) -> String {
    values.push(value.into());
    format!("${}", values.len())
}

async fn read(conn: &impl ConnectionTrait, sql: &str, values: Vec<Value>) -> Result<Vec<Lead>, DbErr> {
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    conn.query_all_raw(statement).await?.iter().map(lead).collect()
}

/// Returns how many people became leads in each quarter of an hour of a range, without empty ones.
pub async fn created(
    conn: &impl ConnectionTrait,
    org: OrgId,
    range: DayRange,
) -> Result<Vec<(Timestamp, i64)>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT created_at / $4, COUNT(*) FROM lead WHERE org = $1 AND shown \
         AND created_at >= $2 AND created_at < $3 GROUP BY 1 ORDER BY 1",
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
