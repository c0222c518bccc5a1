//! What is missing for running the tools, as sentences that say what to do.

use std::path::PathBuf;

use crate::{ConfinementReport, Media, MediaError};

impl Media {
    /// Returns what is missing for posters and durations, as a sentence that says what to do, or `None` if
    /// nothing is.
    pub fn missing(&self) -> Option<String> {
        let tools = [("ffprobe", &self.inner.ffprobe), ("ffmpeg", &self.inner.ffmpeg)];
        let absent: Vec<_> = tools.iter().filter(|(_, path)| path.is_none()).map(|(name, _)| *name).collect();
        if absent.is_empty() {
            let reason = (!self.inner.settings.without_confinement).then(|| self.confinement_warning())??;
            return Some(format!(
                "files can be uploaded and played, but get no poster and no duration. {reason}"
            ));
        }
        Some(format!(
            "{} not found: files can be uploaded and played, but get no poster and no duration. Install Debian's \
             package ffmpeg, or set media_ffprobe and media_ffmpeg.",
            absent.join(" and "),
        ))
    }

    /// Returns the layers of confinement that work on this machine. The first call applies and tests each of
    /// them in a separate process, which takes a fraction of a second; the result is cached.
    pub fn confinement(&self) -> &ConfinementReport {
        self.inner.confinement()
    }

    /// Returns what a malicious file could do because layers are missing, as a sentence that says what to do,
    /// or `None` if the confinement is sufficient.
    pub fn confinement_warning(&self) -> Option<String> {
        self.inner.confinement_warning(
            [&self.inner.ffprobe, &self.inner.ffmpeg].into_iter().flatten().map(PathBuf::as_path),
        )
    }

    /// Returns the same for documents.
    pub fn confinement_warning_for_documents(&self) -> Option<String> {
        let tools = [&self.inner.pdftoppm, &self.inner.pdfinfo];
        self.inner.confinement_warning(tools.into_iter().filter_map(Option::as_deref))
    }

    /// Returns true if files can be probed and posters made.
    pub fn available(&self) -> bool {
        self.missing().is_none()
    }

    /// Fails if a tool or a required layer of confinement is missing: no tool is run then.
    pub(crate) fn ready(&self) -> Result<(), MediaError> {
        self.missing().map_or(Ok(()), |sentence| Err(MediaError::Unavailable(sentence)))
    }
}
