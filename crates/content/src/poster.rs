//! The sizes of posters, and their files.

use std::path::Path;

use kernel::{ContentId, OrgId, VersionId};
use media::{ImageError, ReencodedImage, SmallerImage, Target};
use storage::Key;

use crate::Content;
use crate::item::Poster;

/// Width of a poster in pixels, and the widths of its smaller versions: a player on a large screen, a phone, a list.
const POSTER_WIDTH: u32 = 1_600;
const SMALLER_WIDTHS: [u32; 2] = [400, 800];

impl Content {
    /// Encodes an image as a poster, in all its sizes.
    pub(crate) async fn in_poster_sizes(&self, image: &Path) -> Result<ReencodedImage, ImageError> {
        self.media.reencode_image(image, Target::Poster(POSTER_WIDTH), &SMALLER_WIDTHS).await
    }
}

/// Returns the poster that is stored under a version, and the files to store.
pub fn poster_files(
    org: OrgId,
    content: ContentId,
    version: VersionId,
    bytes: Vec<u8>,
    smaller: Vec<SmallerImage>,
) -> (Poster, Vec<(Key, Vec<u8>)>) {
    let widths = smaller.iter().map(|image| image.width).collect();
    let poster = Poster { version, widths };
    let smaller = smaller.into_iter().map(|image| (Some(image.width), image.bytes));
    let files = smaller
        .chain([(None, bytes)])
        .map(|(width, bytes)| (poster.key(org, content, width), bytes))
        .collect();
    (poster, files)
}
