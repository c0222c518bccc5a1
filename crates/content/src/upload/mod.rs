//! What the operations that announce, receive and end uploads share.
//!
//! A file has a type for each stage: [`AnnouncedFile`](crate::model::AnnouncedFile) as declared,
//! [`ReceivedFile`](crate::store::upload::ReceivedFile) once all of it has arrived,
//! [`VerifiedFile`](verify::VerifiedFile) if it is what was announced, and
//! [`StoredFile`](publish::StoredFile) under its key in the storage.

pub mod address;
pub mod error;
pub mod publish;
pub mod reject;
pub mod release;
pub mod stall;
pub mod verify;
