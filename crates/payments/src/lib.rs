//! The payment provider: a thin Stripe client and the check of its webhooks.
//!
//! There is one code path. In production [`Provider`] talks to Stripe; in the sandbox the very same client talks
//! to the stand-in that `crates/sandbox` serves, and the webhooks of both are checked by the same signature.
//! The room knows no table and no feature: billing decides what a payment means.

mod client;
mod event;
mod form;
mod model;
mod provider;
mod settings;
pub mod signature;

pub use client::{Access, PaymentError};
pub use event::{Event, EventKind, WebhookError};
pub use model::{
    Checkout, CheckoutStatus, NewCheckout, NewCustomer, Subscription, SubscriptionStatus, secs_of,
};
pub use provider::Provider;

pub use settings::{Mode, PaymentsSettings, STRIPE_API};

/// The version of Stripe's interface that every request names and every shape here was read from.
pub const STRIPE_VERSION: &str = "2026-10-28.endive";
