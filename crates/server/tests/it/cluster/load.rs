//! People who read and write through the balancer while something happens.

use std::fmt::{Display, Formatter, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::{Client, Method};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::servers::{Cluster, HOST};

/// People who play a file, and people who create playlists.
const PLAYERS: usize = 3;
const WRITERS: usize = 3;
/// Bytes that a player asks for at once.
const PIECE: usize = 256 * 1024;
const PAUSE: Duration = Duration::from_millis(20);

/// What was done.
#[derive(Debug, Default)]
pub struct Done {
    pub played: usize,
    pub wrong_bytes: usize,
    /// Playlists whose creation was acknowledged.
    pub created: Vec<String>,
    /// When requests failed since the load began, and how.
    pub failed: Vec<(Duration, String)>,
    /// The longest answer.
    pub slowest: Duration,
}

impl Done {
    fn add(&mut self, other: Self) {
        self.played += other.played;
        self.wrong_bytes += other.wrong_bytes;
        self.created.extend(other.created);
        self.failed.extend(other.failed);
        self.slowest = self.slowest.max(other.slowest);
    }

    /// Returns how many acknowledged playlists are missing.
    pub fn missing(&self, cluster: &Cluster) -> usize {
        let there = cluster_rows(cluster, "SELECT replace(uid::text, '-', '') FROM playlist");
        self.created.iter().filter(|uid| !there.contains(&uid.replace('-', ""))).count()
    }

    /// Returns the time from the first to the last failure.
    pub fn outage(&self) -> Duration {
        let times = self.failed.iter().map(|(at, _)| *at);
        times.clone().max().unwrap_or_default().saturating_sub(times.min().unwrap_or_default())
    }
}

/// Returns the values that a query selects on the server that is the primary.
fn cluster_rows(cluster: &Cluster, query: &str) -> std::collections::HashSet<String> {
    cluster.database().sql(query).lines().map(str::to_owned).collect()
}

impl Display for Done {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (played, created, failed) = (self.played, self.created.len(), self.failed.len());
        write!(f, "{played} pieces played, {created} playlists created, {failed} requests failed")?;
        write!(f, ", slowest answer {:.1?}", self.slowest)
    }
}

/// Where the requests go.
#[derive(Clone)]
struct Target {
    http: Client,
    url: String,
    token: String,
    org: String,
    /// Address of the file, and its bytes.
    file: (String, Arc<Vec<u8>>),
    began: Instant,
    stop: Arc<AtomicBool>,
}

/// A running load.
pub struct Load {
    people: JoinSet<Done>,
    stop: Arc<AtomicBool>,
}

impl Load {
    /// Starts the load with an item and its bytes.
    pub async fn start(cluster: &Cluster, token: &str, org: &str, (item, bytes): (&str, &[u8])) -> Self {
        let content = cluster.item(token, item).await;
        let address = Cluster::at(&cluster.url, content["url"].as_str().unwrap());
        let stop = Arc::new(AtomicBool::new(false));
        let target = Target {
            http: cluster.http.clone(),
            url: cluster.url.clone(),
            token: token.to_owned(),
            org: org.to_owned(),
            file: (address, Arc::new(bytes.to_vec())),
            began: Instant::now(),
            stop: Arc::clone(&stop),
        };
        let mut people = JoinSet::new();
        for number in 0..PLAYERS {
            people.spawn(target.clone().play(number));
        }
        for _ in 0..WRITERS {
            people.spawn(target.clone().write());
        }
        Self { people, stop }
    }

    /// Ends it, and returns what was done.
    pub async fn stop(self) -> Done {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = Done::default();
        self.people.join_all().await.into_iter().for_each(|done| all.add(done));
        all
    }
}

impl Target {
    /// Sends a request. Returns the body, or notes the failure.
    async fn send(&self, request: reqwest::RequestBuilder, done: &mut Done) -> Option<Vec<u8>> {
        let began = Instant::now();
        let answered = async {
            let response = request.header("host", HOST).send().await.map_err(|error| error.to_string())?;
            let status = response.status();
            let body = response.bytes().await.map_err(|error| format!("{status}, then {error}"))?;
            let is_good = status.is_success();
            if is_good {
                Ok(body.to_vec())
            } else {
                Err(format!("{status} {}", String::from_utf8_lossy(&body)))
            }
        };
        let answer: std::result::Result<_, String> = answered.await;
        done.slowest = done.slowest.max(began.elapsed());
        answer.map_err(|error| done.failed.push((self.began.elapsed(), error))).ok()
    }

    /// Plays the file again and again, and compares every byte.
    async fn play(self, number: usize) -> Done {
        let (mut done, (address, bytes)) = (Done::default(), &self.file);
        let mut at = number * PIECE;
        while !self.stop.load(Ordering::Relaxed) {
            let end = (at + PIECE).min(bytes.len());
            let range = format!("bytes={at}-{}", end - 1);
            let piece = self.send(self.http.get(address).header("range", range), &mut done).await;
            // As a player does, which asks for a piece again that it did not get.
            if let Some(piece) = piece {
                done.played += 1;
                done.wrong_bytes += usize::from(piece != bytes[at..end]);
                at = if end == bytes.len() { 0 } else { end };
            }
            tokio::time::sleep(PAUSE).await;
        }
        done
    }

    /// Creates playlists.
    async fn write(self) -> Done {
        let mut done = Done::default();
        while !self.stop.load(Ordering::Relaxed) {
            let body = json!({ "playlist": { "title": "P" }, "orgId": self.org });
            let request = self.http.request(Method::POST, format!("{}/v1/playlists", self.url));
            let made = self.send(request.bearer_auth(&self.token).json(&body), &mut done).await;
            if let Some(made) = made {
                let made: Value = serde_json::from_slice(&made).unwrap();
                done.created.push(made["uid"].as_str().unwrap().to_owned());
            }
            tokio::time::sleep(PAUSE).await;
        }
        done
    }
}
