//! A separate database for each test, on the engine selected for the run.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::{Connection as _, Executor as _, PgConnection};

/// URL of the PostgreSQL server on which tests create and drop their databases.
const SERVER: &str = "VITRINE_TEST_POSTGRES";

/// An empty database.
pub struct Database {
    url: String,
    /// (server, name) of a PostgreSQL database to drop at the end.
    created: Option<(String, String)>,
}

impl Database {
    /// Creates a database in the folder, or on the PostgreSQL server of the run.
    pub async fn fresh(folder: &Path) -> Self {
        match std::env::var(SERVER) {
            Ok(server) if !server.is_empty() => Self::postgres(server).await,
            _ => Self { url: format!("sqlite://{}", folder.join("test.db").display()), created: None },
        }
    }

    async fn postgres(server: String) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("t_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut connection =
            PgConnection::connect(&server).await.expect("the test PostgreSQL server is reachable");
        let sql = format!("CREATE DATABASE {name}");
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
