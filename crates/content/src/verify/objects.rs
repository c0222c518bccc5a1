//! Checks that the storage has the objects that the rows refer to.

use std::collections::HashSet;

use futures::TryStreamExt as _;
use kernel::{ContentId, Finding, RunId, Timestamp};
use sha2::{Digest as _, Sha256};
use storage::{Key, Name, StorageError};

use super::{Findings, PAGE};
use crate::item::{Captions, Item};
use crate::{Content, SweepError, store};

/// Maximum size of a playlist in bytes; generated ones are smaller.
const PLAYLIST_MAX: u64 = 16 * 1024 * 1024;

impl Content {
    /// Checks every object of an item.
    pub(super) async fn check_objects(&self, item: &Item, deep: bool) -> Result<Vec<Finding>, SweepError> {
        let mut found = Vec::new();
        if let Some(source) = &item.source {
            let key = item.source_key(source.version);
            let len = item.file.as_ref().map(|file| file.size);
            match self.check_object(item.uid, &key, len).await? {
                Some(finding) => found.push(finding),
                None if deep => {
                    let hash = source.sha256.as_deref().unwrap_or_default();
                    found.extend(self.check_hash(item.uid, &key, hash).await?);
                }
                None => {}
            }
        }
        let captions = item.captions.iter().filter_map(|one| Captions::key(item.org, item.uid, one.version));
        for key in item.poster_keys().into_iter().chain(captions) {
            found.extend(self.check_object(item.uid, &key, None).await?);
        }
        if let Some(rendition) = item.rendition.as_ref().filter(|rendition| rendition.hls) {
            found.extend(self.check_stream(item, rendition.run, deep).await?);
        }
        Ok(found)
    }

    /// Checks that an object exists and has the expected length, if given.
    async fn check_object(
        &self,
        row: ContentId,
        key: &Key,
        expected: Option<u64>,
    ) -> Result<Option<Finding>, StorageError> {
        let what = match self.storage.stat(key).await {
            Ok(len) if expected.is_none_or(|expected| expected == len) => return Ok(None),
            Ok(len) => format!("{key} has {len} bytes, not {}", expected.unwrap_or_default()),
            Err(StorageError::Missing) => format!("{key} is missing"),
            Err(error) => return Err(error),
        };
        Ok(Some(Finding::new("object", "content", row, what)))
    }

    async fn check_hash(
        &self,
        row: ContentId,
        key: &Key,
        sha256: &[u8],
    ) -> Result<Option<Finding>, StorageError> {
        let mut stream = self.storage.open_object(key, None).await?.stream;
        let mut hash = Sha256::new();
        while let Some(chunk) = stream.try_next().await? {
            hash.update(&chunk);
        }
        let is_right = hash.finalize().as_slice() == sha256;
        let what = || format!("{key} is not the uploaded file: its SHA-256 differs");
        Ok((!is_right).then(|| Finding::new("object_hash", "content", row, what())))
    }

    /// Checks the master playlist of a stream; with `deep`, also every playlist and segment below it.
    async fn check_stream(&self, item: &Item, run: RunId, deep: bool) -> Result<Vec<Finding>, SweepError> {
        let (mut next, mut seen) = (vec!["master.m3u8".to_owned()], HashSet::new());
        let mut found = Vec::new();
        while let Some(name) = next.pop() {
            let parsed = Name::parse(&name).filter(|_| seen.insert(name.clone()));
            let Some(key) = parsed.map(|name| Key::rendition(item.org, item.uid, run, &name)) else {
                continue;
            };
            let finding = self.check_object(item.uid, &key, None).await?;
            if deep && finding.is_none() && name.ends_with(".m3u8") {
                next.extend(referenced_by(&self.playlist(&key).await?));
            }
            found.extend(finding);
        }
        Ok(found)
    }

    async fn playlist(&self, key: &Key) -> Result<String, StorageError> {
        let object = self.storage.open_object(key, None).await?;
        if object.len > PLAYLIST_MAX {
            return Ok(String::new());
        }
        let bytes: Vec<u8> = object
            .stream
            .try_fold(Vec::new(), |mut all, chunk| async move {
                all.extend_from_slice(&chunk);
                Ok(all)
            })
            .await?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Checks every public image.
    pub(super) async fn verify_images(&self, found: &Findings) -> Result<(), SweepError> {
        let mut after = String::new();
        loop {
            let page = store::image::page(self.db.read(), Timestamp::MAX, &after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after.clone_from(&last.name);
            for image in page {
                let Ok(keys) = image.keys() else {
                    let what = "the widths of its smaller versions cannot be read";
                    let _ = found.send(Finding::new("object", "image", image.name, what));
                    continue;
                };
                let mut is_there = keys.is_some();
                for key in keys.unwrap_or_default() {
                    is_there &= self.storage.exists(&key).await?;
                }
                // The daily purge may have removed both in the meantime.
                if !is_there && store::image::exists(self.db.read(), &image.name).await? {
                    let what = "its object is missing";
                    let _ = found.send(Finding::new("object", "image", image.name, what));
                }
            }
        }
    }
}

/// Returns the files that a playlist refers to.
fn referenced_by(playlist: &str) -> Vec<String> {
    let inner = playlist.lines().filter_map(|line| line.split_once("URI=\"")?.1.split('"').next());
    let plain = playlist.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let bare = |name: &str| name.trim().split('?').next().unwrap_or_default().to_owned();
    inner.chain(plain).map(bare).collect()
}

#[cfg(test)]
mod tests {
    use super::referenced_by;

    #[test]
    fn a_playlist_refers_to_its_segments_and_init_file() {
        let playlist =
            "#EXTM3U\n#EXT-X-MAP:URI=\"720-init.mp4?v=t\"\n#EXTINF:4,\n720-0.m4s?v=t\n\n#EXT-X-ENDLIST\n";
        assert_eq!(referenced_by(playlist), ["720-init.mp4", "720-0.m4s"]);
    }
}
