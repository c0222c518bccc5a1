//! The first page of a PDF document as an image, and the number of its pages.

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
    /// Returns what is missing for documents, as a sentence that says what to do, or `None` if nothing is.
    pub fn missing_for_documents(&self) -> Option<String> {
        let tools = [("pdftoppm", &self.inner.pdftoppm), ("pdfinfo", &self.inner.pdfinfo)];
        if let Some((name, _)) = tools.into_iter().find(|(_, path)| path.is_none()) {
            return Some(format!(
                "{name} not found: PDF documents get no poster, and their pages are not counted. Install Debian's \
                 package poppler-utils, or set media_{name}."
            ));
        }
        let reason = (!self.inner.settings.without_confinement)
            .then(|| self.confinement_warning_for_documents())??;
        Some(format!("PDF documents get no poster, and their pages are not counted. {reason}"))
    }

    /// Returns a JPEG of the first page, at most 2,262 pixels on its longer side.
    ///
    /// # Errors
    /// [`MediaError::Refused`] if there is no image: the file is not a PDF, or needs a password. Errors for
    /// time, memory and a missing tool.
    pub async fn first_page(&self, input: &Path) -> Result<Vec<u8>, MediaError> {
        let tool = self.document_tool(self.inner.pdftoppm.as_deref())?;
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

    /// Returns the number of pages that a document says it has.
    ///
    /// # Errors
    /// Those of [`Self::first_page`].
    pub async fn page_count(&self, input: &Path) -> Result<u64, MediaError> {
        let tool = self.document_tool(self.inner.pdfinfo.as_deref())?;
        let job = Job::new(&self.inner, input).await?;
        let output = job.run(&self.inner, tool, &[input_name()]).await?;
        let count = page_count(&String::from_utf8_lossy(&output.stdout));
        count.filter(|_| output.success).ok_or_else(|| MediaError::Refused(first_line(&output.stderr)))
    }

    fn document_tool<'a>(&self, tool: Option<&'a Path>) -> Result<&'a Path, MediaError> {
        let tool = tool.filter(|_| self.missing_for_documents().is_none());
        tool.ok_or_else(|| MediaError::Unavailable(self.missing_for_documents().unwrap_or_default()))
    }
}

/// Reads the number of pages from the lines of pdfinfo. A title comes before it and may contain anything but a new line.
fn page_count(lines: &str) -> Option<u64> {
    lines.lines().find_map(|line| line.strip_prefix("Pages:"))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::page_count;

    #[test]
    fn the_number_of_pages_is_on_a_line_of_its_own() {
        assert_eq!(
            page_count("Title:           Pages: 7\nPages:           12\nEncrypted:       no\n"),
            Some(12)
        );
        assert_eq!(page_count("Title: 3\n"), None);
        assert_eq!(page_count("Pages:  many\n"), None);
    }
}
