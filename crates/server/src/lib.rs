#![doc = include_str!("../README.md")]

mod adapters;
pub mod admin;
pub mod bootstrap;
pub mod cli;
pub mod compose;
pub mod control;
mod document;
mod layers;
mod limits;
pub mod observe;
mod public;
mod readiness;
pub mod settings;
mod storage_check;
mod version;
mod web;
