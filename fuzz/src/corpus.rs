//! Reads the committed inputs.

use std::path::{Path, PathBuf};

pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Returns the files of a harness's corpus by name, so that a seed gives the same inputs on every machine.
pub(crate) fn files(harness: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = folder("corpus").join(harness);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    paths
        .into_iter()
        .map(|path| {
            let bytes = std::fs::read(&path).unwrap();
            (path, bytes)
        })
        .collect()
}
