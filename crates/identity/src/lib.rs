//! Who: people, sign-in by magic link, sessions, the own profile, and the proof of identity.
//!
//! [`Bearer`] is a token whose signature holds; [`Caller`] is one whose session row was read as well. A room
//! that enters an organisation takes a [`Bearer`], because `orgs` reads session and membership in one query.

mod access;
mod entity;
mod error;
mod migrations;
mod model;
mod ops;
mod refresh;
mod store;
mod tokens;
mod wire;

use std::sync::Arc;

use db::{Db, Migration, WriteTx};
use httpkit::Api;
use kernel::{Ambient, PublicUrl, Uid};
use mail::Mailer;
use sea_orm::{ConnectionTrait, DbErr};
use storage::Signer;

pub use access::{Bearer, Caller};
pub use error::Error;
pub use model::{Person, check_address};
pub use tokens::KeyError;
pub use wire::{AddressOut, ProfileOut, SessionOut};

use tokens::Tokens;

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
        Ok(Self { db, ambient, public, signer, tokens: Arc::new(tokens), mailer, places: None, photos: None })
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
        email: &kernel::Email,
    ) -> Result<Option<Person>, DbErr> {
        store::person::by_email(conn, email).await
    }

    /// A session for a person without a sign-in: for tests and the command line, never for a request.
    ///
    /// # Errors
    /// The database's own, or a key that cannot sign.
    pub async fn sign_in_directly(&self, email: &kernel::Email) -> Result<SessionOut, Error> {
        ops::redeem_magic_link::open_session(self, email, "direct").await.map(|opened| opened.session)
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
