//! Free space on a disk.

use std::io;
use std::path::Path;

/// Returns the number of bytes this user can still write to the file system of `path`.
///
/// # Errors
/// If the path cannot be queried.
pub fn free_bytes(path: &Path) -> io::Result<u64> {
    let found = rustix::fs::statvfs(path)?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}
