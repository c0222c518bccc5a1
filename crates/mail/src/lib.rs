#![doc = include_str!("../README.md")]

mod announcement;
mod brand;
mod bulk;
mod email;
mod entity;
mod erase;
mod leads_email;
mod migrations;
mod model;
mod outbox;
mod plan_email;
mod render;
mod send;
mod settings;
mod store;
mod texts;
mod transport;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use db::{Db, Migration, WriteTx};
use jobs::{Handlers, Jobs, Queue};
use kernel::{Ambient, DAY, Email, EmailId, HOUR, Millis, Timestamp};
use parking_lot::RwLock;
use sea_orm::DbErr;

pub use announcement::{AnnouncedItem, Announcement, AnnouncementKind};
pub use brand::{Brand, Colours};
pub use bulk::{BulkBacklog, BulkEmail, StillWanted, Wanted};
pub use email::EmailMessage;
pub use erase::{erase_recipient, erase_topic, withdraw_waiting};
pub use leads_email::{LeadsEmail, LeadsNotice};
pub use model::{DeliveryFailure, SentEmail};
pub use outbox::{backlog, delivery_failures};
pub use plan_email::{PlanEmail, PlanNotice, Remedy};
pub use render::links_of;
pub use settings::MailSettings;

use render::Templates;
use transport::Transport;

/// How long emails stay in the outbox.
const RETENTION: Millis = 7 * DAY;
/// Time limit for handing one email to the mail server.
const SEND_TIMEOUT: Duration = Duration::from_mins(2);

/// Writes emails to the outbox. Clones share the connections.
#[derive(Clone)]
pub struct Mailer {
    db: Db,
    ambient: Ambient,
    jobs: Jobs,
    templates: Arc<Templates>,
    transport: Arc<Transport>,
    send_timeout: Duration,
    /// By kind of email.
    still_wanted: Arc<RwLock<HashMap<&'static str, Arc<dyn StillWanted>>>>,
}

impl Mailer {
    /// Creates a mailer. Fails with a sentence that names the wrong setting or template.
    pub fn new(db: Db, ambient: Ambient, jobs: Jobs, settings: &MailSettings) -> Result<Self, String> {
        let templates = Templates::new().map_err(|error| format!("invalid email template: {error}"))?;
        let transport = Transport::new(settings)?;
        let (templates, transport) = (Arc::new(templates), Arc::new(transport));
        Ok(Self {
            db,
            ambient,
            jobs,
            templates,
            transport,
            send_timeout: SEND_TIMEOUT,
            still_wanted: Arc::default(),
        })
    }

    /// Writes an email as part of `tx`: it is sent if and only if `tx` commits. Returns its id. Fails if a
    /// template lacks a value.
    pub async fn enqueue(&self, tx: &WriteTx, to: &Email, message: &EmailMessage) -> Result<EmailId, DbErr> {
        self.put(tx, to, message, None, self.ambient.now()).await
    }

    /// Like [`Self::enqueue`], for an email that waits until `due`: many of them, due one after the other, let
    /// others pass.
    pub async fn enqueue_at(
        &self,
        tx: &WriteTx,
        to: &Email,
        message: &EmailMessage,
        due: Timestamp,
    ) -> Result<EmailId, DbErr> {
        self.put(tx, to, message, None, due).await
    }

    /// Like [`Self::enqueue`], for a bulk email. While an email about the same thing to the same person is in
    /// the outbox, the database rejects a second one.
    pub async fn enqueue_bulk(
        &self,
        tx: &WriteTx,
        to: &Email,
        message: &EmailMessage,
        bulk: &BulkEmail,
    ) -> Result<EmailId, DbErr> {
        self.put(tx, to, message, Some(bulk), self.ambient.now()).await
    }

    async fn put(
        &self,
        tx: &WriteTx,
        to: &Email,
        message: &EmailMessage,
        bulk: Option<&BulkEmail>,
        due: Timestamp,
    ) -> Result<EmailId, DbErr> {
        let rendered = self.templates.render(message).map_err(|error| DbErr::Custom(error.to_string()))?;
        let uid = self.ambient.uid();
        let job = self.jobs.enqueue_at(tx, &send::SendMail { mail: uid }, due).await?;
        let now = self.ambient.now();
        let expires_at = message.link_lifetime().map(|lifetime| now + lifetime);
        let new = store::NewEmail { uid, to, kind: message.kind(), rendered, job, bulk, expires_at };
        store::insert(tx, new, now).await?;
        Ok(uid)
    }

    /// Registers the job `send_mail` and the hourly cleanup of the outbox.
    pub fn register(&self, handlers: &mut Handlers) {
        let mailer = self.clone();
        handlers.on_attempt(Queue::Quick, move |job: send::SendMail, attempt| {
            let mailer = mailer.clone();
            async move { send::run(&mailer, job, attempt).await }
        });
        let (asked, mailer) = (self.clone(), self.clone());
        let has_work = move || send::needs_clean_up(asked.clone());
        handlers.every_if("prune_mail", HOUR, Queue::Quick, has_work, move || {
            let mailer = mailer.clone();
            async move { send::clean_up(&mailer).await }
        });
    }
}

/// Returns the migrations of the outbox.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
