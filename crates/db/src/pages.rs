//! Removes many rows, a page per transaction, so that others can write in between.

use std::time::Duration;

use sea_orm::sea_query::{IntoCondition, SimpleExpr};
use sea_orm::{ColumnTrait as _, DbErr, EntityTrait, QueryFilter as _, QuerySelect as _, QueryTrait as _};

use crate::Db;

/// Most rows that are removed in one transaction.
const PAGE: u64 = 1_000;
/// Time between two pages. Without it, the first removal after a long time would have SQLite's only writer all along.
const PAUSE: Duration = Duration::from_millis(20);

/// Removes the rows of a table that `selected` selects. Returns their number. `key` is the column that identifies a row.
///
/// # Errors
/// Fails if the database does not answer. What was removed until then stays removed.
pub async fn remove_in_pages<E: EntityTrait>(
    db: &Db,
    key: E::Column,
    selected: impl IntoCondition,
) -> Result<u64, DbErr> {
    let (selected, mut all) = (selected.into_condition(), 0);
    loop {
        let page = E::find().select_only().column(key).filter(selected.clone()).limit(PAGE).into_query();
        let of_page: SimpleExpr = key.in_subquery(page);
        let tx = db.write_tx().await?;
        let removed = E::delete_many().filter(of_page).exec(&tx).await?.rows_affected;
        tx.commit().await?;
        all += removed;
        if removed < PAGE {
            return Ok(all);
        }
        pause_after_page().await;
    }
}

/// Waits for as long as others need to write, between two transactions of a long removal.
pub async fn pause_after_page() {
    tokio::time::sleep(PAUSE).await;
}
