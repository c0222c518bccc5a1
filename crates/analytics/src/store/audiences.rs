//! The counted views of an item or playlist. Those of most days are in the packs of their weeks, those of other days are
//! read from their rows, by the same statement, so that a view is neither missed nor read twice.

use std::collections::HashSet;

use db::Stored;
use futures::TryStreamExt as _;
use kernel::{ContentId, DAY, OrgId, PlaylistId, SECOND, Timestamp, Uid};
use sea_orm::{DatabaseConnection, DbBackend, DbErr, QueryResult, Statement, StreamTrait as _, Value};

use crate::audience_of_item::stored::{self, Refused};
use crate::audience_of_item::{Audience, CountedView};
use crate::definitions::devices::Device;
use crate::definitions::spans::Spans;
use crate::definitions::view::{Subject, Verdict};
use crate::series::Range;
use crate::view_pack::{Pack, week_of};

/// About what a pack has for each viewer.
const BYTES_OF_VIEWER: usize = 12;
const SECONDS_OF_DAY: u32 = (DAY / SECOND) as u32;

/// Returns the audience of the counted views of a content item that began in a range.
pub async fn of_content(
    conn: &DatabaseConnection,
    org: OrgId,
    (content, subject): (ContentId, Subject),
    range: Range,
) -> Result<Audience, DbErr> {
    let key = (org, content.uid(), "content");
    if let Some(audience) = read(conn, key, range, Weeks::Audiences, Audience::of_item(subject)).await? {
        return Ok(audience);
    }
    // The length of the item has become known or has changed since a week was packed.
    let audience = read(conn, key, range, Weeks::Views, Audience::of_item(subject)).await?;
    audience.ok_or_else(|| db::unreadable("view_pack", "audience", content))
}

/// Returns the audience of the counted views of a playlist that began in a range.
pub async fn of_playlist(
    conn: &DatabaseConnection,
    org: OrgId,
    playlist: PlaylistId,
    range: Range,
) -> Result<Audience, DbErr> {
    let key = (org, playlist.uid(), "playlist");
    let audience = read(conn, key, range, Weeks::Audiences, Audience::default()).await?;
    audience.ok_or_else(|| db::unreadable("view_pack", "audience", playlist))
}

/// What is read of packed weeks that are wholly within a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weeks {
    Audiences,
    Views,
}

/// Returns the sections of the views of a subject in this column. What was seen of the items of a playlist is only shown
/// item by item.
pub fn sections_of(column: &str) -> &'static str {
    if column == "content" { "sections" } else { "''" }
}

