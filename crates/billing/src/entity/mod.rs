//! ORM entities, private to the crate.

pub mod account_manager;
pub mod billing_account;
pub mod billing_comparison;
pub mod billing_notice;
pub mod provision;
pub mod provision_change;
pub mod webhook_event;
