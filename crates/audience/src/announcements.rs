//! Announcements: emails to app users about new content items and playlists with `notifyUsers`.
//!
//! [`AnnouncementRecorder`] records announcements in the transactions of content and playlists. A job checks
//! whether app users can see the subject, and again at its publish date. Fifteen minutes after the first one became
//! visible, all that are visible get the same emails, which another job writes, one page of recipients at a time. Each
//! page is committed together with its position, so after a crash no one is notified twice or missed. Right before an
//! email is sent, the mailer asks again whether it is still wanted, and what it lists.

mod email;
mod model;
mod recorder;
mod target;

use std::sync::Arc;

use ::jobs::{Handlers, JobError, Jobs};
use content::Content;
use db::{Db, WriteTx};
use httpkit::Api;
use kernel::{Ambient, PublicUrl, Signer};
use mail::{BulkEmail, EmailMessage, Mailer};
use orgs::Orgs;
use playlists::Playlists;
use sea_orm::DbErr;

pub use model::{Announcement, Kind, State, WAIT_MAX, WINDOW, window_opened};
pub use recorder::AnnouncementRecorder;

use crate::store::recipients::Recipient;
use crate::unsubscribe_page::UnsubscribePage;
use crate::{jobs, ops};
use email::{EmailWriter, RecipientCheck};
use target::{TargetLookup, VisibleTargets};

/// Dependencies of [`Announcements`].
pub struct AnnouncementsDeps {
    /// Database connections.
    pub db: Db,
    /// Source of time, randomness and ids.
    pub ambient: Ambient,
    /// Public URL of the server, for links.
    pub public: PublicUrl,
    /// Signs unsubscribe links.
    pub signer: Signer,
    /// Job queue.
    pub jobs: Jobs,
    /// Sends the emails.
    pub mailer: Mailer,
    /// Provides organisations and their standing.
    pub orgs: Orgs,
    /// Decides which content items app users can see.
    pub content: Content,
    /// Finds the playlist in which an item is public.
    pub playlists: Playlists,
}

/// Handle to announcements; clones share the same state.
#[derive(Clone)]
pub struct Announcements {
    pub(crate) db: Db,
    pub(crate) ambient: Ambient,
    pub(crate) public: PublicUrl,
    pub(crate) signer: Signer,
    pub(crate) jobs: Jobs,
    pub(crate) mailer: Mailer,
    pub(crate) orgs: Arc<Orgs>,
    pub(crate) targets: Arc<TargetLookup>,
    emails: Arc<EmailWriter>,
    pub(crate) unsubscribe_page: Arc<UnsubscribePage>,
    /// Number of recipients per transaction.
    pub(crate) page_size: u64,
}

/// Recipients per transaction: few, to keep other writers from waiting long.
const PAGE_SIZE: u64 = 50;

impl Announcements {
    /// Creates the handle and registers the check that the mailer runs before it sends a bulk email.
    ///
    /// # Errors
    /// If the template of the unsubscribe page is invalid.
    pub fn new(deps: AnnouncementsDeps) -> Result<Self, String> {
        let unsubscribe_page =
            UnsubscribePage::new().map_err(|error| format!("invalid unsubscribe page template: {error}"))?;
        let targets =
            TargetLookup::new(deps.ambient.clone(), deps.orgs.clone(), deps.content, deps.playlists);
        let emails = EmailWriter::new(deps.public.clone(), deps.signer.clone());
        let check = Arc::new(RecipientCheck::new(deps.db.clone(), targets.clone(), emails.clone()));
        deps.mailer.set_still_wanted("announcement", check);
        Ok(Self {
            db: deps.db,
            ambient: deps.ambient,
            public: deps.public,
            signer: deps.signer,
            jobs: deps.jobs,
            mailer: deps.mailer,
            orgs: deps.orgs.into(),
            targets: targets.into(),
            emails: emails.into(),
            unsubscribe_page: Arc::new(unsubscribe_page),
            page_size: PAGE_SIZE,
        })
    }

    /// Sets the number of recipients per transaction; for tests.
    #[must_use]
    pub fn with_page_size(mut self, people: u64) -> Self {
        self.page_size = people;
        self
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::announcement_routes().with_state(self.clone())
    }

    /// Registers the handlers of the announcement jobs.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }

    /// Runs the hourly check now; for tests.
    pub async fn check(&self) -> Result<(), JobError> {
        jobs::check(self.clone()).await
    }

    /// Enqueues one email of an announcement as part of `tx`. Skips recipients whose stored address is invalid.
    pub(crate) async fn enqueue_email(
        &self,
        tx: &WriteTx,
        announcement: &Announcement,
        visible: &VisibleTargets,
        recipient: &Recipient,
    ) -> Result<(), DbErr> {
        let Some(to) = kernel::Email::parse(&recipient.email) else { return Ok(()) };
        let message = self.emails.write(visible, recipient.person);
        let bulk_send = BulkEmail {
            topic: announcement.subject,
            person: recipient.person,
            unsubscribe_url: message.unsubscribe_url.clone(),
        };
        self.mailer.enqueue_bulk(tx, &to, &EmailMessage::Announcement(message.into()), &bulk_send).await?;
        Ok(())
    }
}
