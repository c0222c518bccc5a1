//! The first page of a PDF document as a picture.

use std::path::Path;

use crate::job::{Job, input_name};
use crate::poster::is_whole_jpeg;
use crate::probe::first_line;
use crate::{Media, MediaError};

/// Name of the picture inside the job's folder; the tool adds the ending itself.
const PAGE: &str = "page";
const OUTPUT: &str = "page.jpg";
/// Bytes a picture of a page may have.
const PAGE_MAX: u64 = 4 * 1024 * 1024;
/// The longer side in pixels: a usual page standing upright is then 800 wide.
const LONG: &str = "1131";

impl Media {
    /// What is missing for pictures of documents, as a sentence that says what to do; `None` when nothing is.
    pub fn missing_for_documents(&self) -> Option<String> {
        if self.inner.pdftoppm.is_none() {
            return Some(
                "pdftoppm not found: PDF documents get no picture. Install Debian's package poppler-utils, or set \
                 media.pdftoppm."
                    .into(),
            );
        }
        let reason = (!self.inner.settings.without_walls).then(|| self.open_walls_for_documents())??;
        Some(format!("PDF documents get no picture. {reason}"))
    }

    /// A JPEG of the first page, at most 1131 pixels along its longer side.
    ///
    /// # Errors
    /// [`MediaError::Refused`] when no picture came out: it is no document, or a locked one; time, memory, a missing
    /// tool.
    pub async fn first_page(&self, input: &Path) -> Result<Vec<u8>, MediaError> {
        let unavailable = || MediaError::Unavailable(self.missing_for_documents().unwrap_or_default());
        let tool = self.inner.pdftoppm.as_ref().filter(|_| self.missing_for_documents().is_none());
        let tool = tool.ok_or_else(unavailable)?;
        let job = Job::new(&self.inner, input).await?;
        let mut args: Vec<String> =
            ["-f", "1", "-l", "1", "-singlefile", "-jpeg", "-scale-to", LONG].map(str::to_owned).into();
        args.extend([input_name(), PAGE.to_owned()]);
        let said = job.run(&self.inner, tool, &args).await?;
        match job.result(OUTPUT, PAGE_MAX).await? {
            Some(picture) if is_whole_jpeg(&picture) => Ok(picture),
            _ => Err(MediaError::Refused(first_line(&said.stderr))),
        }
    }
}
