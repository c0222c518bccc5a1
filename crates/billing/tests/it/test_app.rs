//! Billing with the provider stand-in on a real port, wired as in the server.

use std::fmt::Debug;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::response::IntoResponse as _;
use axum::{Extension, Router};
use billing::{AccountData, Billing, FreePlan, FreeProvisions, PlanSeats, Sales};
use http::Method;
use httpkit::Api;
use kernel::{Ambient, OffsetClock, OrgId, Secret, SystemClock};
use payments::{Access, Provider, signature};
use sandbox::{OpenIdClients, Sandbox, SandboxDeps};
use sea_orm::{ConnectionTrait as _, DatabaseConnection, DbErr, Statement};
use serde_json::{Value, json};
use testkit::{ApiResponse, Client, Feature, Setup, TestDeps};

/// The secret that signs webhooks in these tests.
pub(crate) const SECRET: &str = "whsec_test";

/// The payment provider of a test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestProvider {
    /// The sandbox's stand-in.
    StandIn,
    /// A provider that does not answer.
    Unreachable,
    /// The stand-in, without prices.
    Priceless,
    /// Payment is off.
    Off,
}

/// The app, with direct access to billing and the stand-in.
pub(crate) struct TestApp {
    pub(crate) http: testkit::TestApp,
    pub(crate) billing: Billing,
    /// The stand-in's pages and API.
    pub(crate) stand_in: Router,
    looks: Looks,
    refused_path: RefusedPath,
}

/// The part of the paths that the stand-in refuses.
type RefusedPath = Arc<Mutex<Option<&'static str>>>;

/// How often the stand-in was asked for a session.
type Looks = Arc<AtomicUsize>;

/// Starts an app whose provider works.
pub(crate) async fn test_app() -> TestApp {
    test_app_with(TestProvider::StandIn).await
}

/// Starts an app with this payment provider.
pub(crate) async fn test_app_with(provider: TestProvider) -> TestApp {
    TestApp::start(provider).await
}

impl TestApp {
    async fn start(provider: TestProvider) -> Self {
        let (mut handles, looks, refused_path) = (None, Looks::default(), RefusedPath::default());
        // The ports do not call the provider.
        let unreachable = access("http://127.0.0.1:9");
        let any =
            (provider != TestProvider::Off).then(|| Provider::new(unreachable, Ambient::system()).unwrap());
        let sold = sales(any.clone());
        let setup = Setup::default()
            .tables(sandbox::migrations())
            .tables(billing::migrations())
            .provisions(move |jobs, ambient| {
                Arc::new(FreeProvisions::new(ambient.clone(), jobs.clone(), &sold))
            })
            .seats(Arc::new(PlanSeats::new(Ambient::system(), &sales(any))))
            .person_data(Arc::new(AccountData));
        let http = setup
            .start(async |deps: &TestDeps| {
                let (billing, sandbox) =
                    start_crates(deps, provider, looks.clone(), refused_path.clone()).await;
                handles = Some((billing.clone(), sandbox.routes()));
                let routes = billing.routes();
                let register = Box::new(move |handlers: &mut jobs::Handlers| {
                    billing.register(handlers);
                    sandbox.register(handlers);
                });
                vec![Feature { routes: Some(routes), register: Some(register), ..Feature::default() }]
            })
            .await;
        let (billing, stand_in) = handles.unwrap();
        Self { http, billing, stand_in, looks, refused_path }
    }

    /// Creates a person with a billing account of the given type.
    pub(crate) async fn buyer(&self, email: &str, kind: &str) -> (Client, String) {
        let person = self.http.person(email).await;
        let mut form = form();
        form["account"]["type"] = json!(kind);
        let account = person.post("/v1/accounts", form).await.expect(201);
        (person, account["uid"].as_str().unwrap().to_owned())
    }

    /// Starts a purchase. Returns session and provision.
    pub(crate) async fn start_checkout(
        &self,
        person: &Client,
        account: &str,
        plan: &str,
    ) -> (String, String) {
        let path = format!("/v1/accounts/{account}/checkout");
        let started = person.post(&path, json!({ "planId": plan })).await.expect(200);
        let text = |name: &str| started[name].as_str().unwrap().to_owned();
        (text("sessionId"), text("provisionId"))
    }

    /// Acts as the checkout page with the given outcome. Returns where the browser is redirected.
    pub(crate) async fn settle_checkout(&self, session: &str, outcome: &str) -> String {
        let path = format!("/sandbox/api/checkouts/{session}");
        let answer = self.stand_in_post(&path, json!({ "outcome": outcome })).await;
        answer["redirectUrl"].as_str().unwrap().to_owned()
    }

    /// Buys a plan and runs the jobs. Returns the provision.
    pub(crate) async fn buy(&self, person: &Client, account: &str, plan: &str) -> Value {
        let (session, provision) = self.start_checkout(person, account, plan).await;
        self.settle_checkout(&session, "pay").await;
        self.http.run_jobs().await;
        self.provision(person, account, &provision).await
    }

