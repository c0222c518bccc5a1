//! The migrations of the outbox, in order.

mod m20261120_01_outbox;
mod m20261120_02_attempts;
mod m20261120_03_bulk;
mod m20261121_04_expiry;

/// All migrations, oldest first.
pub(crate) fn all() -> Vec<db::Migration> {
    vec![
        Box::new(m20261120_01_outbox::Step),
        Box::new(m20261120_02_attempts::Step),
        Box::new(m20261120_03_bulk::Step),
        Box::new(m20261121_04_expiry::Step),
    ]
}
