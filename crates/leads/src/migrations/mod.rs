//! Migrations of this crate.

mod m20261120_01_leads;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![Box::new(m20261120_01_leads::Step)]
}
