//! (k) Latency of `GET /v1/playlists` while 1,000 webhooks of the payment provider arrive at once, against a server at
//! rest.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kernel::{Clock as _, Signer, SystemClock};
use payments::signature;
use reqwest::Client;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::BoxError;
use crate::api::{Api, text, wait_for};
use crate::latency::{Latency, timed_requests};
use crate::process::spread;
use crate::server_process::Server;
use crate::table::{Row, Table};

const ROUNDS: usize = 3;
/// Requests of a round, one every 10 ms: the webhooks are answered and processed meanwhile.
const REQUESTS: usize = 300;
/// Purchases that the webhooks are about.
const PURCHASES: usize = 50;
const WEBHOOKS: usize = 1_000;
/// Playlists of the list.
const PLAYLISTS: usize = 10;
/// Maximum ratio to the median at rest.
const MAX_RATIO: f64 = 2.0;
/// What the provider reports when a plan is renewed.
const EVENTS: [&str; 4] =
    ["invoice.created", "invoice.finalized", "invoice.paid", "customer.subscription.updated"];

/// An account with plans, and one organisation with playlists.
struct Buyer {
    api: Api,
    org: String,
    provisions: Vec<String>,
}

/// The server has both cores; the load shares one of them.
pub async fn measure(table: &mut Table, server: &Server, folder: &Path) -> Result<(), BoxError> {
    let buyer = Buyer::create(server).await?;
    let secret = webhook_secret(&folder.join(&server.name))?;
    let (client, bearer) = (Client::builder().no_proxy().build()?, buyer.api.bearer());
    let url = server.at(&format!("/v1/playlists?orgId={}&limit={PLAYLISTS}", buyer.org));
    timed_requests(&client, &url, &bearer, REQUESTS / 6).await?;
    let (mut at_rest, mut with_webhooks) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        at_rest.push(timed_requests(&client, &url, &bearer, REQUESTS).await?);
        let burst =
            tokio::spawn(send_all(server.at("/v1/webhooks/stripe"), buyer.events(round), secret.clone()));
        with_webhooks.push(timed_requests(&client, &url, &bearer, REQUESTS).await?);
        burst.await??;
    }
    let p50 = |rounds: &[Latency]| spread(rounds.iter().map(|latency| latency.p50));
    let p99 = |rounds: &[Latency]| spread(rounds.iter().map(|latency| latency.p99)).median;
    let times = p50(&with_webhooks).median / p50(&at_rest).median;
    table.add(Row {
        what: format!("(k) p50 while {WEBHOOKS} webhooks arrive at once, or at rest"),
        unit: "ms",
        ours: p50(&with_webhooks),
        theirs: p50(&at_rest),
        ratio: 1.0 / times,
        by_cpu: None,
        goal: 1.0 / MAX_RATIO,
        notes: vec![
            format!("p50 is {times:.2} times that at rest (goal: at most {MAX_RATIO})"),
            format!(
                "p99 {:.2} ms against {:.2} ms; {REQUESTS} requests per round, {PURCHASES} purchases, {}",
                p99(&with_webhooks),
                p99(&at_rest),
                server.cores.describe(),
            ),
        ],
    });
    Ok(())
}

impl Buyer {
    /// Buys the plans through the public API and the provider's stand-in.
    async fn create(server: &Server) -> Result<Self, BoxError> {
        let api = Api::of(server)?.sign_in("buyer@bench.example", "portal").await?;
        let form = json!({ "friendlyName": "Bench", "billingName": "Bench", "billingEmail": "buyer@bench.example",
            "billingPhone": "+44 20 7946 0958", "type": "agency" });
        let account = text(&api.post("/v1/accounts", &json!({ "account": form })).await?, "uid")?;
        let (mut provisions, mut orgs) = (Vec::with_capacity(PURCHASES), Vec::new());
        for _ in 0..PURCHASES {
            let plan = json!({ "planId": "essentials-monthly" });
            let checkout = api.post(&format!("/v1/accounts/{account}/checkout"), &plan).await?;
            let session = format!("/sandbox/api/checkouts/{}", text(&checkout, "sessionId")?);
            api.post(&session, &json!({ "outcome": "pay" })).await?;
            let path = format!("/v1/accounts/{account}/provisions/{}", text(&checkout, "provisionId")?);
            let org =
                wait_for("purchase", async || Ok(api.get(&path).await?["orgId"].as_str().map(str::to_owned)));
            orgs.push(org.await?);
            provisions.push(text(&checkout, "provisionId")?);
        }
        let org = orgs.swap_remove(0);
        for number in 0..PLAYLISTS {
            let playlist = json!({ "playlist": { "title": format!("Playlist {number}") }, "orgId": org });
            api.post("/v1/playlists", &playlist).await?;
        }
        Ok(Self { api, org, provisions })
    }

    /// Returns the events of a round, each with an id that is new.
    fn events(&self, round: usize) -> Vec<Value> {
        let event = |number: usize| {
            let metadata = json!({ "provision": self.provisions[number % PURCHASES] });
            let details = json!({ "metadata": metadata.clone() });
            let object = json!({ "id": format!("object_{number}"), "metadata": metadata,
                "parent": { "subscription_details": details } });
            json!({ "id": format!("evt_bench_{round}_{number}"), "object": "event", "created": 1,
                "type": EVENTS[number / PURCHASES % EVENTS.len()], "data": { "object": object } })
        };
        (0..WEBHOOKS).map(event).collect()
    }
}

/// Returns the secret that signs webhooks, which the server derives from its own.
fn webhook_secret(data: &Path) -> Result<String, BoxError> {
    let bytes = STANDARD.decode(std::fs::read_to_string(data.join("secret"))?.trim())?;
    let bytes: [u8; 32] = bytes.try_into().map_err(|_| "the secret does not have 32 bytes")?;
    let key = Signer::new(&bytes).derive("sandbox-webhook");
    let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("whsec_{hex}"))
}

/// Sends all events at once. Fails if one is not accepted.
async fn send_all(url: String, events: Vec<Value>, secret: String) -> Result<(), BoxError> {
    let client = Client::builder().no_proxy().build()?;
    let mut requests = JoinSet::new();
    for event in events {
        let body = event.to_string();
        let signature = signature::sign(&secret, SystemClock.now(), body.as_bytes());
        let request = client.post(&url).header("stripe-signature", signature).body(body);
        requests.spawn(async move { request.send().await.map(|response| response.status()) });
    }
    while let Some(done) = requests.join_next().await {
        let status = done??;
        if !status.is_success() {
            return Err(format!("a webhook was answered with {status}").into());
        }
    }
    Ok(())
}
