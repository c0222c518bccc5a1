//! What the operations share that announce, receive and end uploads.

pub mod address;
pub mod publish;
pub mod reject;
pub mod release;
pub mod stall;
pub mod verify;
