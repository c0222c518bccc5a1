//! The totals of an organisation, read whole and replaced by those of a recount.

use db::{Stored, WriteTx};
use kernel::{OrgId, PersonId, Timestamp, ViewerId};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

use super::none_if_nil;
use super::sums::sum;
use crate::definitions::view::Verdict;
use crate::totals::{
    DayKey, DayList, HourKey, PersonHourKey, PersonSum, PlaylistContentKey, Totals, VerdictKey, VerdictSum,
};

/// Events of one viewer in one request, as stored.
#[derive(Clone, Debug)]
pub struct StoredEvents {
    pub number: i64,
    pub viewer: ViewerId,
    pub since: Timestamp,
    pub received_at: Timestamp,
    pub events: String,
}

/// A person's name under a consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PersonName {
    pub person: PersonId,
    pub since: Timestamp,
    pub viewer: ViewerId,
}

/// Returns when the oldest stored events of an organisation were received.
pub async fn first_received(conn: &impl ConnectionTrait, org: OrgId) -> Result<Option<Timestamp>, DbErr> {
    let select = "SELECT received_at FROM event_batch WHERE org = $1 ORDER BY number LIMIT 1";
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, [org.into()]);
    conn.query_one_raw(statement).await?.map(|row| row.try_get_by_index(0)).transpose()
}

/// Returns whether an organisation has totals of days before `day`.
pub async fn any_before(conn: &impl ConnectionTrait, org: OrgId, day: Timestamp) -> Result<bool, DbErr> {
    let select = "SELECT 1 FROM watch_hour WHERE org = $1 AND hour < $2 LIMIT 1";
    let statement =
        Statement::from_sql_and_values(conn.get_database_backend(), select, [org.into(), day.into()]);
    Ok(conn.query_one_raw(statement).await?.is_some())
}

/// Returns the number of the last stored request of an organisation; 0 if there is none.
pub async fn last_number(conn: &impl ConnectionTrait, org: OrgId) -> Result<i64, DbErr> {
    let select = "SELECT number FROM event_batch WHERE org = $1 ORDER BY number DESC LIMIT 1";
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, [org.into()]);
    let number = conn.query_one_raw(statement).await?.map(|row| row.try_get_by_index(0)).transpose()?;
    Ok(number.unwrap_or_default())
}

/// Returns a page of an organisation's events after a number and up to another, in the order of arrival.
pub async fn events_between(
    conn: &impl ConnectionTrait,
    org: OrgId,
    (after, until): (i64, i64),
    limit: i64,
) -> Result<Vec<StoredEvents>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT number, viewer, since, received_at, events FROM event_batch \
         WHERE org = $1 AND number > $2 AND number <= $3 ORDER BY number LIMIT $4",
        [org.into(), after.into(), until.into(), limit.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            Ok(StoredEvents {
                number: row.try_get_by_index(0)?,
                viewer: row.try_get_by_index(1)?,
                since: row.try_get_by_index(2)?,
                received_at: row.try_get_by_index(3)?,
                events: row.try_get_by_index(4)?,
            })
        })
        .collect()
}

/// Returns how many requests of an organisation are stored up to a number.
pub async fn count_until(conn: &impl ConnectionTrait, org: OrgId, number: i64) -> Result<u64, DbErr> {
    let select = "SELECT COUNT(*) FROM event_batch WHERE org = $1 AND number <= $2";
    let statement =
        Statement::from_sql_and_values(conn.get_database_backend(), select, [org.into(), number.into()]);
    let row = conn.query_one_raw(statement).await?;
    let count: Option<i64> = row.map(|row| row.try_get_by_index(0)).transpose()?;
    Ok(count.unwrap_or_default().unsigned_abs())
}

/// Returns the names of an organisation's people under their consents.
pub async fn person_names(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<PersonName>, DbErr> {
    let select = "SELECT person, since, viewer FROM viewer_key WHERE org = $1";
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, [org.into()]);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            Ok(PersonName {
                person: row.try_get_by_index(0)?,
                since: row.try_get_by_index(1)?,
                viewer: row.try_get_by_index(2)?,
            })
        })
        .collect()
}

