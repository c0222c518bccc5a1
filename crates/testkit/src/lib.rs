#![doc = include_str!("../README.md")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc)]

mod ambient;
mod bucket;
mod client;
mod database;
mod ports;

use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use db::Migration;
use httpkit::Api;
use identity::{Identity, PersonData, PhotoOwnership, SignInSettings};
use jobs::{Handlers, Jobs};
use kernel::{Ambient, Email, OrgId, PersonId, PublicUrl, Signer, Timestamp};
use mail::{MailSettings, Mailer};
use orgs::{ImageOwnership, LastSeen, OrgPlaylists, Orgs, Ports, Provisions, Role, Seats};
use sea_orm::ActiveEnum as _;

pub use ambient::{ManualClock, SeededRandom};
pub use bucket::SignedBucket;
pub use client::{ApiResponse, Client};
pub use database::Database;
pub use ports::{AlwaysFree, AnyImage, NoActivity, NoPlaylists, TestSeats};

/// Time at which every test starts.
pub const START_TIME: Timestamp = Timestamp::from_ms(1_795_161_600_000); // 2026-11-20T08:00:00Z

/// Dependencies of the feature crate under test.
#[derive(Clone)]
pub struct TestDeps {
    /// Database with the tables of all crates under test.
    pub db: db::Db,
    /// Test clock and seeded randomness.
    pub ambient: Ambient,
    /// Public URL, `http://vitrine.test`.
    pub public: PublicUrl,
    /// Signer with a fixed secret.
    pub signer: Signer,
    /// Job queue.
    pub jobs: Jobs,
    /// Mailer that writes to the outbox.
    pub mailer: Mailer,
    /// People and sessions.
    pub identity: Identity,
    /// Organisations and memberships.
    pub orgs: Orgs,
    /// Temporary folder of the test.
    pub folder: std::path::PathBuf,
}

/// Function that registers the jobs of a feature crate.
pub type Register = Box<dyn FnOnce(&mut Handlers)>;

/// Contribution of one feature crate to the app: its routes and its jobs.
#[derive(Default)]
pub struct Feature {
    /// Routes nested under `/v1`.
    pub routes: Option<Api>,
    /// Routes at the root.
    pub root: Option<Api>,
    /// Registers the crate's jobs.
    pub register: Option<Register>,
}

/// Creates the source of provisions.
type CreateProvisions = Box<dyn FnOnce(&Jobs, &Ambient) -> Arc<dyn Provisions>>;

/// Builder of a test's app.
pub struct Setup {
    migrations: Vec<Migration>,
    ports: Ports,
    provisions: Option<CreateProvisions>,
    photos: Arc<dyn PhotoOwnership>,
    person_data: Vec<Arc<dyn PersonData>>,
    providers: SignInSettings,
}

impl Default for Setup {
    fn default() -> Self {
        let mut migrations = jobs::migrations();
        migrations.extend(mail::migrations());
        migrations.extend(identity::migrations());
        migrations.extend(orgs::migrations());
        Self {
            migrations,
            ports: Ports {
                playlists: Arc::new(NoPlaylists),
                provisions: Arc::new(AlwaysFree),
                images: Arc::new(AnyImage),
                seats: Arc::new(TestSeats::default()),
                last_seen: Arc::new(NoActivity),
            },
            provisions: None,
            photos: Arc::new(AnyImage),
            person_data: vec![Arc::new(orgs::MembershipData)],
            providers: SignInSettings::default(),
        }
    }
}

impl Setup {
    /// Adds the migrations of a feature crate; call in dependency order.
    #[must_use]
    pub fn tables(mut self, migrations: Vec<Migration>) -> Self {
        self.migrations.extend(migrations);
        self
    }

    /// Sets the source of playlist facts.
    #[must_use]
    pub fn playlists(mut self, facts: Arc<dyn OrgPlaylists>) -> Self {
        self.ports.playlists = facts;
        self
    }

    /// Sets the source of provisions, which may need the queue and the clock.
    #[must_use]
    pub fn provisions(
        mut self,
        create: impl FnOnce(&Jobs, &Ambient) -> Arc<dyn Provisions> + 'static,
    ) -> Self {
        self.provisions = Some(Box::new(create));
        self
    }

    /// Sets the sources that tell which organisation or person an image belongs to.
    #[must_use]
    pub fn images(mut self, images: Arc<dyn ImageOwnership>, photos: Arc<dyn PhotoOwnership>) -> Self {
        (self.ports.images, self.photos) = (images, photos);
        self
    }

