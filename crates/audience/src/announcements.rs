//! Announcements: emails to app users about new content items and playlists with `notifyUsers`.
//!
//! [`Announcer`] records announcements in the transactions of content and playlists. A job checks whether app
//! users can see the subject; if so, another job writes the emails, one page of recipients at a time. Each
//! page is committed together with its position, so after a crash no one is notified twice or missed. Right
//! before an email is sent, the mailer asks again whether it is still wanted.

use std::sync::Arc;

use ::jobs::{Handlers, JobError, Jobs};
use content::Content;
use db::{Db, WriteTx};
use httpkit::Api;
use kernel::{Ambient, Privacy, PublicUrl, Uid};
use mail::{AnnouncementKind, Brand, BulkEmail, EmailMessage, Mailer};
use orgs::{Organisation, Orgs, Standing};
use playlists::Playlists;
use sea_orm::{ConnectionTrait, DbErr};
use storage::Signer;

use crate::announcement::{Announcement, Kind, WAIT_MAX};
use crate::jobs::StartAnnouncements;
use crate::unsubscribe_page::UnsubscribePage;
use crate::{jobs, ops, store, unsubscribe};

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
    deps: Arc<AnnouncementsDeps>,
    pub(crate) targets: TargetLookup,
    pub(crate) unsubscribe_page: Arc<UnsubscribePage>,
    /// Number of recipients per transaction.
    pub(crate) page_size: u64,
}

/// Recipients per transaction: few, to keep other writers from waiting long.
const PAGE_SIZE: u64 = 50;

impl std::ops::Deref for Announcements {
    type Target = AnnouncementsDeps;

    fn deref(&self) -> &AnnouncementsDeps {
        &self.deps
    }
}

