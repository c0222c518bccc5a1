//! `manifest.json`: what a backup consists of, sealed with the secret of its installation.

use std::collections::BTreeMap;
use std::io::Read as _;

use kernel::Signer;
use serde::{Deserialize, Serialize};

use crate::source::Section;
use crate::{Error, Totals};

/// Number of the form that this version writes, and the newest that it reads.
pub const FORM: u32 = 1;
/// Longer manifests are refused.
pub(crate) const MANIFEST_MAX: u64 = 16 * 1024 * 1024;
const KEY_PURPOSE: &str = "backup-key";
const SEAL_PURPOSE: &str = "backup-manifest";

/// One compressed list: the rows of a table, or the files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Number of lines.
    pub rows: u64,
    /// SHA-256 of the lines, uncompressed, in hexadecimal digits.
    pub sha256: String,
}

/// Describes a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Number of the form.
    pub form: u32,
    /// Version of Vitrine that made the backup.
    pub version: String,
    /// Time of the snapshot in ISO 8601.
    pub created_at: String,
    /// Engine of the database: `sqlite` or `postgres`.
    pub engine: String,
    /// Migrations that were applied, in that order.
    pub migrations: Vec<String>,
    /// The rows of each table.
    pub tables: BTreeMap<String, Part>,
    /// The last number that was given to a row, for tables with numbered rows.
    pub numbers: BTreeMap<String, i64>,
    /// The list of files.
    pub files: Part,
    /// Length of all files in bytes.
    pub file_bytes: u64,
    /// Tells which secret the backup belongs to.
    pub key: String,
    /// Proves that the holder of the secret wrote this manifest.
    pub seal: String,
}

impl Manifest {
    /// Adds the proofs of the secret.
    pub(crate) fn sealed(mut self, signer: &Signer) -> Self {
        self.key = hex::encode(signer.digest(KEY_PURPOSE, self.created_at.as_bytes()));
        self.seal = String::new();
        self.seal = hex::encode(signer.digest(SEAL_PURPOSE, &self.bytes()));
        self
    }

    /// Reads the manifest in a section, as [`Self::parse`] does.
    pub(crate) fn read(mut section: Section, signer: &Signer) -> Result<Self, Error> {
        if section.len > MANIFEST_MAX {
            return Err(Error::Foreign("its manifest.json is too long".to_owned()));
        }
        let mut text = Vec::new();
        section.read_to_end(&mut text)?;
        Self::parse(&text, signer)
    }

    /// Reads a manifest and checks its form and that it was sealed with this secret.
    pub(crate) fn parse(text: &[u8], signer: &Signer) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Form {
            form: u64,
        }
        let Form { form } = serde_json::from_slice(text)
            .map_err(|_| Error::Foreign("its manifest.json does not name a form".to_owned()))?;
        if form > u64::from(FORM) {
            return Err(Error::NewerForm { found: form, known: FORM });
        }
        let mut manifest: Self = serde_json::from_slice(text)
            .map_err(|error| Error::Damaged(format!("manifest.json cannot be read ({error})")))?;
        let key = hex::decode(&manifest.key).unwrap_or_default();
        if !signer.matches(KEY_PURPOSE, manifest.created_at.as_bytes(), &key) {
            return Err(Error::WrongSecret);
        }
        let seal = std::mem::take(&mut manifest.seal);
        if !signer.matches(SEAL_PURPOSE, &manifest.bytes(), &hex::decode(&seal).unwrap_or_default()) {
            return Err(Error::Damaged("manifest.json was changed".to_owned()));
        }
        manifest.seal = seal;
        Ok(manifest)
    }

    /// Returns the manifest as it is written.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        // A struct of texts and numbers can always be written.
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    /// Returns how much the backup holds.
    pub fn totals(&self) -> Totals {
        Totals {
            tables: self.tables.len() as u64,
            rows: self.tables.values().map(|part| part.rows).sum(),
            files: self.files.rows,
            bytes: self.file_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            form: FORM,
            version: "1".to_owned(),
            created_at: "2026-01-01T00:00:00Z".to_owned(),
            engine: "sqlite".to_owned(),
            migrations: vec!["a".to_owned()],
            tables: BTreeMap::from([("t".to_owned(), Part { rows: 2, sha256: "00".to_owned() })]),
            numbers: BTreeMap::new(),
            files: Part::default(),
            file_bytes: 0,
            key: String::new(),
            seal: String::new(),
        }
    }

    #[test]
    fn a_manifest_belongs_to_its_secret_and_shows_changes() {
        let signer = Signer::new(&[7; 32]);
        let sealed = manifest().sealed(&signer);
        assert_eq!(Manifest::parse(&sealed.bytes(), &signer).unwrap(), sealed);
        let wrong = Manifest::parse(&sealed.bytes(), &Signer::new(&[8; 32]));
        assert!(matches!(wrong, Err(Error::WrongSecret)), "{wrong:?}");
        let changed = String::from_utf8(sealed.bytes()).unwrap().replace("\"rows\": 2", "\"rows\": 3");
        let changed = Manifest::parse(changed.as_bytes(), &signer);
        assert!(matches!(changed, Err(Error::Damaged(_))), "{changed:?}");
    }

    #[test]
    fn a_newer_form_is_refused_whatever_else_it_has() {
        let refused = Manifest::parse(br#"{ "form": 2, "rows": "elsewhere" }"#, &Signer::new(&[7; 32]));
        assert!(matches!(refused, Err(Error::NewerForm { found: 2, known: 1 })), "{refused:?}");
        let foreign = Manifest::parse(br#"{ "name": "x" }"#, &Signer::new(&[7; 32]));
        assert!(matches!(foreign, Err(Error::Foreign(_))), "{foreign:?}");
    }
}
