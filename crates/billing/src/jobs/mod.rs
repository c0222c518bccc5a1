//! Background jobs.

pub mod cancel_subscription;
pub mod compare;
pub mod end_subscription;
pub mod expire_sessions;
pub mod lapse;
pub mod process_webhook;
pub mod reconcile;
pub mod refund_purchase;
pub mod update_customer;
pub mod warn_of_removal;
