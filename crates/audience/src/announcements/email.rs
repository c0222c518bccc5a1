//! The email to one person about what is new, and the check right before it is sent.

use db::{Db, none_if_empty};
use kernel::{PersonId, PublicUrl, Signer, Uid};
use mail::{AnnouncedItem, Announcement, AnnouncementKind, EmailMessage, Wanted};
use sea_orm::DbErr;

use super::model::Kind;
use super::target::{AnnouncementTarget, TargetLookup, VisibleTargets};
use crate::{store, unsubscribe};

/// Writes the emails of announcements.
#[derive(Clone)]
pub struct EmailWriter {
    public: PublicUrl,
    signer: Signer,
}

impl EmailWriter {
    /// Creates an instance; `signer` signs the unsubscribe links.
    pub fn new(public: PublicUrl, signer: Signer) -> Self {
        Self { public, signer }
    }

    /// Returns the email to a person about what is visible.
    pub fn write(&self, visible: &VisibleTargets, person: PersonId) -> Announcement {
        let org = visible.organisation.uid;
        let item = |target: &AnnouncementTarget| AnnouncedItem {
            kind: match target.kind {
                Kind::Content => AnnouncementKind::Content,
                Kind::Playlist => AnnouncementKind::Playlist,
            },
            title: target.title.clone(),
            description: none_if_empty(target.description.clone()),
            link: self.public.at(&target.path(org)),
        };
        Announcement {
            brand: orgs::brand(&visible.organisation, &self.public),
            items: visible.targets.iter().map(item).collect(),
            home: self.public.at(&format!("/app/org/{org}")),
            unsubscribe_url: unsubscribe::url(&self.signer, &self.public, org, person),
        }
    }
}

/// Lets the mailer check whether an email is still wanted, and what it lists now.
pub struct RecipientCheck {
    db: Db,
    targets: TargetLookup,
    emails: EmailWriter,
}

impl RecipientCheck {
    /// Creates the check.
    pub fn new(db: Db, targets: TargetLookup, emails: EmailWriter) -> Self {
        Self { db, targets, emails }
    }
}

#[async_trait::async_trait]
impl mail::StillWanted for RecipientCheck {
    async fn still_wanted(&self, about: Uid, person: PersonId) -> Result<Wanted, DbErr> {
        let conn = self.db.read();
        let Some(org) = store::announcements::org_of_email(conn, about).await? else {
            return Ok(Wanted::No);
        };
        if !store::recipients::is_recipient(conn, org, person).await? {
            return Ok(Wanted::No);
        }
        let announcements = store::announcements::with_listed(conn, org, about).await?;
        let visible = self.targets.visible(conn, org, &announcements).await?;
        Ok(visible.map_or(Wanted::No, |visible| {
            Wanted::Now(EmailMessage::Announcement(self.emails.write(&visible, person).into()))
        }))
    }
}
