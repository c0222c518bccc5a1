#![doc = include_str!("../README.md")]

mod batch;
mod blocking;
mod cache;
mod chunks;
mod error;
mod hashing;
mod identity;
mod key;
mod lifecycle;
mod list;
mod local;
mod measure;
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
pub use list::{ListedObject, ListedPart};
pub use range::ByteRange;
pub use receive::{ReceiveError, Received, Staged};
pub use resume::{Bucket, CompleteStream, Progress, ResumableStream};
pub use settings::StorageSettings;
pub use space::{DiskSpace, disk_space, free_bytes};
pub use storage::{Object, Storage};

/// Bytes kept from the beginning of a received stream, to detect its type.
pub const HEAD_BYTES: usize = 4096;
