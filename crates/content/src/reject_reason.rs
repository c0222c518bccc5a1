//! Why uploads are rejected.

use sea_orm::{DeriveActiveEnum, EnumIter};

/// Defines [`RejectReason`] from a table of reason, stored word and sentence.
macro_rules! reject_reasons {
    ($($(#[$doc:meta])* $reason:ident = $word:literal, $message:literal;)*) => {
        /// Why an upload was rejected. The word is stored with the upload, and is the code of the problem if an
        /// error of a request caused the rejection.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
        #[sea_orm(rs_type = "String", db_type = "Text")]
        pub enum RejectReason { $($(#[$doc])* #[sea_orm(string_value = $word)] $reason),* }

        impl RejectReason {
            /// Returns the stored word.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$reason => $word),* }
            }

            /// Returns the sentence for the sender.
            pub fn message(self) -> &'static str {
                match self { $(Self::$reason => $message),* }
            }
        }
    };
}

reject_reasons! {
    /// A complete request had fewer bytes than announced.
    LengthMismatch = "length_mismatch", "The file is shorter than announced.";
    /// The Content-Type of the request is a different one.
    TypeMismatch = "type_mismatch", "The file was sent with a different type than announced.";
    /// The MD5 is a different one.
    ChecksumMismatch = "checksum_mismatch", "This is not the announced file: its checksum differs.";
    /// The bytes are of another kind than the type or the name suggests.
    ContentMismatch = "content_mismatch", "The file does not match its type and name.";
    /// More bytes than announced.
    TooManyBytes = "too_many_bytes", "The file is larger than announced.";
    /// Larger than this server allows, whatever the plan.
    AboveServerLimit = "above_server_limit", "The file is larger than this server allows.";
    /// Larger than the plan allows.
    FileTooLarge = "file_too_large", "The file is larger than your plan allows.";
    /// The storage of the plan is used up.
    QuotaExceeded = "quota_exceeded", "There is no room left in your plan for this file.";
    /// Not an image, or of a type that is not supported.
    NotAnImage = "not_an_image", "File type is not supported.";
    /// An image of more than 50 megapixels.
    ImageTooManyPixels = "image_too_many_pixels",
        "The image has more than 50 megapixels. Please upload a smaller one.";
    /// An image with more than 1 MiB of color profiles and texts besides the pixels.
    ImageProfileTooLarge = "image_profile_too_large",
        "The image contains more than 1 MB of embedded data, such as a color profile. Please export it without \
         that data.";
    /// Decoding the image exceeded the limits of memory or time.
    ImageTooComplex = "image_too_complex",
        "The image takes too much memory or time to open. Please upload a smaller one.";
    /// The person who began the upload no longer has the right to.
    RightWithdrawn = "right_withdrawn", "You can no longer upload files for this organization.";
    /// The content item was deleted.
    ContentDeleted = "content_deleted", "The content was deleted during the upload.";
    /// The file was stored but never published, and not sent again within a day.
    Abandoned = "abandoned", "The upload was not finished in time.";
    /// The sender cancelled the upload.
    Cancelled = "cancelled", "The upload was cancelled.";
}

#[cfg(test)]
mod tests {
    use sea_orm::{ActiveEnum as _, Iterable as _};

    use super::*;

    #[test]
    fn stored_words_are_read_back() {
        for reason in RejectReason::iter() {
            assert_eq!(RejectReason::try_from_value(&reason.as_str().to_owned()).ok(), Some(reason));
        }
        assert!(RejectReason::try_from_value(&"unknown".to_owned()).is_err());
    }

    #[test]
    fn stored_words_do_not_change() {
        let expected = [
            "length_mismatch",
            "type_mismatch",
            "checksum_mismatch",
            "content_mismatch",
            "too_many_bytes",
            "above_server_limit",
            "file_too_large",
            "quota_exceeded",
            "not_an_image",
            "image_too_many_pixels",
            "image_profile_too_large",
            "image_too_complex",
            "right_withdrawn",
            "content_deleted",
            "abandoned",
            "cancelled",
        ];
        assert_eq!(RejectReason::values(), expected);
    }
}
