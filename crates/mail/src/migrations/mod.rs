//! The migrations of the outbox, in order.

mod m20261120_01_outbox;
mod m20261120_02_tries;
mod m20261120_03_rounds;
mod m20261121_04_expiry;

/// All migrations, oldest first.
pub(crate) fn all() -> Vec<db::Migration> {
    vec![
        Box::new(m20261120_01_outbox::Step),
        Box::new(m20261120_02_tries::Step),
        Box::new(m20261120_03_rounds::Step),
        Box::new(m20261121_04_expiry::Step),
    ]
}
