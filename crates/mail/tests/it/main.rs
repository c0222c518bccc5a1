//! Emails through the queue: to the outbox, and to an independent mail server.
#![allow(missing_docs)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop at the first surprise"
)]

mod bulk;
mod outbox;
mod peer;
mod smtp;
mod test_app;
mod tls;
mod visible;
