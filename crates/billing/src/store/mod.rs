//! All SQL of the room.

pub mod account;
pub mod provision;
pub mod webhook_event;
