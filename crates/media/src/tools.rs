//! The tools of this machine: where they are, how they are confined, how many run at a time.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tokio::sync::Semaphore;

use crate::confinement::{self, ConfinementSpec, Layers};
use crate::folder::make_work_dir;
use crate::{CONFINEMENT_COMMAND, ConfinementReport, MediaSettings, UnusableTool, reencode, tone};

/// State shared by all handles of the tools.
pub(crate) struct Inner {
    pub(crate) settings: MediaSettings,
    pub(crate) ffprobe: Option<PathBuf>,
    pub(crate) ffmpeg: Option<PathBuf>,
    pub(crate) pdftoppm: Option<PathBuf>,
    pub(crate) pdfinfo: Option<PathBuf>,
    pub(crate) confine_path: PathBuf,
    /// Parent of the job folders. On the file system of the storage, inputs can be hard-linked.
    pub(crate) work_dir: PathBuf,
    pub(crate) tool_permits: Semaphore,
    /// Images that are decoded at a time. They do not wait for videos, because people wait for them.
    pub(crate) decode_permits: Semaphore,
    /// Determined on first use.
    confinement: OnceLock<ConfinementReport>,
    /// Whether ffmpeg has the tone-mapping filters; determined on first use.
    tone_mapping: OnceLock<bool>,
}

impl Inner {
    pub(crate) fn open(settings: MediaSettings, work_dir: &Path) -> io::Result<Self> {
        make_work_dir(work_dir)?;
        let confine_path = if settings.confine_path.as_os_str().is_empty() {
            std::env::current_exe()?
        } else {
            settings.confine_path.clone()
        };
        Ok(Self {
            ffprobe: find(&settings.ffprobe),
            ffmpeg: find(&settings.ffmpeg),
            pdftoppm: find(&settings.pdftoppm),
            pdfinfo: find(&settings.pdfinfo),
            confine_path,
            work_dir: work_dir.canonicalize()?,
            tool_permits: Semaphore::new(settings.tools_at_once()),
            decode_permits: Semaphore::new(reencode::AT_ONCE),
            confinement: OnceLock::new(),
            tone_mapping: OnceLock::new(),
            settings,
        })
    }

    /// Returns true if ffmpeg has the tone-mapping filters. It opens no uploaded file here, so it is not
    /// confined.
    pub(crate) fn tone_maps(&self) -> bool {
        *self.tone_mapping.get_or_init(|| {
            let Some(ffmpeg) = &self.ffmpeg else { return false };
            let mut command = Command::new(ffmpeg);
            command.args(["-nostdin", "-hide_banner", "-filters"]).env_clear().env("LC_ALL", "C");
            let output = command.stdin(Stdio::null()).output();
            output.is_ok_and(|output| tone::lists_all_filters(&String::from_utf8_lossy(&output.stdout)))
        })
    }

    pub(crate) fn confinement(&self) -> &ConfinementReport {
        self.confinement.get_or_init(|| {
            let words = [
                (&self.ffprobe, "-version"),
                (&self.ffmpeg, "-version"),
                (&self.pdftoppm, "-v"),
                (&self.pdfinfo, "-v"),
            ];
            let media_confine = (self.confine_path.as_path(), CONFINEMENT_COMMAND);
            let tools: Vec<_> = words
                .iter()
                .filter_map(|(tool, word)| Some((tool.as_deref()?, *word)))
                .chain([media_confine])
                .collect();
            confinement::run_check(
                &self.confine_path,
                &self.work_dir,
                ConfinementSpec::from_settings(&self.settings),
                &tools,
            )
        })
    }

    /// Returns the layers to apply to a tool: all that hold. A tool that does not start under them gets none,
    /// and runs only if the operator allows it. This program itself, which decodes images, is run in any
    /// case, with seccomp if that holds: it needs no file but its own.
    pub(crate) fn layers_for(&self, tool: &Path) -> Layers {
        let report = self.confinement();
        match report.unusable_among([tool]) {
            None => report.layers(),
            Some(_) if tool == self.confine_path => {
                Layers { seccomp: report.seccomp.holds, ..Layers::default() }
            }
            Some(_) => Layers::default(),
        }
    }

    /// Returns why these tools must not be run on uploaded files although they are installed, as a sentence
    /// that says what to do.
    pub(crate) fn confinement_warning<'a>(
        &'a self,
        tools: impl IntoIterator<Item = &'a Path>,
    ) -> Option<String> {
        let report = self.confinement();
        if let Some(UnusableTool { tool, reason }) = report.unusable_among(tools) {
            return Some(format!(
                "{} does not start when confined: {reason}. A media tool may only read the system's programs and \
                 libraries; install it below /usr or /usr/local, or as a single file that needs no library. \
                 VITRINE_MEDIA_WITHOUT_CONFINEMENT=true runs it without this confinement.",
                tool.display(),
            ));
        }
        (!report.is_sufficient()).then(|| {
            format!(
                "The media tools cannot be confined enough: a malicious file that takes one over could read what \
                 every user may read, or reach the network. Required are seccomp and one of Landlock and namespaces; \
                 missing: {}. VITRINE_MEDIA_WITHOUT_CONFINEMENT=true runs them anyway, for a container or a machine that \
                 isolates them itself.",
                report.missing_layers().unwrap_or_default(),
            )
        })
    }
}

/// Resolves a tool's name: a path as it is, a bare name in the folders of PATH.
fn find(tool: &Path) -> Option<PathBuf> {
    if tool.components().count() > 1 {
        return tool.is_file().then(|| tool.to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    std::env::split_paths(&path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(tool))
        .find(|file| file.is_file())
}
