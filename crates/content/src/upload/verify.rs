//! Compares a file that was received completely with what was announced.

use media::Sniffed;
use storage::Received;

use crate::Error;
use crate::error::MismatchError;
use crate::store::upload::{ReceivedFile, Upload};

/// Checks the complete file against what was announced, and records what was received in `received_file`.
pub fn verify(
    upload: &Upload,
    received: &Received,
    mime: &str,
    received_file: &mut ReceivedFile,
) -> Result<Sniffed, Error> {
    let (md5, sha256) = (Some(received.md5), Some(received.sha256));
    *received_file = ReceivedFile { size: received.len, md5, sha256, sniffed: None };
    let sniffed = media::sniff(&received.head, mime, &upload.file.name);
    received_file.sniffed = Some(match &sniffed {
        Ok(sniffed) => sniffed.mime,
        Err(mismatch) => mismatch.found,
    });
    if received.md5 != upload.file.md5 {
        return Err(Error::Mismatch(MismatchError::Checksum));
    }
    sniffed.map_err(|mismatch| {
        tracing::info!(upload = %upload.uid, %mismatch, "an upload was rejected");
        Error::Mismatch(MismatchError::Content)
    })
}
