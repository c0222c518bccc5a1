//! The counted views of an item or playlist: of most weeks from packs, of the others from their rows. Each week of a subject
//! is in one of the two, and both are read by one statement, so that a view is neither missed nor read twice.

use db::Stored;
use futures::TryStreamExt as _;
use kernel::{ContentId, OrgId, PlaylistId, Timestamp, Uid};
use sea_orm::{DatabaseConnection, DbErr, QueryResult, Statement, StreamTrait as _, Value};

use crate::audience_of_item::{Audience, CountedView};
use crate::definitions::devices::Device;
use crate::definitions::spans::Spans;
use crate::definitions::view::{Subject, Verdict};
use crate::series::Range;
use crate::view_pack::{self, week_of};

/// Returns the audience of the counted views of a content item that began in a range.
pub async fn of_content(
    conn: &DatabaseConnection,
    org: OrgId,
    (content, subject): (ContentId, Subject),
    range: Range,
) -> Result<Audience, DbErr> {
    let mut audience = Audience::of_item(subject);
    read(conn, (org, content.uid(), "content"), range, &mut audience).await?;
    Ok(audience)
}

/// Returns the audience of the counted views of a playlist that began in a range.
pub async fn of_playlist(
    conn: &DatabaseConnection,
    org: OrgId,
    playlist: PlaylistId,
    range: Range,
) -> Result<Audience, DbErr> {
    let mut audience = Audience::default();
    read(conn, (org, playlist.uid(), "playlist"), range, &mut audience).await?;
    Ok(audience)
}

/// Returns the sections of the views of a subject in this column. What was seen of the items of a playlist is only shown
/// item by item.
pub fn sections_of(column: &str) -> &'static str {
    if column == "content" { "sections" } else { "''" }
}

/// Adds the views. `column` has the subject. The number is the length of a week.
async fn read(
    conn: &DatabaseConnection,
    (org, subject, column): (OrgId, Uid, &'static str),
    range: Range,
    audience: &mut Audience,
) -> Result<(), DbErr> {
    let sections = sections_of(column);
    let sql = format!(
        "SELECT week, data, hour, viewer, content, device, country, is_finished, sections, uid FROM ( \
         SELECT week, data, CAST(NULL AS bigint) AS hour, CAST(NULL AS uuid) AS viewer, CAST(NULL AS uuid) AS content, \
         CAST(NULL AS text) AS device, CAST(NULL AS text) AS country, CAST(NULL AS boolean) AS is_finished, \
         CAST(NULL AS text) AS sections, CAST(NULL AS uuid) AS uid \
         FROM view_pack WHERE org = $1 AND subject = $2 AND week >= $3 AND week < $5 \
         UNION ALL SELECT u.week, NULL, v.hour, v.viewer, v.content, v.device, v.country, v.is_finished, {sections}, v.uid \
         FROM view_unpacked u CROSS JOIN viewing v WHERE u.org = $1 AND u.subject = $2 AND u.week >= $3 AND u.week < $5 \
         AND v.org = $1 AND v.{column} = $2 AND v.hour >= u.week AND v.hour < u.week + 604800000 \
         AND v.hour >= $4 AND v.hour < $5 AND v.verdict = $6) views"
    );
    let counted = Stored::from(Verdict::Counted).into();
    let Range { start, end } = range;
    let values: [Value; 6] =
        [org.into(), subject.into(), week_of(start).into(), start.into(), end.into(), counted];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, values);
    let is_inside = |view: &CountedView| start <= view.hour && view.hour < end;
    let mut rows = conn.stream_raw(statement).await?;
    while let Some(row) = rows.try_next().await? {
        let week: Timestamp = row.try_get_by_index(0)?;
        match row.try_get_by_index::<Option<Vec<u8>>>(1)? {
            Some(data) => view_pack::read(week, &data, |view| {
                if is_inside(view) {
                    audience.add(view);
                }
            })
            .ok_or_else(|| db::unreadable("view_pack", "data", subject))?,
            None => audience.add(&counted_view(&row, 2)?),
        }
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
