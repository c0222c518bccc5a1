//! The payment provider: a thin Stripe client and the verification of its webhooks.
//!
//! Production and sandbox share one code path. [`Provider`] talks to Stripe, or to the stand-in that
//! `crates/sandbox` serves, and the webhooks of both carry the same signature. The crate owns no table and
//! knows no feature: billing decides what a payment means.

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

/// The Stripe API version sent with every request, which all shapes here follow.
pub const STRIPE_VERSION: &str = "2026-10-28.endive";
