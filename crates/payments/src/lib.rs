#![doc = include_str!("../README.md")]

mod client;
mod currency;
mod event;
mod form;
mod invoices;
mod model;
mod own;
mod portal;
mod provider;
mod read;
mod settings;
pub mod signature;

pub use client::{Access, PaymentError};
pub use currency::decimals_of;
pub use event::{Event, EventKind, WEBHOOK_EVENTS, WebhookError};
pub use model::{
    Address, Card, Checkout, CheckoutStatus, Invoice, NewCheckout, NewCustomer, Price, Refund,
    ScheduledChange, Source, Subscription, SubscriptionPage, SubscriptionPrice, SubscriptionState,
    SubscriptionStatus, WebhookEndpoint,
};
pub use provider::Provider;

pub use settings::{Mode, PaymentsSettings, STRIPE_API};

/// The Stripe API version sent with every request, which all shapes here follow.
pub const STRIPE_VERSION: &str = "2026-09-30.endive";
