//! One file per operation.

mod list_activity;
mod list_history;
pub mod post_events;
mod read_content_analytics;
mod read_dashboard;
mod read_overview;
mod read_playlist_analytics;
mod read_user_analytics;
mod read_verdicts;
mod series;

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Analytics;

/// Maximum body size of an events request, in bytes; 100 events need less than half of it.
const EVENTS_BYTES: usize = 128 * 1024;

pub fn routes() -> OpenApiRouter<Analytics> {
    let intake = OpenApiRouter::new()
        .routes(routes!(post_events::post_events))
        .layer(DefaultBodyLimit::max(EVENTS_BYTES));
    OpenApiRouter::new()
        .merge(intake)
        .routes(routes!(read_dashboard::read_dashboard))
        .routes(routes!(read_overview::read_overview))
        .routes(routes!(read_verdicts::read_verdicts))
        .routes(routes!(read_content_analytics::read_content_analytics))
        .routes(routes!(read_playlist_analytics::read_playlist_analytics))
        .routes(routes!(list_activity::list_activity))
        .routes(routes!(series::read_watch_time))
        .routes(routes!(series::read_views))
        .routes(routes!(series::read_visits))
        .routes(routes!(read_user_analytics::read_user_analytics))
        .routes(routes!(list_history::list_history))
}
