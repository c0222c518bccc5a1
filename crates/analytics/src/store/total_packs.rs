//! All-time totals of the content items of organisations. Home shows all of them, so most are packed into one row, and what
//! was counted since is in rows by item, until a job adds it to the pack. Deleted items stay in both, because they can be
//! restored. The pack has the views of recent days, too: Home shows the most viewed of 28 days.

use std::collections::HashSet;

use content::ItemStats;
use db::rows::WriteSet;
use db::{Stored, WriteTx};
use hashbrown::HashMap;
use kernel::{ContentId, DAY, Millis, OrgId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement, Value};

use super::numbers;
use crate::total_pack::{self, ItemTotals};
use crate::totals::DayList;

/// How far back the list of popular content goes: with today, these are 28 days.
pub const POPULAR_SPAN: Millis = 27 * DAY;
/// How many items of an organisation may be unpacked before they are packed.
const UNPACKED_MAX: i64 = 100;

/// Adds to the totals of items, ordered by key, as part of `writes`.
pub fn add(writes: &mut WriteSet, items: &[ItemStats]) -> Result<(), DbErr> {
    let rows: Vec<[Value; 4]> = items
        .iter()
        .map(|item| [item.org.into(), item.content.into(), item.views.into(), item.watch_ms.into()])
        .collect();
    writes.upsert(
        "total_unpacked (org, content, views, watch_ms)",
        &rows,
        "ON CONFLICT (org, content) DO UPDATE SET views = total_unpacked.views + excluded.views, \
         watch_ms = total_unpacked.watch_ms + excluded.watch_ms",
    )
}

/// Totals of the content items of an organisation.
pub struct TotalsOfOrg {
    /// Start of the recent days; `None` if recent views are not known.
    pub recent_since: Option<Timestamp>,
    /// The most viewed first, with deleted items.
    pub items: Vec<ItemTotals>,
    /// Whether something was counted since they were packed.
    pub has_unpacked: bool,
}

/// Returns what selects the totals of the organisation `$1`, as one row of a join.
pub fn totals_of_org(backend: DbBackend) -> String {
    format!(
        "(SELECT (SELECT since FROM total_pack WHERE org = $1), (SELECT data FROM total_pack WHERE org = $1)) packed \
         CROSS JOIN (SELECT {} FROM total_unpacked WHERE org = $1) unpacked",
        numbers::columns_by_id(backend, ("content", ["views", "watch_ms"])),
    )
}

/// Returns the totals that [`totals_of_org`] selected at `first`. Events are counted at most some days after they
/// happened, so what was counted since the packing belongs to the recent days, unless a view stood still for weeks before it
/// counted.
pub fn totals(row: &QueryResult, first: usize, org: OrgId) -> Result<TotalsOfOrg, DbErr> {
    let (recent_since, data) = (row.try_get_by_index(first)?, row.try_get_by_index(first + 1)?);
    let data: Option<Vec<u8>> = data;
    let mut items = match data {
        Some(data) => total_pack::read(&data).ok_or_else(|| db::unreadable("total_pack", "data", org))?,
        None => Vec::new(),
    };
    let mut unpacked: HashMap<ContentId, [i64; 2]> =
        numbers::by_id(row, first + 2)?.into_iter().map(|(item, counted)| (item.into(), counted)).collect();
    if unpacked.is_empty() {
        return Ok(TotalsOfOrg { recent_since, items, has_unpacked: false });
    }
    for one in &mut items {
        if let Some([views, watch_ms]) = unpacked.remove(&one.item) {
            // No sum of a pack that is not damaged is that large.
            one.views = one.views.saturating_add(views);
            one.watch_ms = one.watch_ms.saturating_add(watch_ms);
            one.recent_views = one.recent_views.saturating_add(views);
        }
    }
    let new = |(item, [views, watch_ms]): (ContentId, [i64; 2])| ItemTotals {
        item,
        views,
        watch_ms,
        recent_views: views,
    };
    items.extend(unpacked.into_iter().map(new));
    total_pack::sort(&mut items);
    Ok(TotalsOfOrg { recent_since, items, has_unpacked: true })
}

/// Returns the organisations that have many unpacked items, or whose recent days begin before `since`.
pub async fn to_pack(conn: &impl ConnectionTrait, since: Timestamp) -> Result<Vec<OrgId>, DbErr> {
    let select = "SELECT t.org FROM (SELECT org FROM total_unpacked GROUP BY org HAVING COUNT(*) > $1 \
         UNION SELECT org FROM total_pack WHERE since < $2) t \
         JOIN organisation o ON o.uid = t.org WHERE o.purge_began_at IS NULL";
    let values: [Value; 2] = [UNPACKED_MAX.into(), since.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), select, values);
    conn.query_all_raw(statement).await?.iter().map(|row| row.try_get_by_index(0)).collect()
}

