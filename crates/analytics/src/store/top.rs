//! The most viewed items of a range of days. The most viewed of each period tell which items these can be, and only the
//! days and periods of these are added up: an organisation may have thousands of items with views on every day.

use std::collections::HashSet;
use std::fmt::Write as _;

use db::Stored;
use kernel::{ContentId, OrgId, PlaylistId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement, Value};

use super::numbers;
use super::sums::sum;
use crate::series::Range;
use crate::shortlist::{Listed, Periods, Shortlist};
use crate::totals::{DayList, PERIOD, Sum};

/// Maximum number of items in the Home screen's grid.
pub const POPULAR_MAX: usize = 6;
/// Maximum length of a list of the most watched.
const TOP_MAX: usize = 10;
/// How many of the most viewed items of a period are looked at before it is better to add up all.
const LENGTH: usize = 48;
/// How many items are added up at first, for each of the list. Some of them are mostly enough.
const FIRST_ITEMS: usize = 2;
/// How many items are added up before it is better to add up all.
const ITEMS_MAX: usize = 64;

/// A list of the most viewed.
struct List {
    list: DayList,
    /// Table of the items.
    table: &'static str,
    /// A further condition.
    condition: &'static str,
    order: &'static str,
    count: usize,
}

const POPULAR: List = List {
    list: DayList::Content,
    table: "content",
    condition: " AND views > 0",
    order: "views DESC, title ASC",
    count: POPULAR_MAX,
};

const CONTENT: List = List {
    list: DayList::Content,
    table: "content",
    condition: "",
    order: "views DESC, watch_ms DESC, item",
    count: TOP_MAX,
};

const PLAYLISTS: List = List {
    list: DayList::Playlist,
    table: "playlist",
    condition: "",
    order: "views DESC, watch_ms DESC, item",
    count: TOP_MAX,
};

/// Returns the content items viewed most since the start of a day, without deleted ones and those without views.
pub async fn popular(
    conn: &impl ConnectionTrait,
    org: OrgId,
    since: Timestamp,
    now: Timestamp,
) -> Result<Vec<(ContentId, Sum)>, DbErr> {
    // No day begins later than this.
    let range = Range { start: since, end: now + PERIOD };
    Ok(ids(POPULAR.read(conn, org, range).await?))
}

/// Returns the most viewed content items of a range, without deleted ones.
pub async fn content(
    conn: &impl ConnectionTrait,
    org: OrgId,
    range: Range,
) -> Result<Vec<(ContentId, Sum)>, DbErr> {
    Ok(ids(CONTENT.read(conn, org, range).await?))
}

/// Returns the most viewed playlists of a range, without deleted ones.
pub async fn playlists(
    conn: &impl ConnectionTrait,
    org: OrgId,
    range: Range,
) -> Result<Vec<(PlaylistId, Sum)>, DbErr> {
    Ok(ids(PLAYLISTS.read(conn, org, range).await?))
}

fn ids<Id: From<Uid>>(items: Vec<(Uid, Sum)>) -> Vec<(Id, Sum)> {
    items.into_iter().map(|(item, sum)| (item.into(), sum)).collect()
}

impl List {
    async fn read(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        range: Range,
    ) -> Result<Vec<(Uid, Sum)>, DbErr> {
        if range.start >= range.end {
            return Ok(Vec::new());
        }
        let periods = Periods::of(range);
        let (listed, deleted) = self.listed(conn, org, periods).await?;
        for most in [self.count * FIRST_ITEMS, ITEMS_MAX] {
            let Shortlist { items, others_max } =
                Shortlist::of(periods, (&listed, &deleted), (self.count, LENGTH, most));
            let top = match items.as_slice() {
                [] => Vec::new(),
                items => self.added_up(conn, org, (range, periods), Some(items)).await?,
            };
            let is_complete = match (others_max, top.get(self.count - 1)) {
                (None, _) => true,
                (Some(others), Some((_, last))) => others < last.views,
                (Some(_), None) => false,
            };
            if is_complete {
                return Ok(top);
            }
        }
        self.added_up(conn, org, (range, periods), None).await
    }

