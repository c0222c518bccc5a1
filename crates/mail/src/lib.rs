//! Letters to people.
//!
//! [`Mailer::enqueue`] writes the finished letter into the outbox and a job beside it, in the transaction of the
//! change that caused it; the job sends it. A letter that left by SMTP loses its words, because links are
//! secrets; without a mail server the outbox keeps them for a week, and the sandbox shows them.

mod entity;
mod letter;
mod migrations;
mod send;
mod settings;
mod store;
mod transport;

use std::sync::Arc;

use db::{Db, Migration, WriteTx};
use jobs::{Handlers, Jobs, Lane};
use kernel::{Ambient, DAY, Email, HOUR, Millis, Uid};
use sea_orm::DbErr;

pub use letter::{Letter, links_of};
pub use settings::MailSettings;

use letter::Templates;
use transport::Transport;

/// How long a letter stays in the outbox.
const KEEP: Millis = 7 * DAY;

/// Writes letters. Cloning shares the connections.
#[derive(Clone)]
pub struct Mailer {
    db: Db,
    ambient: Ambient,
    jobs: Jobs,
    templates: Arc<Templates>,
    transport: Arc<Transport>,
}

/// A letter as it was sent: for the sandbox's inbox and for tests.
#[derive(Clone, PartialEq, Eq)]
pub struct SentLetter {
    /// The letter's id.
    pub uid: Uid,
    /// Whom it went to.
    pub to: String,
    /// [`Letter::kind`].
    pub kind: String,
    /// The subject.
    pub subject: String,
    /// The plain part; empty when it left by SMTP.
    pub text: String,
    /// The HTML part; empty when it left by SMTP.
    pub html: String,
    /// When it was written.
    pub time_created: Millis,
}

impl Mailer {
    /// A mailer with the given settings.
    ///
    /// # Errors
    /// A sentence saying which setting or template is wrong.
    pub fn new(db: Db, ambient: Ambient, jobs: Jobs, settings: &MailSettings) -> Result<Self, String> {
        let templates = Templates::new().map_err(|error| format!("a mail template is broken: {error}"))?;
        let transport = Transport::new(settings)?;
        Ok(Self { db, ambient, jobs, templates: Arc::new(templates), transport: Arc::new(transport) })
    }

    /// Writes a letter as part of `tx`: it goes out exactly when `tx` commits. Returns the letter's id.
    ///
    /// # Errors
    /// The database's own, or a template that lacks a value.
    pub async fn enqueue(&self, tx: &WriteTx, to: &Email, letter: &Letter) -> Result<Uid, DbErr> {
        let rendered = self.templates.render(letter).map_err(|error| DbErr::Custom(error.to_string()))?;
        let uid = self.ambient.uid();
        store::insert(tx, uid, to, letter.kind(), rendered, self.ambient.now()).await?;
        self.jobs.enqueue(tx, &send::SendMail { mail: uid }).await?;
        Ok(uid)
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

    /// The jobs of this room: `send_mail`, and the daily clearing of the outbox.
    pub fn register(&self, handlers: &mut Handlers) {
        let mailer = self.clone();
        handlers.on(Lane::Quick, move |job: send::SendMail| {
            let mailer = mailer.clone();
            async move { send::run(&mailer, job).await }
        });
        let mailer = self.clone();
        handlers.every("prune_mail", 6 * HOUR, Lane::Quick, move || {
            let mailer = mailer.clone();
            async move { send::prune(&mailer).await }
        });
    }
}

impl From<entity::mail_outbox::Model> for SentLetter {
    fn from(row: entity::mail_outbox::Model) -> Self {
        Self {
            uid: row.uid,
            to: row.recipient,
            kind: row.kind,
            subject: row.subject,
            text: row.text_body,
            html: row.html_body,
            time_created: row.time_created,
        }
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
