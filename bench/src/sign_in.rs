//! (e) Sign-in: whether timing distinguishes a known address from an unknown one, and how hashing affects
//! other requests.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Failure;
use crate::house::Server;
use crate::process::spread;
use crate::seed::Town;
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
pub async fn measure(table: &mut Table, server: &Server, town: &Town) -> Result<(), Failure> {
    let door = Door { http: reqwest::Client::builder().no_proxy().build()?, server };
    crate::say("creating 500 people with passwords");
    for n in 0..PAIRS {
        door.knock("/v1/auth/sign-up", &pair(&known(n)), &origin(n), 201).await?;
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
            let (here, there) = (known(n), format!("nobody-{n}@example.com"));
            let (first, second) = if n % 2 == 0 { (&here, &there) } else { (&there, &here) };
            let one = door.knock(path, &body(first), &origin(2 * n), status).await?;
            let two = door.knock(path, &body(second), &origin(2 * n + 1), status).await?;
            let (known, unknown) = if n % 2 == 0 { (one, two) } else { (two, one) };
            times.0.push(known.as_secs_f64() * 1e3);
            times.1.push(unknown.as_secs_f64() * 1e3);
        }
        table.add(alike(what, times));
    }
    table.add(beside(&door, town).await?);
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
fn alike(what: &str, times: (Vec<f64>, Vec<f64>)) -> Row {
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
async fn beside(door: &Door<'_>, town: &Town) -> Result<Row, Failure> {
    let alone = door.reads(town).await?;
    let mut sign_ins = 0_usize;
    let (done, mut told) = tokio::sync::mpsc::unbounded_channel::<()>();
    let crowd = async {
        let mut round = 0;
        while !done.is_closed() {
            let tries = (0..SIGNING_IN).map(|n| {
                let (claim, from) = (pair(&known(n)), origin(10_000 + round * SIGNING_IN + n));
                async move { door.knock("/v1/auth/sign-in", &claim, &from, 200).await }
            });
            for outcome in futures::future::join_all(tries).await {
                outcome?;
                sign_ins += 1;
            }
            round += 1;
        }
        Ok::<_, Failure>(())
    };
    let reads = async {
        let times = door.reads(town).await;
        told.close();
        times
    };
    let begun = Instant::now();
    let (crowd, busy) = futures::future::join(crowd, reads).await;
    crowd?;
    let busy = busy?;
    let rate = sign_ins as f64 / begun.elapsed().as_secs_f64();
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
struct Door<'a> {
    http: reqwest::Client,
    server: &'a Server,
}

impl Door<'_> {
    /// Sends one request from a client address; returns the response time.
    async fn knock(&self, path: &str, body: &Value, from: &str, status: u16) -> Result<Duration, Failure> {
        let request = self.http.post(self.server.at(path)).header("x-forwarded-for", from).json(body);
        let begun = Instant::now();
        let answer = request.send().await?;
        let took = begun.elapsed();
        let got = answer.status();
        let text = answer.text().await?;
        if got == status { Ok(took) } else { Err(format!("{path} responded with {got}: {text}").into()) }
    }

    async fn reads(&self, town: &Town) -> Result<Vec<f64>, Failure> {
        let mut times = Vec::with_capacity(READS);
        for _ in 0..READS {
            let request = self.http.get(self.server.at("/v1/profiles"));
            let request = request.header("authorization", town.owner.bearer());
            let begun = Instant::now();
            request.send().await?.error_for_status()?.bytes().await?;
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        Ok(times)
    }
}
