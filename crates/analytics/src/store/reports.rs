//! Aggregate numbers of an organisation.

use std::cmp::Reverse;
use std::collections::HashSet;

use db::Stored;
use kernel::{ContentId, OrgId, PlaylistId, Uid};
use sea_orm::{ConnectionTrait, DbErr, Statement};

use super::numbers;
use super::total_packs::{self, TotalsOfOrg};
use crate::definitions::view::Verdict;
use crate::series::Range;
use crate::shortlist::Periods;
use crate::totals::{Sum, VerdictSum};

/// All-time totals of an organisation.
pub struct AllTime {
    /// Name of the time zone of the organisation.
    pub time_zone: String,
    /// Including deleted content.
    pub total: Sum,
    /// Playlists that are not deleted, most viewed first.
    pub playlists: Vec<(PlaylistId, Sum)>,
    /// Content items that are not deleted, most viewed first, without those that have neither views nor watch time.
    pub content: TotalsOfOrg,
}

/// Returns the all-time totals of an organisation.
pub async fn all_time(conn: &impl ConnectionTrait, org: OrgId) -> Result<AllTime, DbErr> {
    let backend = conn.get_database_backend();
    let sql = format!(
        "SELECT * FROM (SELECT (SELECT time_zone FROM organisation WHERE uid = $1)) organisation \
         CROSS JOIN (SELECT {} FROM watch_playlist w JOIN playlist p ON p.uid = w.playlist AND p.org = w.org \
         AND p.deleted_at IS NULL WHERE w.org = $1) playlists \
         CROSS JOIN ({}) deleted CROSS JOIN {}",
        numbers::columns_by_id(backend, ("w.playlist", ["w.watch_ms", "w.views"])),
        numbers::deleted_of_org(backend, "content"),
        total_packs::totals_of_org(backend),
    );
    let row = numbers::one_row(conn, sql, [org.into()]).await?;
    let deleted: HashSet<ContentId> = numbers::ids(&row, 4)?.into_iter().map(Into::into).collect();
    let mut content = total_packs::totals(&row, 5, org)?;
    let mut total = Sum::default();
    for one in &content.items {
        total.views = total.views.saturating_add(one.views);
        total.watch_ms = total.watch_ms.saturating_add(one.watch_ms);
    }
    content.items.retain(|one| (one.views > 0 || one.watch_ms > 0) && !deleted.contains(&one.item));
    let mut playlists = totals(numbers::by_id(&row, 1)?);
    playlists.sort_unstable_by_key(|(id, sum): &(PlaylistId, Sum)| Reverse((sum.views, *id)));
    let time_zone: Option<String> = row.try_get_by_index(0)?;
    Ok(AllTime { time_zone: time_zone.unwrap_or_default(), total, playlists, content })
}

fn totals<Id: From<Uid>>(rows: Vec<(Uid, [i64; 2])>) -> Vec<(Id, Sum)> {
    let sum = |[watch_ms, views]: [i64; 2]| Sum { watch_ms, views, ..Sum::default() };
    rows.into_iter().map(|(uid, numbers)| (uid.into(), sum(numbers))).collect()
}

/// Returns the items of a playlist by views in a range.
pub async fn content_of_playlist(
    conn: &impl ConnectionTrait,
    org: OrgId,
    playlist: PlaylistId,
    range: Range,
) -> Result<Vec<(ContentId, Sum)>, DbErr> {
    let rest = "FROM (SELECT content, SUM(watch_ms) AS watch_ms, SUM(views) AS views FROM ( \
         SELECT content, watch_ms, views FROM watch_playlist_period \
         WHERE org = $1 AND playlist = $2 AND period >= $4 AND period < $5 \
         UNION ALL SELECT content, watch_ms, views FROM watch_playlist_content \
         WHERE org = $1 AND playlist = $2 AND day >= $3 AND day < $4 \
         UNION ALL SELECT content, watch_ms, views FROM watch_playlist_content \
         WHERE org = $1 AND playlist = $2 AND day >= $5 AND day < $6) parts GROUP BY content) items";
    let Range { start, end } = Periods::of(range).whole;
    let values =
        vec![org.into(), playlist.into(), range.start.into(), start.into(), end.into(), range.end.into()];
    let mut rows = numbers::select_by_id(conn, ("content", ["watch_ms", "views"]), rest, values).await?;
    rows.sort_unstable_by_key(|(uid, [watch_ms, views])| (Reverse((*views, *watch_ms)), *uid));
    Ok(totals(rows))
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
