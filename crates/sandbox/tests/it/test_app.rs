//! A sandbox on a real port, with a webhook endpoint that checks every signature.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, Request, StatusCode};
use axum::routing::post;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use db::Db;
use jobs::{Handlers, Jobs};
use kernel::{AccountId, Ambient, OffsetClock, ProvisionId, Secret, SystemClock, SystemRandom};
use mail::{MailSettings, Mailer};
use payments::{Access, Address, Checkout, Event, NewCheckout, NewCustomer, Provider};
use sandbox::{AppleClient, GoogleClient, OpenIdClients, Price, Sandbox, SandboxDeps};
use tower::ServiceExt as _;

/// The public address in tests; nothing listens there.
pub(crate) const PUBLIC: &str = "http://127.0.0.1:1";

#[derive(Clone)]
struct WebhookEndpoint {
    provider: Provider,
    received: Arc<Mutex<Vec<Event>>>,
    rejecting: Arc<AtomicBool>,
}

/// The fixture of the tests.
pub(crate) struct TestApp {
    pub(crate) db: Db,
    pub(crate) ambient: Ambient,
    pub(crate) mailer: Mailer,
    pub(crate) provider: Provider,
    jobs: Jobs,
    handlers: Handlers,
    hook: WebhookEndpoint,
    /// The private key with which Apple's client signs.
    pub(crate) apple_key: EcdsaKeyPair,
    pub(crate) base: String,
    pub(crate) http: reqwest::Client,
    account: AccountId,
    routes: Router,
    _dir: tempfile::TempDir,
}

/// Starts the stand-ins.
pub(crate) async fn test_app() -> TestApp {
    TestApp::start().await
}

