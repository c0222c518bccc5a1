//! What the database promises when it cannot write.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod full;
mod lock;
mod postgres;
