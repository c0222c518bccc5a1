#![doc = include_str!("../README.md")]

mod access;
mod client_info;
mod codes;
mod confirmation;
mod dto;
mod entity;
mod error;
mod jobs;
mod login_throttle;
mod migrations;
mod model;
mod openid;
mod ops;
mod passwords;
mod popup;
mod refresh;
mod session_start;
mod store;
mod tokens;

use std::collections::HashMap;
use std::sync::Arc;

use ::jobs::{Handlers, JobError, Queue};
use axum::response::Response;
use db::{Db, Migration, WriteTx};
use httpkit::Api;
use kernel::{Ambient, Email, HOUR, PersonId, PublicUrl, Signer};
use mail::{EmailMessage, Mailer};
use sea_orm::{ConnectionTrait, DbErr};

pub use access::{Bearer, Caller};
pub use dto::{AddressOut, ProfileOut, SessionOut};
pub use error::Error;
pub use model::{Person, SearchTexts, check_address};
pub use openid::{ProviderStatus, SignInSettings};
pub use tokens::KeyError;

use client_info::ClientInfo;
use login_throttle::LoginThrottle;
use openid::Providers;
use passwords::Passwords;
use refresh::App;
use tokens::Tokens;

/// Looks up the organisation that a sign-in email mentions; implemented by orgs.
#[async_trait::async_trait]
pub trait JoinCodeLookup: Send + Sync + 'static {
    /// Returns the name of the organisation with this join code, if the code is valid.
    async fn organisation_of(&self, join_code: &str) -> Result<Option<String>, DbErr>;
}

/// Ownership of photos; implemented by the crate that stores images.
#[async_trait::async_trait]
pub trait PhotoOwnership: Send + Sync + 'static {
    /// Returns whether this person uploaded the image at `path` as their own, read in the transaction that
    /// puts it to use.
    async fn is_owned_by(&self, tx: &WriteTx, person: PersonId, path: &str) -> Result<bool, DbErr>;
}

/// Data stored about a person; implemented by each crate that has some.
#[async_trait::async_trait]
pub trait PersonData: Send + Sync + 'static {
    /// Deletes what was set up for an address before its owner verified it, because someone else may have
    /// done so. Runs in the transaction of the verification.
    async fn delete_unverified(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr>;
}

/// The crate that keeps texts of profiles for a search; implemented by orgs.
#[async_trait::async_trait]
pub trait ProfileChanged: Send + Sync + 'static {
    /// Updates the texts of a person whose profile changed, in the transaction of the change.
    async fn profile_changed(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr>;
}

/// The public API of this crate. Clones share their state.
#[derive(Clone)]
pub struct Identity {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    signer: Signer,
    tokens: Arc<Tokens>,
    mailer: Mailer,
    join_codes: Option<Arc<dyn JoinCodeLookup>>,
    photos: Option<Arc<dyn PhotoOwnership>>,
    profile_changed: Option<Arc<dyn ProfileChanged>>,
    person_data: Vec<Arc<dyn PersonData>>,
    passwords: Arc<Passwords>,
    login_throttle: Arc<LoginThrottle>,
    providers: Arc<Providers>,
}

impl Identity {
    /// Creates the handle. Loads the token key, creating it on the first start.
    ///
    /// # Errors
    /// Fails if the stored key cannot be decrypted with this secret.
    pub async fn open(
        db: Db,
        ambient: Ambient,
        public: PublicUrl,
        signer: Signer,
        mailer: Mailer,
    ) -> Result<Self, KeyError> {
        let tokens = Tokens::load(&db, &ambient, &signer, &public).await?;
        let passwords = Passwords::new(&ambient);
        Ok(Self {
            db,
            ambient,
            public,
            signer,
            tokens: Arc::new(tokens),
            mailer,
            join_codes: None,
            photos: None,
            profile_changed: None,
            person_data: Vec::new(),
            passwords: Arc::new(passwords),
            login_throttle: Arc::default(),
            providers: Arc::default(),
        })
    }

    /// Sets the lookup of join codes.
    #[must_use]
    pub fn with_join_codes(mut self, join_codes: Arc<dyn JoinCodeLookup>) -> Self {
        self.join_codes = Some(join_codes);
        self
    }

    /// Sets the check of photos; without it, every photo is refused.
    #[must_use]
    pub fn with_photos(mut self, photos: Arc<dyn PhotoOwnership>) -> Self {
        self.photos = Some(photos);
        self
    }

    /// Sets the crate that follows changes of profiles.
    #[must_use]
    pub fn with_profile_changed(mut self, follower: Arc<dyn ProfileChanged>) -> Self {
        self.profile_changed = Some(follower);
        self
    }

    /// Adds a crate that stores data about people.
    #[must_use]
    pub fn with_person_data(mut self, data: Arc<dyn PersonData>) -> Self {
        self.person_data.push(data);
        self
    }

