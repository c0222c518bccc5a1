//! The inner side of the walls: a process that gives up what it has and then becomes the tool.
//!
//! Called as `media-box --as N --cpu N --fsize N --nproc N --uid N -- TOOL ARGS..`. It runs single-threaded
//! in a fresh process, so each step can use an ordinary safe call.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::stat::{Mode, umask};
use nix::unistd::{Gid, Uid, geteuid, setgid, setgroups, setuid};

use crate::BOX_COMMAND;

/// Status with which the box says that the walls could not be put up; the tool has not run.
pub(crate) const WALLS_FAILED: u8 = 125;
/// Open files a tool may have.
const OPEN_FILES: u64 = 128;

/// What the tool is left with.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Bytes of address space.
    pub(crate) memory: u64,
    /// Seconds of processor time.
    pub(crate) cpu: u64,
    /// Bytes of one written file.
    pub(crate) file: u64,
    /// Threads and processes of the user it runs as.
    pub(crate) threads: u64,
    /// User and group to become when started as root.
    pub(crate) uid: u32,
}

impl Limits {
    /// As arguments of the box.
    pub(crate) fn to_args(&self) -> Vec<String> {
        [
            ("--as", self.memory),
            ("--cpu", self.cpu),
            ("--fsize", self.file),
            ("--nproc", self.threads),
            ("--uid", self.uid.into()),
        ]
        .into_iter()
        .flat_map(|(name, value)| [name.to_owned(), value.to_string()])
        .collect()
    }

    /// Reads the arguments up to `--`; `None` when one is missing, unknown or no number.
    fn read(args: &mut impl Iterator<Item = OsString>) -> Option<Self> {
        let (mut memory, mut cpu, mut file, mut threads, mut uid) = (None, None, None, None, None);
        loop {
            let name = args.next()?;
            let slot = match name.to_str()? {
                "--" => break,
                "--as" => &mut memory,
                "--cpu" => &mut cpu,
                "--fsize" => &mut file,
                "--nproc" => &mut threads,
                "--uid" => &mut uid,
                _ => return None,
            };
            *slot = Some(args.next()?.to_str()?.parse::<u64>().ok()?);
        }
        Some(Self {
            memory: memory?,
            cpu: cpu?,
            file: file?,
            threads: threads?,
            uid: u32::try_from(uid?).ok()?,
        })
    }
}

/// Puts up the walls and becomes the tool. `args` are the program's arguments without its own name; the name
/// of the subcommand may stand in front. Returns only when that fails, with a status of its own.
pub fn box_main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut args = args.into_iter().skip_while(|arg| arg == BOX_COMMAND);
    let message = match Limits::read(&mut args).zip(args.next()) {
        None => "usage: media-box --as N --cpu N --fsize N --nproc N --uid N -- TOOL ARGS..".to_owned(),
        Some((limits, tool)) => match put_up(&limits) {
            Err(error) => format!("the walls could not be put up: {error}"),
            // `exec` returns only when the tool could not be started.
            Ok(()) => Command::new(tool).args(args).exec().to_string(),
        },
    };
    // Nobody is left to tell when even this fails; the status says it again.
    let _ = writeln!(io::stderr(), "media-box: {message}");
    ExitCode::from(WALLS_FAILED)
}

fn put_up(limits: &Limits) -> nix::Result<()> {
    umask(Mode::from_bits_truncate(0o077));
    let set = |resource, value| setrlimit(resource, value, value);
    set(Resource::RLIMIT_CORE, 0)?;
    set(Resource::RLIMIT_AS, limits.memory)?;
    set(Resource::RLIMIT_CPU, limits.cpu)?;
    set(Resource::RLIMIT_FSIZE, limits.file)?;
    set(Resource::RLIMIT_NOFILE, OPEN_FILES)?;
    set(Resource::RLIMIT_NPROC, limits.threads)?;
    if geteuid().is_root() {
        setgroups(&[])?;
        setgid(Gid::from_raw(limits.uid))?;
        setuid(Uid::from_raw(limits.uid))?;
        // Being root again would make every other wall useless.
        if geteuid().is_root() || setuid(Uid::from_raw(0)).is_ok() {
            return Err(nix::Error::EPERM);
        }
    }
    prctl::set_no_new_privs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Option<Limits> {
        Limits::read(&mut args.iter().map(OsString::from))
    }

    #[test]
    fn limits_survive_the_command_line() {
        let limits = Limits { memory: 1, cpu: 2, file: 3, threads: 4, uid: 5 };
        let mut args = limits.to_args();
        args.push("--".into());
        assert_eq!(Limits::read(&mut args.into_iter().map(OsString::from)), Some(limits));
    }

    #[test]
    fn a_missing_or_odd_limit_is_refused() {
        for args in [&["--"][..], &["--as", "1", "--"], &["--as"], &["--as", "x"], &["--what", "1"], &[]] {
            assert_eq!(read(args), None, "{args:?}");
        }
    }
}
