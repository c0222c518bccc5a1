//! The migrations of billing's tables, in order.

mod m20261120_01_billing;
mod m20261121_01_webhook_outcomes;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![Box::new(m20261120_01_billing::Step), Box::new(m20261121_01_webhook_outcomes::Step)]
}
