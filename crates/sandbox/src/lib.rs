#![doc = include_str!("../README.md")]
#![recursion_limit = "512"]

mod access;
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
mod videos;

use std::sync::Arc;

use axum::Router;
use db::{Db, Migration};
use jobs::{Handlers, Jobs, Queue};
use kernel::{Ambient, MINUTE, OffsetClock};
use mail::Mailer;
use payments::Access;

pub use clock::{restore_clock, start_in_the_past};
pub use oidc::{AppleClient, GoogleClient, OpenIdClients};
pub use peers::check;
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
    /// Whether the clock must stay right, because a real provider takes the payments.
    pub clock_is_fixed: bool,
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
    faults: stripe::Faults,
}

impl Sandbox {
    /// Creates the stand-ins. Fails with a sentence that says why they cannot run.
    pub fn new(deps: SandboxDeps) -> Result<Self, String> {
        check(&deps.public_url)?;
        let pages = pages::Pages::new().map_err(|error| format!("invalid sandbox page template: {error}"))?;
        let http = deliver::client().map_err(|error| format!("no HTTP client for webhooks: {error}"))?;
        let openid = oidc::OpenId::new(deps.openid.clone())?;
        Ok(Self(Arc::new(Inner { deps, pages, http, openid, faults: stripe::Faults::default() })))
    }

    /// Returns all routes, each below /sandbox. Other machines are rejected, except by the stand-ins that the server
    /// calls by its listen address: that of Stripe requires its key, and that of the video hosts holds no data.
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
            .merge(videos::routes())
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
            async move { stripe::sweep::is_due(&sandbox).await }
        };
        handlers.every_if("sandbox_renewals", MINUTE, Queue::Quick, is_due, move || {
            let sandbox = sandbox.clone();
            async move { clock::renewals(&sandbox).await }
        });
    }
}

/// Returns the migrations of the sandbox's tables.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
