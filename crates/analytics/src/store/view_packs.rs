//! Which days of which items and playlists are packed. The views of a day that is marked here are read from their rows, all
//! others from the packs of their weeks. Whatever changes a view marks its day in the same transaction; a job packs the week
//! of the day again once the day is over. The numbers in statements are the lengths of a day and of a week.

use std::collections::BTreeSet;

use db::rows::WriteSet;
use db::{Stored, WriteTx};
use kernel::{DAY, OrgId, Timestamp, Uid, ViewerId};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

use super::audiences::{counted_view, sections_of};
use super::event_items::{self, ContentKey};
use super::raw::{self, ItemKey};
use crate::audience_of_item::CountedView;
use crate::definitions::view::{Form, Subject, Verdict};
use crate::returning::{self, Audiences, StoredWeek};
use crate::view_pack::{self, WEEK};

/// A week of a content item or playlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubjectWeek {
    pub org: OrgId,
    /// Id of the content item or playlist.
    pub subject: Uid,
    /// Start of the week.
    pub week: Timestamp,
}

/// A day of a content item or playlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubjectDay {
    pub org: OrgId,
    /// Id of the content item or playlist.
    pub subject: Uid,
    /// Start of the day.
    pub day: Timestamp,
}

/// Marks days as unpacked, as part of `writes`.
pub fn add_unpacked(writes: &mut WriteSet, days: &BTreeSet<SubjectDay>) -> Result<(), DbErr> {
    let rows: Vec<[Value; 3]> =
        days.iter().map(|key| [key.org.into(), key.subject.into(), key.day.into()]).collect();
    writes.upsert("view_unpacked (org, subject, day)", &rows, "ON CONFLICT DO NOTHING")
}

/// Marks all days of weeks as unpacked, and removes their packs. `tx` must hold the organisation's lock.
pub async fn unpack(tx: &WriteTx, weeks: &BTreeSet<SubjectWeek>) -> Result<(), DbErr> {
    let mut writes = WriteSet::new(tx);
    let days = |key: &SubjectWeek| {
        let SubjectWeek { org, subject, week } = *key;
        (0..WEEK / DAY).map(move |day| SubjectDay { org, subject, day: week + day * DAY })
    };
    add_unpacked(&mut writes, &weeks.iter().flat_map(days).collect())?;
    let rows: Vec<[Value; 3]> =
        weeks.iter().map(|key| [key.org.into(), key.subject.into(), key.week.into()]).collect();
    let delete = "DELETE FROM view_pack WHERE (org, subject, week) IN (SELECT org, subject, week FROM want)";
    writes.by_keys("org, subject, week", &rows, delete)?;
    writes.run(tx).await.map(drop)
}

/// Does the same for all weeks with views of a viewer.
pub async fn unpack_viewer(tx: &WriteTx, org: OrgId, viewer: ViewerId) -> Result<(), DbErr> {
    for sql in [
        "INSERT INTO view_unpacked (org, subject, day) \
         SELECT m.org, m.subject, m.week + d.day FROM (SELECT org, content AS subject, \
         hour / 604800000 * 604800000 AS week FROM viewing WHERE org = $1 AND viewer = $2 AND verdict = $3 UNION \
         SELECT org, playlist, hour / 604800000 * 604800000 FROM viewing \
         WHERE org = $1 AND viewer = $2 AND verdict = $3 AND playlist IS NOT NULL) m CROSS JOIN (SELECT 0 AS day \
         UNION ALL SELECT 86400000 UNION ALL SELECT 172800000 UNION ALL SELECT 259200000 UNION ALL SELECT 345600000 \
         UNION ALL SELECT 432000000 UNION ALL SELECT 518400000) d WHERE m.week > 0 ON CONFLICT DO NOTHING",
        "DELETE FROM view_pack WHERE org = $1 AND (subject, week) IN (SELECT content, hour / 604800000 * 604800000 \
         FROM viewing WHERE org = $1 AND viewer = $2 AND verdict = $3 UNION ALL \
         SELECT playlist, hour / 604800000 * 604800000 FROM viewing WHERE org = $1 AND viewer = $2 AND verdict = $3 \
         AND playlist IS NOT NULL)",
    ] {
        let counted = Stored::from(Verdict::Counted).into();
        run(tx, sql, [org.into(), viewer.into(), counted]).await?;
    }
    Ok(())
}

