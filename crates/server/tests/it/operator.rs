//! `vitrine admin person`, `org`, `content`, `storage usage`, `jobs` and `mail`, on a running server.

use std::process::Output;
use std::time::{Duration, Instant};

use http::Method;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::admin::{Server, TestApp};
use super::crash::md5;

/// Longer than a job ever waits here.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A running server, with its command line and its API.
struct TestServer {
    app: TestApp,
    http: reqwest::Client,
    _server: Server,
}

impl TestServer {
    fn start(env: &[(&'static str, &str)]) -> Self {
        let mut app = TestApp::new();
        app.env = env.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        app.env.push(("VITRINE_BILLING", "none".to_owned()));
        let server = app.serve();
        Self { app, http: reqwest::Client::new(), _server: server }
    }

    async fn output(&self, args: &[&str]) -> Output {
        tokio::process::Command::from(self.app.command(args)).output().await.unwrap()
    }

    /// Runs `vitrine admin`, which must succeed. Returns the lines of its output.
    async fn admin(&self, args: &[&str]) -> Vec<Value> {
        let Output { stdout, stderr, status } = self.output(&[&["admin"], args, &["--json"]].concat()).await;
        assert!(
            status.success(),
            "{args:?}: {}{}",
            String::from_utf8_lossy(&stdout),
            String::from_utf8_lossy(&stderr)
        );
        let text = String::from_utf8(stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Runs `vitrine admin`, which must fail. Returns what it says.
    async fn refused(&self, args: &[&str]) -> String {
        let Output { stdout, stderr, status } = self.output(&[&["admin"], args].concat()).await;
        assert_eq!((status.code(), stdout), (Some(1), vec![]), "{args:?}");
        String::from_utf8(stderr).unwrap()
    }

    /// Returns command, target and number of changes of each entry in the operator's log, oldest first.
    async fn log(&self) -> Vec<Value> {
        let mut lines = self.admin(&["audit"]).await;
        assert_eq!(lines.pop().unwrap()["entries"], json!(lines.len()));
        let user = nix::unistd::User::from_uid(nix::unistd::geteuid()).unwrap().unwrap().name;
        assert!(
            lines.iter().all(|line| line["operator"] == user.as_str() && line["time"].is_string()),
            "{lines:?}"
        );
        lines.reverse();
        lines.iter().map(|line| json!([line["command"], line["target"], line["changes"]])).collect()
    }

    async fn call(&self, method: Method, path: &str, token: &str, body: Value) -> (StatusCode, Value) {
        let request =
            self.http.request(method.clone(), format!("{}{path}", self.app.url())).bearer_auth(token);
        let request = if method == Method::GET { request } else { request.json(&body) };
        let response = request.send().await.unwrap();
        (response.status(), serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or_default())
    }

    async fn expect(&self, method: Method, path: &str, token: &str, body: Value) -> Value {
        let (status, body) = self.call(method, path, token, body).await;
        assert!(status.is_success(), "{path}: {status} {body}");
        body
    }

    /// Signs in with a link from the command line. Returns the access token.
    async fn sign_in(&self, email: &str) -> String {
        let made = self.admin(&["person", "create", email, "--link"]).await;
        let [line] = made.as_slice() else { panic!("{made:?}") };
        let link = line["link"].as_str().unwrap();
        assert!(line["is_new"] == true && link.starts_with(&self.app.url()), "{line}");
        let code = link.split("code=").nth(1).unwrap();
        let claim = json!({ "email": email, "code": code });
        let session = self.expect(Method::POST, "/v1/auth/magic-links/redeem", "", claim).await;
        session["accessToken"].as_str().unwrap().to_owned()
    }

    /// Creates an organisation and returns its id.
    async fn organisation(&self, token: &str) -> String {
        let account = json!({ "account": { "friendlyName": "A", "billingName": "B",
            "billingEmail": "a@b.example", "billingPhone": "1" } });
        self.expect(Method::POST, "/v1/accounts", token, account).await;
        let new = json!({ "organisation": { "name": "Acme" } });
        let made = self.expect(Method::POST, "/v1/organizations", token, new).await;
        made["uid"].as_str().unwrap().to_owned()
    }

    /// Uploads a file that looks like a video, but cannot be read. Returns the item.
    async fn broken_video(&self, token: &str, org: &str) -> (String, usize) {
        let bytes = [&b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom"[..], &[0; 1_000]].concat();
        let file =
            json!({ "name": "a.mp4", "size": bytes.len(), "type": "video/mp4", "checksum": md5(&bytes) });
        let new =
            json!({ "content": { "title": "Broken" }, "orgId": org, "file": file, "notifyUsers": false });
        let made = self.expect(Method::POST, "/v1/content", token, new).await;
        let len = bytes.len();
        let put = self.http.put(made["ingest"]["url"].as_str().unwrap());
        let put = put.header("content-type", "video/mp4").body(bytes).send().await.unwrap();
        assert_eq!(put.status(), 200);
        (made["uid"].as_str().unwrap().to_owned(), len)
    }

    /// Waits until the command prints a line for which `is_it` is true, and returns it.
    async fn wait_for(&self, args: &[&str], is_it: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let lines = self.admin(args).await;
            if let Some(found) = lines.iter().find(|line| is_it(line)) {
                return found.clone();
            }
            assert!(began.elapsed() < TIMEOUT, "{args:?}: {lines:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until the processing of the item failed.
    async fn wait_until_failed(&self, token: &str, item: &str) {
        let began = Instant::now();
        loop {
            let now = self.expect(Method::GET, &format!("/v1/content/{item}"), token, json!({})).await;
            if now["processing"] == "failed" {
                return;
            }
            assert!(began.elapsed() < TIMEOUT, "{now}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_in_with_a_link_is_signed_out_and_erased() {
    let running = TestServer::start(&[]);
    let email = "ada@example.com";
    let token = running.sign_in(email).await;
    let (status, _) = running.call(Method::GET, "/v1/profiles", &token, json!({})).await;
    assert_eq!(status, 200);
    let again = running.refused(&["person", "create", email, "--link"]).await;
    assert!(again.contains("too many links"), "a link a minute: {again}");
    let existing = running.admin(&["person", "create", email]).await;
    assert_eq!((&existing[0]["is_new"], &existing[0]["link"]), (&json!(false), &Value::Null));

    let people = running.admin(&["person", "list"]).await;
    assert_eq!((people.len(), &people[0]["email"], &people[0]["verified"]), (2, &json!(email), &json!(true)));
    assert_eq!(running.admin(&["person", "list", "eve"]).await, [json!({ "line": "people", "people": 0 })]);
    let ada = people[0]["uid"].clone();
    let created = json!(["person create --link", ada, 2]);
    assert_eq!(running.log().await, [created], "neither the refused link nor the existing person");
    let sessions = running.admin(&["person", "sessions", email]).await;
    assert_eq!((sessions.len(), &sessions[0]["app"]), (2, &json!("portal")));
    let ended = json!({ "line": "sessions_ended", "sessions": 1 });
    assert_eq!(running.admin(&["person", "end-sessions", email]).await, [ended]);
    assert_eq!(running.admin(&["person", "sessions", email]).await.len(), 1);
    let (status, _) = running.call(Method::GET, "/v1/profiles", &token, json!({})).await;
    assert_eq!(status, 401);

    assert_eq!(running.admin(&["person", "end-sessions", email]).await[0]["sessions"], 0);
    running.refused(&["person", "end-sessions", "eve@example.com"]).await;
    running.refused(&["person", "erase", email, "--confirm", "eve@example.com"]).await;
    assert_eq!(running.log().await[1..], [json!(["person end-sessions", ada, 1])]);
    let unknown = running.refused(&["person", "sessions", "eve@example.com"]).await;
    assert!(unknown.contains("no person has the address"), "{unknown}");
    assert_eq!(running.admin(&["person", "erase", email, "--confirm", email]).await[0]["line"], "erased");
    assert_eq!(running.admin(&["person", "list"]).await.len(), 1, "the stand-in is not listed");
    let log = running.log().await;
    let stand_in = log[2][1].clone();
    assert!(stand_in.is_string() && stand_in != ada, "{log:?}");
    let expected = [
        json!(["person create --link", stand_in, 2]),
        json!(["person end-sessions", stand_in, 1]),
        json!(["person erase", stand_in, 1]),
    ];
    assert_eq!(log, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_alone_manages_a_billing_account_is_not_erased() {
    let running = TestServer::start(&[]);
    let token = running.sign_in("ada@example.com").await;
    running.organisation(&token).await;
    let erase = ["person", "erase", "ada@example.com", "--confirm", "ada@example.com"];
    let refused = running.refused(&erase).await;
    assert!(refused.contains("only manager of the billing account"), "{refused}");
    assert_eq!(running.log().await.len(), 1, "only the creation");
    running.expect(Method::GET, "/v1/profiles", &token, json!({})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_organisation_is_listed_measured_processed_deleted_and_restored() {
    let running = TestServer::start(&[]);
    let token = running.sign_in("ada@example.com").await;
    let org = running.organisation(&token).await;
    let (item, len) = running.broken_video(&token, &org).await;
    let listed = running.admin(&["org", "list"]).await;
    let own = json!({ "line": "organisation", "uid": org, "name": "Acme", "standing": "active", "people": 1,
        "created": listed[0]["created"], "deleted": null });
    assert_eq!(listed, [own, json!({ "line": "organisations", "organisations": 1 })]);
    let usage = running.admin(&["storage", "usage"]).await;
    assert_eq!((usage.len(), &usage[0]["charged"], &usage[1]["charged"]), (2, &json!(len), &json!(len)));

    running.wait_until_failed(&token, &item).await;
    let elsewhere = ["content", "reprocess", "--failed", "--org", "01a00000-0000-7000-8000-000000000000"];
    assert_eq!(running.admin(&elsewhere).await, [json!({ "line": "reprocess_done", "items": 0 })]);
    let done = running.admin(&["content", "reprocess", "--failed", "--org", &org]).await;
    let again = json!({ "line": "reprocessed", "uid": item, "title": "Broken" });
    assert_eq!(done, [again, json!({ "line": "reprocess_done", "items": 1 })]);
    running.wait_until_failed(&token, &item).await;
    running.admin(&["content", "reprocess", &item]).await;
    running.wait_until_failed(&token, &item).await;

    let wrong = running.refused(&["org", "delete", &org, "--name", "Acne"]).await;
    assert!(wrong.contains("the name of"), "{wrong}");
    assert_eq!(running.admin(&["org", "delete", &org, "--name", "Acme"]).await[0]["line"], "deleted");
    assert!(running.admin(&["org", "list"]).await[0]["deleted"].is_string());
    running.refused(&["org", "delete", &org, "--name", "Acme"]).await;
    assert_eq!(running.admin(&["org", "restore", &org]).await[0]["line"], "restored");
    let log = running.expect(Method::GET, &format!("/v1/organizations/{org}/audit"), &token, json!({})).await;
    let by_operator = log["data"].as_array().unwrap().iter().filter(|entry| entry["actor"].is_null());
    let actions: Vec<&str> = by_operator.map(|entry| entry["action"].as_str().unwrap()).collect();
    let expected =
        ["organization.restored", "organization.deleted", "content.reprocessed", "content.reprocessed"];
    assert_eq!(actions, expected, "{log}");
    let expected = [
        json!(["content reprocess --failed", org, 1]),
        json!(["content reprocess", item, 1]),
        json!(["org delete", org, 1]),
        json!(["org restore", org, 1]),
    ];
    assert_eq!(running.log().await[1..], expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn emails_and_jobs_are_listed_shown_dropped_and_sent_again() {
    // Nothing listens there.
    let running = TestServer::start(&[
        ("VITRINE_SMTP_URL", "smtp://127.0.0.1:1"),
        ("VITRINE_MAIL_FROM", "v@example.com"),
    ]);
    let refused = running.refused(&["mail", "test", "ada@example.com"]).await;
    assert!(refused.contains("the mail server did not accept the email"), "{refused}");
    running.refused(&["mail", "test", "ada"]).await;
    let request = json!({ "email": "ada@example.com", "action": "login" });
    running.expect(Method::POST, "/v1/auth/magic-links", "", request).await;
    let email = running.wait_for(&["mail", "list"], |line| line["line"] == "email").await;
    assert_eq!((&email["state"], &email["domain"]), (&json!("waiting"), &json!("example.com")), "{email}");
    assert!(!email.to_string().contains("ada@"), "{email}");

    let jobs = ["jobs", "list", "--kind", "send_mail"];
    let job = running.wait_for(&jobs, |line| line["state"] == "ready" && line["error"].is_string()).await;
    let job = job["uid"].as_str().unwrap();
    let shown = running.admin(&["jobs", "show", job]).await;
    assert_eq!((&shown[0]["job"]["uid"], &shown[0]["payload"]["mail"]), (&json!(job), &email["uid"]));
    assert_eq!(running.admin(&["jobs", "list", "--kind", "other"]).await.len(), 1);
    // Between two tries, so that no worker has it.
    let began = Instant::now();
    while !running.output(&["admin", "jobs", "drop", job]).await.status.success() {
        assert!(began.elapsed() < TIMEOUT, "the job cannot be dropped");
    }
    running.refused(&["jobs", "show", job]).await;
    let found = running.output(&["verify"]).await;
    assert!(String::from_utf8_lossy(&found.stdout).contains("mail_job"), "{found:?}");

    let resent = running.admin(&["mail", "retry", email["uid"].as_str().unwrap()]).await;
    assert_eq!(resent, [json!({ "line": "resent", "emails": 1 })]);
    let next = running.wait_for(&jobs, |line| line["line"] == "job").await;
    assert_ne!(next["uid"], json!(job));
    assert_eq!(running.admin(&["jobs", "drop", "--dead", "--kind", "send_mail"]).await[0]["jobs"], 0);
    assert_eq!(running.admin(&["mail", "retry", "--failed"]).await[0]["emails"], 0);
    let next = running.wait_for(&jobs, |line| line["state"] == "ready" && line["error"].is_string()).await;
    let next = next["uid"].as_str().unwrap();
    let began = Instant::now();
    while !running.output(&["admin", "jobs", "retry", next]).await.status.success() {
        assert!(began.elapsed() < TIMEOUT, "the job cannot be retried");
    }
    let expected = [
        json!(["jobs drop", job, 1]),
        json!(["mail retry", email["uid"], 1]),
        json!(["jobs retry", next, 1]),
    ];
    assert_eq!(running.log().await, expected, "what found nothing or was refused is not there");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_mail_server_a_test_email_says_so() {
    let running = TestServer::start(&[]);
    let tested = running.admin(&["mail", "test", "ada@example.com"]).await;
    assert_eq!(tested, [json!({ "line": "tested", "without_server": true })]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_plan_of_an_organisation_is_explained() {
    let running = TestServer::start(&[]);
    let token = running.sign_in("ada@example.com").await;
    let account = json!({ "account": { "friendlyName": "A", "billingName": "B",
        "billingEmail": "a@b.example", "billingPhone": "1" } });
    let account = running.expect(Method::POST, "/v1/accounts", &token, account).await["uid"].clone();
    let path = format!("/v1/accounts/{}/checkout", account.as_str().unwrap());
    let plan = json!({ "planId": "essentials-monthly" });
    let purchase = running.expect(Method::POST, &path, &token, plan).await["provisionId"].clone();
    let account = account.as_str().unwrap();
    let lines = running.admin(&["org", "plan", account]).await;
    let [line, change, last] = lines.as_slice() else { panic!("{lines:?}") };
    let (state, reason) = (&line["state"], &line["reason"]);
    assert_eq!((&line["line"], &line["uid"]), (&json!("purchase"), &purchase));
    assert_eq!((state, reason, &line["account"]), (&json!("active"), &json!("free"), &json!(account)));
    let step = json!([change["from"], change["to"], change["reason"], change["cause"]]);
    assert_eq!(step, json!(["open", "active", "free", "person"]), "{change}");
    assert_eq!(last, &json!({ "line": "purchases", "purchases": 1 }));
    assert_eq!(running.admin(&["org", "plan", line["org"].as_str().unwrap()]).await, lines);
    let Output { stdout, .. } = running.output(&["admin", "org", "plan", account]).await;
    let text = String::from_utf8(stdout).unwrap();
    assert!(text.contains("now active: granted while payment was off"), "{text}");
    assert!(text.contains("open -> active: granted while payment was off; by the person "), "{text}");
    let unknown = running.refused(&["org", "plan", "01a00000-0000-7000-8000-000000000000"]).await;
    assert!(unknown.contains("no purchase has the id"), "{unknown}");
}
