//! The whole program: rights of every operation, layers in front of the routes, recovery from crashes.
#![allow(missing_docs, clippy::unwrap_used)]

mod admin;
mod announcements;
mod backup;
mod contract;
mod crash;
mod demo;
mod doctor;
mod erasure;
mod exports;
mod free_plan;
mod idle;
mod images;
mod layers;
mod log_pipe;
mod metrics;
mod migrations;
mod purge;
mod rights;
mod search;
mod statements;
mod storage;
mod tables;
mod test_app;
mod version;
mod withdrawal;