/// Marks all days of an item or playlist as unpacked.
pub async fn unpack_subject(tx: &WriteTx, org: OrgId, subject: Uid) -> Result<(), DbErr> {
    for sql in [
        "DELETE FROM view_pack WHERE org = $1 AND subject = $2",
        "DELETE FROM view_unpacked WHERE org = $1 AND subject = $2",
        "INSERT INTO view_unpacked (org, subject, day) SELECT org, content, hour / 86400000 * 86400000 \
         FROM viewing WHERE org = $1 AND content = $2 AND verdict = 'counted' GROUP BY 1, 2, 3",
        "INSERT INTO view_unpacked (org, subject, day) SELECT org, playlist, hour / 86400000 * 86400000 \
         FROM viewing WHERE org = $1 AND playlist = $2 AND verdict = 'counted' GROUP BY 1, 2, 3",
    ] {
        run(tx, sql, [org.into(), subject.into()]).await?;
    }
    Ok(())
}

/// Marks all days of an organisation as unpacked.
pub async fn unpack_org(tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
    for sql in [
        "DELETE FROM view_pack WHERE org = $1",
        "DELETE FROM view_unpacked WHERE org = $1",
        "INSERT INTO view_unpacked (org, subject, day) SELECT org, content, hour / 86400000 * 86400000 \
         FROM viewing WHERE org = $1 AND verdict = 'counted' GROUP BY 1, 2, 3",
        "INSERT INTO view_unpacked (org, subject, day) SELECT org, playlist, hour / 86400000 * 86400000 \
         FROM viewing WHERE org = $1 AND verdict = 'counted' AND playlist IS NOT NULL GROUP BY 1, 2, 3",
    ] {
        run(tx, sql, [org.into()]).await?;
    }
    Ok(())
}

/// Marks all days as unpacked, in a copy that was restored without packs.
pub async fn unpack_restored(tx: &WriteTx) -> Result<(), DbErr> {
    let insert = "INSERT INTO view_unpacked (org, subject, day) SELECT org, content, hour / 86400000 * 86400000 \
         FROM viewing WHERE verdict = 'counted' UNION SELECT org, playlist, hour / 86400000 * 86400000 \
         FROM viewing WHERE verdict = 'counted' AND playlist IS NOT NULL ON CONFLICT DO NOTHING";
    tx.execute_unprepared(insert).await.map(drop)
}

/// Returns whether there are unpacked days in a range, both ends included.
pub async fn has_unpacked(
    conn: &impl ConnectionTrait,
    (first, last): (Timestamp, Timestamp),
) -> Result<bool, DbErr> {
    let select = "SELECT day FROM view_unpacked WHERE day >= $1 AND day <= $2 LIMIT 1";
    let values: [Value; 2] = [first.into(), last.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, values);
    Ok(conn.query_one_raw(statement).await?.is_some())
}

/// Returns the weeks of the next unpacked days in a range, both ends included, in the order of the key, which is read from
/// `after` on: the signs keep the engines from reading the whole range for each page.
pub async fn unpacked(
    conn: &impl ConnectionTrait,
    (first, last): (Timestamp, Timestamp),
    after: Option<SubjectWeek>,
    days: i64,
) -> Result<Vec<SubjectWeek>, DbErr> {
    let select = "SELECT DISTINCT org, subject, day / 604800000 * 604800000 AS week FROM ( \
         SELECT org, subject, day FROM view_unpacked WHERE (org, subject, day) >= ($3, $4, $5) \
         AND +day >= $1 AND +day <= $2 ORDER BY org, subject, day LIMIT $6) days ORDER BY org, subject, week";
    let (org, subject, day) = after.map_or((OrgId::nil(), Uid::nil(), Timestamp::from_ms(i64::MIN)), |key| {
        (key.org, key.subject, key.week + WEEK)
    });
    let values: [Value; 6] = [first.into(), last.into(), org.into(), subject.into(), day.into(), days.into()];
    keys(conn, select, values).await
}

/// Returns packed weeks that start before a time.
pub async fn packed_before(
    conn: &impl ConnectionTrait,
    time: Timestamp,
    limit: i64,
) -> Result<Vec<SubjectWeek>, DbErr> {
    let select =
        "SELECT org, subject, week FROM view_pack WHERE week < $1 ORDER BY org, week, subject LIMIT $2";
    keys(conn, select, [time.into(), limit.into()]).await
}

async fn keys<const N: usize>(
    conn: &impl ConnectionTrait,
    select: &'static str,
    values: [Value; N],
) -> Result<Vec<SubjectWeek>, DbErr> {
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, values);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            Ok(SubjectWeek {
                org: row.try_get_by_index(0)?,
                subject: row.try_get_by_index(1)?,
                week: row.try_get_by_index(2)?,
            })
        })
        .collect()
}

