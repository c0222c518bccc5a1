//! JSON shapes used by more than one operation.

use kernel::{Uuid, iso};
use serde::Serialize;

use crate::series::Series;

/// A value of a series.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PointOut {
    /// When the bucket begins.
    time: String,
    /// Milliseconds for watch time, a count for everything else.
    value: i64,
}

/// A series over a range.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SeriesOut {
    /// The sum of all values.
    total: i64,
    /// The buckets in order, empty ones included.
    data: Vec<PointOut>,
}

impl From<Series> for SeriesOut {
    fn from(series: Series) -> Self {
        let data = series.data.into_iter().map(|(begin, value)| PointOut { time: iso(begin), value });
        Self { total: series.total, data: data.collect() }
    }
}

/// How often something was viewed.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewedOut {
    id: Uuid,
    view_count: i64,
}

/// How long something was watched.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchedOut {
    id: Uuid,
    watch_time_ms: i64,
}

impl From<(Uuid, i64)> for ViewedOut {
    fn from((id, view_count): (Uuid, i64)) -> Self {
        Self { id, view_count }
    }
}

impl From<(Uuid, i64)> for WatchedOut {
    fn from((id, watch_time_ms): (Uuid, i64)) -> Self {
        Self { id, watch_time_ms }
    }
}

/// What something has got.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TotalOut {
    /// Its id.
    pub id: Uuid,
    /// Counted views.
    pub view_count: i64,
    /// Watch time in milliseconds.
    pub watch_time_ms: i64,
}
