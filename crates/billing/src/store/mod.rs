//! All SQL of the crate.

pub mod account;
pub mod billing_notice;
pub mod comparison;
pub mod provision;
pub mod provision_change;
pub mod webhook_event;
