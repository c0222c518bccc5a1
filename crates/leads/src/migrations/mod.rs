//! The migrations of this crate's tables, oldest first.

mod m20261122_01_initial;
mod m20261125_01_work_list;
mod m20261125_02_emails;
mod m20261128_01_ties;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261122_01_initial::Step),
        Box::new(m20261125_01_work_list::Step),
        Box::new(m20261125_02_emails::Step),
        Box::new(m20261128_01_ties::Step),
    ]
}
