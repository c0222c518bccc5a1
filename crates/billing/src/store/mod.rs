//! All SQL of the crate.

pub mod account;
pub mod provision;
pub mod webhook_event;
