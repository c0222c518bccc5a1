//! Where app users can see the subjects of announcements.

use std::collections::HashMap;

use content::{Content, OpenItem, PlaylistAccess, Schedule};
use kernel::{Ambient, ContentId, OrgId, PlaylistId, Privacy, Timestamp, Uid};
use orgs::{Organisation, Orgs};
use playlists::Playlists;
use sea_orm::{ConnectionTrait, DbErr};

use super::model::{Announcement, Kind};

/// Finds where app users can see the subjects of announcements.
#[derive(Clone)]
pub struct TargetLookup {
    ambient: Ambient,
    orgs: Orgs,
    content: Content,
    playlists: Playlists,
}

/// What app users can see of the subjects of announcements.
pub struct VisibleTargets {
    pub organisation: Organisation,
    /// At least one, in the order of the announcements.
    pub targets: Vec<AnnouncementTarget>,
}

/// Where app users can see the subject of an announcement, with its title and description.
pub struct AnnouncementTarget {
    pub kind: Kind,
    /// Id of the content item or playlist.
    pub subject: Uid,
    pub playlist: PlaylistId,
    pub title: String,
    pub description: String,
}

impl AnnouncementTarget {
    /// Returns the path of the page in the viewer app.
    pub fn path(&self, org: OrgId) -> String {
        let page = format!("/app/org/{org}/playlists/{}", self.playlist);
        match self.kind {
            Kind::Playlist => page,
            Kind::Content => format!("{page}?item={}", self.subject),
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
                let mut holders = self.playlists.public_with(conn, org, &[subject.into()]).await?;
                let holders = holders.remove(&subject.into()).unwrap_or_default();
                // `None`, which is the least, is a playlist without a beginning.
                let to_come = holders.into_iter().map(|(_, schedule)| schedule);
                let to_come = to_come.filter(|schedule| schedule.expire_at.is_none_or(|at| at > now));
                let first = to_come.map(|schedule| schedule.publish_at).min().flatten();
                own.max(first)
            }
        };
        Ok(opens_at.filter(|at| *at > now))
    }

    /// Returns the subjects that every app user of the organisation can find, and where: in a public playlist. Unlisted
    /// playlists are for people who were given the link, and an email would give it to all. Returns `None` if there are
    /// none.
    pub async fn visible(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        announcements: &[Announcement],
    ) -> Result<Option<VisibleTargets>, DbErr> {
        let organisation = self.orgs.organisation(conn, org).await?;
        let Some(organisation) = organisation.filter(|one| one.standing.is_live()) else { return Ok(None) };
        let subjects = |kind| announcements.iter().filter(move |one| one.kind == kind).map(|one| one.subject);
        let mut found = self.visible_playlists(conn, org, subjects(Kind::Playlist)).await?;
        found.extend(self.visible_items(conn, &organisation, subjects(Kind::Content)).await?);
        let mut found: HashMap<Uid, AnnouncementTarget> =
            found.into_iter().map(|target| (target.subject, target)).collect();
        let targets: Vec<_> = announcements.iter().filter_map(|one| found.remove(&one.subject)).collect();
        Ok((!targets.is_empty()).then_some(VisibleTargets { organisation, targets }))
    }

    async fn visible_playlists(
        &self,
        conn: &impl ConnectionTrait,
        org: OrgId,
        subjects: impl Iterator<Item = Uid>,
    ) -> Result<Vec<AnnouncementTarget>, DbErr> {
        let (now, ids) = (self.ambient.now(), subjects.map(PlaylistId::from).collect::<Vec<_>>());
        let playlists = self.playlists.by_ids(conn, org, &ids).await?;
        let listed = playlists.into_iter().filter(|playlist| playlist.access().is_listed_to_users(now));
        Ok(listed
            .map(|playlist| AnnouncementTarget {
                kind: Kind::Playlist,
                subject: playlist.uid.into(),
                playlist: playlist.uid,
                title: playlist.title,
                description: playlist.description,
            })
            .collect())
    }

    async fn visible_items(
        &self,
        conn: &impl ConnectionTrait,
        organisation: &Organisation,
        subjects: impl Iterator<Item = Uid>,
    ) -> Result<Vec<AnnouncementTarget>, DbErr> {
        let (now, ids) = (self.ambient.now(), subjects.map(ContentId::from).collect::<Vec<_>>());
        let holders = self.playlists.public_with(conn, organisation.uid, &ids).await?;
        let oldest_open: HashMap<ContentId, (PlaylistId, Schedule)> = holders
            .into_iter()
            .filter_map(|(item, holders)| {
                Some((item, holders.into_iter().find(|(_, schedule)| schedule.is_open(now))?))
            })
            .collect();
        let places: Vec<(ContentId, PlaylistAccess)> = oldest_open
            .iter()
            .map(|(item, (_, schedule))| {
                (*item, PlaylistAccess { privacy: Privacy::Public, schedule: *schedule })
            })
            .collect();
        let items = self.content.open_items(conn, organisation, &places).await?;
        let target = |item: OpenItem| {
            Some(AnnouncementTarget {
                kind: Kind::Content,
                subject: item.uid.into(),
                playlist: oldest_open.get(&item.uid)?.0,
                title: item.title,
                description: item.description,
            })
        };
        Ok(items.into_iter().filter_map(target).collect())
    }
}
