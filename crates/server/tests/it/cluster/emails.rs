//! The mail server, and what happens while it is away for hours.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::servers::Cluster;
use super::{cluster, figure, parts};

/// A mail server that takes every email.
pub struct MailServer {
    child: Child,
    pub port: u16,
    emails: Arc<Mutex<Vec<Value>>>,
}

impl MailServer {
    pub fn start() -> Self {
        let peer = concat!(env!("CARGO_MANIFEST_DIR"), "/../mail/tests/peer/smtp_peer.py");
        let mut child = Command::new("/usr/bin/python3")
            .arg(peer)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        let port = first["port"]
            .as_u64()
            .unwrap_or_else(|| panic!("python3-aiosmtpd is missing (tools/deps cluster)"));
        let emails = Arc::new(Mutex::new(Vec::new()));
        let received = Arc::clone(&emails);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let said: Value = serde_json::from_str(&line).unwrap();
                if said["recipients"].is_array() {
                    received.lock().unwrap().push(said);
                }
            }
        });
        Self { child, port: u16::try_from(port).unwrap(), emails }
    }

    /// Returns how many emails have arrived at an address.
    pub fn received(&self, address: &str) -> usize {
        self.emails.lock().unwrap().iter().filter(|email| email["recipients"][0] == address).count()
    }

    /// Returns how many different emails have arrived at an address: a server that gets one twice can tell by its id.
    pub fn different(&self, address: &str) -> usize {
        let emails = self.emails.lock().unwrap();
        let to = emails.iter().filter(|email| email["recipients"][0] == address);
        let headers = to.flat_map(|email| email["headers"].as_array().unwrap());
        let ids = headers.filter(|header| header[0] == "Message-ID").map(|header| header[1].to_string());
        ids.collect::<std::collections::HashSet<_>>().len()
    }

    /// Returns the codes in the emails to an address.
    pub fn codes(&self, address: &str) -> Vec<String> {
        let emails = self.emails.lock().unwrap();
        let to = emails.iter().filter(|email| email["recipients"][0] == address);
        let code = |email: &Value| {
            let text = email["parts"][0][1].as_str().unwrap();
            let after = text.split_once("code=").unwrap_or_else(|| panic!("no link in {text}")).1;
            after.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()
        };
        to.map(code).collect()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const EMAILS: usize = 20;
/// The time away in steps of a quarter of an hour.
const STEPS: usize = 8;
const STEP: i64 = 15 * 60 * 1000;
/// Longest pause between two tries.
const PAUSE_MAX: i64 = 60 * 60 * 1000;

fn waiting(cluster: &Cluster, more: &str) -> usize {
    let count =
        format!("SELECT count(*) FROM job WHERE kind = 'send_mail' AND state IN ('ready', 'running') {more}");
    cluster.database().sql(&count).trim().parse().unwrap()
}

/// Lets time pass for the emails that wait: everything about them becomes older.
fn pass(cluster: &Cluster, ms: i64) {
    let job = format!(
        "UPDATE job SET due_at = due_at - {ms}, first_attempt_at = first_attempt_at - {ms}, created_at = created_at - {ms} \
         WHERE kind = 'send_mail' AND state = 'ready'"
    );
    let email = format!(
        "UPDATE mail_outbox SET time_created = time_created - {ms}, attempted_at = attempted_at - {ms}, \
         expires_at = expires_at - {ms} WHERE state = 'waiting'"
    );
    cluster.database().sql(&job);
    cluster.database().sql(&email);
}

/// Waits until no email is due, because each was tried.
async fn until_tried(cluster: &Cluster) {
    let began = Instant::now();
    let due = "AND (state = 'running' OR due_at <= 1000 * extract(epoch FROM clock_timestamp()))";
    while tokio::task::block_in_place(|| waiting(cluster, due)) > 0 {
        assert!(began.elapsed() < parts::TIMEOUT, "emails stay due");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_mail_server_that_was_away_for_two_hours_gets_each_email_once() {
    let Some((_one, mut cluster)) = cluster().await else { return };
    let (token, org) = cluster.owner().await;
    cluster.start_worker().await;
    cluster.mail_link.close();
    let people: Vec<String> = (0..EMAILS).map(|n| format!("p{n}@example.com")).collect();
    let body = json!({ "userEmails": people, "role": "teamUser" });
    cluster.call(&cluster.url, Method::POST, &format!("/v1/organizations/{org}/invites"), &token, body).await;
    for _ in 0..STEPS {
        until_tried(&cluster).await;
        assert_eq!(tokio::task::block_in_place(|| waiting(&cluster, "")), EMAILS, "an email was given up");
        tokio::task::block_in_place(|| pass(&cluster, STEP));
    }
    until_tried(&cluster).await;
    let tries = cluster.database().sql("SELECT max(attempts) FROM mail_outbox WHERE state = 'waiting'");
    assert!(people.iter().all(|person| cluster.mail.received(person) == 0), "the mail server is away");
    cluster.mail_link.open();
    tokio::task::block_in_place(|| pass(&cluster, PAUSE_MAX));
    let back = Instant::now();
    while people.iter().any(|person| cluster.mail.received(person) == 0) {
        assert!(back.elapsed() < parts::TIMEOUT, "emails are missing");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let took = back.elapsed();
    tokio::time::sleep(Duration::from_secs(3)).await;
    let twice = people.iter().filter(|person| cluster.mail.received(person) > 1).count();
    figure(
        "mail server away for two hours",
        &format!(
            "{EMAILS} emails, each tried {} times meanwhile; all arrive within {took:.1?} of the first try after that, {twice} twice",
            tries.trim()
        ),
    );
    assert_eq!((twice, waiting(&cluster, "")), (0, 0));
    cluster.verify().await;
}
