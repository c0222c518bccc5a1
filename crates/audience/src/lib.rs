#![doc = include_str!("../README.md")]

mod announcements;
mod dto;
mod entity;
mod erasure;
mod error;
mod install;
mod jobs;
mod migrations;
mod model;
mod notice;
mod ops;
mod org_data;
mod progress;
mod removal;
mod store;
mod unsubscribe;
mod unsubscribe_page;
mod verify;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use db::{Db, Migration, WriteTx};
use httpkit::Api;
use identity::{Identity, ProfileOut};
use kernel::{Ambient, OrgId, PersonId, PublicUrl};
use orgs::Orgs;
use playlists::Playlists;
use sea_orm::{ConnectionTrait, DbErr};

pub use announcements::{AnnouncementRecorder, Announcements, AnnouncementsDeps};
pub use dto::ConsentOut;
pub use erasure::ConsentErasure;
pub use error::Error;
pub use install::Install;
pub use model::Consent;
pub use progress::Progress;
pub use unsubscribe_page::{PageEmails, PageState, UNDO, UnsubscribePage};

use model::{ConsentAnswer, ConsentRecord};

/// Handle to joining, consent and the list of people; clones share the same state.
#[derive(Clone)]
pub struct Audience {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    identity: Arc<Identity>,
    orgs: Arc<Orgs>,
    playlists: Option<Arc<Playlists>>,
    install: Option<Arc<Install>>,
}

impl Audience {
    /// Creates the handle.
    pub fn new(db: Db, ambient: Ambient, public: PublicUrl, identity: Identity, orgs: Orgs) -> Self {
        let (identity, orgs) = (identity.into(), orgs.into());
        Self { db, ambient, public, identity, orgs, playlists: None, install: None }
    }

    /// Sets the playlists that the join page of a public organisation shows; without them it shows none.
    #[must_use]
    pub fn with_playlists(mut self, playlists: Playlists) -> Self {
        self.playlists = Some(playlists.into());
        self
    }

    /// Sets where the manifests are that people inside an organisation are given; without it they are given none.
    #[must_use]
    pub fn with_install(mut self, install: Install) -> Self {
        self.install = Some(install.into());
        self
    }

    /// Returns the routes, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// Returns a person's current consent, or `None` if the person has never answered.
    pub async fn consent_of(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        person: PersonId,
    ) -> Result<Option<Consent>, DbErr> {
        Ok(store::consent::latest(conn, org, person).await?.map(|record| record.consent))
    }

    /// Returns the given people whose latest answer is yes.
    pub async fn consenting(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        people: &[PersonId],
    ) -> Result<HashSet<PersonId>, DbErr> {
        let records = store::consent::of_people(conn, org, people).await?;
        Ok(records.into_iter().filter(|record| record.consent.given).map(|record| record.person).collect())
    }

    /// Stores an answer. After a no, the person is cut from everything they did in the organisation. `tx` must hold the
    /// organisation's lock, which serializes answers of the same person.
    async fn record_answer(&self, tx: &WriteTx, answer: &ConsentAnswer) -> Result<ConsentRecord, DbErr> {
        self.record_answer_at(tx, answer, self.ambient.now()).await
    }

    async fn profiles(&self, people: &[PersonId]) -> Result<HashMap<PersonId, ProfileOut>, DbErr> {
        let people = self.identity.people(self.db.read(), people).await?;
        Ok(people.iter().map(|person| (person.uid, self.identity.profile(person))).collect())
    }
}

/// The consents and the progress that identity deletes with an unverified account.
pub struct ConsentData;

#[async_trait::async_trait]
impl identity::PersonData for ConsentData {
    /// Deletes all answers of the person, records included: without a verified address they prove nothing,
    /// because it is unknown who gave them. The same goes for what was watched.
    async fn delete_unverified(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr> {
        orgs::forget_answers(tx, person).await?;
        store::progress::remove_all(tx, person).await?;
        store::consent::remove_all(tx, person).await
    }
}

/// Returns the migrations of this crate.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
