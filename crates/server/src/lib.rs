//! The `vitrine` program: settings, wiring, router, embedded web apps and the command line.
//!
//! Everything that joins rooms is in [`compose`]; nothing here decides what the product does.

pub mod cli;
pub mod compose;
mod document;
mod front;
mod limits;
pub mod observe;
mod public;
mod reach;
mod readiness;
pub mod settings;
mod web;
