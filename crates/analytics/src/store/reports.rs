//! Aggregate numbers of an organisation.

use db::Stored;
use kernel::{ContentId, Millis, OrgId, PlaylistId, Timestamp, Uid, ViewerId};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, TryGetable, Value};

use super::sums::sum;
use crate::definitions::devices::Device;
use crate::definitions::spans::Spans;
use crate::definitions::view::Verdict;
use crate::series::Range;
use crate::totals::{DayList, Sum, VerdictSum};

/// Maximum number of items in the Home screen's grid.
const POPULAR_MAX: i64 = 6;
/// Maximum length of a list of the most watched.
const TOP_MAX: i64 = 10;

/// Returns the organisation's all-time totals, including deleted content.
pub async fn total(conn: &impl ConnectionTrait, org: OrgId) -> Result<Sum, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT CAST(COALESCE(SUM(watch_ms), 0) AS BIGINT), CAST(COALESCE(SUM(late_ms), 0) AS BIGINT), \
         CAST(COALESCE(SUM(views), 0) AS BIGINT) FROM watch_day WHERE org = $1 AND list = $2",
        [org.into(), Stored::from(DayList::Organisation).into()],
    );
    conn.query_one_raw(statement).await?.map_or(Ok(Sum::default()), |row| sum(&row, 0))
}

/// A popular content item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Popular {
    pub uid: ContentId,
    pub views: i64,
}

/// Returns the content items viewed most since the start of a day, without deleted ones.
pub async fn popular(
    conn: &impl ConnectionTrait,
    org: OrgId,
    since_day: Timestamp,
) -> Result<Vec<Popular>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT c.uid, w.counted FROM (SELECT item, CAST(SUM(views) AS BIGINT) AS counted \
         FROM watch_day WHERE org = $1 AND list = $4 AND day >= $2 GROUP BY item) w \
         JOIN content c ON c.uid = w.item AND c.org = $1 AND c.deleted_at IS NULL \
         WHERE w.counted > 0 ORDER BY w.counted DESC, c.title ASC LIMIT $3",
        [org.into(), since_day.into(), POPULAR_MAX.into(), Stored::from(DayList::Content).into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| Ok(Popular { uid: row.try_get_by_index(0)?, views: row.try_get_by_index(1)? }))
        .collect()
}

/// Returns the totals of each playlist that is not deleted, most viewed first.
pub async fn playlists(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<(PlaylistId, Sum)>, DbErr> {
    totals(
        conn,
        org,
        "SELECT w.playlist, w.watch_ms, w.views FROM watch_playlist w \
         JOIN playlist p ON p.uid = w.playlist AND p.org = w.org AND p.deleted_at IS NULL \
         WHERE w.org = $1 ORDER BY w.views DESC, w.playlist DESC",
    )
    .await
}

/// Returns the totals of each content item that is not deleted, most viewed first; items without views and
/// watch time are omitted.
pub async fn content_items(conn: &impl ConnectionTrait, org: OrgId) -> Result<Vec<(ContentId, Sum)>, DbErr> {
    totals(
        conn,
        org,
        "SELECT c.uid, c.watch_ms, c.views FROM content c \
         WHERE c.org = $1 AND c.deleted_at IS NULL AND (c.views > 0 OR c.watch_ms > 0) \
         ORDER BY c.views DESC, c.uid DESC",
    )
    .await
}

async fn totals<Id: TryGetable>(
    conn: &impl ConnectionTrait,
    org: OrgId,
    sql: &'static str,
) -> Result<Vec<(Id, Sum)>, DbErr> {
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [org.into()]);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            let watch_ms: Millis = row.try_get_by_index(1)?;
            Ok((
                row.try_get_by_index(0)?,
                Sum { watch_ms, views: row.try_get_by_index(2)?, ..Sum::default() },
            ))
        })
        .collect()
}

/// Returns the most viewed content items of a range, without deleted ones.
pub async fn top_content(
    conn: &impl ConnectionTrait,
    org: OrgId,
    range: Range,
) -> Result<Vec<(ContentId, Sum)>, DbErr> {
    let select = "SELECT w.item, w.watch_ms, w.late_ms, w.views FROM \
         (SELECT item, CAST(SUM(watch_ms) AS BIGINT) AS watch_ms, CAST(SUM(late_ms) AS BIGINT) AS late_ms, \
          CAST(SUM(views) AS BIGINT) AS views FROM watch_day \
          WHERE org = $1 AND list = $2 AND day >= $3 AND day < $4 GROUP BY item) w \
         JOIN content c ON c.uid = w.item AND c.org = $1 AND c.deleted_at IS NULL \
         ORDER BY w.views DESC, w.watch_ms DESC, w.item LIMIT $5";
    top(conn, org, select, DayList::Content, range).await
}

