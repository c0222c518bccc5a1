//! Erases what the outbox holds about people.

use kernel::{Email, Uid};
use sea_orm::{ConnectionTrait, DbErr};

use crate::store;

/// Erases the texts of the bulk emails about a topic, as part of `tx`. Those that were not sent are withdrawn.
pub async fn erase_topic(tx: &impl ConnectionTrait, topic: Uid) -> Result<(), DbErr> {
    store::erase_topic(tx, topic).await
}

/// Withdraws all emails that wait and erases their texts, as part of `tx`: a copy of an installation must not write to
/// people.
pub async fn withdraw_waiting(tx: &impl ConnectionTrait) -> Result<u64, DbErr> {
    store::withdraw_waiting(tx).await
}

/// Erases all emails to an address, as part of `tx`, the address included. Those that were not sent are withdrawn.
pub async fn erase_recipient(tx: &impl ConnectionTrait, to: &Email) -> Result<(), DbErr> {
    store::erase_recipient(tx, to).await
}
