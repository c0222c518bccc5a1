//! This crate's migrations, in order.

mod m20261120_01_job;
mod m20261121_02_retries;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![Box::new(m20261120_01_job::Step), Box::new(m20261121_02_retries::Step)]
}
