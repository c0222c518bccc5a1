//! The layers of confinement that work on this machine, as reported by `media-box`.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::order::{Chosen, Order};
use crate::BOX_COMMAND;

/// Time limit of the check.
const PATIENCE: Duration = Duration::from_secs(30);

/// One layer of confinement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wall {
    /// True if it could be applied and stopped what it should stop.
    pub holds: bool,
    /// Details, or the reason it does not hold.
    pub note: String,
}

/// A tool that does not start when confined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stuck {
    /// The program file.
    pub tool: PathBuf,
    /// The error of the failed start.
    pub reason: String,
}

/// The layers of confinement on this machine. Limits, a timeout and (for root) another user exist on every
/// machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walls {
    /// Limits reading to programs, libraries and the input, and writing to the job's folder.
    pub landlock: Wall,
    /// Does the same with a separate root file system, and hides the network and other processes.
    pub namespaces: Wall,
    /// Blocks system calls that no media tool needs, above all sockets.
    pub seccomp: Wall,
    /// Tools that do not start under the layers that hold.
    pub stuck: Vec<Stuck>,
}

impl Walls {
    /// Returns true if uploaded files may be opened under these layers: no other file and no network is
    /// reachable.
    pub fn enough(&self) -> bool {
        self.seccomp.holds && (self.landlock.holds || self.namespaces.holds)
    }

    /// Lists the layers that hold, as text.
    pub fn standing(&self) -> String {
        let standing = self.each().into_iter().filter(|(_, wall)| wall.holds);
        let named: Vec<_> = standing.map(|(name, wall)| join(name, &wall.note)).collect();
        if named.is_empty() { "none".to_owned() } else { named.join(", ") }
    }

    /// Lists the layers that do not hold with the reasons, or returns `None` if all do.
    pub fn open(&self) -> Option<String> {
        let open = self.each().into_iter().filter(|(_, wall)| !wall.holds);
        let named: Vec<_> = open.map(|(name, wall)| join(name, &wall.note)).collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    fn each(&self) -> [(&'static str, &Wall); 3] {
        [("Landlock", &self.landlock), ("namespaces", &self.namespaces), ("seccomp", &self.seccomp)]
    }

    /// Returns the first of these tools that does not start when confined.
    pub(crate) fn stuck_of<'a>(&self, tools: impl IntoIterator<Item = &'a Path>) -> Option<&Stuck> {
        let mut tools = tools.into_iter();
        tools.find_map(|tool| self.stuck.iter().find(|stuck| stuck.tool == tool))
    }

    /// Returns the layers to apply to a tool.
    pub(crate) fn chosen(&self) -> Chosen {
        Chosen {
            landlock: self.landlock.holds,
            namespaces: self.namespaces.holds,
            seccomp: self.seccomp.holds,
        }
    }

    /// Returns a result in which no layer holds, for this reason.
    fn unknown(reason: &str) -> Self {
        let wall = Wall { holds: false, note: reason.to_owned() };
        Self { landlock: wall.clone(), namespaces: wall.clone(), seccomp: wall, stuck: Vec::new() }
    }
}

fn join(name: &str, note: &str) -> String {
    if note.is_empty() { name.to_owned() } else { format!("{name} ({note})") }
}

/// Runs the check in a folder of `work_dir`. Each tool is given with the argument that makes it print its
/// version and exit. Blocks for a fraction of a second.
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
        Walls::unknown(&format!("{} could not run the check: {error}", box_path.display()))
    })
}

fn hear(mut child: Child) -> io::Result<Vec<u8>> {
    let Some(mut pipe) = child.stdout.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    let (tell, told) = mpsc::channel();
    let listener = std::thread::spawn(move || {
        let mut said = Vec::new();
        let read = pipe.read_to_end(&mut said).map(|_| said);
        // After a timeout, nothing receives this any more.
        let _ = tell.send(read);
    });
    let said = told.recv_timeout(PATIENCE);
    if said.is_err() {
        child.kill()?;
    }
    child.wait()?;
    let said = said.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
    // The process has exited, so the pipe is closed.
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
