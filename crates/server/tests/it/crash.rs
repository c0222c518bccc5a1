//! The real program, killed without warning: nothing it acknowledged is lost, and no partial result is
//! visible.

mod backups;
mod billing;
mod events;
mod faults;
mod processing;
mod soak;
mod uploads;

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use reqwest::header::{HOST, HeaderValue};
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};

/// `vitrine serve` on a temporary folder; restarted on the same folder and port.
pub struct TestApp {
    child: Child,
    pub url: String,
    port: u16,
    pub folder: tempfile::TempDir,
    launch: Launch,
    log: File,
    pub http: Client,
}

/// Options of a program's start.
#[derive(Default)]
pub struct Launch {
    /// Command line prepended to the program's.
    pub before: Vec<OsString>,
    /// Another program than the one built with the tests.
    pub program: Option<OsString>,
    /// Host of the public URL, if it is that of a proxy.
    pub host: Option<&'static str>,
    pub env: Vec<(&'static str, OsString)>,
}

impl TestApp {
    fn start() -> Self {
        Self::start_with(Launch::default())
    }

    pub fn start_with(launch: Launch) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), launch)
    }

    fn start_in(folder: tempfile::TempDir, options: Launch) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (child, log) = launch(folder.path(), port, &options);
        // A killed server leaves dead connections, so none are pooled.
        let host = options.host.map(|host| (HOST, HeaderValue::from_static(host)));
        let http = Client::builder().pool_max_idle_per_host(0).default_headers(host.into_iter().collect());
        let http = http.build().unwrap();
        Self { child, url: format!("http://127.0.0.1:{port}"), port, folder, launch: options, log, http }
    }

    /// Kills the server with SIGKILL and starts a new process on the same data.
    fn crash(&mut self) {
        self.kill();
        self.restart();
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn restart(&mut self) {
        (self.child, self.log) = launch(self.folder.path(), self.port, &self.launch);
    }

    /// Returns what the running process has logged.
    pub fn log(&self) -> String {
        read(&self.log)
    }

    /// Returns the permission bits of a file in the data folder.
    fn mode(&self, name: &str) -> u32 {
        std::fs::metadata(self.folder.path().join(name)).unwrap().permissions().mode() & 0o777
    }

    pub async fn call(&self, method: Method, path: &str, token: &str, body: Value) -> Value {
        let response = self.send(method, path, token, body).await;
        let (status, text) = (response.status(), response.text().await.unwrap());
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    pub async fn send(&self, method: Method, path: &str, token: &str, body: Value) -> Response {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.url)).bearer_auth(token);
        if method != Method::GET {
            request = request.json(&body);
        }
        request.send().await.unwrap()
    }

    /// Returns the links in the emails sent to an address.
    async fn links(&self, email: &str) -> Vec<String> {
        let mails = self.call(Method::GET, &format!("/sandbox/api/mails?to={email}"), "", json!({})).await;
        let emails = mails["data"].as_array().unwrap().iter();
        emails.filter_map(|email| email["links"][0].as_str().map(str::to_owned)).collect()
    }

    /// Signs in with a link from the sandbox's inbox.
    pub async fn sign_in(&self, email: &str) -> String {
        let before = self.links(email).await;
        let request = json!({ "email": email, "action": "signup" });
        self.call(Method::POST, "/v1/auth/magic-links", "", request).await;
        let mut attempts = 0;
        let link = loop {
            attempts += 1;
            assert!(attempts < 600, "no email arrived");
            if let Some(link) = self.links(email).await.into_iter().find(|link| !before.contains(link)) {
                break link;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        let code = link.split("code=").nth(1).unwrap();
        let claim = json!({ "email": email, "code": code });
        let session = self.call(Method::POST, "/v1/auth/magic-links/redeem", "", claim).await;
        session["accessToken"].as_str().unwrap().to_owned()
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Keeps a program from reading the settings of the tests as its own.
pub fn hide_test_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("VITRINE_TEST_")) {
            command.env_remove(name);
        }
    }
}

