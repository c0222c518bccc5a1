//! How much room is left on a disk.

use std::io;
use std::path::Path;

/// Bytes that the file system of `path` still takes from this user.
///
/// # Errors
/// When the path cannot be looked at.
pub fn free_bytes(path: &Path) -> io::Result<u64> {
    let found = rustix::fs::statvfs(path)?;
    Ok(found.f_bavail.saturating_mul(found.f_frsize))
}