impl TestApp {
    async fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let db = Db::connect(&format!("sqlite://{}/test.db", dir.path().display())).await.unwrap();
        let clock = Arc::new(OffsetClock::new(Arc::new(SystemClock), 0));
        let ambient = Ambient::new(clock.clone(), Arc::new(SystemRandom));
        let steps: Vec<db::Migration> =
            [jobs::migrations(), mail::migrations(), sandbox::migrations()].into_iter().flatten().collect();
        db::migrate(&db, &ambient, &steps).await.unwrap();
        let jobs = Jobs::new(db.clone(), ambient.clone());
        let mailer =
            Mailer::new(db.clone(), ambient.clone(), jobs.clone(), &MailSettings::default()).unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let access = Access {
            base: format!("{base}/sandbox/stripe"),
            secret_key: Secret::new("sk_sandbox"),
            webhook_secret: Secret::new("whsec_sandbox"),
        };
        let provider = Provider::new(access.clone(), ambient.clone()).unwrap();
        let apple_key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        let sandbox = Sandbox::new(SandboxDeps {
            db: db.clone(),
            ambient: ambient.clone(),
            clock,
            jobs: jobs.clone(),
            mailer: mailer.clone(),
            access,
            openid: clients(&apple_key),
            prices: prices(),
            public_url: PUBLIC.to_owned(),
            clock_is_fixed: false,
            open: false,
            webhook_url: format!("{base}/hook"),
        })
        .unwrap();
        let mut handlers = Handlers::default();
        mailer.register(&mut handlers);
        sandbox.register(&mut handlers);
        let hook = WebhookEndpoint {
            provider: provider.clone(),
            received: Arc::default(),
            rejecting: Arc::default(),
        };
        let app = Router::new()
            .route("/hook", post(receive_webhook))
            .with_state(hook.clone())
            .merge(sandbox.routes());
        let routes = app.clone();
        let app = app.into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        let account = ambient.uid();
        Self {
            db,
            ambient,
            mailer,
            provider,
            jobs,
            handlers,
            hook,
            apple_key,
            base,
            http,
            account,
            routes,
            _dir: dir,
        }
    }

    pub(crate) async fn run_jobs(&self) {
        self.jobs.run_due(&self.handlers).await.unwrap();
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.hook.received.lock().unwrap().clone()
    }

    pub(crate) fn reject_webhooks(&self, reject: bool) {
        self.hook.rejecting.store(reject, Ordering::SeqCst);
    }

    /// Returns the customer, the same one each time.
    pub(crate) async fn customer(&self) -> String {
        let new = NewCustomer {
            account: self.account,
            name: "Ada".into(),
            email: Some("ada@example.com".into()),
            address: Address::default(),
            phone: "+44 20 7946 0958".into(),
        };
        self.provider.create_customer(&new, None).await.unwrap()
    }

    pub(crate) async fn purchase(&self, plan: &str) -> NewCheckout {
        NewCheckout {
            account: self.account,
            provision: self.ambient.uid(),
            plan: plan.to_owned(),
            customer: self.customer().await,
            success_url: format!("{PUBLIC}/billing/success?provision_id=1"),
            cancel_url: format!("{PUBLIC}/billing/cancelled"),
            expires_at: self.ambient.now() + kernel::DAY,
        }
    }

    pub(crate) async fn checkout(&self, plan: &str) -> (ProvisionId, Checkout) {
        let new = self.purchase(plan).await;
        (new.provision, self.provider.create_checkout(&new).await.unwrap())
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, String) {
        let response = self.http.get(format!("{}{path}", self.base)).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    /// Returns the status of a page for a peer at this address, or for an unknown peer.
    pub(crate) async fn status_from(&self, peer: Option<&str>, path: &str) -> u16 {
        let mut request = Request::get(path).body(Body::empty()).unwrap();
        if let Some(peer) = peer {
            let address = SocketAddr::new(peer.parse().unwrap(), 50_000);
            request.extensions_mut().insert(ConnectInfo(address));
        }
        self.routes.clone().oneshot(request).await.unwrap().status().as_u16()
    }

    /// Posts a form. Returns the status and either the Location or the body.
    pub(crate) async fn form(&self, path: &str, body: &str) -> (u16, String) {
        let kind = "application/x-www-form-urlencoded";
        self.send(path, kind, body).await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> (u16, String) {
        self.send(path, "application/json", body).await
    }

    async fn send(&self, path: &str, kind: &str, body: &str) -> (u16, String) {
        let request = self.http.post(format!("{}{path}", self.base)).header("Content-Type", kind);
        let response = request.body(body.to_owned()).send().await.unwrap();
        let status = response.status().as_u16();
        match response.headers().get("location") {
            Some(location) => (status, location.to_str().unwrap().to_owned()),
            None => (status, response.text().await.unwrap()),
        }
    }

    /// Calls the payment provider's API as its client does. Returns the status and the answer.
    pub(crate) async fn stripe(&self, method: &str, path: &str, form: &str) -> (u16, serde_json::Value) {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let request = self
            .http
            .request(method, format!("{}/sandbox/stripe/v1/{path}", self.base))
            .bearer_auth("sk_sandbox")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(form.to_owned());
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    /// Reads from the payment provider's API.
    pub(crate) async fn read(&self, path: &str) -> serde_json::Value {
        let (status, answer) = self.stripe("GET", path, "").await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// Changes something by the payment provider's API.
    pub(crate) async fn change(&self, path: &str, form: &str) -> serde_json::Value {
        let (status, answer) = self.stripe("POST", path, form).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// Buys a plan. Returns the purchase and its subscription.
    pub(crate) async fn subscribed(&self, plan: &str) -> (ProvisionId, String) {
        let (provision, session) = self.checkout(plan).await;
        self.settle(&session.id, "pay").await;
        (provision, self.provider.checkout(&session.id).await.unwrap().subscription.unwrap())
    }

    pub(crate) async fn settle(&self, session: &str, outcome: &str) -> String {
        let body = format!(r#"{{"outcome":"{outcome}"}}"#);
        let (status, text) = self.post(&format!("/sandbox/api/checkouts/{session}"), &body).await;
        assert_eq!(status, 200, "{text}");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        value["redirectUrl"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn move_clock(&self, days: f64) {
        let (status, text) = self.post("/sandbox/api/clock", &format!(r#"{{"advanceDays":{days}}}"#)).await;
        assert_eq!(status, 200, "{text}");
    }

    pub(crate) async fn set_renewal_outcome(&self, provision: ProvisionId, outcome: &str) -> String {
        let body = format!(r#"{{"outcome":"{outcome}"}}"#);
        let (status, text) = self.post(&format!("/sandbox/api/subscriptions/{provision}"), &body).await;
        assert_eq!(status, 200, "{text}");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        value["status"].as_str().unwrap().to_owned()
    }
}

/// What an operator would get from the two consoles.
fn clients(apple_key: &EcdsaKeyPair) -> OpenIdClients {
    // An uncompressed point: the byte 4, then x, then y.
    let point = apple_key.public_key().as_ref();
    OpenIdClients {
        google: GoogleClient {
            client_id: "vitrine.google".into(),
            client_secret: Secret::new("s&cret+of:google"),
        },
        apple: AppleClient {
            client_id: "vitrine.apple".into(),
            team_id: "TEAM123456".into(),
            key_id: "KEY1234567".into(),
            key_x: URL_SAFE_NO_PAD.encode(&point[1..33]),
            key_y: URL_SAFE_NO_PAD.encode(&point[33..]),
        },
    }
}

async fn receive_webhook(State(hook): State<WebhookEndpoint>, headers: HeaderMap, body: Bytes) -> StatusCode {
    if hook.rejecting.load(Ordering::SeqCst) {
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    let signature = headers.get("stripe-signature").map(|value| value.to_str().unwrap());
    let event = hook.provider.verify_webhook(signature, &body).unwrap();
    hook.received.lock().unwrap().push(event);
    StatusCode::OK
}

fn prices() -> Vec<Price> {
    let plans = [
        ("essentials-monthly", "Essentials Monthly", 4_900, 1),
        ("professional-monthly", "Professional Monthly", 19_900, 1),
        ("professional-annual", "Professional Annual", 199_000, 12),
    ];
    plans
        .map(|(plan, title, amount, months)| Price {
            plan: plan.into(),
            title: title.into(),
            amount,
            currency: "usd".into(),
            months,
        })
        .into()
}
