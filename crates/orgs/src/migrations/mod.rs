//! The migrations of this crate's tables, in order.

mod m20261120_01_organisations;
mod m20261120_02_people_in_order;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![Box::new(m20261120_01_organisations::Step), Box::new(m20261120_02_people_in_order::Step)]
}
