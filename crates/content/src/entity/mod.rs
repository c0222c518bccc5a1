//! ORM tables, private to the crate.
pub mod content;
pub mod content_grant;
pub mod image;
pub mod resumable;
pub mod storage_identity;
pub mod stored_object;
pub mod upload;
