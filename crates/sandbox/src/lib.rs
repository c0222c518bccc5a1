#![doc = include_str!("../README.md")]

mod api;
mod clock;
mod deliver;
mod entity;
mod migrations;
mod oidc;
mod pages;
mod peers;
mod store;
mod stripe;

use std::sync::Arc;

use axum::Router;
use db::{Db, Migration, WriteTx};
use jobs::{Handlers, Jobs, Queue};
use kernel::{Ambient, MINUTE, OffsetClock, Timestamp, Uid};
use mail::Mailer;
use payments::Access;
use sea_orm::DbErr;
use serde_json::Value;

pub use clock::{restore_clock, start_in_the_past};
pub use oidc::{AppleClient, GoogleClient, OpenIdClients};
pub use stripe::catalogue::Price;

/// What the sandbox needs.
pub struct SandboxDeps {
    /// The database of the process.
    pub db: Db,
    /// Time, randomness and ids. Its clock must be `clock`.
    pub ambient: Ambient,
    /// The clock that `POST /sandbox/api/clock` moves.
    pub clock: Arc<OffsetClock>,
    /// The queue that delivers webhooks.
    pub jobs: Jobs,
    /// The mailer whose emails the inbox shows.
    pub mailer: Mailer,
    /// The secrets shared with the payment client. The base must be `{server}/sandbox/stripe`.
    pub access: Access,
    /// The clients that may sign people in at `{public}/sandbox/oidc/{google|apple}`.
    pub openid: OpenIdClients,
    /// What the plans cost.
    pub prices: Vec<Price>,
    /// The public address, for links in pages: `http://127.0.0.1:8080`.
    pub public_url: String,
    /// Whether other machines may use the pages and the API for scripts. Normally only this machine may.
    pub open: bool,
    /// Where webhooks go: `{server}/v1/webhooks/stripe`.
    pub webhook_url: String,
}

/// The stand-ins. Clones share state.
#[derive(Clone)]
pub struct Sandbox(Arc<Inner>);

struct Inner {
    deps: SandboxDeps,
    pages: pages::Pages,
    http: reqwest::Client,
    openid: oidc::OpenId,
}

impl Sandbox {
    /// Creates the stand-ins. Fails with a sentence that says why they cannot run.
    pub fn new(deps: SandboxDeps) -> Result<Self, String> {
        check(&deps.public_url)?;
        let pages = pages::Pages::new().map_err(|error| format!("invalid sandbox page template: {error}"))?;
        let http = deliver::client().map_err(|error| format!("no HTTP client for webhooks: {error}"))?;
        let openid = oidc::OpenId::new(deps.openid.clone())?;
        Ok(Self(Arc::new(Inner { deps, pages, http, openid })))
    }

    /// Returns all routes, each below /sandbox. Other machines are rejected, except by the Stripe stand-in:
    /// it requires its key, and the server calls itself by its listen address.
    pub fn routes(&self) -> Router {
        let open = peers::Open(self.0.deps.open);
        let own: Arc<str> = self.0.deps.public_url.trim_end_matches('/').into();
        Router::new()
            .merge(api::routes(self.clone()))
            .merge(pages::routes(self.clone()))
            .merge(oidc::routes(self))
            .route_layer(axum::middleware::from_fn_with_state(own, peers::no_other_site))
            .route_layer(axum::middleware::from_fn_with_state(open, peers::only_this_machine))
            .merge(stripe::routes(self.clone()))
    }

    /// Registers the job `deliver_webhook` and the schedule `sandbox_renewals`.
    pub fn register(&self, handlers: &mut Handlers) {
        let sandbox = self.clone();
        handlers.on(Queue::Quick, move |job: deliver::DeliverWebhook| {
            let sandbox = sandbox.clone();
            async move { deliver::run(&sandbox, job).await }
        });
        let (reader, sandbox) = (self.clone(), self.clone());
        let is_due = move || {
            let sandbox = reader.clone();
            async move { stripe::is_due(&sandbox).await }
        };
        handlers.every_if("sandbox_renewals", MINUTE, Queue::Quick, is_due, move || {
            let sandbox = sandbox.clone();
            async move { clock::renewals(&sandbox).await }
        });
    }

    pub(crate) fn db(&self) -> &Db {
        &self.0.deps.db
    }

    pub(crate) fn deps(&self) -> &SandboxDeps {
        &self.0.deps
    }

    /// Returns the price for which `is_wanted` returns true.
    pub(crate) fn price(&self, is_wanted: impl Fn(&Price) -> bool) -> Option<&Price> {
        self.0.deps.prices.iter().find(|price| is_wanted(price))
    }

    /// Returns the price with this lookup key.
    pub(crate) fn price_of_plan(&self, plan: &str) -> Option<&Price> {
        self.price(|price| price.plan == plan)
    }

    pub(crate) fn access(&self) -> &Access {
        &self.0.deps.access
    }

    pub(crate) fn pages(&self) -> &pages::Pages {
        &self.0.pages
    }

    pub(crate) fn openid(&self) -> &oidc::OpenId {
        &self.0.openid
    }

    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.0.http
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.deps.ambient.now()
    }

    /// Returns whole seconds since the epoch, the provider's unit.
    pub(crate) fn seconds(&self) -> i64 {
        self.now().seconds()
    }

    /// Creates an id like the provider's: `sub_` and hex digits. Later ids sort after earlier ones.
    pub(crate) fn new_id(&self, prefix: &str) -> String {
        format!("{prefix}_{}", self.0.deps.ambient.uid::<Uid>().simple())
    }

    /// Returns the address of one of our pages.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("{}/sandbox/{path}", self.0.deps.public_url.trim_end_matches('/'))
    }

    /// Stores an event and enqueues its delivery.
    pub(crate) async fn emit_event(&self, tx: &WriteTx, name: &str, object: &Value) -> Result<(), DbErr> {
        let id = self.new_id("evt");
        let new = store::NewObject {
            id: id.clone(),
            kind: store::Kind::Event,
            owner: object["id"].as_str().map(str::to_owned),
            reference: None,
            body: stripe::objects::event(&id, name, object, self.seconds()),
            inner: Value::Null,
            due: None,
        };
        store::insert(tx, new, self.now()).await?;
        self.0.deps.jobs.enqueue(tx, &deliver::DeliverWebhook { event: id }).await.map(drop)
    }
}

/// Returns the migrations of the sandbox's tables.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}

/// Checks whether a sandbox may run under this public address: only one that no other machine can reach.
/// Fails with a sentence that says what to do.
pub fn check(public_url: &str) -> Result<(), String> {
    let url = url::Url::parse(public_url).ok();
    let loopback = url.as_ref().and_then(url::Url::host).is_some_and(|host| match host {
        url::Host::Domain(name) => name == "localhost",
        url::Host::Ipv4(address) => address.is_loopback(),
        url::Host::Ipv6(address) => address.is_loopback(),
    });
    if loopback {
        return Ok(());
    }
    Err(format!(
        "VITRINE_SANDBOX=true shows every email and takes no real money, so it requires a loopback address, \
         but VITRINE_PUBLIC_URL is {public_url}. Set VITRINE_SANDBOX=false, or use http://127.0.0.1:8080."
    ))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn the_sandbox_refuses_an_address_others_can_reach() {
        for good in ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:8080/"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "https://vitrine.example",
            "http://192.168.1.2",
            "http://localhost.example.com",
            "",
            "http://0.0.0.0",
        ] {
            assert!(check(bad).is_err_and(|why| why.contains("VITRINE_SANDBOX")), "{bad}");
        }
    }
}
