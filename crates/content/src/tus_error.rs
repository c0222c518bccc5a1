//! Errors specific to resumable uploads.

use http::HeaderName;
use kernel::Problem;

/// Why a tus request was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TusError {
    /// The request names another version of the protocol, or none.
    #[error("unsupported version of tus")]
    Version,
    /// A required header is missing or invalid.
    #[error("header {0}")]
    Header(HeaderName),
    /// The metadata is malformed or has no ingest address.
    #[error("invalid metadata")]
    Metadata,
    /// The length differs from the one announced.
    #[error("length differs from the one announced")]
    Length,
    /// Images are not resumable; they are small enough for one request.
    #[error("images are sent in one request")]
    Image,
    /// The chunk has a wrong Content-Type.
    #[error("wrong type of a chunk")]
    ChunkType,
    /// The method cannot be requested by header.
    #[error("no such method")]
    Method,
    /// The checksum algorithm is not supported.
    #[error("unsupported checksum algorithm")]
    Algorithm,
    /// The chunk does not match its checksum; nothing of it was kept.
    #[error("the chunk's checksum differs")]
    Checksum,
    /// The chunk does not begin at the current offset.
    #[error("offset differs")]
    Offset,
    /// The chunk extends past the end of the file. Only what was acknowledged before is kept.
    #[error("longer than declared")]
    TooLong,
    /// Another request is sending this file.
    #[error("locked by another request")]
    Locked,
    /// No upload slot is free; holds the seconds to wait before trying again.
    #[error("no free upload slot")]
    NoSlot(u32),
    /// The upload expired, was rejected, or its bytes are lost.
    #[error("gone")]
    Gone,
}

impl From<TusError> for Problem {
    fn from(error: TusError) -> Self {
        match error {
            TusError::Version => Self::new(412, "tus_version", "This server supports version 1.0.0 of tus."),
            TusError::Header(name) => {
                Self::bad_request("invalid_header", format!("The header {name} is missing or invalid."))
            }
            TusError::Metadata => Self::bad_request(
                "invalid_metadata",
                "Upload-Metadata must contain the ingest address under the key ingest.",
            ),
            TusError::Length => {
                Self::bad_request("length_mismatch", "The length of the file differs from the one announced.")
            }
            TusError::Image => Self::bad_request("not_resumable", "Images are sent in one request, by PUT."),
            TusError::ChunkType => Self::new(
                415,
                "unsupported_media_type",
                "Chunks must be sent as application/offset+octet-stream.",
            ),
            TusError::Method => {
                Self::bad_request("invalid_method", "This method cannot be requested by a header.")
            }
            TusError::Algorithm => {
                Self::bad_request("unknown_checksum", "Checksums must use md5, sha1 or sha256.")
            }
            TusError::Checksum => Self::new(
                460,
                "piece_mismatch",
                "The chunk that arrived is not the one sent: its checksum differs.",
            ),
            TusError::Offset => Self::conflict("offset_mismatch", "The upload is at a different offset."),
            TusError::TooLong => Self::new(413, "too_many_bytes", "The file is larger than announced."),
            TusError::Locked => {
                Self::new(423, "upload_locked", "Another request is sending this file. Please try again.")
            }
            TusError::NoSlot(seconds) => Self::too_many(seconds),
            TusError::Gone => Self::new(410, "upload_gone", "This upload has ended. Please start a new one."),
        }
    }
}