    /// Returns a provision of an account, as the success page reads it.
    pub(crate) async fn provision(&self, person: &Client, account: &str, uid: &str) -> Value {
        let list = person.get(&format!("/v1/accounts/{account}/provisions")).await.expect(200);
        let found = list["data"].as_array().unwrap().iter().find(|one| one["uid"] == uid);
        found.unwrap_or(&Value::Null).clone()
    }

    /// Makes the stand-in refuse calls whose path contains this, or none.
    pub(crate) fn refuse(&self, part: Option<&'static str>) {
        *self.refused_path.lock().unwrap() = part;
    }

    /// Sends a form to a page of the stand-in.
    pub(crate) async fn stand_in_form(&self, path: &str, form: &str) {
        use tower::ServiceExt as _;
        let request = http::Request::post(path).header("content-type", "application/x-www-form-urlencoded");
        let request = request.body(axum::body::Body::from(form.to_owned())).unwrap();
        let status = self.stand_in.clone().oneshot(request).await.unwrap().status();
        assert!(status.is_redirection(), "{path}: {status}");
    }

    /// Posts to the stand-in's script API.
    pub(crate) async fn stand_in_post(&self, path: &str, body: Value) -> Value {
        use tower::ServiceExt as _;
        let request = http::Request::post(path)
            .header("content-type", "application/json")
            .body(axum::body::Body::from(body.to_string()))
            .unwrap();
        let response = self.stand_in.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        assert!(status.is_success(), "{path}: {status} {}", String::from_utf8_lossy(&bytes));
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Opens a page of the stand-in, or submits a form there. Returns the page, or where a form leads.
    pub(crate) async fn stand_in_page(&self, path: &str, form: Option<&str>) -> String {
        use tower::ServiceExt as _;
        let method = if form.is_some() { Method::POST } else { Method::GET };
        let request = http::Request::builder()
            .method(method)
            .uri(path)
            .body(axum::body::Body::from(form.unwrap_or_default().to_owned()))
            .unwrap();
        let response = self.stand_in.clone().oneshot(request).await.unwrap();
        let status = response.status();
        if let Some(to) = response.headers().get("location") {
            return to.to_str().unwrap().to_owned();
        }
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let page = String::from_utf8(bytes.to_vec()).unwrap();
        assert!(status.is_success(), "{path}: {status} {page}");
        page
    }

    /// Changes the subscription of a purchase at the provider, without an event.
    pub(crate) async fn change_subscription(&self, provision: &str, change: impl FnOnce(&mut Value)) {
        let tx = self.http.deps.db.write_tx().await.unwrap();
        let engine = tx.get_database_backend();
        let select = "SELECT body FROM sandbox_object WHERE kind = 'subscription' AND reference = $1";
        let select = Statement::from_sql_and_values(engine, select, [provision.into()]);
        let row = tx.query_one_raw(select).await.unwrap().unwrap();
        let mut body: Value = row.try_get_by_index(0).unwrap();
        change(&mut body);
        let update = "UPDATE sandbox_object SET body = $1 WHERE kind = 'subscription' AND reference = $2";
        let update = Statement::from_sql_and_values(engine, update, [body.into(), provision.into()]);
        assert_eq!(tx.execute_raw(update).await.unwrap().rows_affected(), 1);
        tx.commit().await.unwrap();
    }

    /// Advances our clock and the provider's, and runs all that becomes due.
    pub(crate) async fn advance_days(&self, days: i64) {
        self.http.clock.advance(days * kernel::DAY);
        self.stand_in_post("/sandbox/api/clock", json!({ "advanceDays": 0 })).await;
        self.http.run_jobs().await;
        self.billing.lapse().await.unwrap();
        self.http.run_jobs().await;
    }

    /// Sends a webhook with a valid signature.
    pub(crate) async fn webhook(&self, event: &Value) -> ApiResponse {
        let body = event.to_string();
        let header = signature::sign(SECRET, self.http.deps.ambient.now(), body.as_bytes());
        self.raw_webhook(&body, &header).await
    }

    /// Returns billing on the same database with payment off.
    pub(crate) fn with_payment_off(&self) -> Billing {
        billing_with(&self.http.deps, None)
    }

    /// Returns how often the provider was asked about a purchase that is not paid yet.
    pub(crate) fn looks(&self) -> usize {
        self.looks.load(Ordering::Relaxed)
    }

    /// Processes the webhooks that have arrived, and none that the provider has not delivered yet.
    pub(crate) async fn process_webhooks(&self) {
        let mut handlers = jobs::Handlers::default();
        self.billing.register(&mut handlers);
        self.http.deps.jobs.run_due(&handlers).await.unwrap();
    }

    pub(crate) async fn raw_webhook(&self, body: &str, header: &str) -> ApiResponse {
        let client = self.http.anonymous();
        let request = client
            .request(Method::POST, "/v1/webhooks/stripe")
            .header("stripe-signature", header)
            .body(axum::body::Body::from(body.to_owned()))
            .unwrap();
        client.send(request).await
    }
}

/// A complete billing form.
pub(crate) fn form() -> Value {
    json!({ "account": {
        "friendlyName": "Acme", "billingName": "Acme Ltd", "billingEmail": "pay@acme.example.com",
        "billingPhone": "+44 20 7946 0958", "billingAddress": null,
    }})
}

/// An event as the provider sends it.
pub(crate) fn event(id: &str, name: &str, object: Value) -> Value {
    json!({ "id": id, "object": "event", "type": name, "created": 1, "data": { "object": object } })
}

/// Parses the id in a JSON answer.
pub(crate) fn uid<Id: FromStr<Err: Debug>>(value: &Value) -> Id {
    value.as_str().unwrap().parse().unwrap()
}

async fn start_crates(
    deps: &TestDeps,
    choice: TestProvider,
    looks: Looks,
    refused_path: RefusedPath,
) -> (Billing, Sandbox) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let access = access(&base);
    let sandbox = Sandbox::new(SandboxDeps {
        db: deps.db.clone(),
        ambient: deps.ambient.clone(),
        clock: Arc::new(OffsetClock::new(Arc::new(SystemClock), 0)),
        jobs: deps.jobs.clone(),
        mailer: deps.mailer.clone(),
        access: access.clone(),
        prices: if choice == TestProvider::Priceless { Vec::new() } else { prices() },
        public_url: base.clone(),
        open: true,
        clock_is_fixed: false,
        webhook_url: format!("{base}/v1/webhooks/stripe"),
        openid: OpenIdClients::fresh(Secret::new("google")).unwrap().0,
    })
    .unwrap();
    let access = match choice {
        TestProvider::StandIn | TestProvider::Priceless => Some(access),
        TestProvider::Unreachable => Some(Access { base: "http://127.0.0.1:9".to_owned(), ..access }),
        TestProvider::Off => None,
    };
    let provider = access.map(|access| Provider::new(access, deps.ambient.clone()).unwrap());
    let billing = billing_with(deps, provider).with_storage(Arc::new(StoredGib(5)));
    let (v1, _) = Api::new().nest("/v1", billing.routes()).split_for_parts();
    let count = move |request: axum::extract::Request, next: axum::middleware::Next| {
        let is_look =
            request.method() == Method::GET && request.uri().path().contains("/v1/checkout/sessions/");
        looks.fetch_add(usize::from(is_look), Ordering::Relaxed);
        let refused = refused_path.lock().unwrap().is_some_and(|part| request.uri().path().contains(part));
        async move {
            if refused {
                return (http::StatusCode::BAD_REQUEST, "{}").into_response();
            }
            next.run(request).await
        }
    };
    let served = v1.layer(Extension(deps.identity.clone())).merge(sandbox.routes());
    let served = served.layer(axum::middleware::from_fn(count));
    tokio::spawn(async move { axum::serve(listener, served).await.unwrap() });
    (billing, sandbox)
}