fn launch(folder: &std::path::Path, port: u16, options: &Launch) -> (Child, File) {
    let log = tempfile::tempfile().unwrap();
    let mut args = options.before.clone();
    let program = options.program.clone().unwrap_or_else(|| env!("CARGO_BIN_EXE_vitrine").into());
    args.extend([program, "serve".into()]);
    let mut command = Command::new(&args[0]);
    hide_test_settings(&mut command);
    let mut child = command
        .args(&args[1..])
        .current_dir(folder)
        .env("VITRINE_SANDBOX", "true")
        .env("VITRINE_BILLING", "none")
        .env("VITRINE_LISTEN", format!("127.0.0.1:{port}"))
        .env("VITRINE_DATA_DIR", folder)
        .env("VITRINE_METRICS_LISTEN", "")
        .env("VITRINE_API_REQUESTS_PER_10S", "0")
        .env("VITRINE_SIGN_IN_TRIES_PER_MINUTE", "0")
        .env("VITRINE_HEAVY_WORKERS", processing::VIDEOS.to_string())
        .env("VITRINE_MEDIA_AT_ONCE", processing::VIDEOS.to_string())
        .env("VITRINE_MEDIA_RENDER_PRESET", "ultrafast")
        .envs(options.host.map(|host| ("VITRINE_PUBLIC_URL", format!("http://{host}"))))
        .envs(options.env.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::piped())
        .stderr(log.try_clone().unwrap())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("listening on"), "the server does not start: {line}{}", read(&log));
    (child, log)
}

