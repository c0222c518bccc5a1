//! Billing over HTTP: accounts, purchases, webhooks, lapses.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod accounts;
mod both_sides;
mod buying_again;
mod deletion;
mod details;
mod history;
mod lapses;
mod leftovers;
mod managers;
mod notices;
mod objects;
mod orders;
mod outages;
mod plan_changes;
mod plans;
mod purchases;
mod random_lives;
mod seats;
mod stored;
mod test_app;
mod two_years;
mod usage;
mod verify;
mod webhooks;
