//! The queries by which the daily purge finds out which images are in use.

use std::sync::{Arc, Mutex};

use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbBackend, Statement, TransactionTrait as _};

use crate::{content, test_app};

/// The table and column of each query, and the index it has to use.
const INDEXES: [(&str, &str, &str); 5] = [
    ("organisation", "logo", "organisation_logo"),
    ("organisation", "theme_background", "organisation_background"),
    ("person", "photo", "person_photo"),
    ("playlist", "preview", "playlist_preview"),
    ("content", "preview", "content_preview"),
];

/// Returns the engine's plan of a statement.
async fn plan(conn: &DatabaseConnection, statement: &Statement) -> String {
    let tx = conn.begin().await.unwrap();
    let (explain, column) = if conn.get_database_backend() == DbBackend::Sqlite {
        ("EXPLAIN QUERY PLAN", 3)
    } else {
        // With a handful of rows any plan is cheap: this asks whether the index can be used at all.
        tx.execute_unprepared("SET LOCAL enable_seqscan = off").await.unwrap();
        ("EXPLAIN", 0)
    };
    let statement = Statement { sql: format!("{explain} {}", statement.sql), ..statement.clone() };
    let rows = tx.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index::<String>(column).unwrap()).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn the_purge_of_images_finds_each_use_by_an_index() {
    let app = test_app().await;
    let content = content(&app.deps);
    let asked: Arc<Mutex<Vec<Statement>>> = Arc::default();
    let recorder = Arc::clone(&asked);
    let mut conn = app.deps.db.read().clone();
    conn.set_metric_callback(move |info| recorder.lock().unwrap().push(info.statement.clone()));
    let paths: Vec<String> = (0..200).map(|n| format!("/images/{n}.webp")).collect();
    assert!(content.images_in_use(&conn, &paths).await.unwrap().is_empty());
    let asked = asked.lock().unwrap().clone();
    assert_eq!(asked.len(), INDEXES.len());
    for (statement, (table, column, index)) in asked.iter().zip(INDEXES) {
        let text = &statement.sql;
        assert!(
            text.contains(&format!("FROM \"{table}\"")) && text.contains(&format!("\"{column}\"")),
            "{text}"
        );
        let plan = plan(app.deps.db.read(), statement).await;
        assert!(
            plan.contains(index) && !plan.contains("SCAN") && !plan.contains("Seq Scan"),
            "{text}\n{plan}"
        );
    }
    app.settle().await;
}
