//! The migrations of this crate's tables, oldest first.

mod m20261122_01_initial;
mod m20261125_01_progress;
mod m20261130_01_announced_together;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261122_01_initial::Step),
        Box::new(m20261125_01_progress::Step),
        Box::new(m20261130_01_announced_together::Step),
    ]
}
