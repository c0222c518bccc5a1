//! What the screens of numbers read.

use std::collections::BTreeMap;

use kernel::{ContentId, Millis, OrgId, PlaylistId, Timestamp, Uid};
use sea_orm::DbErr;

use crate::audience_of_item::Audience;
use crate::definitions::view::{Subject, Verdict};
use crate::definitions::zone::{WeekHour, Zone};
use crate::model::ReportedLength;
use crate::person_pack::Watched;
use crate::series::Range;
use crate::store::people::{ActivityEntry, Consenting, Measure, RecentEntry};
use crate::store::raw::ItemKey;
use crate::store::reports::AllTime;
use crate::totals::{Sum, VerdictSum};

/// Sums at the starts of days or hours, in order.
pub type Values = Vec<(Timestamp, Sum)>;

/// The only way in which screens read numbers, so that these can come from another engine than the database once an
/// organisation outgrows it. Rights are checked before.
#[async_trait::async_trait]
pub trait Reports: Send + Sync + 'static {
    /// Returns the all-time totals of an organisation.
    async fn all_time(&self, org: OrgId) -> Result<AllTime, DbErr>;

    /// Returns the sums of an organisation, a content item or a playlist in a range, of whole days by day and of the
    /// rest by hour.
    async fn values(&self, org: OrgId, subject: Uid, range: Range, zone: &Zone) -> Result<Values, DbErr>;

    /// Returns the same of the first range, and the sum of the second, which comes before it.
    async fn values_with_previous(
        &self,
        org: OrgId,
        subject: Uid,
        ranges: (Range, Range),
        zone: &Zone,
    ) -> Result<(Values, Sum), DbErr>;

    /// Returns the watch time of an organisation by hour of the week.
    async fn week(&self, org: OrgId, range: Range, zone: &Zone) -> Result<BTreeMap<WeekHour, Millis>, DbErr>;

    /// Returns the views of an organisation that were not counted, by reason, and the watch time over the limits.
    async fn verdicts(&self, org: OrgId, range: Range) -> Result<Vec<(Verdict, VerdictSum)>, DbErr>;

    /// Returns the most viewed content items of a range, without deleted ones.
    async fn top_content(&self, org: OrgId, range: Range) -> Result<Vec<(ContentId, Sum)>, DbErr>;

    /// Returns the most viewed playlists of a range, without deleted ones.
    async fn top_playlists(&self, org: OrgId, range: Range) -> Result<Vec<(PlaylistId, Sum)>, DbErr>;

    /// Returns the most viewed content items since the start of a day, without deleted ones.
    async fn popular(
        &self,
        org: OrgId,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<(ContentId, Sum)>, DbErr>;

    /// Returns the time zone of an organisation, and the length of one of its items as far as players reported it.
    async fn zone_and_length(&self, item: ItemKey) -> Result<(Zone, ReportedLength), DbErr>;

    /// Returns the audience of the counted views of a content item that began in a range.
    async fn audience_of_content(
        &self,
        item: ItemKey,
        subject: Subject,
        range: Range,
    ) -> Result<Audience, DbErr>;

    /// Returns the audience of the counted views of a playlist that began in a range.
    async fn audience_of_playlist(
        &self,
        org: OrgId,
        playlist: PlaylistId,
        range: Range,
    ) -> Result<Audience, DbErr>;

    /// Returns the items of a playlist by views in a range.
    async fn content_of_playlist(
        &self,
        org: OrgId,
        playlist: PlaylistId,
        range: Range,
    ) -> Result<Vec<(ContentId, Sum)>, DbErr>;

    /// Returns the hours of a range in which a person was active, with one of the numbers.
    async fn hours_of_person(
        &self,
        who: Consenting,
        measure: Measure,
        range: Range,
    ) -> Result<Vec<(Timestamp, i64)>, DbErr>;

    /// Returns what a person watched in a range.
    async fn watched_by(&self, who: Consenting, range: Range, now: Timestamp) -> Result<Watched, DbErr>;

    /// Returns the newest activity of a person in a range.
    async fn history(&self, who: Consenting, range: Range) -> Result<Vec<ActivityEntry>, DbErr>;

    /// Returns the newest activity of an organisation's people.
    async fn recent(&self, org: OrgId, limit: u64) -> Result<Vec<RecentEntry>, DbErr>;
}