impl Announcements {
    /// Creates the handle and registers the check that the mailer runs before it sends a bulk email.
    ///
    /// # Errors
    /// If the template of the unsubscribe page is invalid.
    pub fn new(deps: AnnouncementsDeps) -> Result<Self, String> {
        let unsubscribe_page =
            UnsubscribePage::new().map_err(|error| format!("invalid unsubscribe page template: {error}"))?;
        let targets = TargetLookup {
            orgs: deps.orgs.clone(),
            content: deps.content.clone(),
            playlists: deps.playlists.clone(),
        };
        deps.mailer
            .set_still_wanted(Arc::new(RecipientCheck { db: deps.db.clone(), targets: targets.clone() }));
        Ok(Self {
            deps: Arc::new(deps),
            targets,
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

    /// Enqueues one email as part of `tx`. Skips recipients whose stored address is invalid.
    pub(crate) async fn enqueue_email(
        &self,
        tx: &WriteTx,
        announcement: &Announcement,
        target: &AnnouncementTarget,
        (person, email): (Uid, &str),
    ) -> Result<(), DbErr> {
        let Some(to) = kernel::Email::parse(email) else { return Ok(()) };
        let unsubscribe_url = unsubscribe::url(&self.signer, &self.public, announcement.org, person);
        let message = mail::Announcement {
            brand: brand(&target.organisation, &self.public),
            kind: match announcement.kind {
                Kind::Content => AnnouncementKind::Content,
                Kind::Playlist => AnnouncementKind::Playlist,
            },
            title: target.title.clone(),
            description: target.description.clone(),
            link: self.public.at(&target.path(announcement)),
            unsubscribe_url: unsubscribe_url.clone(),
        };
        let bulk_send = BulkEmail { topic: announcement.subject, person, unsubscribe_url };
        self.mailer.enqueue_bulk(tx, &to, &EmailMessage::Announcement(Box::new(message)), &bulk_send).await?;
        Ok(())
    }
}

/// Returns the branding of an organisation for its emails and the unsubscribe page.
pub fn brand(organisation: &Organisation, public: &PublicUrl) -> Brand {
    Brand {
        name: organisation.name.clone(),
        logo: public.address_of(&organisation.logo),
        background: organisation.theme.primary.clone(),
        text: organisation.theme.text.clone(),
        button: organisation.theme.secondary.clone(),
    }
}

/// Finds where app users can see the subject of an announcement.
#[derive(Clone)]
pub struct TargetLookup {
    orgs: Orgs,
    content: Content,
    playlists: Playlists,
}

/// Where app users can see the subject of an announcement, with its title and description.
pub struct AnnouncementTarget {
    pub organisation: Organisation,
    pub playlist: Uid,
    pub title: String,
    pub description: String,
}

impl AnnouncementTarget {
    /// Returns the path of the page in the viewer app.
    fn path(&self, announcement: &Announcement) -> String {
        let page = format!("/app/org/{}/playlists/{}", announcement.org, self.playlist);
        match announcement.kind {
            Kind::Playlist => page,
            Kind::Content => format!("{page}?item={}", announcement.subject),
        }
    }
}

impl TargetLookup {
    /// Returns where the subject can be seen if every app user of the organisation can find it: in a public
    /// playlist. Unlisted playlists are for people who were given the link, and an email would give it to
    /// all.
    pub async fn of(
        &self,
        conn: &impl ConnectionTrait,
        announcement: &Announcement,
    ) -> Result<Option<AnnouncementTarget>, DbErr> {
        let organisation = self.orgs.organisation(conn, announcement.org).await?;
        let open = |organisation: &Organisation| {
            matches!(organisation.standing, Standing::Active | Standing::PastDue)
        };
        let Some(organisation) = organisation.filter(open) else { return Ok(None) };
        match announcement.kind {
            Kind::Playlist => {
                let found =
                    self.playlists.by_ids(conn, announcement.org, &[announcement.subject]).await?.pop();
                Ok(found.filter(|playlist| playlist.privacy == Privacy::Public).map(|playlist| {
                    AnnouncementTarget {
                        organisation,
                        playlist: playlist.uid,
                        title: playlist.title,
                        description: playlist.description,
                    }
                }))
            }
            Kind::Content => {
                let found = self.playlists.public_with(conn, announcement.org, announcement.subject).await?;
                let Some(playlist) = found else { return Ok(None) };
                let found = self
                    .content
                    .open_item(conn, announcement.org, Privacy::Public, announcement.subject)
                    .await?;
                Ok(found.map(|content| AnnouncementTarget {
                    organisation,
                    playlist,
                    title: content.title,
                    description: content.description,
                }))
            }
        }
    }
}

/// Lets the mailer check whether an email is still wanted.
struct RecipientCheck {
    db: Db,
    targets: TargetLookup,
}

#[async_trait::async_trait]
impl mail::StillWanted for RecipientCheck {
    async fn still_wanted(&self, about: Uid, person: Uid) -> Result<bool, DbErr> {
        let conn = self.db.read();
        let Some(announcement) = store::announcements::of_email(conn, about).await? else { return Ok(false) };
        Ok(store::recipients::is_recipient(conn, announcement.org, person).await?
            && self.targets.of(conn, &announcement).await?.is_some())
    }
}

/// Records announcements; implements the ports of content and playlists.
pub struct Announcer {
    jobs: Jobs,
    ambient: Ambient,
}

impl Announcer {
    /// Creates an instance that enqueues its jobs in `jobs`.
    pub fn new(jobs: Jobs, ambient: Ambient) -> Self {
        Self { jobs, ambient }
    }

    async fn record(&self, tx: &WriteTx, org: Uid, subject: Uid, kind: Kind) -> Result<(), DbErr> {
        let now = self.ambient.now();
        store::announcements::insert(tx, (org, subject), kind, now + WAIT_MAX, now).await?;
        self.jobs.enqueue(tx, &StartAnnouncements { org }).await.map(drop)
    }

    async fn recheck(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr> {
        if store::announcements::any_waiting(tx, org).await? {
            self.jobs.enqueue(tx, &StartAnnouncements { org }).await?;
        }
        Ok(())
    }
}

#[async_trait::async_trait]
impl content::Announcer for Announcer {
    async fn published(&self, tx: &WriteTx, org: Uid, content: Uid) -> Result<(), DbErr> {
        self.record(tx, org, content, Kind::Content).await
    }

    async fn changed(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr> {
        self.recheck(tx, org).await
    }
}

#[async_trait::async_trait]
impl playlists::Announcer for Announcer {
    async fn published(&self, tx: &WriteTx, org: Uid, playlist: Uid) -> Result<(), DbErr> {
        self.record(tx, org, playlist, Kind::Playlist).await
    }

    async fn changed(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr> {
        self.recheck(tx, org).await
    }
}
