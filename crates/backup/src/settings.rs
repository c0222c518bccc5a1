//! Settings of the backups that the server makes by itself.

use std::fmt;
use std::path::PathBuf;

use kernel::{DAY, Millis};
use serde::{Deserialize, Serialize, Serializer};
use storage::StorageSettings;

use crate::Keep;

/// Settings of scheduled backups.
#[derive(Clone, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct BackupSettings {
    /// Where the server makes backups by itself, which share their files: a folder on another disk, or
    /// `s3://bucket/prefix`. Every worker must be able to write there. Empty: no scheduled backups.
    pub backup_to: String,
    /// Hours from the beginning of one scheduled backup to the next.
    pub backup_every_hours: u32,
    /// Number of backups to keep, or "7d 4w 12m" for the newest of each of the last 7 days, 4 weeks and 12 months that have
    /// one. After each scheduled backup, others are removed.
    #[schema(value_type = u32)]
    pub backup_keep: Keep,
    /// Days from one check of the newest backup to the next: a worker restores it into a temporary folder below
    /// `media_work_dir`, compares everything with its hashes, and runs `vitrine verify` there. 0: no checks.
    pub backup_check_every_days: u32,
    /// URL of the S3 service of the backups if it is not Amazon's. The settings of the storage are not used for it.
    pub backup_s3_endpoint: String,
    /// Region of the bucket of the backups.
    pub backup_s3_region: String,
    /// Access key of the bucket of the backups. Empty: taken from the machine's role.
    pub backup_s3_access_key: String,
    /// Secret key of the bucket of the backups.
    #[serde(serialize_with = "redacted")]
    pub backup_s3_secret_key: String,
}

impl Default for BackupSettings {
    fn default() -> Self {
        Self {
            backup_to: String::new(),
            backup_every_hours: 24,
            backup_keep: Keep::Newest(30),
            backup_check_every_days: 7,
            backup_s3_endpoint: String::new(),
            backup_s3_region: String::new(),
            backup_s3_access_key: String::new(),
            backup_s3_secret_key: String::new(),
        }
    }
}

/// Where backups that share their files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BackupLocation {
    Folder(PathBuf),
    /// URL of a bucket and a prefix in it.
    Bucket(String),
}

impl BackupLocation {
    /// Reads the name of a folder or the URL of a bucket.
    pub(crate) fn parse(named: &str) -> Result<Self, String> {
        let named = named.trim();
        let wrong = || format!("must be the path of a folder or s3://bucket/prefix, but is {named:?}.");
        match named.split_once("://") {
            Some(("s3", rest)) if !rest.trim_matches('/').is_empty() && !rest.contains(['?', '#', '@']) => {
                Ok(Self::Bucket(named.trim_end_matches('/').to_owned()))
            }
            Some(_) => Err(wrong()),
            None if named.is_empty() => Err(wrong()),
            None => std::path::absolute(named).map(Self::Folder).map_err(|_| wrong()),
        }
    }
}

impl BackupSettings {
    /// Validates the settings.
    ///
    /// # Errors
    /// A sentence for the operator that names the invalid setting.
    pub fn check(&self) -> Result<(), String> {
        let within = |name: &str, value: u32, least: u32, most: u32| {
            let ok = (least..=most).contains(&value);
            if ok {
                Ok(())
            } else {
                Err(format!("{name} must be between {least} and {most}, but is {value}."))
            }
        };
        within("VITRINE_BACKUP_EVERY_HOURS", self.backup_every_hours, 1, 24 * 31)?;
        within("VITRINE_BACKUP_CHECK_EVERY_DAYS", self.backup_check_every_days, 0, 366)?;
        self.backup_keep.check().map_err(|problem| format!("VITRINE_BACKUP_KEEP {problem}."))?;
        if self.backup_to.trim().is_empty() {
            return Ok(());
        }
        match BackupLocation::parse(&self.backup_to)
            .map_err(|problem| format!("VITRINE_BACKUP_TO {problem}"))?
        {
            BackupLocation::Folder(_) => Ok(()),
            BackupLocation::Bucket(url) => self.bucket(&url).check().map_err(of_backups),
        }
    }

    /// Returns where backups are made by themselves, if they are.
    pub fn scheduled_to(&self) -> Option<&str> {
        Some(self.backup_to.trim()).filter(|to| !to.is_empty())
    }