    /// Sets what plans allow.
    #[must_use]
    pub fn seats(mut self, seats: Arc<dyn Seats>) -> Self {
        self.ports.seats = seats;
        self
    }

    /// Sets the source of people's activity.
    #[must_use]
    pub fn last_seen(mut self, activity: Arc<dyn LastSeen>) -> Self {
        self.ports.last_seen = activity;
        self
    }

    /// Adds a feature crate that stores personal data.
    #[must_use]
    pub fn person_data(mut self, data: Arc<dyn PersonData>) -> Self {
        self.person_data.push(data);
        self
    }

    /// Sets the external sign-in providers.
    #[must_use]
    pub fn providers(mut self, providers: SignInSettings) -> Self {
        self.providers = providers;
        self
    }

    /// Starts the app with the given feature crates on top of identity and orgs.
    pub async fn start(self, features: impl AsyncFnOnce(&TestDeps) -> Vec<Feature>) -> TestApp {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::fresh(folder.path()).await;
        let clock = Arc::new(ManualClock::new(START_TIME));
        let ambient = Ambient::new(clock.clone(), Arc::new(SeededRandom::default()));
        let deps = self.build_deps(ambient, database.url(), folder.path()).await;
        let mut handlers = Handlers::default();
        deps.mailer.register(&mut handlers);
        deps.identity.register(&mut handlers);
        deps.orgs.register(&mut handlers);
        let mut v1 = deps.identity.routes().merge(deps.orgs.routes());
        let mut root = deps.identity.root_routes();
        for feature in features(&deps).await {
            v1 = v1.merge(feature.routes.unwrap_or_default());
            root = root.merge(feature.root.unwrap_or_default());
            if let Some(register) = feature.register {
                register(&mut handlers);
            }
        }
        let (router, document) = Api::new().nest("/v1", v1).merge(root).split_for_parts();
        let router = router.layer(Extension(deps.identity.clone()));
        TestApp {
            deps,
            clock,
            router,
            operations: operations(&document),
            handlers,
            database,
            settled: false,
            _folder: folder,
        }
    }

    /// Builds identity and orgs on the database.
    async fn build_deps(self, ambient: Ambient, database: &str, folder: &std::path::Path) -> TestDeps {
        let db = db::Db::connect(database).await.unwrap();
        db::migrate(&db, &ambient, &self.migrations).await.unwrap();
        let public = PublicUrl::parse("http://vitrine.test").unwrap();
        let signer = Signer::new(&[42; 32]);
        let jobs = Jobs::new(db.clone(), ambient.clone());
        let mail = MailSettings::default();
        let mailer = Mailer::new(db.clone(), ambient.clone(), jobs.clone(), &mail).unwrap();
        let identity =
            Identity::open(db.clone(), ambient.clone(), public.clone(), signer.clone(), mailer.clone());
        let join_codes = Arc::new(orgs::JoinCodes(db.clone(), ambient.clone()));
        let identity = identity.await.unwrap().with_join_codes(join_codes).with_photos(self.photos);
        let identity = identity.with_profile_changed(Arc::new(orgs::PeopleSearch));
        let identity = identity.with_providers(&self.providers).unwrap();
        let identity = self.person_data.into_iter().fold(identity, Identity::with_person_data);
        let mut ports = self.ports;
        if let Some(create) = self.provisions {
            ports.provisions = create(&jobs, &ambient);
        }
        let orgs =
            Orgs::new(db.clone(), ambient.clone(), public.clone(), mailer.clone(), identity.clone(), ports);
        TestDeps { db, ambient, public, signer, jobs, mailer, identity, orgs, folder: folder.to_owned() }
    }
}

/// Returns `METHOD /path` of every operation in the OpenAPI document.
fn operations(document: &impl ToJson) -> Vec<String> {
    let json = document.json();
    let mut all = Vec::new();
    for (path, item) in json["paths"].as_object().into_iter().flatten() {
        for method in item.as_object().into_iter().flat_map(|item| item.keys()) {
            all.push(format!("{} {path}", method.to_uppercase()));
        }
    }
    all.sort();
    all
}

trait ToJson {
    fn json(&self) -> serde_json::Value;
}

impl<T: serde::Serialize> ToJson for T {
    fn json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap()
    }
}

