#![doc = include_str!("../README.md")]

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
    Checkout, CheckoutStatus, NewCheckout, NewCustomer, Price, Subscription, SubscriptionState,
    SubscriptionStatus,
};
pub use provider::Provider;

pub use settings::{Mode, PaymentsSettings, STRIPE_API};

/// The Stripe API version sent with every request, which all shapes here follow.
pub const STRIPE_VERSION: &str = "2026-10-28.endive";
