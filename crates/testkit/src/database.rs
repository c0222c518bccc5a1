//! A separate database for each test, on the engine selected for the run.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use db::{Db, Migration};
use kernel::Ambient;
use sqlx::{Connection as _, Executor as _, PgConnection};
use tokio::sync::Mutex;

use crate::{ManualClock, START_TIME, SeededRandom};

/// URL of the PostgreSQL server on which tests create and drop their databases.
const SERVER: &str = "VITRINE_TEST_POSTGRES";
/// Name of an SQLite database in its folder.
const FILE: &str = "test.db";

/// The migrated databases that the tests of this process copy, by the names of their steps.
static TEMPLATES: LazyLock<Mutex<HashMap<Vec<String>, Template>>> = LazyLock::new(Mutex::default);

/// A migrated database without rows.
#[derive(Clone)]
enum Template {
    /// What the file of an SQLite database contains.
    File(Arc<[u8]>),
    /// Name of a PostgreSQL database. It stays on the server.
    Name(String),
}

/// A new database.
pub struct Database {
    url: String,
    /// (server, name) of a PostgreSQL database to drop at the end.
    created: Option<(String, String)>,
}

impl Database {
    /// Creates an empty database in the folder, or on the PostgreSQL server of the run.
    pub async fn fresh(folder: &Path) -> Self {
        match server() {
            Some(server) => Self::postgres(server, "template1").await,
            None => Self { url: sqlite_url(folder), created: None },
        }
    }

    /// Does the same with the tables of these steps.
    pub async fn migrated(folder: &Path, steps: &[Migration]) -> Self {
        match (server(), template(steps).await) {
            (Some(server), Template::Name(name)) => Self::postgres(server, &name).await,
            (None, Template::File(bytes)) => {
                std::fs::write(folder.join(FILE), bytes).unwrap();
                Self { url: sqlite_url(folder), created: None }
            }
            _ => panic!("{SERVER} is not changed during a run"),
        }
    }

    async fn postgres(server: String, template: &str) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("t_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut connection =
            PgConnection::connect(&server).await.expect("the test PostgreSQL server is reachable");
        // Copying files takes less time than logging their pages, as the server of a run does not wait for its disk.
        let sql = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy");
        connection
            .execute(sqlx::AssertSqlSafe(sql))
            .await
            .expect("the test PostgreSQL server creates a database");
        let mut url = url::Url::parse(&server).unwrap();
        url.set_path(&name);
        Self { url: url.to_string(), created: Some((server, name)) }
    }

    /// Returns the database URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Drops the database if it is on a server.
    pub async fn remove(&self) {
        if let Some((server, name)) = &self.created {
            let mut connection = PgConnection::connect(server).await.unwrap();
            let sql = format!("DROP DATABASE {name} WITH (FORCE)");
            connection.execute(sqlx::AssertSqlSafe(sql)).await.unwrap();
        }
    }
}

/// Returns the URL of the PostgreSQL server of the run; `None` if tests use SQLite.
fn server() -> Option<String> {
    std::env::var(SERVER).ok().filter(|server| !server.is_empty())
}

fn sqlite_url(folder: &Path) -> String {
    format!("sqlite://{}", folder.join(FILE).display())
}

/// Returns the database to copy; the first test that asks creates it.
async fn template(steps: &[Migration]) -> Template {
    let mut templates = TEMPLATES.lock().await;
    let key: Vec<String> = steps.iter().map(|step| step.name().to_owned()).collect();
    if let Some(template) = templates.get(&key) {
        return template.clone();
    }
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let db = Db::connect(database.url()).await.unwrap();
    let clock = Arc::new(ManualClock::new(START_TIME));
    db::migrate(&db, &Ambient::new(clock, Arc::new(SeededRandom::default())), steps).await.unwrap();
    // No connection may use a database that is copied, and a file is complete once it is closed.
    db.close().await;
    let template = match database.created {
        Some((_, name)) => Template::Name(name),
        None => Template::File(std::fs::read(folder.path().join(FILE)).unwrap().into()),
    };
    templates.insert(key, template.clone());
    template
}