/// A running app. Every test must end with [`TestApp::settle`], which fails if a job is left.
pub struct TestApp {
    /// Dependencies that the feature crates were built from.
    pub deps: TestDeps,
    /// Test clock.
    pub clock: Arc<ManualClock>,
    /// `METHOD /path` of every operation.
    pub operations: Vec<String>,
    router: Router,
    handlers: Handlers,
    database: Database,
    settled: bool,
    _folder: tempfile::TempDir,
}

/// An organisation.
#[derive(Clone, Copy, Debug)]
pub struct TestOrg {
    /// Organisation id.
    pub uid: OrgId,
}

impl TestApp {
    /// Returns a client without a token.
    pub fn anonymous(&self) -> Client {
        Client::new(self.router.clone(), None)
    }

    /// Signs up a person by password whose email address is not verified.
    pub async fn unverified_person(&self, email: &str) -> Client {
        let claim = serde_json::json!({ "email": email, "password": "wren-tapestry-94" });
        let session = self.anonymous().post("/v1/auth/sign-up", claim).await.expect(201);
        let uid = session["profile"]["uid"].as_str().unwrap().parse().unwrap();
        Client::new(self.router.clone(), Some((session["accessToken"].as_str().unwrap().to_owned(), uid)))
    }

    /// Marks a person's email address as not verified.
    pub async fn mark_unverified(&self, person: PersonId) {
        use sea_orm::ConnectionTrait as _;
        let tx = self.deps.db.write_tx().await.unwrap();
        let sql = "UPDATE person SET email_verified = FALSE WHERE uid = $1";
        let statement =
            sea_orm::Statement::from_sql_and_values(tx.get_database_backend(), sql, [person.into()]);
        tx.execute_raw(statement).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Signs in a person, creating them if needed.
    pub async fn person(&self, email: &str) -> Client {
        let email = Email::parse(email).unwrap();
        let session = self.deps.identity.sign_in_directly(&email).await.unwrap();
        Client::new(self.router.clone(), Some((session.access_token, session.profile.uid.into())))
    }

    /// Creates an organisation whose only member is its founder, a person that no test acts as.
    pub async fn org(&self, name: &str) -> TestOrg {
        let founder = self.person(&format!("founder@{}.example.com", slug(name))).await;
        let new_org = orgs::NewOrg {
            name: name.to_owned(),
            owner: founder.uid(),
            contact_email: None,
            contact_phone: None,
            time_zone: None,
        };
        let tx = self.deps.db.write_tx().await.unwrap();
        let organisation = self.deps.orgs.create(&tx, &new_org).await.unwrap();
        tx.commit().await.unwrap();
        TestOrg { uid: organisation.uid }
    }

    /// Returns the organisation's member in the given role; the same person on every call.
    pub async fn member(&self, org: TestOrg, role: Role) -> Client {
        let client =
            self.person(&format!("{}@{}.example.com", role.to_value().to_lowercase(), org.uid)).await;
        let tx = self.deps.db.write_tx().await.unwrap();
        self.deps.orgs.appoint(&tx, org.uid, client.uid(), role).await.unwrap();
        tx.commit().await.unwrap();
        client
    }

    /// Takes the staff role of the caller away while the call waits for the organisation's writer, and returns
    /// its answer.
    pub async fn demoted_meanwhile(
        &self,
        org: TestOrg,
        caller: &Client,
        call: impl Future<Output = ApiResponse>,
    ) -> ApiResponse {
        let tx = self.deps.db.write_tx_on(org.uid).await.unwrap();
        let demote = async {
            // The call passes its first check meanwhile.
            tokio::time::sleep(Duration::from_millis(200)).await;
            self.deps.orgs.appoint(&tx, org.uid, caller.uid(), Role::User).await.unwrap();
            tx.commit().await.unwrap();
        };
        tokio::join!(call, demote).0
    }

    /// Runs every due job and returns how many ran.
    pub async fn run_jobs(&self) -> usize {
        self.deps.jobs.run_due(&self.handlers).await.unwrap()
    }

    /// Ends the test; fails if any job is pending or was given up.
    pub async fn settle(mut self) {
        self.run_jobs().await;
        self.settled = true;
        let left = self.deps.jobs.leftovers().await.unwrap();
        self.deps.db.clone().close().await;
        self.database.remove().await;
        assert!(left.is_empty(), "jobs were left: {left:#?}");
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        assert!(!(!self.settled && !std::thread::panicking()), "a test must end with app.settle().await");
    }
}

fn slug(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}
