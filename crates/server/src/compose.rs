//! Wires all feature crates together. The only file that knows all of them.

use std::sync::Arc;

use analytics::Analytics;
use audience::{AnnouncementRecorder, Announcements, AnnouncementsDeps, Audience, Install, Progress};
use axum::Router;
use billing::{Billing, FreePlan, Plans, Sales};
use content::Content;
use db::Migration;
use httpkit::Api;
use identity::{Identity, SignInSettings};
use jobs::{Handlers, Jobs};
use kernel::Secret;
use leads::{Leads, LeadsDeps};
use mail::Mailer;
use media::Media;
use orgs::Orgs;
use payments::{Mode, PaymentsSettings, Provider};
use playlists::Playlists;
use sandbox::Sandbox;
use storage::Storage;

use crate::adapters::{
    ContentStorage, PlanQuota, ShownMonths, derived, embed_lookup, sandbox_prices, stand_in_openid,
    warn_about_media,
};
use crate::admin::Admin;
use crate::bootstrap::Bootstrap;
use crate::readiness::Readiness;
use crate::settings::Settings;
use crate::{backups, document, layers, public, storage_check, storage_identity, traces, web};

type BoxError = Box<dyn std::error::Error>;

/// The complete application: routes, job queue and job handlers.
pub struct App {
    /// All routes behind all layers.
    pub router: Router,
    /// Job queue.
    pub jobs: Jobs,
    /// Handlers by kind of job.
    pub handlers: Handlers,
    /// Executor of operator commands.
    pub admin: Admin,
    /// Feature crates, for tests and the command line. On the heap, because threads have small stacks.
    pub features: Box<Features>,
}

