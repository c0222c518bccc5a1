//! The migrations of this crate's tables, oldest first.

mod m20261122_01_initial;
mod m20261124_01_viewer_index;
mod m20261125_01_recountable;
mod m20261125_02_scale;
mod m20261126_01_archive;
mod m20261126_02_periods;
mod m20261126_03_view_packs;
mod m20261127_01_person_packs;
mod m20261127_02_packed_days;
mod m20261127_03_days_by_item;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261122_01_initial::Step),
        Box::new(m20261124_01_viewer_index::Step),
        Box::new(m20261125_01_recountable::Step),
        Box::new(m20261125_02_scale::Step),
        Box::new(m20261126_01_archive::Step),
        Box::new(m20261126_02_periods::Step),
        Box::new(m20261126_03_view_packs::Step),
        Box::new(m20261127_01_person_packs::Step),
        Box::new(m20261127_02_packed_days::Step),
        Box::new(m20261127_03_days_by_item::Step),
    ]
}
