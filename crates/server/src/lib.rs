#![doc = include_str!("../README.md")]

mod adapters;
pub mod admin;
mod backup_checks;
mod backups;
pub mod bootstrap;
pub mod cli;
pub mod compose;
pub mod control;
mod database_clock;
mod document;
mod last_backup;
mod layers;
mod limits;
mod memory;
pub mod metrics;
pub mod observe;
mod public;
mod readiness;
mod restore;
mod service_manager;
pub mod settings;
mod shutdown;
mod storage_check;
mod storage_identity;
mod traces;
mod version;
mod web;
