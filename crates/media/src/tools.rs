//! The tools of this machine: where they are, how they are confined, how many run at a time.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tokio::sync::Semaphore;

use crate::folder::make_work_dir;
use crate::walls::{self, Chosen, Order};
use crate::{BOX_COMMAND, MediaSettings, Stuck, Walls, redraw, tone};

/// State shared by all handles of the tools.
pub(crate) struct Inner {
    pub(crate) settings: MediaSettings,
    pub(crate) ffprobe: Option<PathBuf>,
    pub(crate) ffmpeg: Option<PathBuf>,
    pub(crate) pdftoppm: Option<PathBuf>,
    pub(crate) box_path: PathBuf,
    /// Parent of the job folders. On the file system of the storage, inputs can be hard-linked.
    pub(crate) work_dir: PathBuf,
    pub(crate) turns: Semaphore,
    /// Images that are decoded at a time. They do not wait for videos, because people wait for them.
    pub(crate) images: Semaphore,
    /// Determined on first use.
    walls: OnceLock<Walls>,
    /// Whether ffmpeg has the tone-mapping filters; determined on first use.
    maps: OnceLock<bool>,
}

impl Inner {
    pub(crate) fn open(settings: MediaSettings, work_dir: &Path) -> io::Result<Self> {
        make_work_dir(work_dir)?;
        let box_path = match settings.box_path.as_os_str().is_empty() {
            true => std::env::current_exe()?,
            false => settings.box_path.clone(),
        };
        Ok(Self {
            ffprobe: find(&settings.ffprobe),
            ffmpeg: find(&settings.ffmpeg),
            pdftoppm: find(&settings.pdftoppm),
            box_path,
            work_dir: work_dir.canonicalize()?,
            turns: Semaphore::new(settings.tools_at_once()),
            images: Semaphore::new(redraw::AT_ONCE),
            walls: OnceLock::new(),
            maps: OnceLock::new(),
            settings,
        })
    }

    /// Returns true if ffmpeg has the tone-mapping filters. It opens no uploaded file here, so it is not
    /// confined.
    pub(crate) fn tone_maps(&self) -> bool {
        *self.maps.get_or_init(|| {
            let Some(ffmpeg) = &self.ffmpeg else { return false };
            let mut command = Command::new(ffmpeg);
            command.args(["-nostdin", "-hide_banner", "-filters"]).env_clear().env("LC_ALL", "C");
            let said = command.stdin(Stdio::null()).output();
            said.is_ok_and(|said| tone::knows_all(&String::from_utf8_lossy(&said.stdout)))
        })
    }

    pub(crate) fn walls(&self) -> &Walls {
        self.walls.get_or_init(|| {
            let words = [(&self.ffprobe, "-version"), (&self.ffmpeg, "-version"), (&self.pdftoppm, "-v")];
            let own = (self.box_path.as_path(), BOX_COMMAND);
            let tools: Vec<_> = words
                .iter()
                .filter_map(|(tool, word)| Some((tool.as_deref()?, *word)))
                .chain([own])
                .collect();
            walls::ask(&self.box_path, &self.work_dir, Order::of(&self.settings), &tools)
        })
    }

    /// Returns the layers to apply to a tool: all that hold. A tool that does not start under them gets none,
    /// and runs only if the operator allows it. This program itself, which decodes images, is run in any
    /// case, with seccomp if that holds: it needs no file but its own.
    pub(crate) fn chosen(&self, tool: &Path) -> Chosen {
        let walls = self.walls();
        match walls.stuck_of([tool]) {
            None => walls.chosen(),
            Some(_) if tool == self.box_path => Chosen { seccomp: walls.seccomp.holds, ..Chosen::default() },
            Some(_) => Chosen::default(),
        }
    }

    /// Returns why these tools must not be run on uploaded files although they are installed, as a sentence
    /// that says what to do.
    pub(crate) fn obstacle<'a>(&'a self, tools: impl IntoIterator<Item = &'a Path>) -> Option<String> {
        let walls = self.walls();
        if let Some(Stuck { tool, reason }) = walls.stuck_of(tools) {
            return Some(format!(
                "{} does not start when confined: {reason}. A media tool may only read the system's programs and \
                 libraries; install it below /usr or /usr/local, or as a single file that needs no library. \
                 VITRINE_MEDIA_WITHOUT_WALLS=true runs it without this confinement.",
                tool.display(),
            ));
        }
        (!walls.enough()).then(|| {
            format!(
                "The media tools cannot be confined enough: a malicious file that takes one over could read what \
                 every user may read, or reach the network. Required are seccomp and one of Landlock and namespaces; \
                 missing: {}. VITRINE_MEDIA_WITHOUT_WALLS=true runs them anyway, for a container or a machine that \
                 isolates them itself.",
                walls.open().unwrap_or_default(),
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
