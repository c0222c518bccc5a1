//! The audience of a playlist, counted by the database: a playlist has too many views to read each of them.

use std::collections::HashMap;

use db::Stored;
use kernel::{ContentId, OrgId, PlaylistId};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};

use crate::definitions::devices::Device;
use crate::definitions::view::Verdict;
use crate::series::Range;

/// Views, and how many of them reached the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    pub finished: usize,
    pub views: usize,
}

/// Who watched, and how far. The numbers of people are those of different viewers.
#[derive(Clone, Debug, Default)]
pub struct Audience {
    pub uniques: usize,
    pub total: Finished,
    pub items: HashMap<ContentId, Finished>,
    pub devices: Vec<(Device, usize)>,
    pub countries: Vec<(String, usize)>,
}

/// One row for all views, one for each item, one for each device and one for each country.
const SELECT: &str = "WITH counted AS MATERIALIZED (SELECT viewer, content, device, country, is_finished FROM viewing \
     WHERE org = $1 AND playlist = $2 AND hour >= $3 AND hour < $4 AND verdict = $5) \
     SELECT content, device, country, uniques, finished, views FROM ( \
     SELECT CAST(NULL AS uuid) AS content, CAST(NULL AS text) AS device, CAST(NULL AS text) AS country, \
     COUNT(DISTINCT viewer) AS uniques, COUNT(CASE WHEN is_finished THEN 1 END) AS finished, COUNT(*) AS views \
     FROM counted \
     UNION ALL SELECT content, NULL, NULL, 0, COUNT(CASE WHEN is_finished THEN 1 END), COUNT(*) \
     FROM counted GROUP BY content \
     UNION ALL SELECT NULL, device, NULL, COUNT(DISTINCT viewer), 0, 0 FROM counted GROUP BY device \
     UNION ALL SELECT NULL, NULL, country, COUNT(DISTINCT viewer), 0, 0 FROM counted \
     WHERE country IS NOT NULL GROUP BY country) counts";

/// Returns the audience of the counted views of a playlist that began in a range.
pub async fn of_playlist(
    conn: &impl ConnectionTrait,
    org: OrgId,
    playlist: PlaylistId,
    range: Range,
) -> Result<Audience, DbErr> {
    let counted = Stored::from(Verdict::Counted).into();
    let values: [Value; 5] = [org.into(), playlist.into(), range.start.into(), range.end.into(), counted];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), SELECT, values);
    let mut audience = Audience::default();
    for row in &conn.query_all_raw(statement).await? {
        audience.add(org, row)?;
    }
    Ok(audience)
}

impl Audience {
    fn add(&mut self, org: OrgId, row: &QueryResult) -> Result<(), DbErr> {
        // A count is never negative.
        let count = |index| row.try_get_by_index(index).map(|count: i64| usize::try_from(count).unwrap_or(0));
        let uniques = count(3)?;
        let finished = Finished { finished: count(4)?, views: count(5)? };
        if let Some(content) = row.try_get_by_index::<Option<ContentId>>(0)? {
            self.items.insert(content, finished);
        } else if let Some(device) = row.try_get_by_index::<Option<Stored<Device>>>(1)? {
            self.devices.push((device.known("viewing", "device", org)?, uniques));
        } else if let Some(country) = row.try_get_by_index(2)? {
            self.countries.push((country, uniques));
        } else {
            (self.uniques, self.total) = (uniques, finished);
        }
        Ok(())
    }
}
