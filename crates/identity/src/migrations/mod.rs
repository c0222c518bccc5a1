//! The migrations of this crate's tables, in order.

mod m20261120_01_people;
mod m20261120_02_spent;
mod m20261120_03_sign_in_methods;
mod m20261121_01_folded_people;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261120_01_people::Step),
        Box::new(m20261120_02_spent::Step),
        Box::new(m20261120_03_sign_in_methods::Step),
        Box::new(m20261121_01_folded_people::Step),
    ]
}
