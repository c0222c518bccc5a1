//! Telling app users what is new, by mail (spec section 7: `notifyUsers`).
//!
//! [`NewsDesk`] takes down what the rooms below want to be told of, in their transaction. A job looks whether app
//! users may see it; if so, another one writes the letters, a page of people at a time. Each page is one
//! transaction together with the place it came to, so that a crash neither tells twice nor forgets anybody. Right
//! before a letter leaves it is asked once more whether it is still wanted.

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

/// What the telling is built from.
pub struct NewsParts {
    /// The database.
    pub db: Db,
    /// Time, chance and ids.
    pub ambient: Ambient,
    /// Where the server is reached.
    pub public: PublicUrl,
    /// Signs the links that stop letters.
    pub signer: Signer,
    /// The queue.
    pub jobs: Jobs,
    /// Writes the letters.
    pub mailer: Mailer,
    /// Where.
    pub orgs: Orgs,
    /// What may be seen.
    pub content: Content,
    /// Where it is shown.
    pub playlists: Playlists,
}

/// Tells app users what is new. Cloning shares it.
#[derive(Clone)]
pub struct News {
    parts: Arc<NewsParts>,
    pub(crate) places: Places,
    pub(crate) pages: Arc<StopPages>,
    /// People of one transaction.
    pub(crate) page: u64,
}

/// People told in one transaction: few, so that no other writer waits for long.
const PAGE: u64 = 50;

impl std::ops::Deref for News {
    type Target = NewsParts;

    fn deref(&self) -> &NewsParts {
        &self.parts
    }
}

impl News {
    /// Opens it; from now on the mailer asks here before a letter of a round leaves.
    ///
    /// # Errors
    /// When the template of its page is broken.
    pub fn new(parts: NewsParts) -> Result<Self, String> {
        let pages = StopPages::new().map_err(|error| format!("a page's template is broken: {error}"))?;
        let places = Places {
            orgs: parts.orgs.clone(),
            content: parts.content.clone(),
            playlists: parts.playlists.clone(),
        };
        parts.mailer.ask(Arc::new(Wanted { db: parts.db.clone(), places: places.clone() }));
        Ok(Self { parts: Arc::new(parts), places, pages: Arc::new(pages), page: PAGE })
    }

    /// The same with other pages: for tests.
    #[must_use]
    pub fn with_page(mut self, people: u64) -> Self {
        self.page = people;
        self
    }

    /// The operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::news_routes().with_state(self.clone())
    }

    /// Says how the jobs of the telling are done.
    pub fn register(&self, handlers: &mut Handlers) {
        jobs::register(self, handlers);
    }

    /// Looks now at what the schedule looks at every hour: for tests.
    ///
    /// # Errors
    /// The database's own.
    pub async fn keep(&self) -> Result<(), Failure> {
        jobs::keep(self.clone()).await
    }

    /// Writes one letter as part of `tx`.
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

/// How an organisation presents itself in letters and on their page.
pub fn brand(organisation: &Organisation, public: &PublicUrl) -> Brand {
    Brand {
        name: organisation.name.clone(),
        logo: public.address_of(&organisation.logo),
        background: organisation.theme.primary.clone(),
        text: organisation.theme.text.clone(),
        button: organisation.theme.secondary.clone(),
    }
}

/// Where app users find what is new.
#[derive(Clone)]
pub struct Places {
    orgs: Orgs,
    content: Content,
    playlists: Playlists,
}

/// A place, and what stands there.
pub struct Place {
    pub organisation: Organisation,
    pub playlist: Uid,
    pub title: String,
    pub description: String,
}

impl Place {
    /// The page of the viewer app.
    fn path(&self, piece: &Piece) -> String {
        let page = format!("/app/org/{}/playlists/{}", piece.org, self.playlist);
        match piece.kind {
            Kind::Playlist => page,
            Kind::Content => format!("{page}?item={}", piece.subject),
        }
    }
}

impl Places {
    /// The place of a piece, if every app user of its organisation may find it by looking: in a public playlist. An
    /// unlisted one is shown to whom its link was given, and a letter would give it to everybody.
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

/// Answers the mailer's question whether a letter is still wanted.
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

/// Takes down what app users are to be told of: the answer to content's and playlists' questions.
pub struct NewsDesk {
    jobs: Jobs,
    ambient: Ambient,
}

impl NewsDesk {
    /// A desk that puts its jobs into this queue.
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
