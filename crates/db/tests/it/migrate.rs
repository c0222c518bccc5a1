//! Steps run once and in order, and never on a database of another version.

use db::{Db, MigrateError, Migration};
use kernel::Ambient;
use sea_orm::{ConnectionTrait as _, DbErr, Statement};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};
use testkit::Database;

/// Creates a table with the name of the step.
struct Step(&'static str);

impl MigrationName for Step {
    fn name(&self) -> &str {
        self.0
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let create = format!("CREATE TABLE {} (id BIGINT PRIMARY KEY)", self.0);
        manager.get_connection().execute_unprepared(&create).await.map(drop)
    }
}

fn steps(names: &[&'static str]) -> Vec<Migration> {
    names.iter().map(|name| Box::new(Step(name)) as Migration).collect()
}

#[tokio::test]
async fn a_database_with_an_unknown_step_is_refused_before_any_step_runs() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let db = Db::connect(database.url()).await.unwrap();
    let ambient = Ambient::system();
    let applied = db::migrate(&db, &ambient, &steps(&["first", "second"])).await.unwrap();
    assert_eq!(applied, ["first", "second"]);

    let refused = db::migrate(&db, &ambient, &steps(&["first", "third"])).await;
    assert!(matches!(&refused, Err(MigrateError::Unknown(names)) if *names == ["second"]), "{refused:?}");
    let third = Statement::from_string(db.read().get_database_backend(), "SELECT id FROM third");
    assert!(db.read().query_one_raw(third).await.is_err(), "a step ran on a database of another version");

    let applied = db::migrate(&db, &ambient, &steps(&["first", "second", "third"])).await.unwrap();
    assert_eq!(applied, ["third"]);
    db.close().await;
    database.remove().await;
}
