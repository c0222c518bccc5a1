//! An S3 bucket on an independent server that verifies signatures (s3s-fs).

use std::path::{Path, PathBuf};
use std::time::Duration;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use storage::StorageSettings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const ACCESS: &str = "AKVITRINE";
const SECRET: &str = "a secret of forty letters for the tests!";
const BUCKET: &str = "media";

/// Copies bytes in both directions until one side closes, limiting the speed of the server's side.
async fn forward(mut client: TcpStream, mut server: TcpStream, rate: usize) {
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let slowly = async {
        let mut chunk = vec![0; rate / 50];
        loop {
            let read = from_server.read(&mut chunk).await?;
            if read == 0 {
                return Ok::<_, std::io::Error>(());
            }
            to_client.write_all(&chunk[..read]).await?;
            tokio::time::sleep(Duration::from_secs_f64(read as f64 / rate as f64)).await;
        }
    };
    // Both connections are closed, however it ends.
    tokio::select! {
        _ = slowly => {}
        _ = tokio::io::copy(&mut from_client, &mut to_server) => {}
    }
}

/// An S3 server with one bucket. It stops with the runtime of the test that opened it.
pub struct SignedBucket {
    settings: StorageSettings,
    dir: tempfile::TempDir,
}

impl SignedBucket {
    /// Starts the server with an empty bucket.
    pub async fn open() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(BUCKET)).unwrap();
        let mut service = S3ServiceBuilder::new(FileSystem::new(dir.path()).unwrap());
        service.set_auth(SimpleAuth::from_single(ACCESS, SECRET));
        let service = service.build();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    // A client that disconnects is not an error.
                    let _ = Builder::new(TokioExecutor::new())
                        .serve_connection(TokioIo::new(socket), service)
                        .await;
                });
            }
        });
        let settings = StorageSettings {
            storage_url: format!("s3://{BUCKET}/a/prefix"),
            s3_endpoint: endpoint,
            s3_region: "us-east-1".into(),
            s3_access_key: ACCESS.into(),
            s3_secret_key: SECRET.into(),
            s3_cache_mb: 0,
            reserve_bytes: 0,
        };
        Self { settings, dir }
    }

    /// Returns storage settings for the bucket.
    pub fn settings(&self) -> StorageSettings {
        self.settings.clone()
    }

    /// Returns the folder with the bucket's objects, below the prefix of the settings.
    pub fn folder(&self) -> PathBuf {
        self.dir.path().join(BUCKET).join("a/prefix")
    }

    /// Returns storage settings that reach the bucket over a slow connection: downloads run at `rate` bytes a
    /// second, uploads at full speed.
    pub async fn over_slow_link(&self, rate: usize) -> StorageSettings {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let server = self.settings.s3_endpoint.strip_prefix("http://").unwrap().to_owned();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                tokio::spawn(forward(client, server, rate));
            }
        });
        StorageSettings { s3_endpoint: endpoint, ..self.settings() }
    }

    /// Returns the keys of all objects, relative to the prefix of the settings, sorted.
    pub fn objects(&self) -> Vec<String> {
        fn below(path: &Path, found: &mut Vec<PathBuf>) {
            for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
                if entry.path().is_dir() { below(&entry.path(), found) } else { found.push(entry.path()) }
            }
        }
        let (root, mut found) = (self.dir.path().join(BUCKET), Vec::new());
        below(&root, &mut found);
        let key = |path: &PathBuf| {
            let path = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            path.strip_prefix("a/prefix/")
                .unwrap_or_else(|| panic!("{path} is not below the prefix"))
                .to_owned()
        };
        let mut keys: Vec<_> = found.iter().map(key).collect();
        keys.sort();
        keys
    }

    /// Returns the size of all objects and of the parts of unfinished uploads, in bytes.
    pub fn bytes(&self) -> u64 {
        fn below(path: &Path) -> u64 {
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            entries
                .map(|entry| {
                    if entry.path().is_dir() {
                        below(&entry.path())
                    } else {
                        entry.metadata().map_or(0, |found| found.len())
                    }
                })
                .sum()
        }
        let parts = std::fs::read_dir(self.dir.path()).unwrap().flatten();
        let is_part = |name: &str| name.starts_with(".upload_id-") && name.contains(".part-");
        let parts = parts.filter(|entry| entry.file_name().to_str().is_some_and(is_part));
        below(&self.dir.path().join(BUCKET)) + parts.map(|part| part.metadata().unwrap().len()).sum::<u64>()
    }

    /// Returns the number of unfinished multipart uploads.
    pub fn open_uploads(&self) -> usize {
        let names = std::fs::read_dir(self.dir.path()).unwrap().flatten().map(|entry| entry.file_name());
        names.filter(|name| name.to_str().is_some_and(|name| name.starts_with(".upload-"))).count()
    }
}
