//! The room's tables, step by step.

mod m20261120_01_stand_in;

use db::Migration;

/// All steps, oldest first.
pub(crate) fn all() -> Vec<Migration> {
    vec![Box::new(m20261120_01_stand_in::Step)]
}