/// Returns the stored totals of hours and days from `from` on.
pub async fn read(conn: &impl ConnectionTrait, org: OrgId, from: Timestamp) -> Result<Totals, DbErr> {
    let mut totals = Totals::default();
    let select =
        "SELECT subject, hour, watch_ms, late_ms, views FROM watch_hour WHERE org = $1 AND hour >= $2";
    for row in rows(conn, select, org, from).await? {
        let key = HourKey { org, subject: row.try_get_by_index(0)?, hour: row.try_get_by_index(1)? };
        totals.hours.insert(key, sum(&row, 2)?);
    }
    let select =
        "SELECT list, day, item, watch_ms, late_ms, views FROM watch_day WHERE org = $1 AND day >= $2";
    for row in rows(conn, select, org, from).await? {
        let list: Stored<DayList> = row.try_get_by_index(0)?;
        let list = list.known("watch_day", "list", org)?;
        let key = DayKey { org, list, day: row.try_get_by_index(1)?, item: row.try_get_by_index(2)? };
        totals.days.insert(key, sum(&row, 3)?);
    }
    let select = "SELECT playlist, day, content, watch_ms, late_ms, views FROM watch_playlist_content \
                  WHERE org = $1 AND day >= $2";
    for row in rows(conn, select, org, from).await? {
        let (playlist, day, content) =
            (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
        totals.playlist_content.insert(PlaylistContentKey { org, playlist, day, content }, sum(&row, 3)?);
    }
    let select = "SELECT day, verdict, views, watch_ms FROM watch_verdict WHERE org = $1 AND day >= $2";
    for row in rows(conn, select, org, from).await? {
        let verdict: Stored<Verdict> = row.try_get_by_index(1)?;
        let verdict = verdict.known("watch_verdict", "verdict", org)?;
        let key = VerdictKey { org, day: row.try_get_by_index(0)?, verdict };
        let value = VerdictSum { views: row.try_get_by_index(2)?, watch_ms: row.try_get_by_index(3)? };
        totals.verdicts.insert(key, value);
    }
    let select = "SELECT person, since, hour, content, playlist, watch_ms, views, visits FROM watch_person \
                  WHERE org = $1 AND hour >= $2";
    for row in rows(conn, select, org, from).await? {
        let (key, sum) = person_hour(org, &row)?;
        totals.people.insert(key, sum);
    }
    Ok(totals)
}

fn person_hour(org: OrgId, row: &QueryResult) -> Result<(PersonHourKey, PersonSum), DbErr> {
    let key = PersonHourKey {
        org,
        person: row.try_get_by_index(0)?,
        since: row.try_get_by_index(1)?,
        hour: row.try_get_by_index(2)?,
        content: none_if_nil(row.try_get_by_index(3)?),
        playlist: none_if_nil(row.try_get_by_index(4)?),
    };
    let (watch_ms, views, visits) =
        (row.try_get_by_index(5)?, row.try_get_by_index(6)?, row.try_get_by_index(7)?);
    Ok((key, PersonSum { watch_ms, views, visits }))
}

async fn rows(
    conn: &impl ConnectionTrait,
    select: &'static str,
    org: OrgId,
    from: Timestamp,
) -> Result<Vec<QueryResult>, DbErr> {
    let values: [Value; 2] = [org.into(), from.into()];
    conn.query_all_raw(Statement::from_sql_and_values(conn.get_database_backend(), select, values)).await
}

/// Removes the totals of hours and days from `from` on.
pub async fn remove(tx: &WriteTx, org: OrgId, from: Timestamp) -> Result<(), DbErr> {
    for delete in [
        "DELETE FROM watch_hour WHERE org = $1 AND hour >= $2",
        "DELETE FROM watch_day WHERE org = $1 AND day >= $2",
        "DELETE FROM watch_playlist_content WHERE org = $1 AND day >= $2",
        "DELETE FROM watch_person WHERE org = $1 AND hour >= $2",
        "DELETE FROM watch_verdict WHERE org = $1 AND day >= $2",
    ] {
        let values: [Value; 2] = [org.into(), from.into()];
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), delete, values)).await?;
    }
    Ok(())
}
