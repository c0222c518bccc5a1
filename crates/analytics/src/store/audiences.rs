//! The counted views of an item or playlist. Those of most days are in the packs of their weeks, those of other days are
//! read from their rows, by the same statement, so that a view is neither missed nor read twice.
//!
//! Viewers who came in one of the packed weeks only are just numbers there. So the other views of those who came on an
//! unpacked day are read, too, and they are taken out of these numbers. If they are many, the views in the packs are read
//! instead of the audiences.

use std::collections::{HashMap, HashSet};

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
use crate::view_pack::{Pack, ViewerKey, utc_day, viewer_key, week_of};

/// Most viewers of unpacked days whose other views are looked up.
const LOOKED_UP: usize = 200;
/// About what a pack has for each viewer, if its views are read.
const BYTES_OF_VIEWER: usize = 24;
const SECONDS_OF_DAY: u32 = (DAY / SECOND) as u32;

/// Returns the audience of the counted views of a content item that began in a range.
pub async fn of_content(
    conn: &DatabaseConnection,
    org: OrgId,
    (content, subject): (ContentId, Subject),
    range: Range,
) -> Result<Audience, DbErr> {
    of_subject(conn, (org, content.uid(), "content"), range, Audience::of_item(subject)).await
}

/// Returns the audience of the counted views of a playlist that began in a range.
pub async fn of_playlist(
    conn: &DatabaseConnection,
    org: OrgId,
    playlist: PlaylistId,
    range: Range,
) -> Result<Audience, DbErr> {
    of_subject(conn, (org, playlist.uid(), "playlist"), range, Audience::default()).await
}

/// Returns an audience, which is empty before.
async fn of_subject(
    conn: &DatabaseConnection,
    key: SubjectKey,
    range: Range,
    audience: Audience,
) -> Result<Audience, DbErr> {
    if let Some(audience) = read(conn, key, range, Weeks::Audiences, audience.clone()).await? {
        return Ok(audience);
    }
    let audience = read(conn, key, range, Weeks::Views, audience).await?;
    audience.ok_or_else(|| db::unreadable("view_pack", "audience", key.1))
}

