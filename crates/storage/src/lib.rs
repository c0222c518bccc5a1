//! Objects on local disk or S3: typed keys, streaming ingest with checksums, byte ranges.
//!
//! [`Storage::receive`] counts and hashes a stream on the way and leaves it staged; only [`Staged::commit`]
//! makes it visible under its [`Key`]. [`Storage::resume`] does the same for a stream that arrives in several
//! requests. [`Storage::open_object`] returns an object or a range of it as a stream of large chunks. This
//! crate knows no feature and makes no access decisions.

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
mod space;
mod storage;

pub use error::StorageError;
pub use key::{Key, Name, Owner, Version};
pub use lifecycle::OpenUploads;
pub use list::ListedObject;
pub use range::ByteRange;
pub use receive::{ReceiveError, Received, Staged};
pub use resume::{Bucket, CompleteStream, Progress, ResumableStream};
pub use settings::StorageSettings;
pub use space::free_bytes;
pub use storage::{Object, Storage};

/// Bytes kept from the beginning of a received stream, to detect its type.
pub const HEAD_BYTES: usize = 4096;
