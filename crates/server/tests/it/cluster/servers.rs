//! Two servers and a worker on one database and one bucket, behind a balancer, and people who use them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::{Client, Method, Response};
use serde_json::{Value, json};
use storage::StorageSettings;
use testkit::{Database, SignedBucket};

use super::super::crash::md5;
use super::emails::MailServer;
use super::launch::{Differs, Launch, Process};
use super::link::Link;
use super::parts::{Daemon, Postgres, TIMEOUT, balancer, database_proxy, free_port, storage_proxy};

/// The host name of the installation.
pub const HOST: &str = "vitrine.test";

/// Everything. The fields end in this order.
pub struct Cluster {
    pub servers: [Process; 2],
    pub workers: Vec<Process>,
    /// Addresses of the servers.
    pub direct: [String; 2],
    /// Address of the balancer; of the first server without one.
    pub url: String,
    pub http: Client,
    pub mail: MailServer,
    /// The way to the mail server.
    pub mail_link: Link,
    pub storage: Option<Daemon>,
    /// The port of `HAProxy` before the S3 server, and of that.
    storage_ports: [u16; 2],
    /// The port of `HAProxy` before the database.
    pub database_port: u16,
    proxies: Vec<Daemon>,
    /// The primary and the standby.
    databases: Option<[Postgres; 2]>,
    /// Whether the standby is the primary now.
    pub has_failed_over: bool,
    pub launch: Launch,
    /// The ports of the servers.
    pub ports: [u16; 2],
    _bucket: SignedBucket,
    _root: tempfile::TempDir,
}

/// Creates the folder of a cluster, in which others reach theirs.
fn root() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    std::fs::set_permissions(root.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    root
}

fn port_of(url: &str) -> u16 {
    url.rsplit_once(':').unwrap().1.parse().unwrap()
}

impl Cluster {
    /// Starts everything.
    pub async fn start() -> Self {
        let root = root();
        let primary = Postgres::primary(root.path());
        let standby = primary.with_standby(root.path());
        let (database_port, storage_port) = (free_port(), free_port());
        let database = database_proxy(root.path(), database_port, primary.port, standby.port);
        let bucket = SignedBucket::open().await;
        let behind = port_of(&bucket.settings().s3_endpoint);
        let storage = storage_proxy(root.path(), storage_port, behind);
        let through = format!("http://127.0.0.1:{storage_port}");
        let url = format!("postgres://vitrine@127.0.0.1:{database_port}/postgres");
        let settings = StorageSettings { s3_endpoint: through, ..bucket.settings() };
        let mut cluster = Self::on(root, url, settings, bucket).await;
        let port = free_port();
        let balancer = balancer(cluster.launch.root.as_path(), port, cluster.ports);
        cluster.url = format!("http://127.0.0.1:{port}");
        cluster.storage = Some(storage);
        cluster.storage_ports = [storage_port, behind];
        cluster.database_port = database_port;
        cluster.proxies = vec![balancer, database];
        cluster.databases = Some([primary, standby]);
        cluster
    }

    /// Starts two servers and a worker on a database, without proxies.
    pub async fn small(database: &Database) -> Self {
        let bucket = SignedBucket::open().await;
        Self::on(root(), database.url().to_owned(), bucket.settings(), bucket).await
    }

    async fn on(
        root: tempfile::TempDir,
        database: String,
        storage: StorageSettings,
        bucket: SignedBucket,
    ) -> Self {
        let mail = MailServer::start();
        let mail_link = Link::to(mail.port).await;
        let (root_path, differs) = (root.path().to_owned(), Differs::default());
        let launch = Launch { root: root_path, database, storage, mail: mail_link.port, differs };
        let ports = [free_port(), free_port()];
        let (first, second, worker) = (launch.clone(), launch.clone(), launch.clone());
        let start = move || {
            let first = first.start(&["serve", "--no-worker"], ports[0]);
            ([first, second.start(&["serve", "--no-worker"], ports[1])], worker.start(&["worker"], 0))
        };
        // The S3 server runs on this runtime.
        let (servers, worker) = tokio::task::spawn_blocking(start).await.unwrap();
        let direct = ports.map(|port| format!("http://127.0.0.1:{port}"));
        Self {
            servers,
            workers: vec![worker],
            url: direct[0].clone(),
            direct,
            http: Client::builder().pool_max_idle_per_host(0).timeout(TIMEOUT).build().unwrap(),
            mail,
            mail_link,
            storage: None,
            storage_ports: [0; 2],
            database_port: 0,
            proxies: Vec::new(),
            databases: None,
            has_failed_over: false,
            launch,
            ports,
            _bucket: bucket,
            _root: root,
        }
    }

    /// Starts a server again, which must have ended.
    pub async fn start_server(&mut self, number: usize) {
        self.start_server_as(number, Differs::default()).await;
    }

    /// Starts a server that differs from the others.
    pub async fn start_server_as(&mut self, number: usize, differs: Differs) {
        let (launch, port) = (Launch { differs, ..self.launch.clone() }, self.ports[number]);
        let start = move || launch.start(&["serve", "--no-worker"], port);
        self.servers[number] = tokio::task::spawn_blocking(start).await.unwrap();
    }

    /// Starts another worker.
    pub async fn start_worker(&mut self) {
        self.start_worker_as(Differs::default()).await;
    }

