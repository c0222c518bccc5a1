//! All SQL of this crate, by topic.
pub mod announcements;
pub mod consent;
pub mod progress;
pub mod recipients;
pub mod unsubscribe;
pub mod verify;
