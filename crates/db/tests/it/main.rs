//! Behaviour of the database when writes fail and when transactions compete.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod exclusive;
mod full;
mod lock;
mod migrate;
mod postgres;
mod rows;
mod servers;
