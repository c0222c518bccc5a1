//! Databases of other versions, and migrations that must not change.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use db::Db;
use kernel::Ambient;
use sea_orm::{ConnectionTrait as _, Statement};
use server::bootstrap::Bootstrap;
use server::compose;
use server::settings::Settings;
use testkit::Database;

use super::test_app::test_settings;

/// Creates the database of an older version, and returns the message with which this version refuses it.
async fn refusal(settings: Settings) -> String {
    let first = Bootstrap::open(settings.clone()).await.unwrap();
    let tx = first.db.write_tx().await.unwrap();
    let step = "INSERT INTO schema_migration (name, applied_at) VALUES ('content_20991231_01_shape', 0)";
    tx.execute_unprepared(step).await.unwrap();
    tx.commit().await.unwrap();
    first.db.close().await;
    Bootstrap::open(settings).await.err().unwrap().to_string()
}

#[tokio::test]
async fn a_database_of_another_version_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let mut settings = test_settings(folder.path(), &database);
    let (name, remedy) = if let Some((server, rest)) = database.url().split_once('@') {
        settings.server.database_url = format!("{server}:hunter2@{rest}?application_name=a");
        (format!("the database {server}:********@{rest} was"), "an empty database and data folder.")
    } else {
        settings.server.database_url.clear();
        let folder = folder.path().display();
        (format!("the data folder {folder} was"), "an empty folder (VITRINE_DATA_DIR).")
    };
    let message = refusal(settings).await;
    assert!(message.starts_with(&name) && message.ends_with(remedy), "{message}");
    assert!(message.contains("content_20991231_01_shape. Use that version"), "{message}");
    assert!(!message.contains("hunter2"), "{message}");
    database.remove().await;
}

#[tokio::test]
async fn a_sqlite_database_at_another_path_is_named_by_its_url() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    if database.url().starts_with("sqlite:") {
        let message = refusal(test_settings(folder.path(), &database)).await;
        assert!(message.starts_with(&format!("the database {} was", database.url())), "{message}");
    }
    database.remove().await;
}

/// The snapshot shows what each step changes in the schema. Add a step to change the schema: databases in use
/// have run the others already.
#[tokio::test]
async fn a_released_step_never_changes() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::connect(&format!("sqlite://{}", folder.path().join("t.db").display())).await.unwrap();
    let (ambient, steps) = (Ambient::system(), compose::migrations());
    db::migrate(&db, &ambient, &[]).await.unwrap();
    let mut before = schema(&db).await;
    let mut text = String::new();
    for count in 1..=steps.len() {
        let applied = db::migrate(&db, &ambient, &steps[..count]).await.unwrap();
        writeln!(text, "{}", applied.join(", ")).unwrap();
        let after = schema(&db).await;
        for (_, sql) in after.iter().filter(|(name, sql)| before.get(*name) != Some(sql)) {
            let columns = sql.replace(", \"", ",\n    \"");
            writeln!(text, "  {}", if sql.starts_with("CREATE TABLE") { &columns } else { sql }).unwrap();
        }
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            writeln!(text, "  without {name}").unwrap();
        }
        before = after;
    }
    db.close().await;
    insta::assert_snapshot!("migrations", text);
}

/// Returns the statement of each table and index by its name.
async fn schema(db: &Db) -> BTreeMap<String, String> {
    let select = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL";
    let rows = db.read().query_all_raw(Statement::from_string(sea_orm::DbBackend::Sqlite, select)).await;
    let pair =
        |row: sea_orm::QueryResult| Some((row.try_get_by_index(0).ok()?, row.try_get_by_index(1).ok()?));
    rows.unwrap().into_iter().map(|row| pair(row).unwrap()).collect()
}
