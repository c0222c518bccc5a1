//! Builds the app of a test from the feature crates under test.

use std::sync::Arc;

use axum::Extension;
use db::Migration;
use httpkit::Api;
use identity::{Identity, PersonData, PhotoOwnership, SignInSettings};
use jobs::{Handlers, Jobs};
use kernel::{Ambient, PublicUrl, Signer};
use mail::{MailSettings, Mailer};
use orgs::{ImageOwnership, LastSeen, OrgPlaylists, Orgs, Ports, Provisions, Seats};

use crate::{
    AlwaysFree, AnyImage, Database, Feature, ManualClock, NoActivity, NoPlaylists, START_TIME, SeededRandom,
    TestApp, TestDeps, TestSeats,
};

/// Creates the source of provisions.
type CreateProvisions = Box<dyn FnOnce(&Jobs, &Ambient) -> Arc<dyn Provisions>>;

/// Creates what removes the data of people in organisations.
type CreateOrgPersonData = Box<dyn FnOnce(&Signer, &Ambient) -> Vec<Arc<dyn orgs::PersonData>>>;

/// Builder of a test's app.
pub struct Setup {
    migrations: Vec<Migration>,
    ports: Ports,
    provisions: Option<CreateProvisions>,
    org_person_data: Option<CreateOrgPersonData>,
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
                person_data: Vec::new(),
            },
            provisions: None,
            org_person_data: None,
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

    /// Sets the feature crates that store what people did in organisations, which may need the server's keys and the
    /// clock.
    #[must_use]
    pub fn org_person_data(
        mut self,
        create: impl FnOnce(&Signer, &Ambient) -> Vec<Arc<dyn orgs::PersonData>> + 'static,
    ) -> Self {
        self.org_person_data = Some(Box::new(create));
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
        let database = Database::migrated(folder.path(), &self.migrations).await;
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
        let public = PublicUrl::parse("http://vitrine.test").unwrap();
        let signer = Signer::new(&[42; 32]);
        let jobs = Jobs::new(db.clone(), ambient.clone());
        let mail = MailSettings::default();
        let mailer = Mailer::new(db.clone(), ambient.clone(), jobs.clone(), &mail).unwrap();
        let identity =
            Identity::open(db.clone(), ambient.clone(), public.clone(), signer.clone(), mailer.clone());
        let join_codes = Arc::new(orgs::JoinCodes(db.clone(), ambient.clone(), public.clone()));
        let identity = identity.await.unwrap().with_join_codes(join_codes).with_photos(self.photos);
        let identity = identity.with_profile_changed(Arc::new(orgs::PeopleSearch));
        let identity = identity.with_providers(&self.providers).unwrap();
        let identity = self.person_data.into_iter().fold(identity, Identity::with_person_data);
        let mut ports = self.ports;
        if let Some(create) = self.provisions {
            ports.provisions = create(&jobs, &ambient);
        }
        if let Some(create) = self.org_person_data {
            ports.person_data = create(&signer, &ambient);
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
