//! Finds out which layers of confinement work on this machine. Each is applied in a separate process, which
//! then tries what the layer should stop and what it could do before. Finally the tools are started under all
//! layers that work.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output};

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};

use super::order::{Chosen, Order};
use super::seen::{Stuck, Wall, Walls};
use super::{INPUT, Reason, because, put_up};
use crate::folder::WorkFolder;
use crate::{BOX_COMMAND, MediaSettings};

/// A file that every user may read and write, reachable only without confinement.
const BAIT: &str = "../bait/file";

/// Prints [`Walls`] as JSON. `args` are an order, whose layers are ignored, and the tools, each with the
/// argument that prints its version; or nothing.
pub(super) fn tell(args: impl Iterator<Item = OsString>) -> Result<ExitCode, Reason> {
    let mut args = args.peekable();
    let order = match args.peek() {
        None => Order::of(&MediaSettings::default()),
        Some(_) => Order::read(&mut args).ok_or("usage: media-box --check [--as N .. -- TOOL WORD ..]")?,
    };
    let stage = Stage::new().map_err(|error| because("a folder for the check", error))?;
    let tried = |walls| stage.tried(Order { walls, ..order });
    let none = Chosen::default();
    let mut walls = Walls {
        landlock: tried(Chosen { landlock: true, ..none }),
        namespaces: tried(Chosen { namespaces: true, ..none }),
        seccomp: tried(Chosen { seccomp: true, ..none }),
        stuck: Vec::new(),
    };
    let order = Order { walls: walls.chosen(), ..order };
    while let Some((tool, word)) = args.next().zip(args.next()) {
        if let Err(reason) = stage.started(order, &tool, word) {
            walls.stuck.push(Stuck { tool: tool.into(), reason });
        }
    }
    println!("{}", serde_json::to_string(&walls).map_err(|error| error.to_string())?);
    Ok(ExitCode::SUCCESS)
}

/// A folder like a job's, next to a file outside the job, and a listener on this machine.
struct Stage {
    folder: WorkFolder,
    listener: TcpListener,
    program: PathBuf,
}

impl Stage {
    fn new() -> io::Result<Self> {
        let here = std::env::current_dir()?;
        let folder = WorkFolder::new(&here).or_else(|_| WorkFolder::new(&std::env::temp_dir()))?;
        let at = |name| folder.path().join(name);
        for name in ["room", "bait"] {
            DirBuilder::new().mode(0o700).create(at(name))?;
            fs::set_permissions(at(name), Permissions::from_mode(0o777))?;
        }
        for name in ["in", "bait/file"] {
            fs::write(at(name), "seen")?;
            fs::set_permissions(at(name), Permissions::from_mode(0o666))?;
        }
        fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        Ok(Self { folder, listener, program: std::env::current_exe()? })
    }

    /// Applies one layer in a separate process and tests it.
    fn tried(&self, order: Order) -> Wall {
        let port = self.listener.local_addr().map(|address| address.port().to_string());
        let words = port.map(|port| ["--prove".to_owned(), port].into_iter().chain(order.to_args()));
        match words.and_then(|words| self.run(words.map(OsString::from))) {
            Ok(output) => {
                let said = if output.status.success() { &output.stdout } else { &output.stderr };
                Wall { holds: output.status.success(), note: first_of(said) }
            }
            Err(error) => Wall { holds: false, note: error.to_string() },
        }
    }

    /// Starts a tool with the argument that makes it print its version and exit.
    fn started(&self, order: Order, tool: &OsStr, word: OsString) -> Result<(), Reason> {
        let words = order.to_args().into_iter().map(OsString::from);
        let output = self.run(words.chain([tool.to_owned(), word])).map_err(|error| error.to_string())?;
        if output.status.success() { Ok(()) } else { Err(first_of(&output.stderr)) }
    }

    fn run(&self, words: impl Iterator<Item = OsString>) -> io::Result<Output> {
        let room = self.folder.path().join("room");
        Command::new(&self.program).arg(BOX_COMMAND).args(words).current_dir(room).output()
    }
}

/// Returns the first line without the names of the program and the layer, which the reader knows.
fn first_of(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    let line = said.lines().next().unwrap_or_default();
    let known = ["media-box: ", "Landlock: ", "namespaces: ", "seccomp: "];
    let line = known.iter().fold(line, |line, name| line.strip_prefix(name).unwrap_or(line));
    line.chars().take(200).collect()
}

/// Applies the layers of an order and tests them. Succeeds if they hold, and prints the Landlock version if
/// there is one.
pub(super) fn prove(mut args: impl Iterator<Item = OsString>) -> Result<ExitCode, Reason> {
    let port = args.next().and_then(|port| port.to_str()?.parse().ok());
    let (port, order) = port.zip(Order::read(&mut args)).ok_or("usage: media-box --prove PORT --as N ..")?;
    // A test that fails without the layer proves nothing about it.
    File::open(BAIT).map_err(|error| because("the test itself does not work", error))?;
    connect(port).map_err(|error| because("the test itself does not work", error))?;
    let version = put_up(&order, None)?;
    if order.walls.landlock || order.walls.namespaces {
        files_are_closed()?;
    }
    if order.walls.namespaces {
        refused("a confined process reached this machine's network", connect(port))?;
    }
    if order.walls.seccomp {
        forbidden("a confined process opened a network socket", connect(port))?;
        forbidden("a confined process opened a Unix socket", UnixDatagram::unbound())?;
        let world = unshare(CloneFlags::CLONE_NEWUSER).map_err(io::Error::from);
        forbidden("a confined process created a namespace", world)?;
    }
    if let Some(version) = version {
        println!("version {version}");
    }
    Ok(ExitCode::SUCCESS)
}

fn connect(port: u16) -> io::Result<TcpStream> {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port))
}

fn files_are_closed() -> Result<(), Reason> {
    fs::read(INPUT).map_err(|error| because("the input is not readable when confined", error))?;
    fs::write("proof", "x")
        .map_err(|error| because("the output folder is not writable when confined", error))?;
    refused("a confined process read another file", File::open(BAIT))?;
    refused("a confined process wrote to another file", File::options().append(true).open(BAIT))?;
    refused("a confined process created a file outside its folder", File::create("../bait/new"))?;
    refused("a confined process wrote to its input", File::options().append(true).open(INPUT))?;
    refused("a confined process listed another folder", fs::read_dir("../bait"))
}

fn refused<T>(otherwise: &str, tried: io::Result<T>) -> Result<(), Reason> {
    tried.map_or(Ok(()), |_| Err(otherwise.to_owned()))
}

/// Requires that a rule refused the call, rather than that it failed for another reason.
fn forbidden<T>(otherwise: &str, tried: io::Result<T>) -> Result<(), Reason> {
    match tried {
        Err(error) if error.raw_os_error() == Some(Errno::EPERM as i32) => Ok(()),
        _ => Err(otherwise.to_owned()),
    }
}
