//! Which weeks of which items and playlists are packed. While views of a week may change, their rows are read; whatever
//! changes a packed view later removes the pack in the same transaction. The number in statements is the length of a week.

use std::collections::BTreeSet;

use db::rows::WriteSet;
use db::{Stored, WriteTx};
use kernel::{OrgId, Timestamp, Uid, ViewerId};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, Value};

use super::audiences::{counted_view, sections_of};
use crate::audience_of_item::CountedView;
use crate::definitions::view::Verdict;
use crate::view_pack::{self, WEEK};

/// A week of a content item or playlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WeekKey {
    pub org: OrgId,
    /// Id of the content item or playlist.
    pub subject: Uid,
    /// Start of the week.
    pub week: Timestamp,
}

/// Marks weeks as unpacked.
pub async fn unpack(tx: &impl ConnectionTrait, weeks: &BTreeSet<WeekKey>) -> Result<(), DbErr> {
    let mut writes = WriteSet::new(tx);
    add_unpacked(&mut writes, weeks)?;
    writes.run(tx).await.map(drop)
}

/// Does the same as part of `writes`. Two transactions that remove the same packs do so in the same order.
pub fn add_unpacked(writes: &mut WriteSet, weeks: &BTreeSet<WeekKey>) -> Result<(), DbErr> {
    let rows: Vec<[Value; 3]> =
        weeks.iter().map(|key| [key.org.into(), key.subject.into(), key.week.into()]).collect();
    writes.upsert("view_unpacked (org, subject, week)", &rows, "ON CONFLICT DO NOTHING")?;
    let delete = match writes.backend() {
        DbBackend::Postgres => {
            "DELETE FROM view_pack WHERE (org, subject, week) IN (SELECT p.org, p.subject, p.week FROM view_pack p \
             JOIN want ON want.org = p.org AND want.subject = p.subject AND want.week = p.week \
             ORDER BY p.org, p.subject, p.week FOR UPDATE OF p)"
        }
        _ => "DELETE FROM view_pack WHERE (org, subject, week) IN (SELECT org, subject, week FROM want)",
    };
    // Also of the running week: it has packs if a clock was ahead.
    writes.by_keys("org, subject, week", &rows, delete)
}

