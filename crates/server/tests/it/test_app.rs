//! The program's wiring on a fresh database, and people in every role.

use std::path::Path;

use kernel::{Email, OrgId};
use orgs::{NewOrg, Role};
use sea_orm::ActiveEnum as _;
use serde_json::{Value, json};
use server::bootstrap::Bootstrap;
use server::compose::{self, App};
use server::settings::Settings;
use testkit::{Client, Database};

/// A complete application without a socket.
pub struct TestApp {
    pub bootstrap: Bootstrap,
    pub inner: App,
    database: Database,
    _folder: tempfile::TempDir,
}

/// Starts the application.
pub async fn test_app() -> TestApp {
    test_app_with(|_| ()).await
}

/// Starts the application with modified settings.
pub async fn test_app_with(change: impl FnOnce(&mut Settings)) -> TestApp {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::migrated(folder.path(), &compose::migrations()).await;
    let mut settings = test_settings(folder.path(), &database);
    change(&mut settings);
    let bootstrap = Box::pin(Bootstrap::open(settings)).await.unwrap();
    let inner = Box::pin(compose::build_app(&bootstrap)).await.unwrap();
    TestApp { bootstrap, inner, database, _folder: folder }
}

/// Starts the application with payment on. The sandbox's stand-in takes the payments, on a real port.
pub async fn test_app_with_payment() -> TestApp {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = test_app_with(|settings| {
        settings.server.listen = address;
        settings.server.public_url = "http://localhost".to_owned();
        settings.server.sandbox = true;
        settings.server.sandbox_open = true;
        settings.server.webhook_requests_per_10s = 0;
        settings.payments.billing = Some(payments::Mode::Sandbox);
    })
    .await;
    let router = app.inner.router.clone();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    app
}

/// Returns settings for an application in this folder, and writes its secret.
pub fn test_settings(folder: &Path, database: &Database) -> Settings {
    let mut settings = Settings::default();
    settings.server.public_url = "http://vitrine.test".to_owned();
    settings.server.data_dir = folder.to_owned();
    settings.server.database_url = database.url().to_owned();
    settings.server.api_requests_per_10s = 0;
    settings.server.media_requests_per_10s = 0;
    settings.server.sign_in_tries_per_minute = 0;
    settings.content.embed_lookups = false;
    settings.payments.billing = Some(payments::Mode::None);
    // Outside the sandbox a secret is required; the sandbox requires a loopback address.
    let secret = folder.join("secret");
    std::fs::write(secret, "FhrSx0B1+T1yyLQxQFYkYtvAeYPVwV8Txnf0ZLwo5nE=").unwrap();
    settings
}

impl TestApp {
    pub fn anonymous(&self) -> Client {
        Client::new(self.inner.router.clone(), None).at_host(self.bootstrap.public.authority())
    }

    pub async fn person(&self, email: &str) -> Client {
        let email = Email::parse(email).unwrap();
        let session = self.inner.features.identity.sign_in_directly(&email).await.unwrap();
        let identity = (session.access_token, session.profile.uid.into());
        Client::new(self.inner.router.clone(), Some(identity)).at_host(self.bootstrap.public.authority())
    }

    pub async fn org(&self, name: &str) -> OrgId {
        let owner = self.person(&format!("founder-{name}@example.com")).await.uid();
        let new_org = NewOrg {
            name: name.to_owned(),
            owner,
            contact_email: None,
            contact_phone: None,
            time_zone: None,
        };
        let tx = self.bootstrap.db.write_tx().await.unwrap();
        let organisation = self.inner.features.orgs.create(&tx, &new_org).await.unwrap();
        tx.commit().await.unwrap();
        organisation.uid
    }

    /// Buys a plan for a new agency account of this person. Returns the account, the purchase and the organisation.
    pub async fn buy(&self, person: &Client, plan: &str) -> (String, String, OrgId) {
        let form = json!({ "friendlyName": "acme", "billingName": "B", "billingEmail": "pay@example.com",
            "billingPhone": "1", "type": "agency" });
        let account = uid(&person.post("/v1/accounts", json!({ "account": form })).await.expect(201));
        let path = format!("/v1/accounts/{account}");
        let checkout = person.post(&format!("{path}/checkout"), json!({ "planId": plan })).await.expect(200);
        let session = format!("/sandbox/api/checkouts/{}", checkout["sessionId"].as_str().unwrap());
        person.post(&session, json!({ "outcome": "pay" })).await.expect(200);
        self.inner.jobs.run_due(&self.inner.handlers).await.unwrap();
        let provision = checkout["provisionId"].as_str().unwrap().to_owned();
        let bought = person.get(&format!("{path}/provisions/{provision}")).await.expect(200);
        assert_eq!(bought["state"], "active", "{bought}");
        (account, provision, bought["orgId"].as_str().unwrap().parse().unwrap())
    }

    pub async fn member(&self, org: OrgId, role: Role) -> Client {
        let client = self.person(&format!("{}-{org}@example.com", role.to_value())).await;
        self.appoint(org, &client, role).await;
        client
    }

    pub async fn appoint(&self, org: OrgId, client: &Client, role: Role) {
        let tx = self.bootstrap.db.write_tx().await.unwrap();
        self.inner.features.orgs.appoint(&tx, org, client.uid(), role).await.unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn playlist(&self, leader: &Client, org: OrgId) -> String {
        uid(&leader
            .post("/v1/playlists", json!({ "playlist": { "title": "P" }, "orgId": org }))
            .await
            .expect(201))
    }

    pub async fn video(&self, leader: &Client, org: OrgId) -> String {
        let content = json!({ "title": "F", "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
        let body = json!({ "content": content, "orgId": org, "file": null, "notifyUsers": false });
        uid(&leader.post("/v1/content", body).await.expect(201))
    }

    pub async fn close(self) {
        self.bootstrap.db.close().await;
        self.database.remove().await;
    }
}

pub fn uid(json: &Value) -> String {
    json["uid"].as_str().unwrap().to_owned()
}
