//! Free space on a disk.

use std::io;
use std::path::Path;

/// Returns the number of bytes this user can still write to the file system of `path`.
///
/// # Errors
/// If the path cannot be queried.
pub fn free_bytes(path: &Path) -> io::Result<u64> {
    Ok(disk_space(path)?.free)
}

/// Space on a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    /// Bytes that this user can still write.
    pub free: u64,
    /// Size of the disk in bytes.
    pub size: u64,
}

/// Returns the space on the file system of `path`.
///
/// # Errors
/// If the path cannot be queried.
pub fn disk_space(path: &Path) -> io::Result<DiskSpace> {
    let found = rustix::fs::statvfs(path)?;
    Ok(DiskSpace {
        free: found.f_bavail.saturating_mul(found.f_frsize),
        size: found.f_blocks.saturating_mul(found.f_frsize),
    })
}
