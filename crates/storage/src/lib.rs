//! Objects on local disk or S3: typed keys, streaming ingest with checksums, byte ranges, signed tokens.
//!
//! [`Storage::receive`] takes a stream, counts and hashes it on the way and leaves it staged; only
//! [`Staged::commit`] makes it visible under its [`Key`]. [`Storage::resume`] does the same for a stream that
//! comes in several requests. [`Storage::open_object`] gives a whole object or a range
//! of it as a stream of large chunks. This crate knows no feature and decides nothing about access.

mod batch;
mod chunks;
mod error;
mod key;
mod lifecycle;
mod list;
mod local;
mod range;
mod receive;
mod remote;
mod resume;
mod settings;
mod sign;
mod space;
mod storage;

pub use error::StorageError;
pub use key::{Key, Name, Owner, Version};
pub use lifecycle::OpenUploads;
pub use list::Stored;
pub use range::ByteRange;
pub use receive::{ReceiveError, Received, Staged};
pub use resume::{Appending, Bucket, Progress, Whole};
pub use settings::StorageSettings;
pub use sign::Signer;
pub use space::free_bytes;
pub use storage::{Object, Storage};

/// Bytes kept from the beginning of a received stream, for finding out what it is.
pub const HEAD_BYTES: usize = 4096;