/// Returns what is in the file, whose position is that of the process that writes to it.
fn read(log: &File) -> String {
    let mut bytes = vec![0; usize::try_from(log.metadata().unwrap().len()).unwrap()];
    log.read_exact_at(&mut bytes, 0).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn files_of_the_program_are_private_to_its_user() {
    let mut app = TestApp::start();
    app.sign_in("ada@example.com").await;
    for name in ["vitrine.db", "vitrine.db-wal", "vitrine.db-shm", "vitrine.lock", "secret"] {
        assert_eq!(app.mode(name), 0o600, "{name}");
    }
    // Permissions as older versions left them.
    for (name, open) in [("", 0o755), ("vitrine.db", 0o644)] {
        let path = app.folder.path().join(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(open)).unwrap();
    }
    app.crash();
    assert_eq!((app.mode(""), app.mode("vitrine.db")), (0o700, 0o600));
}

/// Returns a bitmap of several megabytes: a real file whose type is easy to detect.
fn bitmap() -> Vec<u8> {
    let (width, height) = (1200_u32, 1000_u32);
    let size = width * height * 3;
    let mut bytes = b"BM".to_vec();
    bytes.extend((size + 54).to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(54_u32.to_le_bytes());
    bytes.extend(40_u32.to_le_bytes());
    bytes.extend(width.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(24_u16.to_le_bytes());
    bytes.extend([0; 24]);
    bytes.extend((0..size).map(|n| (n % 251) as u8));
    bytes
}

pub fn md5(bytes: &[u8]) -> String {
    use base64::Engine as _;
    let mut child = Command::new("openssl")
        .args(["md5", "-binary"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), bytes).unwrap();
    base64::engine::general_purpose::STANDARD.encode(child.wait_with_output().unwrap().stdout)
}

#[tokio::test]
async fn a_kill_during_an_upload_loses_nothing_and_shows_nothing_partial() {
    let mut app = TestApp::start();
    let token = app.sign_in("ada@example.com").await;
    let org = organisation(&app, &token).await;
    let bytes = bitmap();
    let file = json!({ "name": "a.bin", "size": bytes.len(), "type": "application/octet-stream", "checksum": md5(&bytes) });
    let new = json!({ "content": { "title": "Video" }, "orgId": org, "file": file, "notifyUsers": false });
    let upload = app.call(Method::POST, "/v1/content", &token, new).await;
    let (uid, ingest) = (upload["uid"].as_str().unwrap(), upload["ingest"]["url"].as_str().unwrap());
    let state = format!("/v1/uploads/{uid}");

    // Half the file arrives, then the server dies while waiting for the rest.
    let half = bytes[..bytes.len() / 2].to_vec();
    let pending = put_partially(&app, ingest, half, bytes.len());
    tokio::time::sleep(Duration::from_millis(300)).await;
    app.crash();
    pending.abort();
    assert_eq!(app.call(Method::GET, &state, &token, json!({})).await["status"], "pending");

    // The same address still accepts the whole file, and the response acknowledges it.
    let put = app.http.put(ingest).header("content-type", "application/octet-stream").body(bytes.clone());
    let response = put.send().await.unwrap();
    assert_eq!(response.status(), 200, "{}", response.text().await.unwrap());
    app.crash();
    assert_eq!(app.call(Method::GET, &state, &token, json!({})).await["status"], "available");
    let content = app.call(Method::GET, &format!("/v1/content/{uid}"), &token, json!({})).await;
    let stored = app.http.get(content["url"].as_str().unwrap()).send().await.unwrap().bytes().await.unwrap();
    assert!(stored == bytes, "the stored file equals the uploaded one");
}

/// A signed-in person with a running program, an organisation and a file to upload.
struct Uploader {
    app: TestApp,
    token: String,
    org: String,
    bytes: Vec<u8>,
    checksum: String,
}

impl Uploader {
    async fn open(bytes: Vec<u8>) -> Self {
        Self::open_at(TestApp::start(), bytes).await
    }

    async fn open_at(app: TestApp, bytes: Vec<u8>) -> Self {
        let token = app.sign_in("ada@example.com").await;
        let org = organisation(&app, &token).await;
        let checksum = md5(&bytes);
        Self { app, token, org, bytes, checksum }
    }

    async fn get(&self, path: &str) -> Value {
        self.app.call(Method::GET, path, &self.token, json!({})).await
    }

    /// Announces an upload of the file.
    async fn announce(&self, name: &str, media_type: &str) -> Announced {
        let file = json!({
            "name": name, "size": self.bytes.len(), "type": media_type, "checksum": self.checksum,
        });
        let new =
            json!({ "content": { "title": "Video" }, "orgId": self.org, "file": file, "notifyUsers": false });
        let upload = self.app.call(Method::POST, "/v1/content", &self.token, new).await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Announced { uid: text(&upload["uid"]), ingest: text(&upload["ingest"]["url"]) }
    }
}

/// An announced upload.
struct Announced {
    uid: String,
    ingest: String,
}

pub async fn organisation(app: &TestApp, token: &str) -> String {
    let account = json!({ "account": { "friendlyName": "A", "billingName": "B", "billingEmail": "a@b.example", "billingPhone": "1" } });
    app.call(Method::POST, "/v1/accounts", token, account).await;
    let made = app
        .call(Method::POST, "/v1/organizations", token, json!({ "organisation": { "name": "Acme" } }))
        .await;
    made["uid"].as_str().unwrap().to_owned()
}

/// Sends the beginning of a body and never finishes it.
fn put_partially(app: &TestApp, url: &str, half: Vec<u8>, whole: usize) -> tokio::task::JoinHandle<()> {
    let (address, path) =
        (format!("127.0.0.1:{}", app.port), url.split_once(&app.port.to_string()).unwrap().1.to_owned());
    tokio::spawn(async move {
        use tokio::io::AsyncWriteExt as _;
        let mut socket = tokio::net::TcpStream::connect(&address).await.unwrap();
        let head = format!(
            "PUT {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/octet-stream\r\nContent-Length: {whole}\r\n\r\n"
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        socket.write_all(&half).await.unwrap();
        std::future::pending::<()>().await;
    })
}
