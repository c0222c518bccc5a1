//! Who: people, their ways to sign in, sessions, the own profile, and the proof of identity.
//!
//! [`Bearer`] is a token whose signature holds; [`Caller`] is one whose session row was read as well. A room
//! that enters an organisation takes a [`Bearer`], because `orgs` reads session and membership in one query.

mod access;
mod codes;
mod entity;
mod error;
mod jobs;
mod ladder;
mod migrations;
mod model;
mod openid;
mod opening;
mod ops;
mod passwords;
mod popup;
mod refresh;
mod store;
mod tokens;
mod visit;
mod wire;

use std::sync::Arc;

use ::jobs::{Failure, Handlers, Lane};
use axum::response::Response;
use db::{Db, Migration, WriteTx};
use httpkit::Api;
use kernel::{Ambient, Email, HOUR, PublicUrl, Uid};
use mail::{Letter, Mailer};
use sea_orm::{ConnectionTrait, DbErr};
use storage::Signer;

pub use access::{Bearer, Caller};
pub use error::Error;
pub use model::{Person, check_address};
pub use openid::{Reached, SignInSettings};
pub use tokens::KeyError;
pub use wire::{AddressOut, ProfileOut, SessionOut};

use ladder::Ladder;
use openid::Providers;
use passwords::Passwords;
use refresh::App;
use tokens::Tokens;
use visit::Visit;

/// What a sign-in mail calls the place a person signs in to; implemented by the room that knows joining
/// links.
#[async_trait::async_trait]
pub trait Places: Send + Sync + 'static {
    /// The organisation behind a joining code, if the code holds.
    async fn organisation_of(&self, join_code: &str) -> Result<Option<String>, DbErr>;
}

/// Whose a picture is; implemented by the room that keeps pictures.
#[async_trait::async_trait]
pub trait Photos: Send + Sync + 'static {
    /// Whether `path` is that of a picture this person uploaded as an own one, read in the transaction that
    /// will show it.
    async fn is_of(&self, tx: &WriteTx, person: Uid, path: &str) -> Result<bool, DbErr>;
}

/// Rows kept in a person's name; implemented by each crate that has some.
#[async_trait::async_trait]
pub trait PersonData: Send + Sync + 'static {
    /// Deletes what was set up for an address before its owner proved it, in the transaction of the proof: somebody
    /// else may have done it.
    async fn clear_unproved(&self, tx: &WriteTx, person: Uid) -> Result<(), DbErr>;
}

/// The room's handle. Cloning shares it.
#[derive(Clone)]
pub struct Identity {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    signer: Signer,
    tokens: Arc<Tokens>,
    mailer: Mailer,
    places: Option<Arc<dyn Places>>,
    photos: Option<Arc<dyn Photos>>,
    person_data: Vec<Arc<dyn PersonData>>,
    passwords: Arc<Passwords>,
    ladder: Arc<Ladder>,
    providers: Arc<Providers>,
}

impl Identity {
    /// Opens the room; makes the token key on the first start.
    ///
    /// # Errors
    /// When the stored key cannot be read with this secret, or the database fails.
    pub async fn open(
        db: Db,
        ambient: Ambient,
        public: PublicUrl,
        signer: Signer,
        mailer: Mailer,
    ) -> Result<Self, KeyError> {
        let tokens = Tokens::load(&db, &ambient, &signer, &public).await?;
        let passwords = Passwords::new(&ambient).map_err(|_| KeyError::Crypto)?;
        Ok(Self {
            db,
            ambient,
            public,
            signer,
            tokens: Arc::new(tokens),
            mailer,
            places: None,
            photos: None,
            person_data: Vec::new(),
            passwords: Arc::new(passwords),
            ladder: Arc::default(),
            providers: Arc::default(),
        })
    }

    /// Says who knows joining links.
    #[must_use]
    pub fn with_places(mut self, places: Arc<dyn Places>) -> Self {
        self.places = Some(places);
        self
    }

    /// Says who knows pictures; without, no photo is taken.
    #[must_use]
    pub fn with_photos(mut self, photos: Arc<dyn Photos>) -> Self {
        self.photos = Some(photos);
        self
    }