/// Does the same for all weeks with views of a viewer.
pub async fn unpack_viewer(tx: &WriteTx, org: OrgId, viewer: ViewerId) -> Result<(), DbErr> {
    for sql in [
        "INSERT INTO view_unpacked (org, subject, week) SELECT org, content, hour / 604800000 * 604800000 \
         FROM viewing WHERE org = $1 AND viewer = $2 AND verdict = $3 ON CONFLICT DO NOTHING",
        "INSERT INTO view_unpacked (org, subject, week) SELECT org, playlist, hour / 604800000 * 604800000 \
         FROM viewing WHERE org = $1 AND viewer = $2 AND verdict = $3 AND playlist IS NOT NULL ON CONFLICT DO NOTHING",
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

/// Marks all weeks of an item or playlist as unpacked.
pub async fn unpack_subject(tx: &WriteTx, org: OrgId, subject: Uid) -> Result<(), DbErr> {
    for sql in [
        "DELETE FROM view_pack WHERE org = $1 AND subject = $2",
        "DELETE FROM view_unpacked WHERE org = $1 AND subject = $2",
        "INSERT INTO view_unpacked (org, subject, week) SELECT org, content, hour / 604800000 * 604800000 \
         FROM viewing WHERE org = $1 AND content = $2 AND verdict = 'counted' GROUP BY 1, 2, 3",
        "INSERT INTO view_unpacked (org, subject, week) SELECT org, playlist, hour / 604800000 * 604800000 \
         FROM viewing WHERE org = $1 AND playlist = $2 AND verdict = 'counted' GROUP BY 1, 2, 3",
    ] {
        run(tx, sql, [org.into(), subject.into()]).await?;
    }
    Ok(())
}

/// Marks all weeks of an organisation as unpacked.
pub async fn unpack_org(tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
    for sql in [
        "DELETE FROM view_pack WHERE org = $1",
        "DELETE FROM view_unpacked WHERE org = $1",
        "INSERT INTO view_unpacked (org, subject, week) SELECT org, content, hour / 604800000 * 604800000 \
         FROM viewing WHERE org = $1 AND verdict = 'counted' GROUP BY 1, 2, 3",
        "INSERT INTO view_unpacked (org, subject, week) SELECT org, playlist, hour / 604800000 * 604800000 \
         FROM viewing WHERE org = $1 AND verdict = 'counted' AND playlist IS NOT NULL GROUP BY 1, 2, 3",
    ] {
        run(tx, sql, [org.into()]).await?;
    }
    Ok(())
}

/// Marks all weeks as unpacked, in a copy that was restored without packs.
pub async fn unpack_restored(tx: &WriteTx) -> Result<(), DbErr> {
    let insert = "INSERT INTO view_unpacked (org, subject, week) SELECT org, content, hour / 604800000 * 604800000 \
         FROM viewing WHERE verdict = 'counted' UNION SELECT org, playlist, hour / 604800000 * 604800000 \
         FROM viewing WHERE verdict = 'counted' AND playlist IS NOT NULL ON CONFLICT DO NOTHING";
    tx.execute_unprepared(insert).await.map(drop)
}

/// Returns the next weeks after `after` that are not packed and start in a range, both ends included.
pub async fn unpacked(
    conn: &impl ConnectionTrait,
    (first, last): (Timestamp, Timestamp),
    after: Option<WeekKey>,
    limit: i64,
) -> Result<Vec<WeekKey>, DbErr> {
    let select = "SELECT org, subject, week FROM view_unpacked WHERE week >= $1 AND week <= $2 \
         AND (week > $3 OR (week = $3 AND (org, subject) > ($4, $5))) ORDER BY week, org, subject LIMIT $6";
    let (org, subject, week) =
        after.map_or((OrgId::nil(), Uid::nil(), first - 1), |key| (key.org, key.subject, key.week));
    let values: [Value; 6] =
        [first.into(), last.into(), week.into(), org.into(), subject.into(), limit.into()];
    keys(conn, select, values).await
}

/// Returns packed weeks that start before a time.
pub async fn packed_before(
    conn: &impl ConnectionTrait,
    time: Timestamp,
    limit: i64,
) -> Result<Vec<WeekKey>, DbErr> {
    let select =
        "SELECT org, subject, week FROM view_pack WHERE week < $1 ORDER BY org, week, subject LIMIT $2";
    keys(conn, select, [time.into(), limit.into()]).await
}

async fn keys<const N: usize>(
    conn: &impl ConnectionTrait,
    select: &'static str,
    values: [Value; N],
) -> Result<Vec<WeekKey>, DbErr> {
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, values);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            Ok(WeekKey {
                org: row.try_get_by_index(0)?,
                subject: row.try_get_by_index(1)?,
                week: row.try_get_by_index(2)?,
            })
        })
        .collect()
}

/// Packs a week. `tx` must hold the organisation's lock.
pub async fn pack(tx: &WriteTx, key: WeekKey) -> Result<(), DbErr> {
    let WeekKey { org, subject, week } = key;
    let of_week = || [org.into(), subject.into(), week.into()];
    let delete = "DELETE FROM view_unpacked WHERE org = $1 AND subject = $2 AND week = $3";
    if run(tx, delete, of_week()).await? == 0 {
        return Ok(());
    }
    let mut views = views(tx, "content", key).await?;
    if views.is_empty() {
        views = self::views(tx, "playlist", key).await?;
    }
    if views.is_empty() {
        return Ok(());
    }
    let insert = "INSERT INTO view_pack (org, subject, week, views, data) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (org, subject, week) DO UPDATE SET views = excluded.views, data = excluded.data";
    let data = view_pack::write(week, &views);
    let [org, subject, week] = of_week();
    run(tx, insert, [org, subject, week, (views.len() as i64).into(), data.into()]).await.map(drop)
}

/// Returns the counted views of a week; `column` has its subject.
async fn views(tx: &WriteTx, column: &'static str, key: WeekKey) -> Result<Vec<CountedView>, DbErr> {
    let sections = sections_of(column);
    let sql = format!(
        "SELECT hour, viewer, content, device, country, is_finished, {sections}, uid FROM viewing \
         WHERE org = $1 AND {column} = $2 AND hour >= $3 AND hour < $4 AND verdict = $5"
    );
    let counted = Stored::from(Verdict::Counted).into();
    let values: [Value; 5] =
        [key.org.into(), key.subject.into(), key.week.into(), (key.week + WEEK).into(), counted];
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
