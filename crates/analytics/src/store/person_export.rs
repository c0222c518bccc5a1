//! What is stored about one person, for the person's export.

use kernel::{ContentId, OrgId, PersonId, PlaylistId, Timestamp, iso};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement};
use serde_json::{Value, json};

use super::none_if_nil;

/// Rows of each kind.
const ROWS_MAX: i64 = 50_000;

/// Returns what the person did, newest first.
pub async fn history(conn: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<Value, DbErr> {
    let rows = rows(
        conn,
        "SELECT kind, at, content, playlist FROM activity \
         WHERE org = $1 AND person = $2 ORDER BY at DESC LIMIT $3",
        (org, person),
    )
    .await?;
    rows.iter()
        .map(|row| {
            let kind: String = row.try_get_by_index(0)?;
            let at: Timestamp = row.try_get_by_index(1)?;
            let content: Option<ContentId> = row.try_get_by_index(2)?;
            let playlist: Option<PlaylistId> = row.try_get_by_index(3)?;
            Ok(json!({ "type": kind, "time": iso(at), "contentId": content, "playlistId": playlist }))
        })
        .collect()
}

/// Returns what the person watched by hour, newest first.
pub async fn watched(conn: &impl ConnectionTrait, org: OrgId, person: PersonId) -> Result<Value, DbErr> {
    let rows = rows(
        conn,
        "SELECT hour, content, playlist, watch_ms, views, visits FROM watch_person \
         WHERE org = $1 AND person = $2 ORDER BY hour DESC LIMIT $3",
        (org, person),
    )
    .await?;
    rows.iter()
        .map(|row| {
            let hour: Timestamp = row.try_get_by_index(0)?;
            let content: Option<ContentId> = none_if_nil(row.try_get_by_index(1)?);
            let playlist: Option<PlaylistId> = none_if_nil(row.try_get_by_index(2)?);
            let number = |index: usize| row.try_get_by_index::<i64>(index);
            Ok(json!({
                "hour": iso(hour), "contentId": content, "playlistId": playlist,
                "watchTimeMs": number(3)?, "views": number(4)?, "visits": number(5)?,
            }))
        })
        .collect()
}

async fn rows(
    conn: &impl ConnectionTrait,
    sql: &'static str,
    (org, person): (OrgId, PersonId),
) -> Result<Vec<QueryResult>, DbErr> {
    let values = [org.into(), person.into(), ROWS_MAX.into()];
    conn.query_all_raw(Statement::from_sql_and_values(conn.get_database_backend(), sql, values)).await
}
