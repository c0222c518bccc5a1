//! JSON shapes used by more than one operation.

use content::ContentKind;
use httpkit::parse_org_id;
use kernel::{OrgId, Problem, Timestamp, Uuid, iso};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::definitions::devices::Device;
use crate::definitions::zone::Zone;
use crate::series::{Range, Series, Unit, buckets};
use crate::totals::Sum;

/// One point of a time series.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PointOut {
    /// Start of the bucket.
    time: String,
    /// Milliseconds for watch time, otherwise a count.
    value: i64,
}

/// A time series over a range.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeriesOut {
    /// IANA name of the time zone in which the buckets are cut: the organization's.
    time_zone: String,
    /// Start of the first day that is cut in this time zone, if the range has earlier ones: they were cut in another.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_zone_since: Option<String>,
    /// Start of what the plan shows, if the range began earlier.
    #[serde(skip_serializing_if = "Option::is_none")]
    limited_from: Option<String>,
    /// Sum of all values.
    total: i64,
    /// All buckets in chronological order, including empty ones.
    data: Vec<PointOut>,
}

impl SeriesOut {
    /// Converts a series cut in `zone`.
    pub fn of(series: Series, zone: &Zone, range: Range, limited_from: Option<Timestamp>) -> Self {
        let data = series.data.into_iter().map(|(begin, value)| PointOut { time: iso(begin), value });
        Self {
            time_zone: zone.name().to_owned(),
            time_zone_since: zone.border_in(range).map(iso),
            limited_from: limited_from.map(iso),
            total: series.total,
            data: data.collect(),
        }
    }
}

/// Parses the parameters `startTime` and `endTime`.
pub fn range_of(start: Option<&str>, end: Option<&str>) -> Result<Range, Error> {
    Range::parse(["startTime", "endTime"], start, end)
}

/// A range of time.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct RangeQuery {
    /// Start of the range, ISO 8601, inclusive.
    start_time: Option<String>,
    /// End of the range, ISO 8601, exclusive; at most 366 days and an hour after the start.
    end_time: Option<String>,
}

impl RangeQuery {
    /// Parses the range.
    pub fn parse(&self) -> Result<Range, Error> {
        range_of(self.start_time.as_deref(), self.end_time.as_deref())
    }
}

/// An organization and a range of time.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OrgRangeQuery {
    /// Id of the organization.
    org_id: Option<String>,
    /// Start of the range, ISO 8601, inclusive.
    start_time: Option<String>,
    /// End of the range, ISO 8601, exclusive; at most 366 days and an hour after the start.
    end_time: Option<String>,
}

impl OrgRangeQuery {
    /// Parses the id of the organisation.
    pub fn org(&self) -> Result<OrgId, Problem> {
        parse_org_id(self.org_id.as_deref())
    }

    /// Parses the range.
    pub fn range(&self) -> Result<Range, Error> {
        range_of(self.start_time.as_deref(), self.end_time.as_deref())
    }
}

/// Views and watch time of a range.
#[derive(Clone, Copy, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SumOut {
    pub views: i64,
    pub watch_time_ms: i64,
}

impl From<Sum> for SumOut {
    fn from(sum: Sum) -> Self {
        Self { views: sum.views, watch_time_ms: sum.watch_ms }
    }
}

/// Views and watch time of a day.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayOut {
    /// Start of the day.
    time: String,
    views: i64,
    watch_time_ms: i64,
}

/// Returns the days of a range, including empty ones, in the organisation's zone, from sums of days or hours.
pub fn days(range: Range, zone: &Zone, sums: &[(Timestamp, Sum)]) -> Vec<DayOut> {
    let day = |(time, sum): (Timestamp, Sum)| DayOut {
        time: iso(time),
        views: sum.views,
        watch_time_ms: sum.watch_ms,
    };
    buckets(range, Unit::Days, zone, sums).into_iter().map(day).collect()
}

/// A content item with its numbers in a range.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TopContentOut {
    pub id: Uuid,
    pub title: String,
    /// Absolute URL of the thumbnail, or empty.
    pub preview_url: String,
    pub kind: ContentKind,
    /// Length of what plays, if known.
    pub duration_ms: Option<i64>,
    /// URL of the waveform of audio, or empty.
    pub waveform_url: String,
    pub views: i64,
    pub watch_time_ms: i64,
}

/// A playlist with its numbers in a range.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TopPlaylistOut {
    pub id: Uuid,
    pub title: String,
    /// Absolute URL of the thumbnail, or empty.
    pub preview_url: String,
    /// Without a thumbnail: URLs of the images of the first items that have one, at most four.
    pub item_previews: Vec<String>,
    pub views: i64,
    pub watch_time_ms: i64,
}

/// People on one kind of device.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct DeviceOut {
    pub name: Device,
    pub people: usize,
}

/// People in one country.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct CountryOut {
    /// ISO 3166 code.
    pub code: String,
    pub name: String,
    pub people: usize,
}

/// View count of a content item or playlist.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewedOut {
    id: Uuid,
    view_count: i64,
}

/// Watch time of a content item or playlist.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchedOut {
    id: Uuid,
    watch_time_ms: i64,
}

impl<Id: Into<Uuid>> From<(Id, i64)> for ViewedOut {
    fn from((id, view_count): (Id, i64)) -> Self {
        Self { id: id.into(), view_count }
    }
}

impl<Id: Into<Uuid>> From<(Id, i64)> for WatchedOut {
    fn from((id, watch_time_ms): (Id, i64)) -> Self {
        Self { id: id.into(), watch_time_ms }
    }
}

/// View count and watch time of a content item or playlist.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TotalOut {
    pub id: Uuid,
    pub view_count: i64,
    pub watch_time_ms: i64,
}
