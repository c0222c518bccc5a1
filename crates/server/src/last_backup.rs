//! When the last backup was made, as recorded in the data folder.

use std::fs;
use std::path::Path;

use kernel::Timestamp;

/// Name of the record in the data folder.
pub const FILE: &str = "last_backup";

/// Records that a backup was made. Without the record, only the metric is missing.
pub fn record(data_dir: &Path, at: Timestamp) {
    if let Err(error) = fs::write(data_dir.join(FILE), format!("{}\n", at.seconds())) {
        tracing::warn!(%error, "the time of the backup could not be recorded in the data folder");
    }
}

/// Returns the time of the last backup, to the second; `None` if none was made from this data folder.
pub fn read(data_dir: &Path) -> Option<Timestamp> {
    let seconds: i64 = fs::read_to_string(data_dir.join(FILE)).ok()?.trim().parse().ok()?;
    seconds.checked_mul(1000).map(Timestamp::from_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_read_as_recorded() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()), None);
        record(folder.path(), Timestamp::from_ms(1_700_000_000_123));
        assert_eq!(read(folder.path()), Some(Timestamp::from_ms(1_700_000_000_000)));
    }
}