    /// Adds a crate that keeps rows in people's names.
    #[must_use]
    pub fn with_person_data(mut self, data: Arc<dyn PersonData>) -> Self {
        self.person_data.push(data);
        self
    }

    /// Sets up the providers people may sign in by; without, their buttons say that they did not work.
    ///
    /// # Errors
    /// A sentence saying which setting is wrong.
    pub fn with_providers(mut self, settings: &SignInSettings) -> Result<Self, String> {
        self.providers = Arc::new(Providers::new(settings, &self.public, &self.ambient)?);
        Ok(self)
    }

    /// The jobs of this room: what is over is cleared away.
    pub fn register(&self, handlers: &mut Handlers) {
        let identity = self.clone();
        handlers.every("prune_sign_ins", HOUR, Lane::Quick, move || {
            let identity = identity.clone();
            async move { jobs::prune(&identity).await }
        });
    }

    /// Clears away now what the schedule clears away every hour: for the command line and for tests.
    ///
    /// # Errors
    /// The database's own.
    pub async fn prune(&self) -> Result<(), Failure> {
        jobs::prune(self).await
    }

    /// The operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// The operations at the root: the public keys.
    pub fn root_routes(&self) -> Api {
        ops::root_routes().with_state(self.clone())
    }

    /// The people with these ids, in no order; unknown ids are left out.
    ///
    /// # Errors
    /// The database's own.
    pub async fn people(&self, conn: &impl ConnectionTrait, uids: &[Uid]) -> Result<Vec<Person>, DbErr> {
        store::person::by_uids(conn, uids).await
    }

    /// Those of the pictures' paths that a person shows as photo.
    ///
    /// # Errors
    /// The database's own.
    pub async fn photos_among(
        &self,
        conn: &impl ConnectionTrait,
        paths: &[String],
    ) -> Result<Vec<String>, DbErr> {
        store::person::photos_among(conn, paths).await
    }

    /// The profile of a person as others see it on the wire.
    pub fn profile(&self, person: &Person) -> ProfileOut {
        ProfileOut::of(person, &self.public)
    }

    /// The person with this address, if there is one.
    ///
    /// # Errors
    /// The database's own.
    pub async fn person_by_email(
        &self,
        conn: &impl ConnectionTrait,
        email: &Email,
    ) -> Result<Option<Person>, DbErr> {
        store::person::by_email(conn, email).await
    }

    /// Fails unless it was proved that the person's address is theirs. Call it in the transaction of whatever is done
    /// in the name of the address.
    ///
    /// # Errors
    /// [`Error::EmailUnproved`], or the database's own.
    pub async fn require_proved(&self, conn: &impl ConnectionTrait, person: Uid) -> Result<(), Error> {
        let person = store::person::by_uid(conn, person).await?.ok_or(Error::SignedOut)?;
        if person.is_verified { Ok(()) } else { Err(Error::EmailUnproved) }
    }

    /// A session for a person without a sign-in: for tests and the command line, never for a request.
    ///
    /// # Errors
    /// The database's own, or a key that cannot sign.
    pub async fn sign_in_directly(&self, email: &Email) -> Result<SessionOut, Error> {
        let tx = self.db.write_tx().await?;
        let opened = ops::redeem_magic_link::open_for(self, tx, email, &Visit::direct(), App::Portal).await?;
        Ok(opened.session)
    }

    /// Writes a letter to a person's address as part of `tx`.
    async fn write(&self, tx: &WriteTx, address: &str, letter: &Letter) -> Result<(), Error> {
        let email = Email::parse(address).ok_or(Error::InvalidEmail)?;
        self.mailer.enqueue(tx, &email, letter).await?;
        Ok(())
    }
}

/// The answer to a popup's first step that was refused before it came here: a page that tells the opener.
/// `None` for any other path.
pub fn refused_popup(path: &str, query: &str, status: u16) -> Option<Response> {
    let is_start = path.starts_with("/v1/auth/oidc/") && path.ends_with("/start");
    let challenge = query.split('&').find_map(|pair| pair.strip_prefix("challenge="));
    let challenge = challenge.filter(|challenge| ops::is_challenge(challenge)).filter(|_| is_start)?;
    Some(popup::refused(challenge, status))
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