/// The organisation, the id of an item or playlist, and the column of views that has it.
type SubjectKey = (OrgId, Uid, &'static str);

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

/// Returns the statement. One row has all packs, because a row of SQLite is handed from thread to thread. The numbers are the
/// lengths of a day and of a week. COALESCE keeps the engines from looking views up by the item instead of the viewer, and the
/// bounds of `began_at` keep SQLite from reading all views of the organisation.
fn statement(backend: DbBackend, column: &str) -> String {
    let sections = sections_of(column);
    let joined = match backend {
        DbBackend::Sqlite => "CAST(string_agg(data, '') AS BLOB)",
        _ => "string_agg(data, CAST('' AS bytea))",
    };
    let view = format!(
        "v.hour, v.viewer, v.content, v.device, v.country, v.is_finished, {sections} AS sections, v.uid"
    );
    let of_unpacked_days = format!(
        "view_unpacked u CROSS JOIN viewing v WHERE u.org = $1 AND u.subject = $2 AND u.day >= $3 AND u.day < $5 \
         AND v.org = $1 AND v.{column} = $2 AND v.hour >= u.day AND v.hour < u.day + 86400000 \
         AND v.hour >= $4 AND v.hour < $5 AND v.verdict = $6"
    );
    format!(
        "SELECT p.data, u.days, CAST(NULL AS bigint) AS hour, CAST(NULL AS uuid) AS viewer, CAST(NULL AS uuid) AS content, \
         CAST(NULL AS text) AS device, CAST(NULL AS text) AS country, CAST(NULL AS boolean) AS is_finished, \
         CAST(NULL AS text) AS sections, CAST(NULL AS uuid) AS uid \
         FROM (SELECT {joined} AS data FROM (SELECT CASE WHEN week >= $4 AND week + 604800000 <= $7 AND week NOT IN \
         (SELECT day / 604800000 * 604800000 FROM view_unpacked WHERE org = $1 AND subject = $2 AND day >= $3) \
         THEN audience ELSE data END AS data FROM view_pack \
         WHERE org = $1 AND subject = $2 AND week >= $3 AND week < $5) w) p \
         CROSS JOIN (SELECT string_agg(CAST(day AS text), ',') AS days FROM view_unpacked \
         WHERE org = $1 AND subject = $2 AND day >= $3 AND day < $5) u \
         UNION ALL SELECT NULL, NULL, {view} FROM {of_unpacked_days} \
         UNION ALL SELECT NULL, NULL, {view} FROM (SELECT DISTINCT v.viewer FROM {of_unpacked_days} LIMIT $8) n \
         CROSS JOIN viewing v WHERE v.org = $1 AND v.viewer = n.viewer AND v.began_at >= $4 AND v.began_at < $5 + 86400000 \
         AND COALESCE(v.{column}, v.{column}) = $2 AND v.hour >= $4 AND v.hour < $5 AND v.verdict = $6 AND NOT EXISTS (SELECT 1 FROM view_unpacked u \
         WHERE u.org = $1 AND u.subject = $2 AND u.day = v.hour / 86400000 * 86400000)"
    )
}

/// Adds what was viewed to an audience. Returns `None` if the views of packs have to be read instead of their audiences: an
/// item had another length when they were packed, or there are many viewers on unpacked days.
async fn read(
    conn: &DatabaseConnection,
    (org, subject, column): SubjectKey,
    range: Range,
    weeks: Weeks,
    mut audience: Audience,
) -> Result<Option<Audience>, DbErr> {
    let backend = conn.get_database_backend();
    let Range { start, end } = range;
    let (whole_until, looked_up) = match weeks {
        Weeks::Audiences => (end, LOOKED_UP),
        Weeks::Views => (Timestamp::EPOCH, 0),
    };
    let values: [Value; 8] = [
        org.into(),
        subject.into(),
        week_of(start).into(),
        start.into(),
        end.into(),
        Stored::from(Verdict::Counted).into(),
        whole_until.into(),
        (looked_up as i64).into(),
    ];
    let statement = Statement::from_sql_and_values(backend, statement(backend, column), values);
    let mut rows = conn.stream_raw(statement).await?;
    let (mut unpacked, mut visits) = (HashSet::new(), Visits::default());
    while let Some(row) = rows.try_next().await? {
        let hour: Option<Timestamp> = row.try_get_by_index(2)?;
        if hour.is_some() {
            let view = counted_view(&row, 2)?;
            if weeks == Weeks::Views {
                audience.add(&view);
            } else if !visits.add(view) {
                return Ok(None);
            }
            continue;
        }
        let data: Option<Vec<u8>> = row.try_get_by_index(0)?;
        let days: Option<String> = row.try_get_by_index(1)?;
        let days = days.iter().flat_map(|days| days.split(',')).map(str::parse).collect();
        unpacked = Result::map_err(days, |_| db::unreadable("view_unpacked", "day", subject))?;
        match add_packs(&mut audience, &data.unwrap_or_default(), range, &unpacked) {
            Ok(()) => {}
            Err(Refused::OtherLength) => return Ok(None),
            Err(Refused::Damaged) => return Err(db::unreadable("view_pack", "data", subject)),
        }
    }
    let added = visits.add_to(&mut audience, &unpacked);
    added.map(|()| Some(audience)).ok_or_else(|| db::unreadable("view_pack", "audience", subject))
}

/// Views of people who came on unpacked days, by viewer.
#[derive(Default)]
struct Visits(HashMap<ViewerKey, Vec<CountedView>>);

impl Visits {
    /// Returns whether there are few enough viewers.
    fn add(&mut self, view: CountedView) -> bool {
        self.0.entry(viewer_key(view.viewer)).or_default().push(view);
        self.0.len() <= LOOKED_UP
    }

    /// Adds the views of unpacked days to the audience of all packs. Returns `None` if a pack is damaged.
    fn add_to(self, audience: &mut Audience, unpacked: &HashSet<i64>) -> Option<()> {
        let is_unpacked = |view: &CountedView| unpacked.contains(&utc_day(view.hour).ms());
        for views in self.0.into_values() {
            let (added, packed): (Vec<_>, Vec<_>) = views.into_iter().partition(is_unpacked);
            audience.name_summed(&packed)?;
            added.iter().for_each(|view| audience.add(view));
        }
        Some(())
    }
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
