//! JSON shapes used by more than one operation.

use kernel::{Uuid, iso};
use serde::Serialize;

use crate::series::Series;

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
pub struct SeriesOut {
    /// Sum of all values.
    total: i64,
    /// All buckets in chronological order, including empty ones.
    data: Vec<PointOut>,
}

impl From<Series> for SeriesOut {
    fn from(series: Series) -> Self {
        let data = series.data.into_iter().map(|(begin, value)| PointOut { time: iso(begin), value });
        Self { total: series.total, data: data.collect() }
    }
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
