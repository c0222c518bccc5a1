//! The migrations of this crate's tables, oldest first.

mod m20261122_01_initial;
mod m20261124_01_photo;
mod m20261125_01_digits;
mod m20261126_01_attempts;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261122_01_initial::Step),
        Box::new(m20261124_01_photo::Step),
        Box::new(m20261125_01_digits::Step),
        Box::new(m20261126_01_attempts::Step),
    ]
}
