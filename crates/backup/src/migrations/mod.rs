//! The migrations of this crate's table, oldest first.

mod m20261125_01_record;

use db::Migration;

pub(crate) fn all() -> Vec<Migration> {
    vec![Box::new(m20261125_01_record::Step)]
}
