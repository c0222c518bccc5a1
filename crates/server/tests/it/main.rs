//! The whole program: rights of every operation, layers in front of the routes, recovery from crashes.
#![allow(missing_docs, clippy::unwrap_used)]

mod admin;
mod contract;
mod crash;
mod free_plan;
mod front;
mod images;
mod log_pipe;
mod news;
mod rights;
mod search;
mod storage;
mod world;
