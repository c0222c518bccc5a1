//! Events as received, and lengths that only players know.

use std::collections::HashMap;

use db::rows::WriteSet;
use kernel::{ContentId, OrgId, Timestamp, ViewerId};
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use crate::definitions::zone::Zone;
use crate::model::ReportedLength;

/// A content item of an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemKey {
    pub org: OrgId,
    pub content: ContentId,
}

/// Events of one viewer in one request.
pub struct Batch {
    pub org: OrgId,
    /// UTC day on which they were received.
    pub day: i64,
    pub viewer: ViewerId,
    /// Start of the consent under which the name is used, or the epoch.
    pub since: Timestamp,
    pub received_at: Timestamp,
    pub events: String,
    /// Rejected ids with reasons, as JSON; `None` if all events were accepted.
    pub rejected: Option<String>,
}

/// Adds events as received.
pub fn insert_batches(writes: &mut WriteSet, batches: Vec<Batch>) -> Result<(), DbErr> {
    let rows: Vec<[Value; 7]> = batches
        .into_iter()
        .map(|batch| {
            [
                batch.org.into(),
                batch.day.into(),
                batch.viewer.into(),
                batch.since.into(),
                batch.received_at.into(),
                batch.events.into(),
                batch.rejected.into(),
            ]
        })
        .collect();
    writes.upsert("event_batch (org, day, viewer, since, received_at, events, rejected)", &rows, "")
}

/// Returns the time zone of an organisation, and the length of one of its items as far as players reported it.
pub async fn zone_and_length(
    conn: &impl ConnectionTrait,
    key: ItemKey,
) -> Result<(Zone, ReportedLength), DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT o.time_zone, l.duration_ms, l.pages, c.since FROM organisation o \
         LEFT JOIN zone_cut c ON c.org = o.uid LEFT JOIN content_length l ON l.org = o.uid AND l.content = $2 WHERE o.uid = $1",
        [key.org.into(), key.content.into()],
    );
    let Some(row) = conn.query_one_raw(statement).await? else {
        return Ok((Zone::named(""), ReportedLength::default()));
    };
    let length = ReportedLength { duration_ms: row.try_get_by_index(1)?, pages: row.try_get_by_index(2)? };
    let name: String = row.try_get_by_index(0)?;
    Ok((Zone::named(&name).cut_since(row.try_get_by_index(3)?), length))
}

/// Returns the lengths that players reported.
pub async fn lengths(
    conn: &impl ConnectionTrait,
    keys: &[ItemKey],
) -> Result<HashMap<ItemKey, ReportedLength>, DbErr> {
    let wanted: Vec<[Value; 2]> = keys.iter().map(|key| [key.org.into(), key.content.into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, content",
        &wanted,
        "SELECT l.org, l.content, l.duration_ms, l.pages FROM want JOIN content_length l \
         ON l.org = want.org AND l.content = want.content",
    )
    .await?;
    rows.iter()
        .map(|row| {
            let key = ItemKey { org: row.try_get_by_index(0)?, content: row.try_get_by_index(1)? };
            let length =
                ReportedLength { duration_ms: row.try_get_by_index(2)?, pages: row.try_get_by_index(3)? };
            Ok((key, length))
        })
        .collect()
}

/// Adds lengths. What is known already stays, also if another transaction has been first.
pub fn save_lengths(
    writes: &mut WriteSet,
    lengths: impl Iterator<Item = (ItemKey, ReportedLength)>,
) -> Result<(), DbErr> {
    let rows: Vec<[Value; 4]> = lengths
        .map(|(key, length)| {
            [key.org.into(), key.content.into(), length.duration_ms.into(), length.pages.into()]
        })
        .collect();
    writes.upsert(
        "content_length (org, content, duration_ms, pages)",
        &rows,
        "ON CONFLICT (org, content) DO UPDATE SET \
         duration_ms = COALESCE(content_length.duration_ms, excluded.duration_ms), \
         pages = COALESCE(content_length.pages, excluded.pages)",
    )
}
