//! Letters through the queue: to the outbox, and to a mail server none of us wrote.
#![allow(missing_docs)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop at the first surprise"
)]

/// The same databases as the rooms above; their kit stands on this room, so its file is taken alone.
#[path = "../../../testkit/src/database.rs"]
mod database;
mod outbox;
mod peer;
mod rig;
mod rounds;
mod smtp;
mod tls;
mod visible;
