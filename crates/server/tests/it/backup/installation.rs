//! Runs the program's commands on a database and a storage.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use db::Db;
use sea_orm::{ConnectionTrait as _, Statement};
use storage::StorageSettings;
use tokio::process::Command;

use super::super::test_app::TestApp;

/// The secret of every installation here, which is that of [`TestApp`].
pub const SECRET: &str = "FhrSx0B1+T1yyLQxQFYkYtvAeYPVwV8Txnf0ZLwo5nE=";

/// A data folder, a database and a storage.
#[derive(Clone)]
pub struct Installation {
    pub folder: PathBuf,
    pub database: String,
    pub storage: StorageSettings,
    pub secret: String,
    /// Further settings.
    pub variables: Vec<(&'static str, String)>,
}

/// What a command printed, and its exit code.
#[derive(Debug)]
pub struct Output {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Installation {
    pub fn new(folder: &Path, database: &str, bucket: Option<StorageSettings>) -> Self {
        Self {
            folder: folder.to_owned(),
            database: database.to_owned(),
            storage: bucket.unwrap_or_default(),
            secret: SECRET.to_owned(),
            variables: Vec::new(),
        }
    }

    /// Returns the same installation with the keys of a bucket for its backups.
    pub fn with_backups_in(mut self, bucket: &StorageSettings) -> Self {
        self.variables.extend([
            ("VITRINE_BACKUP_S3_ENDPOINT", bucket.s3_endpoint.clone()),
            ("VITRINE_BACKUP_S3_REGION", bucket.s3_region.clone()),
            ("VITRINE_BACKUP_S3_ACCESS_KEY", bucket.s3_access_key.clone()),
            ("VITRINE_BACKUP_S3_SECRET_KEY", bucket.s3_secret_key.clone()),
        ]);
        self
    }

    /// Runs a command that must succeed, and returns the lines that it prints as JSON.
    pub async fn json(&self, args: &[&str]) -> Vec<serde_json::Value> {
        let Output { code, stdout, stderr } = self.run(args).await;
        assert_eq!(code, 0, "{args:?}: {stdout} {stderr}");
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Runs a command that must fail, and returns what it says.
    pub async fn refused(&self, args: &[&str]) -> String {
        let Output { code, stdout, stderr } = self.run(args).await;
        assert_eq!(code, 1, "{args:?}: {stdout} {stderr}");
        format!("{stdout}{stderr}")
    }

    /// Returns that of a running application.
    pub fn of(app: &TestApp) -> Self {
        let settings = &app.bootstrap.settings;
        Self::new(&settings.server.data_dir, &settings.database_url(), None)
    }

    /// Returns a command that was not started yet.
    pub fn command(&self, args: &[&str]) -> Command {
        std::fs::create_dir_all(&self.folder).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_vitrine"));
        command
            .args(args)
            .current_dir(&self.folder)
            .env("VITRINE_PUBLIC_URL", "https://vitrine.test")
            .env("VITRINE_SECRET", &self.secret)
            .env("VITRINE_SMTP_URL", "smtp://127.0.0.1:1")
            .env("VITRINE_BILLING", "none")
            .env("VITRINE_DATA_DIR", &self.folder)
            .env("VITRINE_DATABASE_URL", &self.database)
            .env("VITRINE_LOG", "warn")
            .env("VITRINE_LISTEN", "127.0.0.1:0")
            .env("VITRINE_METRICS_LISTEN", "")
            .env("TMPDIR", &self.folder)
            .env("VITRINE_STORAGE_URL", &self.storage.storage_url)
            .env("VITRINE_S3_ENDPOINT", &self.storage.s3_endpoint)
            .env("VITRINE_S3_REGION", &self.storage.s3_region)
            .env("VITRINE_S3_ACCESS_KEY", &self.storage.s3_access_key)
            .env("VITRINE_S3_SECRET_KEY", &self.storage.s3_secret_key)
            .env_remove("VITRINE_TEST_POSTGRES")
            .envs(self.variables.iter().map(|(name, value)| (*name, value)))
            .stdin(Stdio::null())
            .kill_on_drop(true);
        command
    }

    pub async fn run(&self, args: &[&str]) -> Output {
        let output = self.command(args).output().await.unwrap();
        Output {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Returns the number that a query selects.
pub async fn count(db: &Db, sql: &str) -> i64 {
    let statement = Statement::from_string(db.read().get_database_backend(), sql);
    db.read().query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}