/// Packs the totals of an organisation, with the views since `since`, the start of a day. `tx` must hold its lock. Nothing is
/// packed of an organisation that is being removed.
pub async fn pack(tx: &WriteTx, org: OrgId, since: Timestamp) -> Result<(), DbErr> {
    let backend = tx.get_database_backend();
    let select = format!(
        "SELECT packed.*, unpacked.* FROM organisation o CROSS JOIN {} WHERE o.uid = $1 AND o.purge_began_at IS NULL",
        totals_of_org(backend)
    );
    let row = tx.query_one_raw(Statement::from_sql_and_values(backend, select, [org.into()])).await?;
    let Some(row) = row else { return Ok(()) };
    let TotalsOfOrg { recent_since, mut items, has_unpacked } = totals(&row, 0, org)?;
    if recent_since == Some(since) && !has_unpacked {
        return Ok(());
    }
    if recent_since != Some(since) {
        let list = Stored::from(DayList::Content).into();
        let rest = "FROM (SELECT item, SUM(views) AS views FROM watch_day \
             WHERE org = $1 AND list = $2 AND day >= $3 GROUP BY item) days";
        let values = vec![org.into(), list, since.into()];
        let recent = numbers::select_by_id(tx, ("item", ["views"]), rest, values).await?;
        let recent: HashMap<Uid, [i64; 1]> = recent.into_iter().collect();
        for one in &mut items {
            [one.recent_views] = recent.get(&one.item.uid()).copied().unwrap_or_default();
        }
    }
    let upsert = "INSERT INTO total_pack (org, since, data) VALUES ($1, $2, $3) \
         ON CONFLICT (org) DO UPDATE SET since = excluded.since, data = excluded.data";
    execute(tx, upsert, [org.into(), since.into(), total_pack::write(&items).into()]).await?;
    execute(tx, "DELETE FROM total_unpacked WHERE org = $1", [org.into()]).await
}

/// Makes the totals of an organisation the counters of its items. `tx` must hold its lock.
pub async fn restate(tx: &WriteTx, org: OrgId) -> Result<(), DbErr> {
    for sql in [
        "DELETE FROM total_pack WHERE org = $1",
        "DELETE FROM total_unpacked WHERE org = $1",
        "INSERT INTO total_unpacked (org, content, views, watch_ms) SELECT org, uid, views, watch_ms FROM content \
         WHERE org = $1 AND (views <> 0 OR watch_ms <> 0)",
    ] {
        execute(tx, sql, [org.into()]).await?;
    }
    Ok(())
}

/// Returns the items of an organisation whose totals are not their counters, or whose recent views are not those of their
/// days; `None` if the pack cannot be read.
pub async fn wrong(conn: &impl ConnectionTrait, org: OrgId) -> Result<Option<Vec<ContentId>>, DbErr> {
    let backend = conn.get_database_backend();
    let select = format!(
        "SELECT * FROM {} CROSS JOIN (SELECT {} FROM content WHERE org = $1) counted CROSS JOIN (SELECT {} FROM \
         (SELECT item, SUM(views) AS views FROM watch_day WHERE org = $1 AND list = $2 \
         AND day >= (SELECT since FROM total_pack WHERE org = $1) GROUP BY item) days) recent",
        totals_of_org(backend),
        numbers::columns_by_id(backend, ("uid", ["views", "watch_ms"])),
        numbers::columns_by_id(backend, ("item", ["views"])),
    );
    let row = numbers::one_row(conn, select, [org.into(), Stored::from(DayList::Content).into()]).await?;
    let Ok(TotalsOfOrg { recent_since, items, .. }) = totals(&row, 0, org) else { return Ok(None) };
    let recent: HashMap<Uid, [i64; 1]> = numbers::by_id(&row, 8)?.into_iter().collect();
    let recent_views = |item: &Uid| recent.get(item).map_or(0, |[views]| *views);
    let stored = items.into_iter().map(|one| match recent_since {
        Some(_) => one,
        None => ItemTotals { recent_views: 0, ..one },
    });
    let counted = numbers::by_id(&row, 5)?.into_iter().map(|(item, [views, watch_ms])| ItemTotals {
        item: item.into(),
        views,
        watch_ms,
        recent_views: recent_views(&item),
    });
    let is_something = |one: &ItemTotals| (one.views, one.watch_ms, one.recent_views) != (0, 0, 0);
    let stored: HashSet<ItemTotals> = stored.filter(is_something).collect();
    let counted: HashSet<ItemTotals> = counted.filter(is_something).collect();
    Ok(Some(stored.symmetric_difference(&counted).map(|one| one.item).collect()))
}

async fn execute<const N: usize>(tx: &WriteTx, sql: &str, values: [Value; N]) -> Result<(), DbErr> {
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await.map(drop)
}
