//! One file per operation.

mod change_own_consent;
mod join;
mod leave;
mod list_consents;
mod list_joined;
mod list_own_consents;
mod own_announcements;
mod read_install_file;
mod read_join_page;
mod read_progress;
mod read_unsubscribe_page;
mod save_progress;
mod unsubscribe;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::{Announcements, Audience, Install, Progress};

pub fn routes() -> OpenApiRouter<Audience> {
    OpenApiRouter::new()
        .routes(routes!(read_join_page::read_join_page, join::join))
        .routes(routes!(list_own_consents::list_own_consents, change_own_consent::change_own_consent))
        .routes(routes!(
            own_announcements::read_own_announcements,
            own_announcements::change_own_announcements
        ))
        .routes(routes!(leave::leave))
        .routes(routes!(list_joined::list_joined))
        .routes(routes!(list_consents::list_consents))
}

/// Returns the routes of the unsubscribe link.
pub fn announcement_routes() -> OpenApiRouter<Announcements> {
    OpenApiRouter::new()
        .routes(routes!(read_unsubscribe_page::read_unsubscribe_page, unsubscribe::unsubscribe))
}

/// Returns the routes of a person's progress.
pub fn progress_routes() -> OpenApiRouter<Progress> {
    OpenApiRouter::new().routes(routes!(read_progress::read_progress, save_progress::save_progress))
}

/// Returns the routes of what browsers install.
pub fn install_routes() -> OpenApiRouter<Install> {
    OpenApiRouter::new().routes(routes!(read_install_file::read_install_file))
}
