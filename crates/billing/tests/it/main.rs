//! Billing over HTTP: accounts, purchases, webhooks, lapses.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod accounts;
mod details;
mod lapses;
mod managers;
mod plans;
mod purchases;
mod seats;
mod stored;
mod test_app;
mod usage;
mod webhooks;
