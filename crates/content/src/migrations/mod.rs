//! The migrations of this crate's tables, oldest first.

mod m20261122_01_initial;
mod m20261124_01_preview;
mod m20261125_01_image_widths;
mod m20261125_02_poster_widths;
mod m20261125_03_schedule;
mod m20261125_04_downloadable;
mod m20261130_01_storage_identity;
mod m20261130_02_totals_index;
mod m20261130_03_deleted_index;
mod m20261201_01_pages;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261122_01_initial::Step),
        Box::new(m20261124_01_preview::Step),
        Box::new(m20261125_01_image_widths::Step),
        Box::new(m20261125_02_poster_widths::Step),
        Box::new(m20261125_03_schedule::Step),
        Box::new(m20261125_04_downloadable::Step),
        Box::new(m20261130_01_storage_identity::Step),
        Box::new(m20261130_02_totals_index::Step),
        Box::new(m20261130_03_deleted_index::Step),
        Box::new(m20261201_01_pages::Step),
    ]
}
