//! Compares a file that was received completely with what was announced.

use media::Kind;
use storage::Received;

use crate::Error;
use crate::error::MismatchError;
use crate::store::upload::{ReceivedFile, Upload};
use crate::upload::error::UploadError;

/// A file that is what was announced. Only [`verify`] creates it.
pub struct VerifiedFile {
    received: ReceivedFile,
    mime: String,
    kind: Kind,
}

impl VerifiedFile {
    /// Returns what was received.
    pub fn received(&self) -> ReceivedFile {
        self.received
    }

    /// Returns the declared media type.
    pub fn mime(&self) -> &str {
        &self.mime
    }

    /// Returns the kind of the file, detected from its first bytes.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

/// Checks a complete file against what was announced. `mime` is its declared type.
pub fn verify(upload: &Upload, received: &Received, mime: String) -> Result<VerifiedFile, UploadError> {
    let sniffed = media::sniff(&received.head, &mime, &upload.file.name);
    let media_type = match &sniffed {
        Ok(sniffed) => sniffed.mime,
        Err(mismatch) => mismatch.found,
    };
    let (size, md5, sha256) = (received.len, received.md5, received.sha256);
    let received = ReceivedFile { size, md5, sha256, media_type };
    if md5 != upload.file.md5 {
        return Err(UploadError::after(Error::Mismatch(MismatchError::Checksum), received));
    }
    match sniffed {
        Ok(sniffed) => Ok(VerifiedFile { received, mime, kind: sniffed.kind }),
        Err(mismatch) => {
            tracing::info!(upload = %upload.uid, %mismatch, "an upload was rejected");
            Err(UploadError::after(Error::Mismatch(MismatchError::Content), received))
        }
    }
}
