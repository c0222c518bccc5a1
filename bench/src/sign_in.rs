//! (e) Sign-in: whether timing distinguishes a known address from an unknown one, and how hashing affects
//! other requests.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::BoxError;
use crate::process::spread;
use crate::seed::SeedData;
use crate::server_process::Server;
use crate::table::{Row, Table};

/// Pairs of a known and an unknown address.
const PAIRS: usize = 500;
/// Medians within 5 %.
const GOAL: f64 = 0.95;
/// People who keep signing in while others use the API.
const SIGNING_IN: usize = 8;
/// Reads measured during those sign-ins.
const READS: usize = 400;
/// Reads may take three times as long: two of them share the core with each hash.
const READ_GOAL: f64 = 0.33;

/// Builds the body of a request from an address.
type Body = fn(&str) -> Value;

/// Five hundred pairs for each operation that takes an address, then reads during sign-ins.
pub async fn measure(table: &mut Table, server: &Server, seed: &SeedData) -> Result<(), BoxError> {
    let client = SignInClient { http: reqwest::Client::builder().no_proxy().build()?, server };
    crate::say("creating 500 people with passwords");
    for n in 0..PAIRS {
        client.request("/v1/auth/sign-up", &pair(&known(n)), &origin(n), 201).await?;
    }
    let wrong: Body = |email| json!({ "email": email, "password": "otter-lantern-37" });
    let link: Body = |email| json!({ "email": email, "action": "login" });
    let reset: Body = |email| json!({ "email": email });
    for (path, what, status, body) in [
        ("/v1/auth/sign-in", "(e) wrong password, or no such address", 401, wrong),
        ("/v1/auth/magic-links", "(e) link for a known, or an unknown address", 202, link),
        ("/v1/auth/password-resets", "(e) reset of a known, or an unknown address", 202, reset),
    ] {
        let mut times = (Vec::new(), Vec::new());
        for n in 0..PAIRS {
            // The order alternates, so that neither side always benefits from warm pages.
            let (here, there) = (known(n), format!("unknown-{n}@example.com"));
            let (first, second) = if n % 2 == 0 { (&here, &there) } else { (&there, &here) };
            let one = client.request(path, &body(first), &origin(2 * n), status).await?;
            let two = client.request(path, &body(second), &origin(2 * n + 1), status).await?;
            let (known, unknown) = if n % 2 == 0 { (one, two) } else { (two, one) };
            times.0.push(known.as_secs_f64() * 1e3);
            times.1.push(unknown.as_secs_f64() * 1e3);
        }
        table.add(compare(what, times));
    }
    table.add(reads_during_sign_ins(&client, seed).await?);
    Ok(())
}

fn known(n: usize) -> String {
    format!("person-{n}@example.com")
}

fn pair(email: &str) -> Value {
    json!({ "email": email, "password": "wren-tapestry-94" })
}

/// Returns a new client address each time: the delays after wrong passwords are not measured here.
fn origin(n: usize) -> String {
    format!("10.{}.{}.{}", n / 65_536 + 1, n / 256 % 256, n % 256)
}

/// Reports both sides in milliseconds; the ratio is the smaller median divided by the larger.
fn compare(what: &str, times: (Vec<f64>, Vec<f64>)) -> Row {
    let (ours, theirs) = (spread(times.0.iter().copied()), spread(times.1.iter().copied()));
    let ratio = ours.median.min(theirs.median) / ours.median.max(theirs.median);
    Row {
        what: what.to_owned(),
        unit: "ms",
        ours,
        theirs,
        ratio,
        by_cpu: None,
        goal: GOAL,
        notes: vec![format!(
            "{PAIRS} pairs in turn; known on the left; the ratio is the smaller median divided by the larger"
        )],
    }
}

/// Measures reads of the caller's profile, alone and while people keep signing in.
async fn reads_during_sign_ins(client: &SignInClient<'_>, seed: &SeedData) -> Result<Row, BoxError> {
    let alone = client.reads(seed).await?;
    let mut sign_ins = 0_usize;
    let (done, mut receiver) = tokio::sync::mpsc::unbounded_channel::<()>();
    let sign_in_load = async {
        let mut round = 0;
        while !done.is_closed() {
            let attempts = (0..SIGNING_IN).map(|n| {
                let (claim, from) = (pair(&known(n)), origin(10_000 + round * SIGNING_IN + n));
                async move { client.request("/v1/auth/sign-in", &claim, &from, 200).await }
            });
            for outcome in futures::future::join_all(attempts).await {
                outcome?;
                sign_ins += 1;
            }
            round += 1;
        }
        Ok::<_, BoxError>(())
    };
    let reads = async {
        let times = client.reads(seed).await;
        receiver.close();
        times
    };
    let started = Instant::now();
    let (sign_in_load, busy) = futures::future::join(sign_in_load, reads).await;
    sign_in_load?;
    let busy = busy?;
    let rate = sign_ins as f64 / started.elapsed().as_secs_f64();
    let p99 = |times: &[f64]| {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() * 99 / 100]
    };
    let note = format!(
        "p99 {:.2} ms with {rate:.0} sign-ins a second of {SIGNING_IN} people, {:.2} ms alone",
        p99(&busy),
        p99(&alone)
    );
    let (ours, theirs) = (spread(busy.iter().copied()), spread(alone.iter().copied()));
    let ratio = theirs.median / ours.median;
    let what = "(e) GET /v1/profiles during sign-ins, or alone".to_owned();
    Ok(Row { what, unit: "ms", ours, theirs, ratio, by_cpu: None, goal: READ_GOAL, notes: vec![note] })
}

/// Sign-in operations, over one persistent connection.
struct SignInClient<'a> {
    http: reqwest::Client,
    server: &'a Server,
}

impl SignInClient<'_> {
    /// Sends one request from a client address; returns the response time.
    async fn request(&self, path: &str, body: &Value, from: &str, status: u16) -> Result<Duration, BoxError> {
        let request = self.http.post(self.server.at(path)).header("x-forwarded-for", from).json(body);
        let started = Instant::now();
        let response = request.send().await?;
        let took = started.elapsed();
        let got = response.status();
        let text = response.text().await?;
        if got == status { Ok(took) } else { Err(format!("{path} responded with {got}: {text}").into()) }
    }

    async fn reads(&self, seed: &SeedData) -> Result<Vec<f64>, BoxError> {
        let mut times = Vec::with_capacity(READS);
        for _ in 0..READS {
            let request = self.http.get(self.server.at("/v1/profiles"));
            let request = request.header("authorization", seed.owner.bearer());
            let started = Instant::now();
            request.send().await?.error_for_status()?.bytes().await?;
            times.push(started.elapsed().as_secs_f64() * 1e3);
        }
        Ok(times)
    }
}