    /// Starts another worker, which differs from the others.
    pub async fn start_worker_as(&mut self, differs: Differs) {
        let launch = Launch { differs, ..self.launch.clone() };
        let started = tokio::task::spawn_blocking(move || launch.start(&["worker"], 0)).await;
        self.workers.push(started.unwrap());
    }

    /// Returns what all processes have logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.root().join("log")).unwrap()
    }

    /// Returns a folder for what a test needs.
    pub fn root(&self) -> &Path {
        &self.launch.root
    }

    /// Starts the way to the S3 server again.
    pub fn start_storage(&mut self) {
        let [port, behind] = self.storage_ports;
        self.storage = Some(storage_proxy(&self.launch.root, port, behind));
    }

    /// Returns the database server that was the primary at first.
    pub fn primary(&self) -> &Postgres {
        &self.databases.as_ref().unwrap()[0]
    }

    /// Returns the standby.
    pub fn standby(&self) -> &Postgres {
        &self.databases.as_ref().unwrap()[1]
    }

    /// Returns the database server that is the primary.
    pub fn database(&self) -> &Postgres {
        if self.has_failed_over { self.standby() } else { self.primary() }
    }

    /// Runs `vitrine verify`, which must find nothing, and `vitrine admin recount`, which must change nothing.
    pub async fn verify(&self) {
        for (args, says) in
            [(&["verify"][..], "nothing found\n"), (&["admin", "recount"], " organisations, 0 differences\n")]
        {
            self.launch.says(args, says).await;
        }
    }

    /// Sends a request to one of the addresses.
    pub async fn send(
        &self,
        base: &str,
        method: Method,
        path: &str,
        token: &str,
        body: Value,
    ) -> reqwest::Result<Response> {
        let request = self.http.request(method, format!("{base}{path}")).header("host", HOST);
        let request = if token.is_empty() { request } else { request.bearer_auth(token) };
        let request = if body.is_null() { request } else { request.json(&body) };
        request.send().await
    }

    /// Sends a request that must succeed.
    pub async fn call(&self, base: &str, method: Method, path: &str, token: &str, body: Value) -> Value {
        let response = self.send(base, method, path, token, body).await.unwrap();
        let (status, text) = (response.status(), response.text().await.unwrap());
        assert!(status.is_success(), "{path}: {status} {text}");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    pub async fn post(&self, path: &str, token: &str, body: Value) -> Value {
        self.call(&self.url, Method::POST, path, token, body).await
    }

    /// Returns the same address at the balancer, or at a server.
    pub fn at(base: &str, url: &str) -> String {
        let path = url.strip_prefix(&format!("https://{HOST}")).unwrap_or(url);
        if path.starts_with('/') { format!("{base}{path}") } else { path.to_owned() }
    }

    /// Signs in with the link of an email.
    pub async fn sign_in(&self, email: &str) -> String {
        let session: Value = self.redeem(email).await.json().await.unwrap();
        session["accessToken"].as_str().unwrap().to_owned()
    }

    /// Signs in with the link of an email, and returns the cookie.
    pub async fn cookie(&self, email: &str) -> String {
        let answer = self.redeem(email).await;
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    async fn redeem(&self, email: &str) -> Response {
        self.post("/v1/auth/magic-links", "", json!({ "email": email, "action": "signup" })).await;
        let began = Instant::now();
        while self.mail.codes(email).is_empty() {
            assert!(began.elapsed() < TIMEOUT, "no email to {email}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let claim = json!({ "email": email, "code": self.mail.codes(email)[0] });
        let sent = self.send(&self.url, Method::POST, "/v1/auth/magic-links/redeem", "", claim).await;
        sent.unwrap().error_for_status().unwrap()
    }

    /// Signs in and creates an organisation. Returns the token and the organisation.
    pub async fn owner(&self) -> (String, String) {
        let token = self.sign_in("ada@example.com").await;
        let account = json!({ "friendlyName": "A", "billingName": "B", "billingEmail": "a@b.example",
            "billingPhone": "1", "type": "agency" });
        self.post("/v1/accounts", &token, json!({ "account": account })).await;
        let new = json!({ "organisation": { "name": "Acme" } });
        let org = self.post("/v1/organizations", &token, new).await["uid"].as_str().unwrap().to_owned();
        (token, org)
    }

    /// Announces a file, and returns the item and the address for its bytes.
    pub async fn announce(
        &self,
        (token, org): (&str, &str),
        bytes: &[u8],
        media_type: &str,
    ) -> (String, String) {
        let file =
            json!({ "name": "a.bin", "size": bytes.len(), "type": media_type, "checksum": md5(bytes) });
        let new = json!({ "content": { "title": "F" }, "orgId": org, "file": file, "notifyUsers": false });
        let made = self.post("/v1/content", token, new).await;
        (made["uid"].as_str().unwrap().to_owned(), made["ingest"]["url"].as_str().unwrap().to_owned())
    }

    /// Uploads a file, and returns its item.
    pub async fn upload(&self, who: (&str, &str), bytes: &[u8], media_type: &str) -> String {
        let (uid, url) = self.announce(who, bytes, media_type).await;
        let put = self.http.put(Self::at(&self.url, &url)).header("host", HOST);
        let put = put.header("content-type", media_type).body(bytes.to_vec()).send().await.unwrap();
        assert_eq!(put.status(), 200);
        uid
    }

    pub async fn item(&self, token: &str, uid: &str) -> Value {
        self.call(&self.url, Method::GET, &format!("/v1/content/{uid}"), token, Value::Null).await
    }
}
