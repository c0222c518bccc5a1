//! The migrations of the sandbox's tables, in order.

mod m20261120_01_stand_in;

use db::Migration;

/// All migrations, oldest first.
pub(crate) fn all() -> Vec<Migration> {
    vec![Box::new(m20261120_01_stand_in::Step)]
}
