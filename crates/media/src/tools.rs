//! The tools of this machine: where they are, what stands around them, how many run at a time.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tokio::sync::Semaphore;

use crate::folder::make_work_dir;
use crate::walls::{self, Chosen, Order};
use crate::{BOX_COMMAND, MediaSettings, Stuck, Walls, redraw, tone};

/// What all handles of the tools share.
pub(crate) struct Inner {
    pub(crate) settings: MediaSettings,
    pub(crate) ffprobe: Option<PathBuf>,
    pub(crate) ffmpeg: Option<PathBuf>,
    pub(crate) pdftoppm: Option<PathBuf>,
    pub(crate) box_path: PathBuf,
    /// Jobs get their folders in here; on the file system of the storage, so that input can be linked.
    pub(crate) work_dir: PathBuf,
    pub(crate) turns: Semaphore,
    /// Images that are decoded at a time: people wait for them, so they never wait for a film.
    pub(crate) images: Semaphore,
    /// Found out once, when it is first asked for.
    walls: OnceLock<Walls>,
    /// The same of the filters that a film with more light needs.
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

    /// Whether ffmpeg knows the filters for more light. It sees nobody's file meanwhile, and so needs no walls.
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

    /// The walls to put up around a tool: all that hold. Around one that does not start behind them there are none, and
    /// it is not run unless the operator takes that upon themselves. This program itself, which decodes images, is run
    /// in any case, and needs no file but its own.
    pub(crate) fn chosen(&self, tool: &Path) -> Chosen {
        let walls = self.walls();
        match walls.stuck_of([tool]) {
            None => walls.chosen(),
            Some(_) if tool == self.box_path => Chosen { seccomp: walls.seccomp.holds, ..Chosen::default() },
            Some(_) => Chosen::default(),
        }
    }

    /// What keeps these tools from running on people's files although they are there, as a sentence that says what to
    /// do.
    pub(crate) fn obstacle<'a>(&'a self, tools: impl IntoIterator<Item = &'a Path>) -> Option<String> {
        let walls = self.walls();
        if let Some(Stuck { tool, reason }) = walls.stuck_of(tools) {
            return Some(format!(
                "{} does not start behind the walls: {reason}. A media tool may read programs and libraries of the \
                 system only; install it below /usr or /usr/local, or one file that needs no library. \
                 VITRINE_MEDIA_WITHOUT_WALLS=true runs it without walls.",
                tool.display(),
            ));
        }
        (!walls.enough()).then(|| {
            format!(
                "The media tools have too few walls around them: a file made to take one over could read what every \
                 user may read, or reach the network. Needed are seccomp and one of Landlock and namespaces; missing: \
                 {}. VITRINE_MEDIA_WITHOUT_WALLS=true runs them all the same, where a container or a machine of its \
                 own is wall enough.",
                walls.open().unwrap_or_default(),
            )
        })
    }
}

/// The file a tool's name stands for: a path as it is, a bare name from the usual places of programs.
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
