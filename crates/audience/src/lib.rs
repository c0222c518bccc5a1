//! App users: joining by a link, their consent, and the list of everybody an organisation knows.
//!
//! An answer to the consent notice is a row of `consent` that is never changed; `consent_standing` holds the
//! latest one of each person, written in the same transaction, so that every reader asks one row by its key.
//! What came before a consent stays anonymous: a standing carries since when it holds.

mod entity;
mod error;
mod jobs;
mod migrations;
mod model;
mod news;
mod notice;
mod ops;
mod piece;
mod stop;
mod stop_page;
mod store;
mod wire;

use std::collections::{HashMap, HashSet};

use db::{Db, Migration, WriteTx};
use httpkit::Api;
use identity::{Identity, ProfileOut};
use kernel::{Ambient, PublicUrl, Uid};
use orgs::Orgs;
use sea_orm::{ConnectionTrait, DbErr};

pub use error::Error;
pub use model::Consent;
pub use news::{News, NewsDesk, NewsParts};
pub use wire::ConsentOut;

use model::{Answer, Record};

/// The room's handle. Cloning shares it.
#[derive(Clone)]
pub struct Audience {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    identity: Identity,
    orgs: Orgs,
}

impl Audience {
    /// Opens the room.
    pub fn new(db: Db, ambient: Ambient, public: PublicUrl, identity: Identity, orgs: Orgs) -> Self {
        Self { db, ambient, public, identity, orgs }
    }

    /// The operations, to be nested under `/v1`.
    pub fn routes(&self) -> Api {
        ops::routes().with_state(self.clone())
    }

    /// A person's latest answer; `None` when there was none.
    ///
    /// # Errors
    /// The database's own.
    pub async fn consent_of(
        &self,
        conn: &impl ConnectionTrait,
        org: Uid,
        person: Uid,
    ) -> Result<Option<Consent>, DbErr> {
        Ok(store::consent::latest(conn, org, person).await?.map(|record| record.consent))
    }

    /// Those of `people` whose latest answer is yes.
    ///
    /// # Errors
    /// The database's own.
    pub async fn consenting(
        &self,
        conn: &impl ConnectionTrait,
        org: Uid,
        people: &[Uid],
    ) -> Result<HashSet<Uid>, DbErr> {
        let records = store::consent::of_people(conn, org, people).await?;
        Ok(records.into_iter().filter(|record| record.consent.given).map(|record| record.person).collect())
    }

    /// The latest answers of many people of many organisations, by (organisation, person); who never
    /// answered is left out.
    ///
    /// # Errors
    /// The database's own.
    pub async fn standings(
        &self,
        conn: &impl ConnectionTrait,
        pairs: &[(Uid, Uid)],
    ) -> Result<HashMap<(Uid, Uid), Consent>, DbErr> {
        store::consent::standings(conn, pairs).await
    }

    /// Keeps an answer. `tx` holds the organisation, so that two answers of one person follow each other.
    async fn keep(&self, tx: &WriteTx, answer: &Answer) -> Result<Record, DbErr> {
        let before = store::consent::latest(tx, answer.org, answer.person).await?;
        let now = self.ambient.now();
        let standing = model::stand(before.map(|record| record.consent), answer.given, now);
        store::consent::add(tx, self.ambient.uid(), answer, standing, now).await
    }

    /// Profiles by person.
    async fn profiles(&self, people: &[Uid]) -> Result<HashMap<Uid, ProfileOut>, DbErr> {
        let people = self.identity.people(self.db.read(), people).await?;
        Ok(people.iter().map(|person| (person.uid, self.identity.profile(person))).collect())
    }
}

/// Consents in people's names.
pub struct ConsentData;

#[async_trait::async_trait]
impl identity::PersonData for ConsentData {
    /// Deletes the answers, records included: they prove nothing when nobody knows who gave them.
    async fn clear_unproved(&self, tx: &WriteTx, person: Uid) -> Result<(), DbErr> {
        store::consent::remove_all(tx, person).await
    }
}

/// The tables of this room.
pub fn migrations() -> Vec<Migration> {
    migrations::all()
}
