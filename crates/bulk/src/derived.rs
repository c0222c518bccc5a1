//! What the server derives from requests and views, derived by SQL.

use db::Db;
use kernel::PlaylistId;
use sea_orm::{ConnectionTrait as _, Statement, Value};

use crate::Error;

/// What is derived from the organisations and views. $1 is the id that stands for no playlist. The index is only for
/// these statements.
const DERIVED: [&str; 21] = [
    // Otherwise all days would be counted again.
    "INSERT INTO zone_cut (org, time_zone) SELECT uid, time_zone FROM organisation",
    "CREATE UNIQUE INDEX fill_key ON viewer_key (org, viewer)",
    "INSERT INTO watch_hour SELECT org, org, hour, SUM(credit_ms), 0, COUNT(*) FROM viewing GROUP BY org, hour",
    "INSERT INTO watch_hour SELECT org, content, hour, SUM(credit_ms), 0, COUNT(*) FROM viewing \
     GROUP BY org, content, hour",
    "INSERT INTO watch_hour SELECT org, playlist, hour, SUM(credit_ms), 0, COUNT(*) FROM viewing \
     WHERE playlist IS NOT NULL GROUP BY org, playlist, hour",
    "INSERT INTO watch_day SELECT org, 'organisation', hour / 86400000 * 86400000, org, SUM(credit_ms), 0, COUNT(*) \
     FROM viewing GROUP BY 1, 3",
    "INSERT INTO watch_day SELECT org, 'content', hour / 86400000 * 86400000, content, SUM(credit_ms), 0, COUNT(*) \
     FROM viewing GROUP BY 1, 3, 4",
    "INSERT INTO watch_day SELECT org, 'playlist', hour / 86400000 * 86400000, playlist, SUM(credit_ms), 0, COUNT(*) \
     FROM viewing WHERE playlist IS NOT NULL GROUP BY 1, 3, 4",
    "INSERT INTO watch_period SELECT org, list, item, day / 2419200000 * 2419200000, SUM(watch_ms), SUM(late_ms), \
     SUM(views) FROM watch_day WHERE list <> 'organisation' GROUP BY 1, 2, 3, 4",
    "INSERT INTO watch_playlist SELECT org, playlist, SUM(credit_ms), 0, COUNT(*) FROM viewing \
     WHERE playlist IS NOT NULL GROUP BY org, playlist",
    "INSERT INTO watch_playlist_content SELECT org, playlist, hour / 86400000 * 86400000, content, SUM(credit_ms), 0, \
     COUNT(*) FROM viewing WHERE playlist IS NOT NULL GROUP BY 1, 2, 3, 4",
    "INSERT INTO watch_slot SELECT org, hour / 2419200000 * 2419200000, hour % 604800000, SUM(watch_ms) \
     FROM watch_hour WHERE subject = org GROUP BY 1, 2, 3",
    "INSERT INTO watch_playlist_period SELECT org, playlist, day / 2419200000 * 2419200000, content, SUM(watch_ms), \
     SUM(late_ms), SUM(views) FROM watch_playlist_content GROUP BY 1, 2, 3, 4",
    "INSERT INTO watch_person SELECT v.org, k.person, k.since, v.hour, v.content, COALESCE(v.playlist, $1), \
     SUM(v.credit_ms), COUNT(*), 0 FROM viewing v JOIN viewer_key k ON k.org = v.org AND k.viewer = v.viewer \
     GROUP BY 1, 2, 3, 4, 5, 6",
    "INSERT INTO view_unpacked SELECT DISTINCT org, content, hour / 86400000 * 86400000 FROM viewing",
    "INSERT INTO view_unpacked SELECT DISTINCT org, playlist, hour / 86400000 * 86400000 FROM viewing \
     WHERE playlist IS NOT NULL",
    "INSERT INTO total_unpacked SELECT org, uid, views, watch_ms FROM content WHERE views > 0",
    "INSERT INTO activity SELECT v.org, k.person, k.since, v.began_at, v.uid, 'view', v.content, v.playlist \
     FROM viewing v JOIN viewer_key k ON k.org = v.org AND k.viewer = v.viewer",
    "INSERT INTO coverage SELECT v.org, v.viewer, v.content, MAX(v.sections), 0.1, MAX(v.hour) / 86400000 \
     FROM viewing v JOIN viewer_key k ON k.org = v.org AND k.viewer = v.viewer GROUP BY 1, 2, 3",
    "INSERT INTO visitor SELECT org, person, since, MAX(hour), MAX(hour) / 86400000, '' FROM watch_person \
     GROUP BY org, person, since",
    "DROP INDEX fill_key",
];

/// Derives everything, in one transaction for each statement.
pub async fn derive(db: &Db) -> Result<(), Error> {
    for sql in DERIVED {
        let tx = db.write_tx().await?;
        let values: Vec<Value> = if sql.contains("$1") { vec![PlaylistId::nil().into()] } else { Vec::new() };
        let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
        tx.execute_raw(statement).await.map_err(|error| Error::Derived(sql, error))?;
        tx.commit().await?;
    }
    Ok(())
}
