//! Which periods of which people are packed. Packs are copies of totals by hour that stay, so a period without one is read
//! from these. Whatever changes such a total removes the pack in the same transaction. The number in statements is the length of
//! a period.

use std::collections::BTreeMap;

use db::WriteTx;
use db::rows::WriteSet;
use kernel::{DAY, OrgId, PersonId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

use super::none_if_nil;
use crate::person_pack::{self, FORTNIGHT, WatchTotals, WatchedHour, fortnight_of};
use crate::totals::Totals;

/// A period of a person under a consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonPeriodKey {
    pub org: OrgId,
    pub person: PersonId,
    /// Start of the consent.
    pub since: Timestamp,
    /// Start of the period.
    pub period: Timestamp,
}

impl PersonPeriodKey {
    /// Returns the key that comes before all others.
    pub fn first(period: Timestamp) -> Self {
        Self { org: OrgId::nil(), person: PersonId::nil(), since: Timestamp::EPOCH, period }
    }

    fn values(self) -> [Value; 4] {
        [self.org.into(), self.person.into(), self.since.into(), self.period.into()]
    }

    /// Reads a key from the first four columns.
    pub fn of(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            org: row.try_get_by_index(0)?,
            person: row.try_get_by_index(1)?,
            since: row.try_get_by_index(2)?,
            period: row.try_get_by_index(3)?,
        })
    }
}

/// Returns the end of the last period that may be packed: it is over for longer than clocks of servers differ.
pub fn end_of_over(now: Timestamp) -> Timestamp {
    fortnight_of(now - DAY)
}

/// Adds the removal of the packs of all periods but the current one for which there are new totals. The current one has
/// no packs that are read. Another transaction that removes the same packs would need the lock of the same person.
pub fn add_removal(writes: &mut WriteSet, totals: &Totals, now: Timestamp) -> Result<(), DbErr> {
    let current = fortnight_of(now);
    let mut keys: Vec<PersonPeriodKey> = Vec::new();
    for (key, period) in totals.people.keys().map(|key| (key, fortnight_of(key.hour))) {
        // In the order of their keys, so those of a period come one after the other.
        let key = PersonPeriodKey { org: key.org, person: key.person, since: key.since, period };
        if period != current && keys.last() != Some(&key) {
            keys.push(key);
        }
    }
    let rows: Vec<[Value; 4]> = keys.into_iter().map(PersonPeriodKey::values).collect();
    let delete = "DELETE FROM person_pack WHERE (org, person, since, period) IN \
         (SELECT want.org, want.person, want.since, want.period FROM want)";
    writes.by_keys("org, person, since, period", &rows, delete)
}

/// Removes the packs of an organisation. They are made again.
pub async fn remove_all(tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
    run(tx, "DELETE FROM person_pack WHERE org = $1", [org.into()]).await?;
    begin_again(tx, Timestamp::EPOCH).await
}

/// Removes the packs of a person in a period. They are made again.
pub async fn remove(tx: &WriteTx, org: OrgId, person: PersonId, period: Timestamp) -> Result<(), DbErr> {
    let delete = "DELETE FROM person_pack WHERE org = $1 AND person = $2 AND period = $3";
    run(tx, delete, [org.into(), person.into(), period.into()]).await?;
    begin_again(tx, period).await
}

/// Removes the packs of periods from `first` on: a clock was ahead when they were packed.
pub async fn remove_since(tx: &WriteTx, first: Timestamp) -> Result<(), DbErr> {
    run(tx, "DELETE FROM person_pack WHERE period >= $1", [first.into()]).await?;
    begin_again(tx, first).await
}

/// Makes the job look for people without packs in the periods from `first` on. Comes after the removal of packs, in all
/// transactions that do both, so that none of them waits for another that waits for it.
async fn begin_again(tx: &WriteTx, first: Timestamp) -> Result<(), DbErr> {
    run(tx, "DELETE FROM person_packed WHERE period >= $1", [first.into()]).await
}

/// Returns the periods of which all people are packed.
pub async fn done(conn: &impl ConnectionTrait) -> Result<Vec<Timestamp>, DbErr> {
    let select = "SELECT period FROM person_packed";
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), select)).await?;
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Returns whether anyone has totals.
pub async fn any_totals(conn: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let select = "SELECT 1 FROM watch_person LIMIT 1";
    let statement = Statement::from_string(conn.get_database_backend(), select);
    Ok(conn.query_one_raw(statement).await?.is_some())
}

/// Remembers that all people are packed in a period.
pub async fn set_done(tx: &WriteTx, period: Timestamp) -> Result<(), DbErr> {
    let insert = "INSERT INTO person_packed (period) VALUES ($1) ON CONFLICT DO NOTHING";
    run(tx, insert, [period.into()]).await
}

/// Returns the next people after `after` who have at least `rows` totals in its period, and no pack. The pages together
/// read the totals of all people once.
pub async fn unpacked(
    conn: &impl ConnectionTrait,
    after: PersonPeriodKey,
    rows: i64,
    limit: i64,
) -> Result<Vec<PersonPeriodKey>, DbErr> {
    let select = "SELECT w.org, w.person, w.since, CAST($4 AS BIGINT) FROM watch_person w \
         WHERE (w.org, w.person, w.since) > ($1, $2, $3) AND w.hour >= $4 AND w.hour < $5 \
         GROUP BY w.org, w.person, w.since HAVING COUNT(*) >= $6 AND NOT EXISTS (SELECT 1 FROM person_pack p \
         WHERE p.org = w.org AND p.person = w.person AND p.since = w.since AND p.period = $4) \
         ORDER BY w.org, w.person, w.since LIMIT $7";
    let [org, person, since, period] = after.values();
    let values = [org, person, since, period, (after.period + FORTNIGHT).into(), rows.into(), limit.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, values);
    conn.query_all_raw(statement).await?.iter().map(PersonPeriodKey::of).collect()
}

