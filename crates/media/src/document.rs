//! The first page of a PDF document as an image.

use std::path::Path;

use crate::job::{Job, input_name};
use crate::poster::is_complete_jpeg;
use crate::probe::first_line;
use crate::{Media, MediaError};

/// Name of the image in the job's folder; the tool adds the extension.
const PAGE: &str = "page";
const OUTPUT: &str = "page.jpg";
/// Largest page image in bytes.
const PAGE_MAX: u64 = 4 * 1024 * 1024;
/// The longer side in pixels: an A4 page in portrait is then 1,600 wide.
const LONG: &str = "2262";

impl Media {
    /// Returns what is missing for posters of documents, as a sentence that says what to do, or `None` if
    /// nothing is.
    pub fn missing_for_documents(&self) -> Option<String> {
        if self.inner.pdftoppm.is_none() {
            return Some(
                "pdftoppm not found: PDF documents get no poster. Install Debian's package poppler-utils, or set \
                 media_pdftoppm."
                    .into(),
            );
        }
        let reason = (!self.inner.settings.without_confinement)
            .then(|| self.confinement_warning_for_documents())??;
        Some(format!("PDF documents get no poster. {reason}"))
    }

    /// Returns a JPEG of the first page, at most 2,262 pixels on its longer side.
    ///
    /// # Errors
    /// [`MediaError::Refused`] if there is no image: the file is not a PDF, or needs a password. Errors for
    /// time, memory and a missing tool.
    pub async fn first_page(&self, input: &Path) -> Result<Vec<u8>, MediaError> {
        let unavailable = || MediaError::Unavailable(self.missing_for_documents().unwrap_or_default());
        let tool = self.inner.pdftoppm.as_ref().filter(|_| self.missing_for_documents().is_none());
        let tool = tool.ok_or_else(unavailable)?;
        let job = Job::new(&self.inner, input).await?;
        let mut args: Vec<String> =
            ["-f", "1", "-l", "1", "-singlefile", "-jpeg", "-scale-to", LONG].map(str::to_owned).into();
        args.extend([input_name(), PAGE.to_owned()]);
        let output = job.run(&self.inner, tool, &args).await?;
        match job.result(OUTPUT, PAGE_MAX).await? {
            Some(image) if is_complete_jpeg(&image) => Ok(image),
            _ => Err(MediaError::Refused(first_line(&output.stderr))),
        }
    }
}