/// Returns the migrations of all crates, in dependency order.
pub fn migrations() -> Vec<Migration> {
    [
        jobs::migrations(),
        backup::migrations(),
        mail::migrations(),
        sandbox::migrations(),
        identity::migrations(),
        orgs::migrations(),
        billing::migrations(),
        content::migrations(),
        playlists::migrations(),
        audience::migrations(),
        analytics::migrations(),
        leads::migrations(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Opens the media tools. The sandbox is meant for your own files, so there the tools run with whatever
/// confinement the machine offers.
///
/// # Errors
/// Fails if their folder cannot be created.
pub fn media(settings: &Settings) -> std::io::Result<Media> {
    let mut media_settings = settings.media.clone();
    media_settings.without_confinement |= settings.server.sandbox;
    let work_dir = media_settings.work_dir(&settings.server.data_dir);
    Media::open(media_settings, &work_dir)
}

/// Infrastructure shared by the feature crates.
pub(crate) struct Infrastructure {
    jobs: Jobs,
    mailer: Mailer,
    storage: Storage,
    media: Media,
    sales: Sales,
    sandbox: Option<Sandbox>,
    /// Sign-in providers: the configured ones, or the sandbox's.
    sign_in: SignInSettings,
}

pub(crate) fn build_infrastructure(bootstrap: &Bootstrap) -> Result<Infrastructure, BoxError> {
    let Bootstrap { settings, db, ambient, .. } = bootstrap;
    let jobs = traces::connect(Jobs::new(db.clone(), ambient.clone()));
    let mailer = Mailer::new(db.clone(), ambient.clone(), jobs.clone(), &settings.mail)?;
    let storage = Storage::open(&settings.storage, &settings.server.data_dir, ambient.clone())?
        .with_cache(&settings.server.data_dir.join("cache"), settings.storage.s3_cache_mb << 20)?;
    let media = media(settings)?;
    let plans = Plans::load(&settings.payments.plans_file)?;
    let own_url = format!("http://{}", settings.server.listen);
    let own_key = || Secret::new(format!("sk_test_{}", derived(&bootstrap.signer, "sandbox-key")));
    let own_secret = || Secret::new(format!("whsec_{}", derived(&bootstrap.signer, "sandbox-webhook")));
    let stand_in = settings.payments.stand_in(&own_url, own_key, own_secret);
    let provider = match settings.payments.mode(settings.server.sandbox) {
        Mode::None => None,
        Mode::Sandbox => Some(Provider::new(stand_in.clone(), ambient.clone())?),
        Mode::Stripe => Some(Provider::stripe(&settings.payments, ambient.clone())?),
    };
    let PaymentsSettings { free_organisations, free_storage_gb, .. } = settings.payments;
    let free_plan = FreePlan::new(free_organisations, free_storage_gb);
    let sales = Sales { plans, provider, free_plan };
    let mut sign_in = settings.sign_in.clone();
    let openid = settings.server.sandbox.then(|| stand_in_openid(bootstrap, &mut sign_in)).transpose()?;
    let sandbox = openid.map(|openid| {
        Sandbox::new(sandbox::SandboxDeps {
            db: db.clone(),
            ambient: ambient.clone(),
            clock: Arc::clone(&bootstrap.clock),
            jobs: jobs.clone(),
            mailer: mailer.clone(),
            access: stand_in,
            prices: sandbox_prices(&sales.plans),
            public_url: bootstrap.public.origin(),
            open: settings.server.sandbox_open,
            clock_is_fixed: settings.needs_real_time(),
            webhook_url: format!("{own_url}/v1/webhooks/stripe"),
            openid,
        })
    });
    let sandbox = sandbox.transpose()?;
    Ok(Infrastructure { jobs, mailer, storage, media, sales, sandbox, sign_in })
}

/// Builds all feature crates and the router.
///
/// # Errors
/// Fails with a message that says what to do.
pub async fn build_app(bootstrap: &Bootstrap) -> Result<App, BoxError> {
    // On the heap: the future holds all features, and threads have small stacks.
    Box::pin(build_app_with(bootstrap, Router::new())).await
}

/// Builds the application with additional routes behind the same layers, to measure what the layers cost.
///
/// # Errors
/// Fails in the same cases as [`build_app`].
pub async fn build_app_with(bootstrap: &Bootstrap, extra_routes: Router) -> Result<App, BoxError> {
    let infrastructure = build_infrastructure(bootstrap)?;
    storage_identity::require(bootstrap, &infrastructure.storage).await?;
    assemble(bootstrap, infrastructure, extra_routes).await
}

/// Builds all feature crates and the router also if the storage is not that of the database, for the commands that report
/// and change that.
pub(crate) async fn build_app_on_any_storage(bootstrap: &Bootstrap) -> Result<App, BoxError> {
    let infrastructure = build_infrastructure(bootstrap)?;
    storage_check::is_reachable(&infrastructure.storage).await?;
    Box::pin(assemble(bootstrap, infrastructure, Router::new())).await
}

async fn assemble(
    bootstrap: &Bootstrap,
    infrastructure: Infrastructure,
    extra_routes: Router,
) -> Result<App, BoxError> {
    let media = infrastructure.media.clone();
    tokio::task::spawn_blocking(move || warn_about_media(&media));
    let features = Box::pin(build_features(bootstrap, &infrastructure)).await?;
    let mut handlers = Handlers::default();
    infrastructure.mailer.register(&mut handlers);
    features.register(&mut handlers);
    backups::register(bootstrap, &infrastructure.media, &mut handlers);
    let (v1, root) =
        public::routes(&bootstrap.settings, &bootstrap.public, readiness(bootstrap, &infrastructure));
    let (api, mut document) = features.routes(v1, root).split_for_parts();
    document::complete(&mut document);
    let text = document.to_json()?;
    let mut routes = api.route(
        "/openapi.json",
        axum::routing::get(move || {
            let text = text.clone();
            async move { ([(http::header::CONTENT_TYPE, "application/json")], text) }
        }),
    );
    if let Some(sandbox) = &infrastructure.sandbox {
        sandbox.register(&mut handlers);
        routes = routes.merge(sandbox.routes());
    }
    let router = layers::wrap(
        routes.merge(extra_routes).fallback(web::serve),
        layers::LayerDeps {
            ambient: bootstrap.ambient.clone(),
            public: bootstrap.public.clone(),
            media_origin: bootstrap.settings.content.content_url.clone(),
            identity: features.identity.clone(),
            settings: &bootstrap.settings.server,
            draining: bootstrap.draining.clone(),
        },
    );
    let queue = (infrastructure.jobs.clone(), infrastructure.mailer.clone(), handlers.known_kinds());
    let admin = Admin::new(bootstrap, queue, infrastructure.storage, &features);
    Ok(App { router, jobs: infrastructure.jobs, handlers, admin, features })
}

/// All feature crates.
pub struct Features {
    /// People and sessions.
    pub identity: Identity,
    /// Organisations and memberships.
    pub orgs: Orgs,
    pub(crate) billing: Billing,
    pub(crate) content: Content,
    pub(crate) playlists: Playlists,
    pub(crate) audience: Audience,
    pub(crate) install: Install,
    pub(crate) announcements: Announcements,
    pub(crate) progress: Progress,
    /// Events and numbers.
    pub analytics: Analytics,
    pub(crate) leads: Leads,
}

async fn build_features(
    bootstrap: &Bootstrap,
    infrastructure: &Infrastructure,
) -> Result<Box<Features>, BoxError> {
    let Bootstrap { db, ambient, public, signer, settings, .. } = bootstrap;
    let identity = build_identity(bootstrap, infrastructure).await?;
    let orgs = build_orgs(bootstrap, infrastructure, &identity);
    let billing = Billing::new(
        db.clone(),
        ambient.clone(),
        public.clone(),
        infrastructure.jobs.clone(),
        infrastructure.mailer.clone(),
        orgs.clone(),
        infrastructure.sales.clone(),
    );
    let (content, playlists) = build_content_and_playlists(bootstrap, infrastructure, &orgs, &billing)?;
    let billing = billing.with_storage(Arc::new(ContentStorage(content.clone())));
    let announcements = build_announcements(bootstrap, infrastructure, &orgs, &content, &playlists)?;
    let install = Install::new(db.clone(), orgs.clone(), public.clone(), signer.clone(), content.clone());
    let audience = Audience::new(db.clone(), ambient.clone(), public.clone(), identity.clone(), orgs.clone())
        .with_playlists(playlists.clone())
        .with_install(install.clone());
    let leads = build_leads(bootstrap, infrastructure, &orgs, &playlists)?;
    let analytics = Analytics::new(analytics::AnalyticsDeps {
        db: db.clone(),
        ambient: ambient.clone(),
        orgs: orgs.clone(),
        identity: identity.clone(),
        audience: audience.clone(),
        content: content.clone(),
        playlists: playlists.clone(),
        signer: signer.clone(),
        countries: settings.server.countries()?,
        horizon: Some(Arc::new(ShownMonths(billing.clone()))),
        interest: Some(Arc::new(leads.clone())),
    })
    .with_history_kept(settings.server.history_kept())
    .with_archive(infrastructure.storage.clone(), settings.server.archive());
    let orgs = orgs.with_org_data(vec![
        Arc::new(leads.clone()),
        Arc::new(analytics.clone()),
        Arc::new(audience.clone()),
        Arc::new(playlists.clone()),
        Arc::new(content.clone()),
    ]);
    Ok(Box::new(Features {
        progress: Progress::new(db.clone(), ambient.clone(), orgs.clone(), playlists.clone()),
        identity,
        orgs,
        billing,
        content,
        playlists,
        audience,
        install,
        announcements,
        analytics,
        leads,
    }))
}

fn build_announcements(
    bootstrap: &Bootstrap,
    infrastructure: &Infrastructure,
    orgs: &Orgs,
    content: &Content,
    playlists: &Playlists,
) -> Result<Announcements, String> {
    let Bootstrap { db, ambient, public, signer, .. } = bootstrap;
    Announcements::new(AnnouncementsDeps {
        db: db.clone(),
        ambient: ambient.clone(),
        public: public.clone(),
        signer: signer.clone(),
        jobs: infrastructure.jobs.clone(),
        mailer: infrastructure.mailer.clone(),
        orgs: orgs.clone(),
        content: content.clone(),
        playlists: playlists.clone(),
    })
}

fn build_leads(
    bootstrap: &Bootstrap,
    infrastructure: &Infrastructure,
    orgs: &Orgs,
    playlists: &Playlists,
) -> Result<Leads, String> {
    let Bootstrap { db, ambient, public, signer, settings, .. } = bootstrap;
    let leads = Leads::new(LeadsDeps {
        db: db.clone(),
        ambient: ambient.clone(),
        public: public.clone(),
        signer: signer.clone(),
        jobs: infrastructure.jobs.clone(),
        mailer: infrastructure.mailer.clone(),
        orgs: orgs.clone(),
        playlists: playlists.clone(),
    })?;
    Ok(leads.with_ledger_kept(settings.server.history_kept()))
}

/// Returns what stores what people do in organisations.
fn person_data(bootstrap: &Bootstrap) -> Vec<Arc<dyn orgs::PersonData>> {
    let Bootstrap { ambient, signer, .. } = bootstrap;
    vec![
        Arc::new(leads::PersonLeads::new(ambient.clone())),
        Arc::new(analytics::ViewerData::new(signer, ambient.clone())),
    ]
}

pub(crate) fn build_orgs(
    bootstrap: &Bootstrap,
    infrastructure: &Infrastructure,
    identity: &Identity,
) -> Orgs {
    let Bootstrap { db, ambient, public, .. } = bootstrap;
    let Infrastructure { jobs, sales, .. } = infrastructure;
    Orgs::new(
        db.clone(),
        ambient.clone(),
        public.clone(),
        infrastructure.mailer.clone(),
        identity.clone(),
        orgs::Ports {
            playlists: Arc::new(playlists::Lookup),
            provisions: Arc::new(billing::FreeProvisions::new(ambient.clone(), jobs.clone(), sales)),
            images: Arc::new(content::ImageLookup),
            seats: Arc::new(billing::PlanSeats::new(ambient.clone(), sales)),
            last_seen: Arc::new(analytics::Visitors),
            person_data: person_data(bootstrap),
        },
    )
    .with_audit_kept(bootstrap.settings.server.audit_kept())
}

pub(crate) async fn build_identity(
    bootstrap: &Bootstrap,
    infrastructure: &Infrastructure,
) -> Result<Identity, BoxError> {
    let Bootstrap { db, ambient, public, signer, .. } = bootstrap;
    let identity = Identity::open(
        db.clone(),
        ambient.clone(),
        public.clone(),
        signer.clone(),
        infrastructure.mailer.clone(),
    )
    .await?
    .with_join_codes(Arc::new(orgs::JoinCodes(db.clone(), ambient.clone(), public.clone())))
    .with_photos(Arc::new(content::ImageLookup))
    .with_profile_changed(Arc::new(orgs::PeopleSearch))
    .with_person_data(Arc::new(orgs::MembershipData))
    .with_person_data(Arc::new(billing::AccountData))
    .with_person_data(Arc::new(audience::ConsentData))
    // Accounts are locked before their organisations.
    .with_erasure(Arc::new(billing::AccountErasure::new(ambient.clone(), infrastructure.jobs.clone())))
    .with_erasure(Arc::new(orgs::MemberErasure::new(ambient.clone(), person_data(bootstrap))))
    .with_erasure(Arc::new(audience::ConsentErasure))
    .with_erasure(Arc::new(content::UploaderErasure::new(ambient.clone(), Arc::new(playlists::Lookup))))
    .with_erasure(Arc::new(playlists::PlaylistTitles::new(ambient.clone())))
    .with_providers(&infrastructure.sign_in)?;
    Ok(identity)
}

/// Builds content and playlists, which share the receiver of announcements.
fn build_content_and_playlists(
    bootstrap: &Bootstrap,
    infrastructure: &Infrastructure,
    orgs: &Orgs,
    billing: &Billing,
) -> Result<(Content, Playlists), String> {
    let Bootstrap { db, ambient, public, signer, settings, .. } = bootstrap;
    let announcer = Arc::new(AnnouncementRecorder::new(infrastructure.jobs.clone(), ambient.clone()));
    let content = Content::new(content::ContentDeps {
        db: db.clone(),
        ambient: ambient.clone(),
        public: public.clone(),
        signer: signer.clone(),
        jobs: infrastructure.jobs.clone(),
        storage: infrastructure.storage.clone(),
        media: infrastructure.media.clone(),
        orgs: orgs.clone(),
        playlists: Arc::new(playlists::Lookup),
        quota: Some(Arc::new(PlanQuota(billing.clone()))),
        settings: settings.content.clone(),
    })
    .with_announcer(announcer.clone())
    .with_embed_lookup(embed_lookup(settings)?);
    let playlists =
        Playlists::new(db.clone(), ambient.clone(), public.clone(), orgs.clone(), content.clone());
    Ok((content, playlists.with_announcer(announcer)))
}

impl Features {
    fn register(&self, handlers: &mut Handlers) {
        self.identity.register(handlers);
        self.orgs.register(handlers);
        self.billing.register(handlers);
        self.content.register(handlers);
        self.playlists.register(handlers);
        self.announcements.register(handlers);
        self.analytics.register(handlers);
        self.leads.register(handlers);
    }

    fn routes(&self, v1: Api, root: Api) -> Api {
        let v1 = v1
            .merge(self.identity.routes())
            .merge(self.orgs.routes())
            .merge(self.billing.routes())
            .merge(self.content.routes())
            .merge(self.playlists.routes())
            .merge(self.audience.routes())
            .merge(self.install.routes())
            .merge(self.announcements.routes())
            .merge(self.progress.routes())
            .merge(self.analytics.routes())
            .merge(self.leads.routes());
        let root = root.merge(self.identity.root_routes()).merge(self.content.root_routes());
        Api::new().nest("/v1", v1).merge(root).merge(self.billing.root_routes().into())
    }
}

fn readiness(bootstrap: &Bootstrap, infrastructure: &Infrastructure) -> Readiness {
    let Infrastructure { storage, jobs, .. } = infrastructure;
    let Bootstrap { db, ambient, draining, .. } = bootstrap;
    Readiness::new(db.clone(), storage.clone(), jobs.clone(), ambient.clone(), draining.clone())
}

/// Returns the OpenAPI document of all routes without starting a server, using an empty database in a
/// temporary folder.
///
/// # Errors
/// Fails if the temporary folder cannot be written.
pub fn openapi_text() -> Result<String, BoxError> {
    let folder = std::env::temp_dir().join(format!("vitrine-openapi-{}", std::process::id()));
    let mut settings = Settings::default();
    settings.server.sandbox = true;
    settings.server.data_dir.clone_from(&folder);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let text = runtime.block_on(async {
        let bootstrap = Bootstrap::open(settings).await?;
        let infrastructure = build_infrastructure(&bootstrap)?;
        let features = build_features(&bootstrap, &infrastructure).await?;
        let (v1, root) =
            public::routes(&bootstrap.settings, &bootstrap.public, readiness(&bootstrap, &infrastructure));
        let (_, mut document) = features.routes(v1, root).split_for_parts();
        document::complete(&mut document);
        bootstrap.db.close().await;
        Ok::<_, BoxError>(document.to_pretty_json()?)
    });
    std::fs::remove_dir_all(&folder)?;
    text
}
