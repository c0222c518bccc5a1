//! ORM tables, private to this crate.
pub mod announcement;
pub mod consent;
pub mod consent_standing;
pub mod item_progress;
pub mod last_visit;
pub mod unsubscribe;
