//! The migrations of this crate's tables, oldest first.

mod m20261122_01_initial;
mod m20261124_01_preview;
mod m20261125_01_schedule;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261122_01_initial::Step),
        Box::new(m20261124_01_preview::Step),
        Box::new(m20261125_01_schedule::Step),
    ]
}
