//! The most viewed items of a range of days. The most viewed of each period tell which items these can be, and only the
//! days and periods of these are added up: an organisation may have thousands of items with views on every day.

use std::fmt::Write as _;

use db::Stored;
use kernel::{ContentId, OrgId, PlaylistId, Timestamp, Uid};
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use super::numbers;
use super::sums::sum;
use crate::series::Range;
use crate::shortlist::{Listed, Periods, Shortlist};
use crate::totals::{DayList, PERIOD, Sum};

/// Maximum number of items in the Home screen's grid.
const POPULAR_MAX: usize = 6;
/// Maximum length of a list of the most watched.
const TOP_MAX: usize = 10;
/// How many of the most viewed items of a period are looked at before it is better to add up all.
const LENGTH: usize = 48;
/// How many items are added up at first, for each of the list. Some of them are mostly enough.
const FIRST_ITEMS: usize = 4;
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
        let listed = self.listed(conn, org, periods).await?;
        for most in [self.count * FIRST_ITEMS, ITEMS_MAX] {
            let shortlist = Shortlist::of(periods, &listed, (self.count, LENGTH, most));
            if shortlist.items.is_empty() {
                return Ok(Vec::new());
            }
            let top = self.added_up(conn, org, (range, periods), Some(&shortlist.items)).await?;
            let is_complete = match (shortlist.others_max, top.get(self.count - 1)) {
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

    /// Returns the join of rows `w` with their items `t`, which leaves out deleted ones. The rows come first, because SQLite
    /// would rather read every item of the organisation.
    fn join(&self) -> String {
        format!("CROSS JOIN {} t WHERE t.uid = w.item AND t.org = $1 AND t.deleted_at IS NULL", self.table)
    }

    /// Returns the most viewed items of each period, without deleted ones.
    async fn listed(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        periods: Periods,
    ) -> Result<Vec<Listed>, DbErr> {
        let mut values: Vec<Value> = vec![org.into(), Stored::from(self.list).into(), (LENGTH as i64).into()];
        let (mut lists, join) = (String::new(), self.join());
        for period in periods.starts() {
            values.push(period.into());
            let (number, union) = (values.len(), if lists.is_empty() { "" } else { " UNION ALL " });
            // Writing to a String cannot fail.
            let _ = write!(
                lists,
                "{union}SELECT period, item, views FROM (SELECT w.period, w.item, w.views FROM watch_period w \
                 {join} AND w.org = $1 AND w.list = $2 AND w.period = ${number} \
                 ORDER BY w.views DESC LIMIT $3) p{number}"
            );
        }
        let rest = format!("FROM ({lists}) lists");
        let rows = numbers::select_by_id(conn, ("item", ["period", "views"]), &rest, values).await?;
        let listed = |(item, [period, views]): (Uid, [i64; 2])| Listed {
            period: Timestamp::from_ms(period),
            item,
            views,
        };
        Ok(rows.into_iter().map(listed).collect())
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
        let Range { start: first, end } = periods.whole;
        let list = Stored::from(self.list).into();
        let mut values: Vec<Value> =
            vec![org.into(), list, range.start.into(), first.into(), end.into(), range.end.into()];
        // The items come first, because SQLite would rather read everything of an organisation.
        let (mut want, mut of_items, mut of_list) = (String::new(), "", " AND w.list = $2");
        if let Some(items) = items {
            // Few sizes, so that few statements are prepared.
            let size = items.len().next_multiple_of(self.count);
            let padded = items.iter().copied().chain(std::iter::repeat_n(Uid::nil(), size - items.len()));
            for (n, item) in padded.enumerate() {
                values.push(item.into());
                let _ = write!(want, "{}(${})", if n == 0 { "" } else { ", " }, values.len());
            }
            want = format!("WITH want (item) AS (VALUES {want}) ");
            // An item belongs to one list.
            (of_items, of_list) = (" AND w.item = want.item", "");
        }
        let from =
            |table| if items.is_some() { format!("want CROSS JOIN {table} w") } else { format!("{table} w") };
        let (periods, days) = (from("watch_period"), from("watch_day"));
        let Self { table, condition, order, count, .. } = self;
        let columns = "w.item, w.watch_ms, w.late_ms, w.views";
        let sql = format!(
            "{want}SELECT item, watch_ms, late_ms, views FROM (SELECT w.*, (SELECT t.title FROM {table} t \
             WHERE t.uid = w.item AND t.org = $1 AND t.deleted_at IS NULL) AS title FROM (SELECT item, \
             CAST(SUM(watch_ms) AS BIGINT) AS watch_ms, CAST(SUM(late_ms) AS BIGINT) AS late_ms, \
             CAST(SUM(views) AS BIGINT) AS views FROM ( \
             SELECT {columns} FROM {periods} WHERE w.org = $1 AND w.list = $2{of_items} AND w.period >= $4 AND w.period < $5 \
             UNION ALL SELECT {columns} FROM {days} WHERE w.org = $1{of_list}{of_items} AND w.day >= $3 AND w.day < $4 \
             UNION ALL SELECT {columns} FROM {days} WHERE w.org = $1{of_list}{of_items} AND w.day >= $5 AND w.day < $6 \
             ) parts GROUP BY item) w) w WHERE title IS NOT NULL{condition} ORDER BY {order} LIMIT {count}"
        );
        let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
        let rows = conn.query_all_raw(statement).await?;
        rows.iter().map(|row| Ok((row.try_get_by_index(0)?, sum(row, 1)?))).collect()
    }
}
