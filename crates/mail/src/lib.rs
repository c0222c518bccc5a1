//! Letters to people.
//!
//! [`Mailer::enqueue`] writes the finished letter into the outbox and a job beside it, in the transaction of the
//! change that caused it; the job sends it. A letter that left by SMTP loses its words, because links are
//! secrets; one that failed keeps them while its links work, so that it can be sent after all; without a mail server the outbox keeps them for a week, and the sandbox shows them.

mod brand;
mod entity;
mod letter;
mod migrations;
mod model;
mod news;
mod render;
mod round;
mod send;
mod settings;
mod store;
mod transport;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use db::{Db, Migration, WriteTx};
use jobs::{Handlers, Jobs, Lane};
use kernel::{Ambient, DAY, Email, Finding, HOUR, Millis, Uid};
use sea_orm::{ConnectionTrait, DbErr};

pub use brand::{Brand, Colours};
pub use letter::Letter;
pub use model::{SentLetter, Trouble};
pub use news::{Newcomer, News};
pub use render::links_of;
pub use round::{Round, RoundsWaiting, StillWanted};
pub use settings::MailSettings;

use render::Templates;
use transport::Transport;

/// How long a letter stays in the outbox.
const KEEP: Millis = 7 * DAY;
/// How long handing over one letter may take.
const PATIENCE: Duration = Duration::from_mins(2);

/// Writes letters. Cloning shares the connections.
#[derive(Clone)]
pub struct Mailer {
    db: Db,
    ambient: Ambient,
    jobs: Jobs,
    templates: Arc<Templates>,
    transport: Arc<Transport>,
    patience: Duration,
    asked: Arc<OnceLock<Arc<dyn StillWanted>>>,
}

impl Mailer {
    /// A mailer with the given settings.
    ///
    /// # Errors
    /// A sentence saying which setting or template is wrong.
    pub fn new(db: Db, ambient: Ambient, jobs: Jobs, settings: &MailSettings) -> Result<Self, String> {
        let templates = Templates::new().map_err(|error| format!("a mail template is broken: {error}"))?;
        let transport = Transport::new(settings)?;
        let (templates, transport) = (Arc::new(templates), Arc::new(transport));
        Ok(Self { db, ambient, jobs, templates, transport, patience: PATIENCE, asked: Arc::default() })
    }

    /// The same mailer with another patience: for tests with a mail server that hangs.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Writes a letter as part of `tx`: it goes out exactly when `tx` commits. Returns the letter's id.
    ///
    /// # Errors
    /// The database's own, or a template that lacks a value.
    pub async fn enqueue(&self, tx: &WriteTx, to: &Email, letter: &Letter) -> Result<Uid, DbErr> {
        self.put(tx, to, letter, None).await
    }

    /// The same for one of many letters. A second one about the same thing to the same person is refused by the
    /// database, as long as the first is in the outbox.
    ///
    /// # Errors
    /// As [`Self::enqueue`].
    pub async fn enqueue_round(
        &self,
        tx: &WriteTx,
        to: &Email,
        letter: &Letter,
        round: &Round,
    ) -> Result<Uid, DbErr> {
        self.put(tx, to, letter, Some(round)).await
    }

    async fn put(
        &self,
        tx: &WriteTx,
        to: &Email,
        letter: &Letter,
        round: Option<&Round>,
    ) -> Result<Uid, DbErr> {
        let rendered = self.templates.render(letter).map_err(|error| DbErr::Custom(error.to_string()))?;
        let uid = self.ambient.uid();
        let job = self.jobs.enqueue(tx, &send::SendMail { mail: uid }).await?;
        let now = self.ambient.now();
        let expires_at = letter.links_hold().map(|time| now + time);
        let new = store::New { uid, to, kind: letter.kind(), letter: rendered, job, round, expires_at };
        store::insert(tx, new, now).await?;
        Ok(uid)
    }

    /// Says who knows whether one of many letters is still wanted, for this mailer and its clones; the first
    /// answer holds. Without, all of them are.
    pub fn ask(&self, who: Arc<dyn StillWanted>) {
        self.asked.get_or_init(|| who);
    }

    /// How many letters of rounds wait to be sent: so that no round keeps a single letter waiting for long.
    ///
    /// # Errors
    /// The database's own.
    pub async fn rounds_waiting(&self, conn: &impl ConnectionTrait) -> Result<RoundsWaiting, DbErr> {
        store::rounds_waiting(conn).await
    }

    /// Letters sent, newest first, to one address or to all.
    ///
    /// # Errors
    /// The database's own.
    pub async fn sent(&self, to: Option<&Email>, limit: u64) -> Result<Vec<SentLetter>, DbErr> {
        let rows = store::sent(self.db.read(), to, limit).await?;
        Ok(rows.into_iter().map(SentLetter::from).collect())
    }

    /// One letter that was sent.
    ///
    /// # Errors
    /// The database's own.
    pub async fn sent_letter(&self, uid: Uid) -> Result<Option<SentLetter>, DbErr> {
        let row = store::by_id(self.db.read(), uid).await?;
        Ok(row.filter(|row| row.state == store::SENT).map(SentLetter::from))
    }

    /// Letters of the last week that failed, or wait for another try, newest first.
    ///
    /// # Errors
    /// The database's own.
    pub async fn troubles(&self, limit: u64) -> Result<Vec<Trouble>, DbErr> {
        let rows = store::troubled(self.db.read(), limit).await?;
        Ok(rows.into_iter().map(Trouble::from).collect())
    }

    /// Checks the outbox: a letter that waits has a job that sends it.
    ///
    /// # Errors
    /// The database's own.
    pub async fn verify(&self) -> Result<Vec<Finding>, DbErr> {
        let stranded = send::stranded(self).await?;
        let what = "waits, but no job will send it";
        Ok(stranded.into_iter().map(|uid| Finding::new("mail_job", "mail_outbox", uid, what)).collect())
    }

    /// The jobs of this room: `send_mail`, and the hourly care for the outbox.
    pub fn register(&self, handlers: &mut Handlers) {
        let mailer = self.clone();
        handlers.on_attempt(Lane::Quick, move |job: send::SendMail, attempt| {
            let mailer = mailer.clone();
            async move { send::run(&mailer, job, attempt).await }
        });
        let mailer = self.clone();
        handlers.every("prune_mail", HOUR, Lane::Quick, move || {
            let mailer = mailer.clone();
            async move { send::tidy(&mailer).await }
        });
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