    /// Returns the time from one check of the newest backup to the next, if backups are made and checked by themselves.
    pub fn check_period(&self) -> Option<Millis> {
        let days = Some(Millis::from(self.backup_check_every_days)).filter(|days| *days > 0);
        self.scheduled_to().and(days).map(|days| days * DAY)
    }

    /// Returns the settings of the bucket of backups at the URL.
    pub(crate) fn bucket(&self, url: &str) -> StorageSettings {
        StorageSettings {
            storage_url: url.to_owned(),
            s3_endpoint: self.backup_s3_endpoint.clone(),
            s3_region: self.backup_s3_region.clone(),
            s3_access_key: self.backup_s3_access_key.clone(),
            s3_secret_key: self.backup_s3_secret_key.clone(),
            s3_cache_mb: 0,
            reserve_bytes: 0,
        }
    }
}

/// Names the settings of the backups in a sentence about those of a storage.
pub(crate) fn of_backups(sentence: impl fmt::Display) -> String {
    let sentence = sentence.to_string();
    let renamed = sentence.replace("storage_url", "backup_to").replace("s3_", "backup_s3_");
    renamed.replace("backup_backup_", "backup_")
}

fn redact(text: &str) -> &'static str {
    if text.is_empty() { "" } else { "***" }
}

fn redacted<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(redact(text))
}

impl fmt::Debug for BackupSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackupSettings")
            .field("backup_to", &self.backup_to)
            .field("backup_every_hours", &self.backup_every_hours)
            .field("backup_keep", &self.backup_keep)
            .field("backup_check_every_days", &self.backup_check_every_days)
            .field("backup_s3_endpoint", &self.backup_s3_endpoint)
            .field("backup_s3_region", &self.backup_s3_region)
            .field("backup_s3_access_key", &self.backup_s3_access_key)
            .field("backup_s3_secret_key", &redact(&self.backup_s3_secret_key))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(place: &str) -> BackupSettings {
        BackupSettings { backup_to: place.to_owned(), ..BackupSettings::default() }
    }

    #[test]
    fn folders_and_buckets_are_told_apart() {
        let place = BackupLocation::parse;
        assert_eq!(place("/backup/v/"), Ok(BackupLocation::Folder("/backup/v/".into())));
        assert_eq!(place(" s3://safe/v/ "), Ok(BackupLocation::Bucket("s3://safe/v".to_owned())));
        for wrong in ["", "s3://", "s3:///", "ftp://host/v", "https://host/v", "s3://key@safe"] {
            assert!(place(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            (to("").check(), to("/backup").check(), to("s3://safe").check()),
            (Ok(()), Ok(()), Ok(()))
        );
        assert!(to("ftp://x").check().unwrap_err().starts_with("VITRINE_BACKUP_TO must be the path"));
    }

    #[test]
    fn backups_are_checked_every_week_unless_that_is_turned_off() {
        assert_eq!((to("/b").check_period(), to("").check_period()), (Some(7 * DAY), None));
        assert_eq!(BackupSettings { backup_check_every_days: 0, ..to("/b") }.check_period(), None);
    }

    #[test]
    fn mistakes_name_the_settings_of_backups() {
        let half = BackupSettings { backup_s3_secret_key: "hush".to_owned(), ..to("s3://safe/v") };
        let sentence = half.check().unwrap_err();
        assert_eq!(sentence, "set both backup_s3_access_key and backup_s3_secret_key, or neither");
        assert!(!format!("{half:?}").contains("hush"));
        let never = BackupSettings { backup_every_hours: 0, ..to("") };
        assert!(
            never.check().unwrap_err().starts_with("VITRINE_BACKUP_EVERY_HOURS must be between 1 and 744")
        );
        let rare = BackupSettings { backup_check_every_days: 367, ..to("") };
        assert!(
            rare.check()
                .unwrap_err()
                .starts_with("VITRINE_BACKUP_CHECK_EVERY_DAYS must be between 0 and 366")
        );
        let none = BackupSettings { backup_keep: Keep::Newest(0), ..to("") };
        assert!(none.check().unwrap_err().starts_with("VITRINE_BACKUP_KEEP must be"));
    }
}