    /// Sets the sign-in providers; without them, their buttons lead to an error message.
    ///
    /// # Errors
    /// A sentence that says which setting is wrong.
    pub fn with_providers(mut self, settings: &SignInSettings) -> Result<Self, String> {
        self.providers = Arc::new(Providers::new(settings, &self.public, &self.ambient)?);
        Ok(self)
    }

    /// Registers the background job that deletes expired rows.
    pub fn register(&self, handlers: &mut Handlers) {
        let (asked, identity) = (self.clone(), self.clone());
        let has_work = move || jobs::has_expired(asked.clone());
        handlers.every_if("prune_sign_ins", HOUR, Queue::Quick, has_work, move || {
            let identity = identity.clone();
            async move { jobs::prune(&identity).await }
        });
    }

    /// Deletes expired rows now instead of at the next hour: for the command line and for tests.
    pub async fn prune(&self) -> Result<(), JobError> {
        jobs::prune(self).await
    }

    /// Returns the operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Returns the operations at the root: the public keys.
    pub fn root_routes(&self) -> Api {
        ops::root_routes().with_state(self.clone())
    }

    /// Returns the people with these ids, in no particular order; unknown ids are left out.
    pub async fn people(&self, conn: &impl ConnectionTrait, uids: &[PersonId]) -> Result<Vec<Person>, DbErr> {
        store::person::by_uids(conn, uids).await
    }

    /// Returns the given image paths that are in use as someone's photo.
    pub async fn photos_in_use(
        &self,
        conn: &impl ConnectionTrait,
        paths: &[String],
    ) -> Result<Vec<String>, DbErr> {
        store::person::photos_in_use(conn, paths).await
    }

    /// Returns the JSON shape of a person's profile.
    pub fn profile(&self, person: &Person) -> ProfileOut {
        ProfileOut::of(person, &self.public)
    }

    /// Returns the person with this address, if there is one.
    pub async fn person_by_email(
        &self,
        conn: &impl ConnectionTrait,
        email: &Email,
    ) -> Result<Option<Person>, DbErr> {
        store::person::by_email(conn, email).await
    }

    /// Returns the people with these addresses, in no particular order.
    pub async fn people_by_email(
        &self,
        conn: &impl ConnectionTrait,
        emails: &[&Email],
    ) -> Result<Vec<Person>, DbErr> {
        store::person::by_emails(conn, emails).await
    }

    /// Fails unless the person's address is verified. Call it in the transaction of the action that requires
    /// it.
    ///
    /// # Errors
    /// [`Error::EmailUnverified`] if the address is not verified.
    pub async fn require_verified_email(
        &self,
        conn: &impl ConnectionTrait,
        person: PersonId,
    ) -> Result<(), Error> {
        let person = store::person::by_uid(conn, person).await?.ok_or(Error::SignedOut)?;
        if person.is_verified { Ok(()) } else { Err(Error::EmailUnverified) }
    }

    /// Opens a session without a sign-in, creating the person if necessary: for tests and the command line,
    /// never for a request.
    pub async fn sign_in_directly(&self, email: &Email) -> Result<SessionOut, Error> {
        let tx = self.db.write_tx().await?;
        let new_session =
            ops::redeem_magic_link::open_for_owner(self, tx, email, &ClientInfo::direct(), App::Portal)
                .await?;
        Ok(new_session.session)
    }

    /// Reports a changed profile to the crate that follows them, as part of `tx`.
    async fn report_profile(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr> {
        match &self.profile_changed {
            Some(follower) => follower.profile_changed(tx, person).await,
            None => Ok(()),
        }
    }

    /// Enqueues an email to a person's address as part of `tx`.
    async fn enqueue_email(
        &self,
        tx: &WriteTx,
        person: &Person,
        message: &EmailMessage,
    ) -> Result<(), Error> {
        self.mailer.enqueue(tx, &store::person::address(person)?, message).await?;
        Ok(())
    }
}

/// Keeps a person's profile from changing until `tx` ends: call it before reading what is copied from the profile.
pub async fn lock_profile(tx: &impl ConnectionTrait, person: PersonId) -> Result<(), DbErr> {
    store::person::lock(tx, person).await
}

/// Returns the texts by which people are found, to be copied as part of `tx`; unknown ids are left out.
pub async fn search_texts(
    tx: &impl ConnectionTrait,
    people: &[PersonId],
) -> Result<HashMap<PersonId, SearchTexts>, DbErr> {
    store::person::search_texts(tx, people).await
}

/// Returns the response to the start of a popup sign-in that was refused before it reached this crate, by a
/// rate limit for example: a page that reports the failure to the opener. Returns `None` for any other path.
pub fn refused_popup(path: &str, query: &str, status: u16) -> Option<Response> {
    let is_start = path.starts_with("/v1/auth/oidc/") && path.ends_with("/start");
    let challenge = query.split('&').find_map(|pair| pair.strip_prefix("challenge="));
    let challenge = challenge.filter(|challenge| ops::is_challenge(challenge)).filter(|_| is_start)?;
    Some(popup::refused_page(challenge, status))
}

/// Returns the migrations of this crate's tables.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
