//! Announcements: emails to app users about new content items and playlists with `notifyUsers`.
//!
//! [`NewsDesk`] records announcements in the transactions of content and playlists. A job checks whether app
//! users can see the subject; if so, another job writes the emails, one page of recipients at a time. Each
//! page is committed together with its position, so after a crash no one is notified twice or missed. Right
//! before an email is sent, the mailer asks again whether it is still wanted.

use std::sync::Arc;

use ::jobs::{Failure, Handlers, Jobs};
use content::Content;
use db::{Db, WriteTx};
use httpkit::Api;
use kernel::{Ambient, Privacy, PublicUrl, Uid};
use mail::{Brand, Letter, Mailer, Newcomer, Round};
use orgs::{Organisation, Orgs, Standing};
use playlists::Playlists;
use sea_orm::{ConnectionTrait, DbErr};
use storage::Signer;

use crate::jobs::LookForNews;
use crate::piece::{Kind, PATIENCE, Piece};
use crate::stop_page::StopPages;
use crate::{jobs, ops, stop, store};

/// Dependencies of [`News`].
pub struct NewsParts {
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
pub struct News {
    parts: Arc<NewsParts>,
    pub(crate) places: Places,
    pub(crate) pages: Arc<StopPages>,
    /// Number of recipients per transaction.
    pub(crate) page: u64,
}

/// Recipients per transaction: few, to keep other writers from waiting long.
const PAGE: u64 = 50;

impl std::ops::Deref for News {
    type Target = NewsParts;

    fn deref(&self) -> &NewsParts {
        &self.parts
    }
}

impl News {
    /// Creates the handle and registers the check that the mailer runs before it sends a bulk email.
    ///
    /// # Errors
    /// If the template of the unsubscribe page is invalid.
    pub fn new(parts: NewsParts) -> Result<Self, String> {
        let pages =
            StopPages::new().map_err(|error| format!("invalid unsubscribe page template: {error}"))?;
        let places = Places {
            orgs: parts.orgs.clone(),
            content: parts.content.clone(),
            playlists: parts.playlists.clone(),
        };
        parts.mailer.ask(Arc::new(Wanted { db: parts.db.clone(), places: places.clone() }));
        Ok(Self { parts: Arc::new(parts), places, pages: Arc::new(pages), page: PAGE })
    }

    /// Sets the number of recipients per transaction; for tests.
    #[must_use]
    pub fn with_page(mut self, people: u64) -> Self {
        self.page = people;
        self
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::news_routes().with_state(self.clone())
    }

    /// Registers the handlers of the announcement jobs.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }

    /// Runs the hourly check now; for tests.
    pub async fn keep(&self) -> Result<(), Failure> {
        jobs::keep(self.clone()).await
    }

    /// Enqueues one email as part of `tx`. Skips recipients whose stored address is invalid.
    pub(crate) async fn write(
        &self,
        tx: &WriteTx,
        piece: &Piece,
        place: &Place,
        (person, email): (Uid, &str),
    ) -> Result<(), DbErr> {
        let Some(to) = kernel::Email::parse(email) else { return Ok(()) };
        let stop = stop::address(&self.signer, &self.public, piece.org, person);
        let letter = mail::News {
            brand: brand(&place.organisation, &self.public),
            what: match piece.kind {
                Kind::Content => Newcomer::Content,
                Kind::Playlist => Newcomer::Playlist,
            },
            title: place.title.clone(),
            description: place.description.clone(),
            link: self.public.at(&place.path(piece)),
            stop: stop.clone(),
        };
        let round = Round { about: piece.subject, person, stop };
        self.mailer.enqueue_round(tx, &to, &Letter::News(Box::new(letter)), &round).await?;
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
pub struct Places {
    orgs: Orgs,
    content: Content,
    playlists: Playlists,
}

/// Where app users can see the subject of an announcement, with its title and description.
pub struct Place {
    pub organisation: Organisation,
    pub playlist: Uid,
    pub title: String,
    pub description: String,
}

impl Place {
    /// Returns the path of the page in the viewer app.
    fn path(&self, piece: &Piece) -> String {
        let page = format!("/app/org/{}/playlists/{}", piece.org, self.playlist);
        match piece.kind {
            Kind::Playlist => page,
            Kind::Content => format!("{page}?item={}", piece.subject),
        }
    }
}

impl Places {
    /// Returns where the subject can be seen if every app user of the organisation can find it: in a public
    /// playlist. Unlisted playlists are for people who were given the link, and an email would give it to
    /// all.
    pub async fn of(&self, conn: &impl ConnectionTrait, piece: &Piece) -> Result<Option<Place>, DbErr> {
        let organisation = self.orgs.organisation(conn, piece.org).await?;
        let open = |place: &Organisation| matches!(place.standing, Standing::Active | Standing::PastDue);
        let Some(organisation) = organisation.filter(open) else { return Ok(None) };
        match piece.kind {
            Kind::Playlist => {
                let found = self.playlists.by_ids(conn, piece.org, &[piece.subject]).await?.pop();
                Ok(found.filter(|playlist| playlist.privacy == Privacy::Public).map(|playlist| Place {
                    organisation,
                    playlist: playlist.uid,
                    title: playlist.title,
                    description: playlist.description,
                }))
            }
            Kind::Content => {
                let shelf = self.playlists.public_with(conn, piece.org, piece.subject).await?;
                let Some(playlist) = shelf else { return Ok(None) };
                let found = self.content.open(conn, piece.org, Privacy::Public, piece.subject).await?;
                Ok(found.map(|content| Place {
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
struct Wanted {
    db: Db,
    places: Places,
}

#[async_trait::async_trait]
impl mail::StillWanted for Wanted {
    async fn still_wanted(&self, about: Uid, person: Uid) -> Result<bool, DbErr> {
        let conn = self.db.read();
        let Some(piece) = store::news::of_letter(conn, about).await? else { return Ok(false) };
        Ok(store::recipients::is_one(conn, piece.org, person).await?
            && self.places.of(conn, &piece).await?.is_some())
    }
}

/// Records announcements; implements the ports of content and playlists.
pub struct NewsDesk {
    jobs: Jobs,
    ambient: Ambient,
}

impl NewsDesk {
    /// Creates an instance that enqueues its jobs in `jobs`.
    pub fn new(jobs: Jobs, ambient: Ambient) -> Self {
        Self { jobs, ambient }
    }

    async fn take(&self, tx: &WriteTx, org: Uid, subject: Uid, kind: Kind) -> Result<(), DbErr> {
        let now = self.ambient.now();
        store::news::insert(tx, (org, subject), kind, now + PATIENCE, now).await?;
        self.jobs.enqueue(tx, &LookForNews { org }).await.map(drop)
    }

    async fn look(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr> {
        if store::news::any_waiting(tx, org).await? {
            self.jobs.enqueue(tx, &LookForNews { org }).await?;
        }
        Ok(())
    }
}

#[async_trait::async_trait]
impl content::News for NewsDesk {
    async fn came(&self, tx: &WriteTx, org: Uid, content: Uid) -> Result<(), DbErr> {
        self.take(tx, org, content, Kind::Content).await
    }

    async fn changed(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr> {
        self.look(tx, org).await
    }
}

#[async_trait::async_trait]
impl playlists::News for NewsDesk {
    async fn came(&self, tx: &WriteTx, org: Uid, playlist: Uid) -> Result<(), DbErr> {
        self.take(tx, org, playlist, Kind::Playlist).await
    }

    async fn changed(&self, tx: &WriteTx, org: Uid) -> Result<(), DbErr> {
        self.look(tx, org).await
    }
}