/// Every organisation stores this many GiB.
struct StoredGib(u64);

#[async_trait::async_trait]
impl billing::StorageUse for StoredGib {
    async fn charged(&self, _: &DatabaseConnection, _: OrgId) -> Result<u64, DbErr> {
        Ok(self.0 << 30)
    }
}

/// The shipped plans.
fn plans() -> billing::Plans {
    billing::Plans::load("").unwrap()
}

fn prices() -> Vec<sandbox::Price> {
    let price = |plan: &billing::Plan| sandbox::Price {
        plan: plan.id.clone(),
        title: plan.title.clone(),
        amount: plan.sandbox_price.into(),
        currency: plan.sandbox_currency.clone(),
        months: if plan.interval == billing::Interval::Month { 1 } else { 12 },
    };
    plans().all().iter().map(price).collect()
}

/// The shipped plans, sold by this provider.
fn billing_with(deps: &TestDeps, provider: Option<Provider>) -> Billing {
    Billing::new(
        deps.db.clone(),
        deps.ambient.clone(),
        deps.public.clone(),
        deps.jobs.clone(),
        deps.mailer.clone(),
        deps.orgs.clone(),
        sales(provider),
    )
}

fn sales(provider: Option<Provider>) -> Sales {
    Sales { plans: plans(), provider, free_plan: FreePlan::new(3, 250) }
}

/// The stand-in of a server at this address.
fn access(server: &str) -> Access {
    Access {
        base: format!("{server}/sandbox/stripe"),
        secret_key: Secret::new("sk_test"),
        webhook_secret: Secret::new(SECRET),
    }
}
