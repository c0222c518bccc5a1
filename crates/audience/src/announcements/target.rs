//! Where app users can see the subject of an announcement, and whether a recipient still wants its email.

use content::Content;
use db::Db;
use kernel::{PersonId, PlaylistId, Privacy, Uid};
use orgs::{Organisation, Orgs, Standing};
use playlists::Playlists;
use sea_orm::{ConnectionTrait, DbErr};

use super::model::{Announcement, Kind};
use crate::store;

/// Finds where app users can see the subject of an announcement.
#[derive(Clone)]
pub struct TargetLookup {
    orgs: Orgs,
    content: Content,
    playlists: Playlists,
}

/// Where app users can see the subject of an announcement, with its title and description.
pub struct AnnouncementTarget {
    pub organisation: Organisation,
    pub playlist: PlaylistId,
    pub title: String,
    pub description: String,
}

impl AnnouncementTarget {
    /// Returns the path of the page in the viewer app.
    pub fn path(&self, announcement: &Announcement) -> String {
        let page = format!("/app/org/{}/playlists/{}", announcement.org, self.playlist);
        match announcement.kind {
            Kind::Playlist => page,
            Kind::Content => format!("{page}?item={}", announcement.subject),
        }
    }
}

impl TargetLookup {
    /// Creates the lookup.
    pub fn new(orgs: Orgs, content: Content, playlists: Playlists) -> Self {
        Self { orgs, content, playlists }
    }

    /// Returns where the subject can be seen if every app user of the organisation can find it: in a public
    /// playlist. Unlisted playlists are for people who were given the link, and an email would give it to
    /// all.
    pub async fn of(
        &self,
        conn: &impl ConnectionTrait,
        announcement: &Announcement,
    ) -> Result<Option<AnnouncementTarget>, DbErr> {
        let organisation = self.orgs.organisation(conn, announcement.org).await?;
        let open = |organisation: &Organisation| {
            matches!(organisation.standing, Standing::Active | Standing::PastDue)
        };
        let Some(organisation) = organisation.filter(open) else { return Ok(None) };
        match announcement.kind {
            Kind::Playlist => {
                let found = self
                    .playlists
                    .by_ids(conn, announcement.org, &[announcement.subject.into()])
                    .await?
                    .pop();
                Ok(found.filter(|playlist| playlist.privacy == Privacy::Public).map(|playlist| {
                    AnnouncementTarget {
                        organisation,
                        playlist: playlist.uid,
                        title: playlist.title,
                        description: playlist.description,
                    }
                }))
            }
            Kind::Content => {
                let found =
                    self.playlists.public_with(conn, announcement.org, announcement.subject.into()).await?;
                let Some(playlist) = found else { return Ok(None) };
                let found = self
                    .content
                    .open_item(conn, announcement.org, Privacy::Public, announcement.subject.into())
                    .await?;
                Ok(found.map(|content| AnnouncementTarget {
                    organisation,
                    playlist,
                    title: content.title,
                    description: content.description,
                }))
            }
        }
    }
}

/// Lets the mailer check whether an email is still wanted.
pub struct RecipientCheck {
    db: Db,
    targets: TargetLookup,
}

impl RecipientCheck {
    /// Creates the check.
    pub fn new(db: Db, targets: TargetLookup) -> Self {
        Self { db, targets }
    }
}

#[async_trait::async_trait]
impl mail::StillWanted for RecipientCheck {
    async fn still_wanted(&self, about: Uid, person: PersonId) -> Result<bool, DbErr> {
        let conn = self.db.read();
        let Some(announcement) = store::announcements::of_email(conn, about).await? else { return Ok(false) };
        Ok(store::recipients::is_recipient(conn, announcement.org, person).await?
            && self.targets.of(conn, &announcement).await?.is_some())
    }
}