/// Returns the most viewed playlists of a range, without deleted ones.
pub async fn top_playlists(
    conn: &impl ConnectionTrait,
    org: OrgId,
    range: Range,
) -> Result<Vec<(PlaylistId, Sum)>, DbErr> {
    let select = "SELECT w.item, w.watch_ms, w.late_ms, w.views FROM \
         (SELECT item, CAST(SUM(watch_ms) AS BIGINT) AS watch_ms, CAST(SUM(late_ms) AS BIGINT) AS late_ms, \
          CAST(SUM(views) AS BIGINT) AS views FROM watch_day \
          WHERE org = $1 AND list = $2 AND day >= $3 AND day < $4 GROUP BY item) w \
         JOIN playlist p ON p.uid = w.item AND p.org = $1 AND p.deleted_at IS NULL \
         ORDER BY w.views DESC, w.watch_ms DESC, w.item LIMIT $5";
    top(conn, org, select, DayList::Playlist, range).await
}

async fn top<Id: TryGetable>(
    conn: &impl ConnectionTrait,
    org: OrgId,
    select: &'static str,
    list: DayList,
    range: Range,
) -> Result<Vec<(Id, Sum)>, DbErr> {
    let values: [Value; 5] =
        [org.into(), Stored::from(list).into(), range.start.into(), range.end.into(), TOP_MAX.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, values);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, sum(row, 1)?))).collect()
}

/// Returns the items of a playlist by views in a range.
pub async fn content_of_playlist(
    conn: &impl ConnectionTrait,
    org: OrgId,
    playlist: PlaylistId,
    range: Range,
) -> Result<Vec<(ContentId, Sum)>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT content, CAST(SUM(watch_ms) AS BIGINT), CAST(SUM(late_ms) AS BIGINT), CAST(SUM(views) AS BIGINT) \
         FROM watch_playlist_content WHERE org = $1 AND playlist = $2 AND day >= $3 AND day < $4 \
         GROUP BY content ORDER BY 4 DESC, 2 DESC, content",
        [org.into(), playlist.into(), range.start.into(), range.end.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, sum(row, 1)?))).collect()
}

/// Returns the views that were not counted, by reason, and the watch time over the limits.
pub async fn verdicts(
    conn: &impl ConnectionTrait,
    org: OrgId,
    range: Range,
) -> Result<Vec<(Verdict, VerdictSum)>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT verdict, CAST(SUM(views) AS BIGINT), CAST(SUM(watch_ms) AS BIGINT) FROM watch_verdict \
         WHERE org = $1 AND day >= $2 AND day < $3 GROUP BY verdict ORDER BY 2 DESC, verdict",
        [org.into(), range.start.into(), range.end.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            let verdict: Stored<Verdict> = row.try_get_by_index(0)?;
            let sum = VerdictSum { views: row.try_get_by_index(1)?, watch_ms: row.try_get_by_index(2)? };
            Ok((verdict.known("watch_verdict", "verdict", org)?, sum))
        })
        .collect()
}

/// A counted view.
#[derive(Clone, Debug)]
pub struct CountedView {
    pub viewer: ViewerId,
    pub device: Device,
    pub country: Option<String>,
    pub sections: Spans,
    pub is_finished: bool,
}

/// Returns the counted views of a content item that began in a range.
pub async fn counted_views(
    conn: &impl ConnectionTrait,
    org: OrgId,
    content: ContentId,
    range: Range,
) -> Result<Vec<CountedView>, DbErr> {
    let counted = Stored::from(Verdict::Counted).into();
    let values: [Value; 5] = [org.into(), content.into(), range.start.into(), range.end.into(), counted];
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT viewer, device, country, sections, is_finished, uid FROM viewing \
         WHERE org = $1 AND content = $2 AND hour >= $3 AND hour < $4 AND verdict = $5",
        values,
    );
    conn.query_all_raw(statement).await?.iter().map(counted_view).collect()
}

fn counted_view(row: &QueryResult) -> Result<CountedView, DbErr> {
    let uid: Uid = row.try_get_by_index(5)?;
    let device: Stored<Device> = row.try_get_by_index(1)?;
    let sections: String = row.try_get_by_index(3)?;
    Ok(CountedView {
        viewer: row.try_get_by_index(0)?,
        device: device.known("viewing", "device", uid)?,
        country: row.try_get_by_index(2)?,
        sections: Spans::read(&sections).ok_or_else(|| db::unreadable("viewing", "sections", uid))?,
        is_finished: row.try_get_by_index(4)?,
    })
}