/// Packs a week up to its day `last`. `tx` must hold the organisation's lock.
pub async fn pack(tx: &WriteTx, key: SubjectWeek, last: Timestamp, now: Timestamp) -> Result<(), DbErr> {
    let SubjectWeek { org, subject, week } = key;
    let end = (week + WEEK).min(last + DAY);
    let delete = "DELETE FROM view_unpacked WHERE org = $1 AND subject = $2 AND day >= $3 AND day < $4";
    if run(tx, delete, [org.into(), subject.into(), week.into(), end.into()]).await? == 0 {
        return Ok(());
    }
    let (mut views, mut item) = (views(tx, "content", key, end).await?, None);
    if views.is_empty() {
        views = self::views(tx, "playlist", key, end).await?;
    } else {
        item = Some(subject_of(tx, ItemKey { org, content: subject.into() }, now).await?);
    }
    if views.is_empty() {
        let delete = "DELETE FROM view_pack WHERE org = $1 AND subject = $2 AND week = $3";
        return run(tx, delete, [org.into(), subject.into(), week.into()]).await.map(drop);
    }
    let data = view_pack::write(week, item, &views);
    let mut others = weeks(tx, (org, subject)).await?;
    others.retain(|other| other.week != week);
    let packed = data.as_deref().and_then(|data| returning::audiences(data, item.is_some(), &others));
    let (Some(data), Some(Audiences { audience, changed, damaged })) = (data, packed) else {
        return Err(DbErr::Custom("views of a week have no place in a pack".to_owned()));
    };
    unpack(tx, &damaged.into_iter().map(|week| SubjectWeek { week, ..key }).collect()).await?;
    let insert = "INSERT INTO view_pack (org, subject, week, data, audience) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (org, subject, week) DO UPDATE SET data = excluded.data, audience = excluded.audience";
    run(tx, insert, [org.into(), subject.into(), week.into(), data.into(), audience.into()]).await?;
    let rows: Vec<[Value; 4]> = changed
        .into_iter()
        .map(|(week, audience)| [org.into(), subject.into(), week.into(), audience.into()])
        .collect();
    let mut writes = WriteSet::new(tx);
    writes.by_keys("org, subject, week, audience", &rows, CHANGE_AUDIENCES)?;
    writes.run(tx).await.map(drop)
}

const CHANGE_AUDIENCES: &str = "UPDATE view_pack SET audience = want.audience FROM want \
     WHERE view_pack.org = want.org AND view_pack.subject = want.subject AND view_pack.week = want.week";

/// Returns the packed weeks of an item or playlist.
pub async fn weeks(
    conn: &impl ConnectionTrait,
    (org, subject): (OrgId, Uid),
) -> Result<Vec<StoredWeek>, DbErr> {
    let select = "SELECT week, data, audience FROM view_pack WHERE org = $1 AND subject = $2 ORDER BY week";
    let values: [Value; 2] = [org.into(), subject.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, values);
    let row = |row: &QueryResult| {
        Ok(StoredWeek {
            week: row.try_get_by_index(0)?,
            data: row.try_get_by_index(1)?,
            audience: row.try_get_by_index(2)?,
        })
    };
    conn.query_all_raw(statement).await?.iter().map(row).collect()
}

/// Returns how views of a content item are measured. Those of a deleted one are not shown.
async fn subject_of(tx: &WriteTx, item: ItemKey, now: Timestamp) -> Result<Subject, DbErr> {
    let key = ContentKey::new(item.org, item.content, None);
    let Some(info) = event_items::content(tx, &[key], now).await?.remove(&key) else {
        return Ok(Subject { form: Form::Whole, length: None });
    };
    let reported = raw::lengths(tx, &[item]).await?.remove(&item).unwrap_or_default();
    Ok(reported.complete(info.subject))
}

/// Returns the counted views of a week before `end`; `column` has its subject.
async fn views(
    tx: &WriteTx,
    column: &'static str,
    key: SubjectWeek,
    end: Timestamp,
) -> Result<Vec<CountedView>, DbErr> {
    let sections = sections_of(column);
    let sql = format!(
        "SELECT hour, viewer, content, device, country, is_finished, {sections}, uid FROM viewing \
         WHERE org = $1 AND {column} = $2 AND hour >= $3 AND hour < $4 AND verdict = $5"
    );
    let counted = Stored::from(Verdict::Counted).into();
    let values: [Value; 5] = [key.org.into(), key.subject.into(), key.week.into(), end.into(), counted];
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    tx.query_all_raw(statement).await?.iter().map(|row| counted_view(row, 0)).collect()
}

async fn run<const N: usize>(
    tx: &impl ConnectionTrait,
    sql: &'static str,
    values: [Value; N],
) -> Result<u64, DbErr> {
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    Ok(tx.execute_raw(statement).await?.rows_affected())
}
