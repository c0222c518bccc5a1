//! The inner side of the walls: a process that gives up what it has and then becomes the tool, or waits for it.
//!
//! Called as `media-box --as N --cpu N --fsize N --nproc N --uid N --walls A,B -- TOOL ARGS..` in the folder the tool
//! works in, with the input at `../in`. It puts up every wall it is told to, or ends without having run the tool;
//! which walls hold on a machine is asked beforehand, with `media-box --check` ([`check`]). The tool may be this program
//! itself, as `media-box --redraw` ([`redraw::main`]). It runs single-threaded
//! in a fresh process, so each step can use an ordinary safe call.

mod calls;
mod check;
mod files;
mod order;
mod seen;
mod spaces;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::stat::{Mode, umask};
use nix::unistd::{Gid, Uid, geteuid, setgid, setgroups, setuid};

use crate::folder::note_group;
use crate::redraw::REDRAW;
use crate::{BOX_COMMAND, redraw};

pub(crate) use order::{Chosen, Limits, Order};
pub(crate) use seen::ask;
pub use seen::{Stuck, Wall, Walls};

/// Status with which the box says that the walls could not be put up; the tool has not run.
pub(crate) const WALLS_FAILED: u8 = 125;
/// Open files a tool may have.
const OPEN_FILES: u64 = 128;
/// Says how much memory the server's allocator sets aside, in KiB. The usual gigabyte is more than some tools may have,
/// so that the box could start none.
pub(crate) const ARENA_RESERVE: &str = "MIMALLOC_ARENA_RESERVE";
/// How much nicer to everybody else a tool is than the server that starts it: while others want the processor or the
/// disk, it gets about a tenth of what one of them gets.
const NICER: i32 = 10;
/// The input as the tool sees it from the folder it works in.
pub(crate) const INPUT: &str = "../in";

/// Why a wall does not stand, for the person who runs the server.
pub(crate) type Reason = String;

/// Says what failed, and how.
pub(crate) fn because(what: &str, error: impl std::fmt::Display) -> Reason {
    format!("{what}: {error}")
}

/// Puts up the walls and runs the tool. `args` are the program's arguments without its own name; the name of the
/// subcommand may stand in front. With `--check` it tells which walls hold on this machine, as JSON.
pub fn box_main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut args = args.into_iter().skip_while(|arg| arg == BOX_COMMAND).peekable();
    let done = match args.peek().and_then(|arg| arg.to_str()) {
        Some("--check") => check::tell(args.skip(1)),
        Some("--prove") => check::prove(args.skip(1)),
        Some(REDRAW) => redraw::main(args.skip(1)),
        // Told nothing, it does nothing: so it is found out whether this program starts behind the walls.
        None => Ok(ExitCode::SUCCESS),
        _ => run(args),
    };
    done.unwrap_or_else(|reason| {
        // Nobody is left to tell when even this fails; the status says it again.
        let _ = writeln!(io::stderr(), "media-box: {reason}");
        ExitCode::from(WALLS_FAILED)
    })
}

/// Returns only when the tool runs below, in a world of its own, and has ended; or when it could not be started.
fn run(mut args: impl Iterator<Item = OsString>) -> Result<ExitCode, Reason> {
    let usage = "usage: media-box --as N --cpu N --fsize N --nproc N --uid N --walls A,B -- TOOL ARGS..";
    let (order, tool) = Order::read(&mut args).zip(args.next()).ok_or(usage)?;
    let tool = place_of(Path::new(&tool))?;
    note_group(Path::new(".."));
    put_up(&order, Some(&tool)).map_err(|reason| because("the walls could not be put up", reason))?;
    let mut command = Command::new(&tool);
    command.args(args).env_remove(ARENA_RESERVE);
    if !order.walls.namespaces {
        return Err(because("the tool could not be started", command.exec()));
    }
    // Only children of this process are in the new world of processes; the first one's end ends it.
    let status = command.status().map_err(|error| because("the tool could not be started", error))?;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
}

/// Where a tool really lies: links to it may lead through folders that are about to be out of reach.
fn place_of(tool: &Path) -> Result<PathBuf, Reason> {
    tool.canonicalize().map_err(|error| because(&tool.display().to_string(), error))
}

/// Puts up every wall of the order, in the one sequence in which each can still be built behind the last. Returns
/// the kernel's version of Landlock, where that was asked for.
fn put_up(order: &Order, tool: Option<&Path>) -> Result<Option<i32>, Reason> {
    let Order { limits, walls, uid } = order;
    // The kernel takes the turn at the disk from this as well.
    rustix::process::nice(NICER).map_err(|error| because("less of the processor", error))?;
    // What is built for the tool must be open to the user it runs as; what it writes is for nobody else.
    umask(Mode::from_bits_truncate(0o022));
    set_limits(limits).map_err(|error| because("limits", error))?;
    let mut threads = limits.threads;
    if walls.namespaces {
        let apart = spaces::enter(*uid, tool)?;
        threads = if apart { threads.min(spaces::THREADS) } else { threads };
    } else {
        become_other(*uid).map_err(|error| because("another user", error))?;
    }
    setrlimit(Resource::RLIMIT_NPROC, threads, threads).map_err(|error| because("limits", error))?;
    let version = if walls.landlock { Some(files::close(tool)?) } else { None };
    umask(Mode::from_bits_truncate(0o077));
    prctl::set_no_new_privs().map_err(|error| because("no_new_privs", error))?;
    if walls.seccomp {
        calls::close(!walls.namespaces)?;
    }
    Ok(version)
}

fn set_limits(limits: &Limits) -> nix::Result<()> {
    let set = |resource, value| setrlimit(resource, value, value);
    set(Resource::RLIMIT_CORE, 0)?;
    set(Resource::RLIMIT_AS, limits.memory)?;
    set(Resource::RLIMIT_CPU, limits.cpu)?;
    set(Resource::RLIMIT_FSIZE, limits.file)?;
    set(Resource::RLIMIT_NOFILE, OPEN_FILES)
}

/// Gives up being root, for good. Whoever is not root stays who they are.
fn become_other(uid: u32) -> nix::Result<()> {
    if !geteuid().is_root() {
        return Ok(());
    }
    setgroups(&[])?;
    setgid(Gid::from_raw(uid))?;
    setuid(Uid::from_raw(uid))?;
    // Being root again would make every other wall useless.
    match geteuid().is_root() || setuid(Uid::from_raw(0)).is_ok() {
        true => Err(nix::Error::EPERM),
        false => Ok(()),
    }
}
