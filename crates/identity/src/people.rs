//! People and their profiles, for the other crates.

mod operator;

use std::collections::HashMap;

use db::WriteTx;
use kernel::{Email, PersonId};
use mail::EmailMessage;
use sea_orm::{ConnectionTrait, DbErr};

pub use operator::OpenSession;

use crate::{Error, Identity, Person, ProfileOut, SearchTexts, session_start, store};

impl Identity {
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
        store::person::by_uid(conn, person).await?.ok_or(Error::SignedOut)?.require_verified_email()
    }

    /// Marks a person's address as verified, because the person holds a code that was emailed to it, and keeps what
    /// was set up so far.
    pub async fn verify_email_by_code(&self, tx: &WriteTx, person: &mut Person) -> Result<(), Error> {
        if person.is_verified { Ok(()) } else { session_start::confirm(self, tx, person).await }
    }

    /// Reports a changed profile to the crate that follows them, as part of `tx`.
    pub(crate) async fn report_profile(&self, tx: &WriteTx, person: PersonId) -> Result<(), DbErr> {
        match &self.profile_changed {
            Some(follower) => follower.profile_changed(tx, person).await,
            None => Ok(()),
        }
    }

    /// Enqueues an email to a person's address as part of `tx`.
    pub(crate) async fn enqueue_email(
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

/// Returns the address of a person, for a copy of it that is made as part of `tx`.
pub async fn email_of(tx: &impl ConnectionTrait, person: PersonId) -> Result<Option<String>, DbErr> {
    Ok(store::person::by_uid(tx, person).await?.map(|person| person.email))
}
