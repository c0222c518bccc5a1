//! Reports from the database.

use std::collections::BTreeMap;

use db::Db;
use kernel::{ContentId, Millis, OrgId, PlaylistId, Timestamp, Uid};
use sea_orm::DbErr;

use super::people::{self, ActivityEntry, Consenting, Measure, RecentEntry};
use super::raw::{self, ItemKey};
use super::reports::{self, AllTime};
use super::{audiences, top, values};
use crate::audience_of_item::Audience;
use crate::definitions::view::{Subject, Verdict};
use crate::definitions::zone::{WeekHour, Zone};
use crate::model::ReportedLength;
use crate::person_pack::Watched;
use crate::reports::{Reports, Values};
use crate::series::Range;
use crate::totals::{Sum, VerdictSum};

/// Reads the totals that intake adds up, and what jobs have packed of them.
pub struct SqlReports(pub Db);

#[async_trait::async_trait]
impl Reports for SqlReports {
    async fn all_time(&self, org: OrgId) -> Result<AllTime, DbErr> {
        reports::all_time(self.0.read(), org).await
    }

    async fn values(&self, org: OrgId, subject: Uid, range: Range, zone: &Zone) -> Result<Values, DbErr> {
        values::values(self.0.read(), org, subject, range, zone).await
    }

    async fn values_with_previous(
        &self,
        org: OrgId,
        subject: Uid,
        ranges: (Range, Range),
        zone: &Zone,
    ) -> Result<(Values, Sum), DbErr> {
        values::with_previous(self.0.read(), org, subject, ranges, zone).await
    }

    async fn week(&self, org: OrgId, range: Range, zone: &Zone) -> Result<BTreeMap<WeekHour, Millis>, DbErr> {
        values::week(self.0.read(), org, range, zone).await
    }

    async fn verdicts(&self, org: OrgId, range: Range) -> Result<Vec<(Verdict, VerdictSum)>, DbErr> {
        reports::verdicts(self.0.read(), org, range).await
    }

    async fn top_content(&self, org: OrgId, range: Range) -> Result<Vec<(ContentId, Sum)>, DbErr> {
        top::content(self.0.read(), org, range).await
    }

    async fn top_playlists(&self, org: OrgId, range: Range) -> Result<Vec<(PlaylistId, Sum)>, DbErr> {
        top::playlists(self.0.read(), org, range).await
    }

    async fn popular(
        &self,
        org: OrgId,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<(ContentId, Sum)>, DbErr> {
        top::popular(self.0.read(), org, since, now).await
    }

    async fn zone_and_length(&self, item: ItemKey) -> Result<(Zone, ReportedLength), DbErr> {
        raw::zone_and_length(self.0.read(), item).await
    }

    async fn audience_of_content(
        &self,
        item: ItemKey,
        subject: Subject,
        range: Range,
    ) -> Result<Audience, DbErr> {
        audiences::of_content(self.0.read(), item.org, (item.content, subject), range).await
    }

    async fn audience_of_playlist(
        &self,
        org: OrgId,
        playlist: PlaylistId,
        range: Range,
    ) -> Result<Audience, DbErr> {
        audiences::of_playlist(self.0.read(), org, playlist, range).await
    }

    async fn content_of_playlist(
        &self,
        org: OrgId,
        playlist: PlaylistId,
        range: Range,
    ) -> Result<Vec<(ContentId, Sum)>, DbErr> {
        reports::content_of_playlist(self.0.read(), org, playlist, range).await
    }

    async fn hours_of_person(
        &self,
        who: Consenting,
        measure: Measure,
        range: Range,
    ) -> Result<Vec<(Timestamp, i64)>, DbErr> {
        people::hours(self.0.read(), who, measure, range).await
    }

    async fn watched_by(&self, who: Consenting, range: Range, now: Timestamp) -> Result<Watched, DbErr> {
        people::watched(self.0.read(), who, range, now).await
    }

    async fn history(&self, who: Consenting, range: Range) -> Result<Vec<ActivityEntry>, DbErr> {
        people::history(self.0.read(), who, range).await
    }

    async fn recent(&self, org: OrgId, limit: u64) -> Result<Vec<RecentEntry>, DbErr> {
        people::recent(self.0.read(), org, limit).await
    }
}
