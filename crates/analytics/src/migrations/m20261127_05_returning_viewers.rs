//! Audiences of packed weeks keep only those viewers one by one who came in another week, too.

use sea_orm_migration::prelude::*;

/// The days of all views, as they were marked when this step was written.
const UNPACK: &str = "INSERT INTO view_unpacked (org, subject, day) \
     SELECT org, content, hour / 86400000 * 86400000 FROM viewing WHERE verdict = 'counted' UNION \
     SELECT org, playlist, hour / 86400000 * 86400000 FROM viewing WHERE verdict = 'counted' AND playlist IS NOT NULL \
     ON CONFLICT DO NOTHING";

/// Removes the packs. All days are read from their views until a job packs them.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261127_05_returning_viewers"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared("DELETE FROM view_pack").await?;
        connection.execute_unprepared(UNPACK).await.map(drop)
    }
}
