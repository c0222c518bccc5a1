//! Which walls hold on this machine, as the box itself found out.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::order::{Chosen, Order};
use crate::BOX_COMMAND;

/// How long the box may take to find out.
const PATIENCE: Duration = Duration::from_secs(30);

/// One wall.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wall {
    /// Whether it was put up and what it should stop was stopped.
    pub holds: bool,
    /// Something about it; why not, when it does not hold.
    pub note: String,
}

/// A tool that does not start behind the walls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stuck {
    /// Its file.
    pub tool: PathBuf,
    /// What it said.
    pub reason: String,
}

/// The walls of this machine, beside limits, a timer and (for root) another user, which are there on every one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walls {
    /// Reads only programs, libraries and the input; writes only in the job's folder.
    pub landlock: Wall,
    /// The same by a file system of the job's own, and neither network nor other processes.
    pub namespaces: Wall,
    /// Calls that no media tool needs fail, sockets first of all.
    pub seccomp: Wall,
    /// Tools that do not start behind the walls that hold.
    pub stuck: Vec<Stuck>,
}

impl Walls {
    /// Whether people's files may be opened behind them: no file and no network is within reach.
    pub fn enough(&self) -> bool {
        self.seccomp.holds && (self.landlock.holds || self.namespaces.holds)
    }

    /// The ones that hold, for people.
    pub fn standing(&self) -> String {
        let standing = self.each().into_iter().filter(|(_, wall)| wall.holds);
        let named: Vec<_> = standing.map(|(name, wall)| join(name, &wall.note)).collect();
        if named.is_empty() { "none".to_owned() } else { named.join(", ") }
    }

    /// The ones that do not, with the reasons; `None` when all of them do.
    pub fn open(&self) -> Option<String> {
        let open = self.each().into_iter().filter(|(_, wall)| !wall.holds);
        let named: Vec<_> = open.map(|(name, wall)| join(name, &wall.note)).collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    fn each(&self) -> [(&'static str, &Wall); 3] {
        [("Landlock", &self.landlock), ("namespaces", &self.namespaces), ("seccomp", &self.seccomp)]
    }

    /// The first of these tools that does not start behind them.
    pub(crate) fn stuck_of<'a>(&self, tools: impl IntoIterator<Item = &'a Path>) -> Option<&Stuck> {
        let mut tools = tools.into_iter();
        tools.find_map(|tool| self.stuck.iter().find(|stuck| stuck.tool == tool))
    }

    /// The ones to put up around a tool.
    pub(crate) fn chosen(&self) -> Chosen {
        Chosen {
            landlock: self.landlock.holds,
            namespaces: self.namespaces.holds,
            seccomp: self.seccomp.holds,
        }
    }

    /// Nothing is known, for this reason.
    fn unknown(reason: &str) -> Self {
        let wall = Wall { holds: false, note: reason.to_owned() };
        Self { landlock: wall.clone(), namespaces: wall.clone(), seccomp: wall, stuck: Vec::new() }
    }
}

fn join(name: &str, note: &str) -> String {
    if note.is_empty() { name.to_owned() } else { format!("{name} ({note})") }
}

/// Lets the box find out, in a folder of `work_dir`; each tool comes with the word on which it tells its version and
/// ends. Blocks for a part of a second.
pub(crate) fn ask(box_path: &Path, work_dir: &Path, order: Order, tools: &[(&Path, &str)]) -> Walls {
    let child = Command::new(box_path)
        .args([BOX_COMMAND, "--check"])
        .args(order.to_args())
        .args(tools.iter().flat_map(|(tool, word)| [tool.as_os_str(), OsStr::new(word)]))
        .env_clear()
        .env("LC_ALL", "C")
        .current_dir(work_dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let said = child.and_then(hear).map_err(|error| error.to_string());
    let walls = said.and_then(|said| serde_json::from_slice(&said).map_err(|error| error.to_string()));
    walls.unwrap_or_else(|error| {
        Walls::unknown(&format!("{} could not find out: {error}", box_path.display()))
    })
}

fn hear(mut child: Child) -> io::Result<Vec<u8>> {
    let Some(mut pipe) = child.stdout.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    let (tell, told) = mpsc::channel();
    let listener = std::thread::spawn(move || {
        let mut said = Vec::new();
        let read = pipe.read_to_end(&mut said).map(|_| said);
        // Nobody waits any more when it took too long.
        let _ = tell.send(read);
    });
    let said = told.recv_timeout(PATIENCE);
    if said.is_err() {
        child.kill()?;
    }
    child.wait()?;
    let said = said.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
    // It has said its last word.
    let _ = listener.join();
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walls(landlock: bool, namespaces: bool, seccomp: bool) -> Walls {
        let wall = |holds| Wall { holds, note: if holds { String::new() } else { "no".to_owned() } };
        let (landlock, namespaces, seccomp) = (wall(landlock), wall(namespaces), wall(seccomp));
        Walls { landlock, namespaces, seccomp, stuck: Vec::new() }
    }

    #[test]
    fn files_and_network_have_to_be_closed_both() {
        for (landlock, namespaces, seccomp, enough) in [
            (true, true, true, true),
            (true, false, true, true),
            (false, true, true, true),
            (true, true, false, false),
            (false, false, true, false),
            (false, false, false, false),
        ] {
            assert_eq!(
                walls(landlock, namespaces, seccomp).enough(),
                enough,
                "{landlock} {namespaces} {seccomp}"
            );
        }
    }

    #[test]
    fn people_are_told_which_walls_stand_and_why_the_others_do_not() {
        let some = walls(true, false, true);
        assert_eq!(some.standing(), "Landlock, seccomp");
        assert_eq!(some.open().as_deref(), Some("namespaces (no)"));
        assert_eq!(walls(true, true, true).open(), None);
        assert_eq!(walls(false, false, false).standing(), "none");
    }

    #[test]
    fn a_box_that_cannot_find_out_leaves_every_wall_open() {
        let limits = crate::walls::Limits { memory: 1, cpu: 1, file: 1, threads: 1 };
        let order = Order { limits, uid: 1, walls: Chosen::default() };
        for no_box in ["/nowhere/box", "/bin/true"] {
            let walls = ask(Path::new(no_box), Path::new("/"), order, &[]);
            assert!(!walls.enough() && walls.chosen() == Chosen::default());
            assert!(walls.open().is_some_and(|open| open.contains(no_box)), "{walls:?}");
        }
    }
}
