//! Background jobs.

pub mod end_subscription;
pub mod lapse;
pub mod process_webhook;
pub mod reconcile;
pub mod refund_purchase;
pub mod update_customer;