    /// Returns the most viewed items of each period, and which items are deleted: one list of these takes less time than a
    /// look-up of each item.
    async fn listed(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        periods: Periods,
    ) -> Result<(Vec<Listed>, HashSet<Uid>), DbErr> {
        let backend = conn.get_database_backend();
        let mut values: Vec<Value> = vec![org.into(), Stored::from(self.list).into()];
        let mut lists = String::new();
        for period in periods.starts() {
            values.push(period.into());
            let (number, union) = (values.len(), if lists.is_empty() { "" } else { " UNION ALL " });
            // Writing to a String cannot fail.
            let _ = write!(
                lists,
                "{union}SELECT period, item, views FROM (SELECT period, item, views FROM watch_period \
                 WHERE org = $1 AND list = $2 AND period = ${number} ORDER BY views DESC LIMIT {LENGTH}) p{number}"
            );
        }
        let sql = format!(
            "SELECT * FROM (SELECT {} FROM ({lists}) lists) listed CROSS JOIN ({}) deleted",
            numbers::columns_by_id(backend, ("item", ["period", "views"])),
            numbers::deleted_of_org(backend, self.table),
        );
        let row = conn.query_one_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
        let Some(row) = row else { return Ok(Default::default()) };
        let listed = |(item, [period, views]): (Uid, [i64; 2])| Listed {
            period: Timestamp::from_ms(period),
            item,
            views,
        };
        let rows = numbers::by_id(&row, 0)?;
        Ok((rows.into_iter().map(listed).collect(), numbers::ids(&row, 3)?.into_iter().collect()))
    }

    /// Returns the first of these items, or of all, by their sums in the range, without deleted ones. Their titles are looked
    /// up one by one, because PostgreSQL would rather read every item.
    async fn added_up(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        (range, periods): (Range, Periods),
        items: Option<&[Uid]>,
    ) -> Result<Vec<(Uid, Sum)>, DbErr> {
        let (backend, Range { start: first, end }) = (conn.get_database_backend(), periods.whole);
        let list = Stored::from(self.list).into();
        let mut values: Vec<Value> =
            vec![org.into(), list, range.start.into(), first.into(), end.into(), range.end.into()];
        let mut want = String::new();
        if let Some(items) = items {
            // Few sizes, so that few statements are prepared.
            let size = items.len().next_multiple_of(self.count);
            let padded = items.iter().copied().chain(std::iter::repeat_n(Uid::nil(), size - items.len()));
            for (n, item) in padded.enumerate() {
                values.push(item.into());
                let _ = write!(want, "{}(${})", if n == 0 { "" } else { ", " }, values.len());
            }
            want = format!("WITH want (item) AS (VALUES {want}) ");
        }
        let (sums, Self { table, condition, order, count, .. }) = (sums(backend, items.is_some()), self);
        // Titles are compared like those of packed totals, whatever the language of the database.
        let title = if backend == DbBackend::Sqlite { "t.title" } else { "t.title COLLATE \"C\"" };
        let sql = format!(
            "{want}SELECT item, watch_ms, late_ms, views FROM (SELECT w.*, (SELECT {title} FROM {table} t \
             WHERE t.uid = w.item AND t.org = $1 AND t.deleted_at IS NULL) AS title FROM ({sums}) w) w \
             WHERE title IS NOT NULL AND views IS NOT NULL{condition} ORDER BY {order} LIMIT {count}"
        );
        let rows = conn.query_all_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
        rows.iter().map(|row| Ok((row.try_get_by_index(0)?, sum(row, 1)?))).collect()
    }
}

/// Returns what selects the sums of the items that are wanted, or of all. Each wanted item is looked up by itself, whatever
/// the database expects: SQLite would rather read everything of an organisation, and PostgreSQL plans for one of average
/// size.
fn sums(backend: DbBackend, is_wanted: bool) -> String {
    // An item belongs to one list. The index of periods is of no use for it.
    let (of_list, of_item, period) = if is_wanted {
        ("", " AND w.item = want.item", "w.period + 0")
    } else {
        (" AND w.list = $2", "", "w.period")
    };
    let want = if is_wanted && backend == DbBackend::Sqlite { "want CROSS JOIN " } else { "" };
    let columns = "w.item, w.watch_ms, w.late_ms, w.views";
    let days = format!("SELECT {columns} FROM {want}watch_day w WHERE w.org = $1{of_list}{of_item}");
    let parts = format!(
        "SELECT {columns} FROM {want}watch_period w WHERE w.org = $1 AND w.list = $2{of_item} \
         AND {period} >= $4 AND {period} < $5 \
         UNION ALL {days} AND w.day >= $3 AND w.day < $4 UNION ALL {days} AND w.day >= $5 AND w.day < $6"
    );
    let sums = "CAST(SUM(watch_ms) AS BIGINT) AS watch_ms, CAST(SUM(late_ms) AS BIGINT) AS late_ms, \
         CAST(SUM(views) AS BIGINT) AS views";
    if is_wanted && backend != DbBackend::Sqlite {
        return format!(
            "SELECT want.item, s.* FROM want CROSS JOIN LATERAL (SELECT {sums} FROM ({parts}) parts) s"
        );
    }
    format!("SELECT item, {sums} FROM ({parts}) parts GROUP BY item")
}
