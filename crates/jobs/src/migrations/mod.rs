//! The migrations of this crate's tables, oldest first.

mod m20261122_01_initial;
mod m20261126_01_trace;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![Box::new(m20261122_01_initial::Step), Box::new(m20261126_01_trace::Step)]
}
