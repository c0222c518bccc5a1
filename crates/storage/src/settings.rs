//! Where objects are stored.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};

use crate::StorageError;

/// 16 TiB.
const CACHE_MB_MAX: u64 = 16 * 1024 * 1024;

/// Settings of the storage.
#[derive(Clone, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct StorageSettings {
    /// Where files are stored: empty for the folder `objects` in the data folder, `file:///a/folder`, or
    /// `s3://bucket/prefix`.
    pub storage_url: String,
    /// URL of an S3 service other than Amazon's, such as `https://s3.example.com`. Empty for Amazon's.
    pub s3_endpoint: String,
    /// Region of the bucket.
    pub s3_region: String,
    /// Access key of the bucket. Empty: taken from the machine's role.
    pub s3_access_key: String,
    /// Secret key of the bucket.
    #[serde(serialize_with = "redacted")]
    pub s3_secret_key: String,
    /// Megabytes of the data folder's disk, in `cache`, for copies of what people watch, so that a server fetches it from the
    /// bucket once. 0: no copies.
    pub s3_cache_mb: u64,
    /// Bytes that stay free on the disks of the stored files and of the media tools. With less free, no new
    /// upload and no new video processing starts; what is running continues. 0: no reserve.
    pub reserve_bytes: u64,
}

impl Default for StorageSettings {
    fn default() -> Self {
        Self {
            storage_url: String::new(),
            s3_endpoint: String::new(),
            s3_region: String::new(),
            s3_access_key: String::new(),
            s3_secret_key: String::new(),
            s3_cache_mb: 0,
            reserve_bytes: 512 * 1024 * 1024,
        }
    }
}

/// The storage that `storage_url` describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StorageLocation {
    Folder(PathBuf),
    Bucket { bucket: String, prefix: String },
}

impl StorageSettings {
    /// Validates the settings.
    ///
    /// # Errors
    /// A sentence for the operator that names the invalid setting.
    pub fn check(&self) -> Result<(), String> {
        let location = self.location(Path::new(".")).map_err(|error| error.to_string())?;
        let [no_access, no_secret] =
            [&self.s3_access_key, &self.s3_secret_key].map(std::string::String::is_empty);
        if self.s3_cache_mb > CACHE_MB_MAX {
            return Err(format!("s3_cache_mb must be at most {CACHE_MB_MAX}, but is {}", self.s3_cache_mb));
        }
        let endpoint = self.s3_endpoint.as_str();
        match location {
            StorageLocation::Bucket { .. } if no_access != no_secret => {
                Err("set both s3_access_key and s3_secret_key, or neither".into())
            }
            StorageLocation::Bucket { .. } if !endpoint.is_empty() => {
                let url = url::Url::parse(endpoint).map_err(|_| "s3_endpoint is not a valid URL")?;
                let is_amazon = url.host_str().is_some_and(|host| host.ends_with(".amazonaws.com"));
                if no_access && !is_amazon {
                    return Err("s3_access_key and s3_secret_key are missing: only Amazon's own service takes them from \
                                the machine, and s3_endpoint names another one"
                        .into());
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn location(&self, data_dir: &Path) -> Result<StorageLocation, StorageError> {
        let text = self.storage_url.trim();
        if text.is_empty() {
            return Ok(StorageLocation::Folder(data_dir.join("objects")));
        }
        let invalid = || {
            StorageError::Settings(format!(
                "storage_url '{text}' must be empty, file:///a/folder or s3://bucket/prefix"
            ))
        };
        let url = url::Url::parse(text).map_err(|_| invalid())?;
        match url.scheme() {
            "file" => url.to_file_path().map(StorageLocation::Folder).map_err(|()| invalid()),
            "s3" => Ok(StorageLocation::Bucket {
                bucket: url.host_str().filter(|host| !host.is_empty()).ok_or_else(invalid)?.to_owned(),
                prefix: url.path().trim_matches('/').to_owned(),
            }),
            _ => Err(invalid()),
        }
    }
}

fn redact(text: &str) -> &'static str {
    if text.is_empty() { "" } else { "***" }
}

fn redacted<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(redact(text))
}

impl fmt::Debug for StorageSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StorageSettings")
            .field("storage_url", &self.storage_url)
            .field("s3_endpoint", &self.s3_endpoint)
            .field("s3_region", &self.s3_region)
            .field("s3_access_key", &self.s3_access_key)
            .field("s3_secret_key", &redact(&self.s3_secret_key))
            .field("s3_cache_mb", &self.s3_cache_mb)
            .field("reserve_bytes", &self.reserve_bytes)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(url: &str) -> StorageSettings {
        StorageSettings { storage_url: url.into(), ..StorageSettings::default() }
    }

    #[test]
    fn folders_and_buckets_are_distinguished() {
        let data = Path::new("/data");
        assert_eq!(at("").location(data).unwrap(), StorageLocation::Folder("/data/objects".into()));
        assert_eq!(at("file:///srv/v").location(data).unwrap(), StorageLocation::Folder("/srv/v".into()));
        let bucket = StorageLocation::Bucket { bucket: "shop".into(), prefix: "a/b".into() };
        assert_eq!(at("s3://shop/a/b/").location(data).unwrap(), bucket);
        for bad in ["ftp://x", "nowhere", "s3://", "file://host/x"] {
            assert!(at(bad).check().is_err(), "{bad}");
        }
    }

    #[test]
    fn keys_are_needed_for_any_service_but_amazons() {
        let with = |endpoint: &str| StorageSettings { s3_endpoint: endpoint.into(), ..at("s3://shop") };
        assert!(with("https://s3.example.com").check().unwrap_err().contains("s3_access_key"));
        assert!(with("https://amazonaws.com.example.com").check().is_err());
        assert_eq!(with("https://s3.eu-central-1.amazonaws.com").check(), Ok(()));
        let keys = ("a".to_owned(), "b".to_owned());
        let keyed = StorageSettings {
            s3_access_key: keys.0,
            s3_secret_key: keys.1,
            ..with("https://s3.example.com")
        };
        assert_eq!(keyed.check(), Ok(()));
    }

    #[test]
    fn half_a_key_pair_is_refused_and_secrets_are_not_shown() {
        let mut settings = at("s3://shop");
        settings.s3_secret_key = "hush".into();
        assert!(settings.check().is_err());
        assert!(!format!("{settings:?}").contains("hush"));
    }
}