/// Packs a period. `tx` must exclude events of the person. Nothing is packed of an organisation that is being removed.
pub async fn pack(tx: &WriteTx, key: PersonPeriodKey) -> Result<(), DbErr> {
    let select = "SELECT w.content, w.playlist, w.hour, w.watch_ms, w.views FROM watch_person w \
         JOIN organisation o ON o.uid = w.org WHERE w.org = $1 AND w.person = $2 AND w.since = $3 \
         AND w.hour >= $4 AND w.hour < $5 AND w.content <> $6 AND o.purge_began_at IS NULL";
    let [org, person, since, period] = key.values();
    let values = [org, person, since, period, (key.period + FORTNIGHT).into(), Uid::nil().into()];
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), select, values);
    let mut hours = BTreeMap::new();
    for row in &tx.query_all_raw(statement).await? {
        let (hour, totals) = watched_hour(row, 0)?;
        hours.insert(hour, totals);
    }
    if hours.is_empty() {
        return Ok(());
    }
    let insert = "INSERT INTO person_pack (org, person, since, period, data) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (org, person, since, period) DO UPDATE SET data = excluded.data";
    let [org, person, since, period] = key.values();
    let data = person_pack::write(key.period, &hours);
    run(tx, insert, [org, person, since, period, data.into()]).await
}

/// Reads a total from five columns.
fn watched_hour(row: &QueryResult, first: usize) -> Result<(WatchedHour, WatchTotals), DbErr> {
    let key = WatchedHour {
        content: row.try_get_by_index(first)?,
        playlist: none_if_nil(row.try_get_by_index(first + 1)?),
        hour: row.try_get_by_index(first + 2)?,
    };
    let totals =
        WatchTotals { watch_ms: row.try_get_by_index(first + 3)?, views: row.try_get_by_index(first + 4)? };
    Ok((key, totals))
}

/// Returns a page of packs, by key.
pub async fn page(
    conn: &impl ConnectionTrait,
    after: PersonPeriodKey,
    org: Option<OrgId>,
    limit: i64,
) -> Result<Vec<PersonPeriodKey>, DbErr> {
    let select = "SELECT t.org, t.person, t.since, t.period FROM person_pack t \
         JOIN organisation o ON o.uid = t.org WHERE o.purge_began_at IS NULL \
         AND (t.org, t.person, t.since, t.period) > ($1, $2, $3, $4) AND (t.org = $5 OR $5 = $6) \
         ORDER BY t.org, t.person, t.since, t.period LIMIT $7";
    let [first, person, since, period] = after.values();
    let (only, all): (Value, Value) = (org.unwrap_or(OrgId::nil()).into(), OrgId::nil().into());
    let values = [first, person, since, period, only, all, limit.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, values);
    conn.query_all_raw(statement).await?.iter().map(PersonPeriodKey::of).collect()
}

/// Returns those of these packs that are not the totals by hour. A change meanwhile removes the pack, so packs are read
/// after the totals.
pub async fn wrong(
    conn: &impl ConnectionTrait,
    keys: &[PersonPeriodKey],
) -> Result<Vec<PersonPeriodKey>, DbErr> {
    let wanted: Vec<[Value; 4]> = keys.iter().map(|key| key.values()).collect();
    let columns = "org, person, since, period";
    let hours = "SELECT w.org, w.person, w.since, want.period, w.content, w.playlist, w.hour, w.watch_ms, w.views \
         FROM want JOIN watch_person w ON w.org = want.org AND w.person = want.person AND w.since = want.since \
         AND w.hour >= want.period AND w.hour < want.period + 1209600000";
    let mut watched: BTreeMap<PersonPeriodKey, BTreeMap<WatchedHour, WatchTotals>> = BTreeMap::new();
    for row in &db::rows::select_by_keys(conn, columns, &wanted, hours).await? {
        let (hour, totals) = watched_hour(row, 4)?;
        if !hour.content.is_nil() {
            watched.entry(PersonPeriodKey::of(row)?).or_default().insert(hour, totals);
        }
    }
    let packs = "SELECT p.org, p.person, p.since, p.period, p.data FROM want JOIN person_pack p \
         ON p.org = want.org AND p.person = want.person AND p.since = want.since AND p.period = want.period";
    let mut wrong = Vec::new();
    for row in &db::rows::select_by_keys(conn, columns, &wanted, packs).await? {
        let (key, data): (_, Vec<u8>) = (PersonPeriodKey::of(row)?, row.try_get_by_index(4)?);
        let packed = person_pack::read(key.period, &data);
        if packed.is_none() || packed.as_ref() != watched.get(&key) {
            wrong.push(key);
        }
    }
    wrong.sort_unstable();
    wrong.dedup();
    Ok(wrong)
}

async fn run<const N: usize>(tx: &WriteTx, sql: &'static str, values: [Value; N]) -> Result<(), DbErr> {
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    tx.execute_raw(statement).await.map(drop)
}
