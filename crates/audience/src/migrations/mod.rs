//! Migrations of this crate.

mod m20261120_01_consent;
mod m20261120_02_announcements;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![Box::new(m20261120_01_consent::Step), Box::new(m20261120_02_announcements::Step)]
}
