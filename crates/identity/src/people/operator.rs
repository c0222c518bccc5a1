//! What the operator of the installation may do with people, from the command line. There is no caller whose rights are
//! checked: the operator has the database.

use db::WriteTx;
use kernel::{Email, PersonId, Timestamp};
use sea_orm::{ActiveEnum as _, DbErr};

use crate::model::Person;
use crate::ops::request_magic_link::login_path;
use crate::{Error, Identity, codes, store};

/// A session that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSession {
    /// `portal` or `viewer`.
    pub app: String,
    /// The browser, as it names itself.
    pub device: String,
    /// Network address of the last use, if it is known.
    pub client_address: String,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was last used.
    pub last_seen_at: Timestamp,
}

impl Identity {
    /// Returns a page of all people, oldest first, after the id `after`. With `search`, only those whose name,
    /// address or company contains it.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn all_people(
        &self,
        search: Option<&str>,
        after: PersonId,
        limit: u64,
    ) -> Result<Vec<Person>, DbErr> {
        store::person::all(self.db.read(), search, after, limit).await
    }

    /// Returns the sessions of a person that have not ended, most recently used first, at most 100.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn sessions_of(&self, person: PersonId) -> Result<Vec<OpenSession>, DbErr> {
        let rows = store::session::active(self.db.read(), person, self.ambient.now()).await?;
        rows.into_iter()
            .map(|row| {
                Ok(OpenSession {
                    app: row.app.known("session", "app", row.uid)?.to_value(),
                    device: row.device,
                    client_address: row.client_address,
                    created_at: row.created_at,
                    last_seen_at: row.last_seen_at,
                })
            })
            .collect()
    }

    /// Ends all sessions of a person, in the caller's transaction. Returns how many, with those that had expired.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn end_sessions_of(&self, tx: &WriteTx, person: PersonId) -> Result<u64, DbErr> {
        tx.lock(person).await?;
        store::session::end_all(tx, person, self.ambient.now()).await
    }

    /// Creates a person with this address, unless there is one, in the caller's transaction. The address counts as
    /// unverified until the person signs in with a link. Returns the person, and whether it is new.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn create_person(&self, tx: &WriteTx, email: &Email) -> Result<(Person, bool), DbErr> {
        tx.lock(store::person::address_lock(email)).await?;
        if let Some(person) = store::person::by_email(tx, email).await? {
            return Ok((person, false));
        }
        let (uid, now) = (self.ambient.uid(), self.ambient.now());
        Ok((store::person::insert(tx, uid, email, false, now).await?, true))
    }

    /// Creates a link that signs in the owner of an address, for when email cannot be sent, in the caller's transaction.
    /// It counts as one that was sent. Returns the link.
    ///
    /// # Errors
    /// [`Error::TooManyEmails`] as for a link by email.
    pub async fn sign_in_link(&self, tx: &WriteTx, email: &Email) -> Result<String, Error> {
        tx.lock(store::person::address_lock(email)).await?;
        // The digits work only in the browser that asked for them, and none did.
        let browser = self.ambient.code();
        let (code, _digits) = codes::issue_link(self, tx, email, &browser).await?;
        Ok(self.public.at(&login_path(&code)))
    }
}
