//! A mailer with its queue, its database and a clock that only moves when told.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use db::Db;
use jobs::{Handlers, Jobs};
use kernel::{Ambient, Clock, Email, EmailId, HOUR, Millis, SECOND, SystemRandom, Timestamp};
use mail::{Brand, EmailMessage, MailSettings, Mailer};
use sea_orm::{ActiveEnum as _, ConnectionTrait as _};
use tokio_util::sync::CancellationToken;

use testkit::Database;

/// The time of the tests: 15 January 2027, 08:00 UTC.
const START: Timestamp = Timestamp::from_ms(1_800_000_000_000);

struct FixedClock(AtomicI64);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.0.load(Ordering::SeqCst))
    }
}

pub struct TestApp {
    pub db: Db,
    pub jobs: Jobs,
    pub mailer: Mailer,
    handlers: Handlers,
    clock: Arc<FixedClock>,
    database: Database,
    _folder: tempfile::TempDir,
}

/// Starts a mailer with these settings.
pub async fn test_app_with(settings: MailSettings) -> TestApp {
    TestApp::with_send_timeout(settings, Duration::from_mins(1)).await
}

impl TestApp {
    pub async fn with_send_timeout(settings: MailSettings, send_timeout: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut steps = jobs::migrations();
        steps.extend(mail::migrations());
        let database = Database::migrated(folder.path(), &steps).await;
        let db = Db::connect(database.url()).await.unwrap();
        let clock = Arc::new(FixedClock(AtomicI64::new(START.ms())));
        let ambient = Ambient::new(clock.clone(), Arc::new(SystemRandom));
        let jobs = Jobs::new(db.clone(), ambient.clone());
        let mailer = Mailer::new(db.clone(), ambient, jobs.clone(), &settings)
            .unwrap()
            .with_send_timeout(send_timeout);
        let mut handlers = Handlers::default();
        mailer.register(&mut handlers);
        Self { db, jobs, mailer, handlers, clock, database, _folder: folder }
    }

    /// Writes a sign-in link to this address.
    pub async fn enqueue_link(&self, to: &str) -> EmailId {
        self.enqueue(to, &link(None)).await
    }

    pub async fn enqueue(&self, to: &str, message: &EmailMessage) -> EmailId {
        let tx = self.db.write_tx().await.unwrap();
        let uid = self.mailer.enqueue(&tx, &Email::parse(to).unwrap(), message).await.unwrap();
        tx.commit().await.unwrap();
        uid
    }

    /// Runs the jobs that are due. Returns how many ran.
    pub async fn run(&self) -> usize {
        self.jobs.run_due(&self.handlers).await.unwrap()
    }

    /// Runs the hourly schedules.
    pub async fn run_schedules(&self) {
        let stop = CancellationToken::new();
        let mut handlers = Handlers::default();
        self.mailer.register(&mut handlers);
        // A worker without loops writes the rows of the schedules and ends.
        jobs::run_worker(self.jobs.clone(), handlers.clone(), 0, 0, Duration::ZERO, stop).await;
        // Its own handlers: the others may have found nothing to do within the hour.
        self.jobs.run_due(&handlers).await.unwrap();
    }

    /// Advances the clock.
    pub fn pass(&self, time: Millis) {
        self.clock.0.fetch_add(time, Ordering::SeqCst);
    }

    /// Runs the job again after each wait until it is no longer due. Returns the number of attempts.
    pub async fn exhaust(&self) -> usize {
        let (mut attempts, mut wait) = (0, SECOND);
        loop {
            let ran = self.run().await;
            if ran == 0 {
                return attempts;
            }
            attempts += ran;
            self.pass(wait);
            wait = (wait * 2).min(HOUR);
        }
    }

    /// Returns (kind, state, last error) of each unfinished job.
    pub async fn open_jobs(&self) -> Vec<(String, String, String)> {
        let jobs = self.jobs.leftovers().await.unwrap();
        jobs.into_iter()
            .map(|job| {
                let state = job.state.known("job", "state", job.uid).unwrap();
                (job.kind, state.to_value(), job.last_error.unwrap_or_default())
            })
            .collect()
    }

    /// Counts the emails in the outbox that still have their text.
    pub async fn emails_with_text(&self) -> usize {
        let sql = "SELECT uid FROM mail_outbox WHERE text_body <> '' OR html_body <> ''";
        self.db
            .read()
            .query_all_raw(sea_orm::Statement::from_string(self.db.read().get_database_backend(), sql))
            .await
            .unwrap()
            .len()
    }

    /// Drops the database if it is on a server.
    pub async fn end(self) {
        self.db.close().await;
        self.database.remove().await;
    }
}

/// The brand of an organisation without a logo.
pub fn brand(name: &str) -> Brand {
    Brand {
        name: name.to_owned(),
        logo: None,
        background: "#102030".into(),
        text: "#ffffff".into(),
        button: "#703cd2".into(),
    }
}

/// A sign-in link to an organisation's app or to the portal.
pub fn link(organisation: Option<&str>) -> EmailMessage {
    EmailMessage::MagicLink {
        link: LINK.to_owned(),
        digits: "246802".to_owned(),
        signing_up: false,
        minutes: 10,
        brand: organisation.map(|name| Box::new(brand(name))),
    }
}

pub const LINK: &str = "https://v.example/authenticate?action=login&code=abc";

/// Settings for this mail server.
pub fn smtp(url: String) -> MailSettings {
    MailSettings {
        smtp_url: url,
        mail_from: "Vitrine Zoë <no-reply@v.example>".to_owned(),
        ..MailSettings::default()
    }
}
