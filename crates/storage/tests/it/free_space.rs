//! Free space on the disk.

use kernel::Ambient;
use storage::{Storage, StorageSettings, free_bytes};

#[test]
fn a_disk_is_short_of_space_if_less_than_the_reserve_would_be_left() {
    let dir = tempfile::tempdir().unwrap();
    let free = free_bytes(dir.path()).unwrap();
    assert!(free > 0);
    let with = |reserve_bytes| {
        let settings = StorageSettings { reserve_bytes, ..StorageSettings::default() };
        Storage::open(&settings, dir.path(), Ambient::system()).unwrap()
    };
    // Other processes write to this disk, so the test allows some slack.
    let small = with(free / 2);
    assert!(!small.is_short_of(0).unwrap() && small.is_short_of(free).unwrap());
    assert!(!small.is_short_of_at(dir.path(), free / 4).unwrap());
    let large = with(free.saturating_mul(2));
    assert!(large.is_short_of(0).unwrap() && large.is_short_of_at(dir.path(), 0).unwrap());
    let none = with(0);
    assert!(!none.is_short_of(u64::MAX).unwrap(), "without a reserve only the disk limits");
    assert!(small.is_short_of_at(std::path::Path::new("/no/such/folder"), 0).is_err());
}

#[test]
fn a_bucket_is_never_short_of_space() {
    let storage = crate::bucket();
    assert!(!storage.is_short_of(u64::MAX).unwrap());
}