/// Adds what was viewed to an audience. `column` has the subject. One row has all packs, because a row of SQLite is handed
/// from thread to thread. Returns `None` if an item had another length when its audience was packed. The numbers are the
/// lengths of a day and of a week.
async fn read(
    conn: &DatabaseConnection,
    (org, subject, column): (OrgId, Uid, &'static str),
    range: Range,
    weeks: Weeks,
    mut audience: Audience,
) -> Result<Option<Audience>, DbErr> {
    let sections = sections_of(column);
    let backend = conn.get_database_backend();
    let joined = match backend {
        DbBackend::Sqlite => "CAST(string_agg(data, '') AS BLOB)",
        _ => "string_agg(data, CAST('' AS bytea))",
    };
    let sql = format!(
        "SELECT p.data, u.days, CAST(NULL AS bigint) AS hour, CAST(NULL AS uuid) AS viewer, CAST(NULL AS uuid) AS content, \
         CAST(NULL AS text) AS device, CAST(NULL AS text) AS country, CAST(NULL AS boolean) AS is_finished, \
         CAST(NULL AS text) AS sections, CAST(NULL AS uuid) AS uid \
         FROM (SELECT {joined} AS data FROM (SELECT CASE WHEN week >= $4 AND week + 604800000 <= $7 AND week NOT IN \
         (SELECT day / 604800000 * 604800000 FROM view_unpacked WHERE org = $1 AND subject = $2 AND day >= $3) \
         THEN audience ELSE data END AS data FROM view_pack \
         WHERE org = $1 AND subject = $2 AND week >= $3 AND week < $5) w) p \
         CROSS JOIN (SELECT string_agg(CAST(day AS text), ',') AS days FROM view_unpacked \
         WHERE org = $1 AND subject = $2 AND day >= $3 AND day < $5) u \
         UNION ALL SELECT NULL, NULL, v.hour, v.viewer, v.content, v.device, v.country, v.is_finished, {sections}, v.uid \
         FROM view_unpacked u CROSS JOIN viewing v WHERE u.org = $1 AND u.subject = $2 AND u.day >= $3 AND u.day < $5 \
         AND v.org = $1 AND v.{column} = $2 AND v.hour >= u.day AND v.hour < u.day + 86400000 \
         AND v.hour >= $4 AND v.hour < $5 AND v.verdict = $6"
    );
    let counted = Stored::from(Verdict::Counted).into();
    let Range { start, end } = range;
    let whole_until = if weeks == Weeks::Audiences { end } else { Timestamp::EPOCH };
    let values: [Value; 7] = [
        org.into(),
        subject.into(),
        week_of(start).into(),
        start.into(),
        end.into(),
        counted,
        whole_until.into(),
    ];
    let mut rows = conn.stream_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
    while let Some(row) = rows.try_next().await? {
        let hour: Option<Timestamp> = row.try_get_by_index(2)?;
        if hour.is_some() {
            audience.add(&counted_view(&row, 2)?);
            continue;
        }
        let data: Option<Vec<u8>> = row.try_get_by_index(0)?;
        let days: Option<String> = row.try_get_by_index(1)?;
        let days =
            days.iter().flat_map(|days| days.split(',')).map(str::parse).collect::<Result<HashSet<i64>, _>>();
        let days = days.map_err(|_| db::unreadable("view_unpacked", "day", subject))?;
        match add_packs(&mut audience, &data.unwrap_or_default(), range, &days) {
            Ok(()) => {}
            Err(Refused::OtherLength) => return Ok(None),
            Err(Refused::Damaged) => return Err(db::unreadable("view_pack", "data", subject)),
        }
    }
    Ok(Some(audience))
}

/// Adds packs: audiences of whole weeks, and views, except for those of days that are read from their rows.
fn add_packs(
    audience: &mut Audience,
    mut packs: &[u8],
    range: Range,
    unpacked: &HashSet<i64>,
) -> Result<(), Refused> {
    audience.reserve(packs.len() / BYTES_OF_VIEWER);
    while let Some(version) = packs.first() {
        if *version == stored::VERSION {
            packs = audience.add_stored(packs)?;
            continue;
        }
        let (pack, rest) = Pack::read(packs).ok_or(Refused::Damaged)?;
        let second = |time: Timestamp| (time - pack.week) / SECOND;
        let (start, end) = (second(range.start), second(range.end));
        let is_unpacked: [bool; 7] =
            std::array::from_fn(|day| unpacked.contains(&(pack.week + day as i64 * DAY).ms()));
        let is_shown = |second: u32| {
            let day = second / SECONDS_OF_DAY;
            let second = i64::from(second);
            start <= second && second < end && is_unpacked.get(day as usize) == Some(&false)
        };
        audience.add_pack(&pack, is_shown).ok_or(Refused::Damaged)?;
        packs = rest;
    }
    Ok(())
}

/// Reads a view from the columns of the statement above, from `hour` on.
pub fn counted_view(row: &QueryResult, first: usize) -> Result<CountedView, DbErr> {
    let uid: Uid = row.try_get_by_index(first + 7)?;
    let device: Stored<Device> = row.try_get_by_index(first + 3)?;
    let country: Option<String> = row.try_get_by_index(first + 4)?;
    let country = country.map(|code| code.as_bytes().try_into()).transpose();
    let sections: String = row.try_get_by_index(first + 6)?;
    Ok(CountedView {
        hour: row.try_get_by_index(first)?,
        viewer: row.try_get_by_index(first + 1)?,
        content: row.try_get_by_index(first + 2)?,
        device: device.known("viewing", "device", uid)?,
        country: country.map_err(|_| db::unreadable("viewing", "country", uid))?,
        is_finished: row.try_get_by_index(first + 5)?,
        sections: Spans::read(&sections).ok_or_else(|| db::unreadable("viewing", "sections", uid))?,
    })
}
