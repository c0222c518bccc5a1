#![doc = include_str!("../README.md")]

mod access;
mod asking_browser;
pub mod backup;
mod client_info;
mod codes;
mod confirmation;
mod cookies;
mod dto;
mod entity;
mod erasure;
mod error;
mod jobs;
mod login_throttle;
mod migrations;
mod model;
mod openid;
mod ops;
mod passwords;
mod people;
mod popup;
mod ports;
mod refresh;
mod session_start;
mod store;
mod tokens;

use std::sync::Arc;

use ::jobs::{Handlers, Queue};
use db::{Db, Migration};
use httpkit::Api;
use kernel::{Ambient, Email, HOUR, PublicUrl, Signer};
use mail::Mailer;

pub use access::{Bearer, Caller};
pub use dto::{AddressOut, ProfileOut, SessionOut};
pub use erasure::{ErasedPerson, Erasure};
pub use error::Error;
pub use model::{Person, SearchTexts, check_address};
pub use openid::{ProviderStatus, SignInSettings};
pub use people::{OpenSession, email_of, lock_profile, search_texts};
pub use popup::refused_popup;
pub use ports::{JoinCodeLookup, PersonData, PhotoOwnership, ProfileChanged};
pub use tokens::KeyError;

use client_info::ClientInfo;
use login_throttle::LoginThrottle;
use openid::Providers;
use passwords::Passwords;
use refresh::App;
use tokens::Tokens;

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
    erasures: Vec<Arc<dyn Erasure>>,
    passwords: Arc<Passwords>,
    login_throttle: Arc<LoginThrottle>,
    digit_throttle: Arc<LoginThrottle>,
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
            login_throttle: LoginThrottle::of(&signer, "password"),
            digit_throttle: LoginThrottle::of(&signer, "digits"),
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
            erasures: Vec::new(),
            passwords: Arc::new(passwords),
            providers: Arc::default(),
        })
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

    /// Returns the operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Returns the operations at the root: the public keys.
    pub fn root_routes(&self) -> Api {
        ops::root_routes().with_state(self.clone())
    }

    /// Opens a session without a sign-in, creating the person if necessary: for tests and the command line,
    /// never for a request.
    pub async fn sign_in_directly(&self, email: &Email) -> Result<SessionOut, Error> {
        let tx = self.db.write_tx().await?;
        let new_session =
            session_start::open_for_owner(self, tx, email, &ClientInfo::direct(), App::Portal).await?;
        Ok(new_session.session)
    }
}

/// Returns the migrations of this crate's tables.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
