//! What is refused of resumable uploads besides what is refused of every upload.

use http::HeaderName;
use kernel::Problem;

/// Why a call was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// Another version of the protocol, or none named.
    #[error("another version of tus")]
    Version,
    /// A header that is missing or makes no sense.
    #[error("header {0}")]
    Header(HeaderName),
    /// Metadata without the ingest address, or written in another way than the protocol says.
    #[error("metadata")]
    Metadata,
    /// Another length than the one announced.
    #[error("another length than announced")]
    Length,
    /// A picture: small enough for one request.
    #[error("pictures come in one request")]
    Picture,
    /// A piece sent as another type.
    #[error("not the type of a piece")]
    PieceType,
    /// A method that cannot be asked for by a header.
    #[error("no such method")]
    Method,
    /// A checksum by a way that is not known.
    #[error("unknown checksum")]
    Algorithm,
    /// The piece is not what its checksum says; nothing of it was kept.
    #[error("the piece's checksum differs")]
    Checksum,
    /// The piece begins elsewhere than the upload is.
    #[error("another offset")]
    Offset,
    /// The piece goes on behind the end of the file; nothing behind what was kept before counts.
    #[error("longer than announced")]
    TooLong,
    /// Another request sends this very file.
    #[error("another request is at it")]
    Locked,
    /// No place for it now; seconds until a try makes sense.
    #[error("no place")]
    NoPlace(u32),
    /// Its time is over, it was rejected, or what had come is lost.
    #[error("gone")]
    Gone,
}

impl From<Wrong> for Problem {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Version => Self::new(412, "tus_version", "This server speaks version 1.0.0 of tus."),
            Wrong::Header(name) => {
                Self::bad_request("invalid_header", format!("The header {name} is missing or wrong."))
            }
            Wrong::Metadata => Self::bad_request(
                "invalid_metadata",
                "Upload-Metadata must hold the upload's own address under the key ingest.",
            ),
            Wrong::Length => {
                Self::bad_request("length_mismatch", "The file has another length than announced.")
            }
            Wrong::Picture => Self::bad_request("not_resumable", "Pictures are sent in one request, by PUT."),
            Wrong::PieceType => Self::new(
                415,
                "unsupported_media_type",
                "Pieces of a file are sent as application/offset+octet-stream.",
            ),
            Wrong::Method => {
                Self::bad_request("invalid_method", "This method cannot be asked for by a header.")
            }
            Wrong::Algorithm => {
                Self::bad_request("unknown_checksum", "Checksums are made by md5, sha1 or sha256.")
            }
            Wrong::Checksum => Self::new(
                460,
                "piece_mismatch",
                "The piece that came is not the one sent: its checksum differs.",
            ),
            Wrong::Offset => Self::conflict("offset_mismatch", "The upload is at another place of the file."),
            Wrong::TooLong => Self::new(413, "too_many_bytes", "More bytes came than announced."),
            Wrong::Locked => {
                Self::new(423, "upload_locked", "Another request is sending this file. Please try again.")
            }
            Wrong::NoPlace(seconds) => Self::too_many(seconds),
            Wrong::Gone => Self::new(410, "upload_gone", "This upload is over. Please start a new one."),
        }
    }
}
