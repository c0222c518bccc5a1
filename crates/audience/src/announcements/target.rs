//! Where app users can see the subject of an announcement, and whether a recipient still wants its email.

use content::{Content, PlaylistAccess};
use db::Db;
use kernel::{Ambient, PersonId, PlaylistId, Privacy, Timestamp, Uid};
use orgs::{Organisation, Orgs};
use playlists::Playlists;
use sea_orm::{ConnectionTrait, DbErr};

use super::model::{Announcement, Kind};
use crate::store;

/// Finds where app users can see the subject of an announcement.
#[derive(Clone)]
pub struct TargetLookup {
    ambient: Ambient,
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
    pub fn new(ambient: Ambient, orgs: Orgs, content: Content, playlists: Playlists) -> Self {
        Self { ambient, orgs, content, playlists }
    }

    /// Returns when the dates of the subject let app users see it, if that is in the future. An item also waits for
    /// the dates of the playlists that contain it.
    pub async fn opens_at(
        &self,
        conn: &impl ConnectionTrait,
        announcement: &Announcement,
    ) -> Result<Option<Timestamp>, DbErr> {
        let (org, subject, now) = (announcement.org, announcement.subject, self.ambient.now());
        let opens_at = match announcement.kind {
            Kind::Playlist => {
                let found = self.playlists.by_ids(conn, org, &[subject.into()]).await?.pop();
                found.and_then(|playlist| playlist.schedule.publish_at)
            }
            Kind::Content => {
                let own = self.content.schedule_of(conn, org, subject.into()).await?;
                let own = own.and_then(|schedule| schedule.publish_at);
                let holders = self.playlists.public_with(conn, org, subject.into()).await?;
                // `None`, which is the least, is a playlist without a beginning.
                let to_come = holders.into_iter().map(|(_, schedule)| schedule);
                let to_come = to_come.filter(|schedule| schedule.expire_at.is_none_or(|at| at > now));
                let first = to_come.map(|schedule| schedule.publish_at).min().flatten();
                own.max(first)
            }
        };
        Ok(opens_at.filter(|at| *at > now))
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
        let Some(organisation) = organisation.filter(|one| one.standing.is_live()) else { return Ok(None) };
        let now = self.ambient.now();
        match announcement.kind {
            Kind::Playlist => {
                let found = self
                    .playlists
                    .by_ids(conn, announcement.org, &[announcement.subject.into()])
                    .await?
                    .pop();
                Ok(found.filter(|playlist| playlist.access().is_listed_to_users(now)).map(|playlist| {
                    AnnouncementTarget {
                        organisation,
                        playlist: playlist.uid,
                        title: playlist.title,
                        description: playlist.description,
                    }
                }))
            }
            Kind::Content => {
                let holders =
                    self.playlists.public_with(conn, announcement.org, announcement.subject.into()).await?;
                let found = holders.into_iter().find(|(_, schedule)| schedule.is_open(now));
                let Some((playlist, schedule)) = found else { return Ok(None) };
                let access = PlaylistAccess { privacy: Privacy::Public, schedule };
                let subject = announcement.subject.into();
                let found = self.content.open_item(conn, announcement.org, access, subject).await?;
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
