//! The confined side: a process that gives up its privileges and then becomes the tool, or waits for it.
//!
//! Called as `media-confine --as N --cpu N --fsize N --nproc N --nice N --uid N --layers A,B -- TOOL ARGS..` in
//! the folder the tool works in, with the input at `../in`. It applies every layer of confinement it is asked
//! for, or exits without having run the tool. Which layers work on a machine is found out beforehand with
//! `media-confine --check` ([`check`]). The tool may be this program itself, as `media-confine --reencode`
//! ([`reencode::main`]). It runs single-threaded in a fresh process, so each step can use an ordinary safe call.

mod capabilities;
mod check;
mod landlock;
mod namespaces;
mod seccomp;
mod spec;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::stat::{Mode, umask};
use nix::unistd::{Gid, Uid, geteuid, setgid, setgroups, setuid};

use crate::folder::record_group;
use crate::reencode::REENCODE;
use crate::{CONFINEMENT_COMMAND, reencode};

pub(crate) use capabilities::run_check;
pub use capabilities::{ConfinementReport, LayerStatus, UnusableTool};
pub(crate) use spec::{ConfinementSpec, Layers, Limits};

/// Exit status if the confinement could not be applied; the tool has not run.
pub(crate) const CONFINEMENT_FAILED: u8 = 125;
/// Open files a tool may have.
const OPEN_FILES: u64 = 128;
/// Environment variable that sets how much memory the server's allocator reserves, in KiB. The default of one
/// gigabyte is more than the address space some tools may have, and `media-confine` could not start under their
/// limit.
pub(crate) const ARENA_RESERVE: &str = "MIMALLOC_ARENA_RESERVE";
/// How much higher a tool's nice value is than that of the server, unless someone waits for it: while other
/// processes want the processor or the disk, a tool gets about a tenth of the share of one of them.
pub(crate) const NICE_INCREMENT: i32 = 10;
/// The input, relative to the folder the tool works in.
pub(crate) const INPUT: &str = "../in";
/// The folder the tool works in, next to the input.
pub(crate) const OUTPUT_DIR: &str = "output";

/// Why a layer of confinement could not be applied, for the operator.
pub(crate) type Reason = String;

/// Formats what failed and why.
pub(crate) fn failure(what: &str, error: impl std::fmt::Display) -> Reason {
    format!("{what}: {error}")
}

/// Applies the confinement and runs the tool. `args` are the program's arguments without its own name; the
/// name of the subcommand may come first. With `--check`, prints which layers work on this machine, as JSON.
pub fn confinement_main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut args = args.into_iter().skip_while(|arg| arg == CONFINEMENT_COMMAND).peekable();
    let done = match args.peek().and_then(|arg| arg.to_str()) {
        Some("--check") => check::report(args.skip(1)),
        Some("--test") => check::test_layers(args.skip(1)),
        Some(REENCODE) => reencode::main(args.skip(1)),
        // Without arguments it does nothing, which tests whether this program itself starts when confined.
        None => Ok(ExitCode::SUCCESS),
        _ => run(args),
    };
    done.unwrap_or_else(|reason| {
        // If even this fails, the exit status still reports the failure.
        let _ = writeln!(io::stderr(), "media-confine: {reason}");
        ExitCode::from(CONFINEMENT_FAILED)
    })
}

/// Applies the confinement and runs the tool. With namespaces, waits for the tool and returns its status;
/// otherwise the process becomes the tool, and this returns only if it could not be started.
fn run(mut args: impl Iterator<Item = OsString>) -> Result<ExitCode, Reason> {
    let usage = "usage: media-confine --as N --cpu N --fsize N --nproc N --nice N --uid N --layers A,B -- \
                 TOOL ARGS..";
    let (spec, tool) = ConfinementSpec::parse(&mut args).zip(args.next()).ok_or(usage)?;
    let tool = resolve_tool(Path::new(&tool))?;
    record_group(Path::new(".."));
    apply(&spec, Some(&tool)).map_err(|reason| failure("the confinement could not be applied", reason))?;
    let mut command = Command::new(&tool);
    command.args(args).env_remove(ARENA_RESERVE);
    if !spec.layers.namespaces {
        return Err(failure("the tool could not be started", command.exec()));
    }
    // Only children of this process are in the new PID namespace. The first child's exit ends the namespace.
    let status = command.status().map_err(|error| failure("the tool could not be started", error))?;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
}

/// Resolves symbolic links to the tool: they may lead through folders that are about to become unreachable.
fn resolve_tool(tool: &Path) -> Result<PathBuf, Reason> {
    tool.canonicalize().map_err(|error| failure(&tool.display().to_string(), error))
}

/// Applies every layer that `spec` asks for, in the one sequence in which each can still be applied after
/// the last. Returns the kernel's Landlock version if Landlock was asked for.
fn apply(spec: &ConfinementSpec, tool: Option<&Path>) -> Result<Option<i32>, Reason> {
    let ConfinementSpec { limits, layers, uid } = spec;
    // The kernel derives the I/O priority from the nice value as well.
    rustix::process::nice(limits.nice).map_err(|error| failure("the nice value", error))?;
    // The new root must be readable by the user the tool runs as; the tool's own files are private.
    umask(Mode::from_bits_truncate(0o022));
    set_limits(limits).map_err(|error| failure("limits", error))?;
    let mut threads = limits.threads;
    if layers.namespaces {
        let counted_per_job = namespaces::enter(*uid, tool)?;
        threads = if counted_per_job { threads.min(namespaces::THREADS) } else { threads };
    } else {
        drop_privileges(*uid).map_err(|error| failure("the switch to another user", error))?;
    }
    setrlimit(Resource::RLIMIT_NPROC, threads, threads).map_err(|error| failure("limits", error))?;
    let version = if layers.landlock { Some(landlock::apply(tool)?) } else { None };
    umask(Mode::from_bits_truncate(0o077));
    prctl::set_no_new_privs().map_err(|error| failure("no_new_privs", error))?;
    if layers.seccomp {
        seccomp::apply(!layers.namespaces)?;
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

/// Gives up root for good. Does nothing if the process is not root.
fn drop_privileges(uid: u32) -> nix::Result<()> {
    if !geteuid().is_root() {
        return Ok(());
    }
    setgroups(&[])?;
    setgid(Gid::from_raw(uid))?;
    setuid(Uid::from_raw(uid))?;
    // A process that could become root again could undo every other layer.
    if geteuid().is_root() || setuid(Uid::from_raw(0)).is_ok() { Err(nix::Error::EPERM) } else { Ok(()) }
}
