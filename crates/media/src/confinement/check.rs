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

use super::capabilities::{ConfinementReport, LayerStatus, UnusableTool};
use super::spec::{ConfinementSpec, Layers};
use super::{INPUT, OUTPUT_DIR, Reason, apply, failure};
use crate::folder::WorkFolder;
use crate::{CONFINEMENT_COMMAND, MediaSettings};

/// A file that every user may read and write, reachable only without confinement.
const OUTSIDE_FILE: &str = "../outside/file";

/// Prints [`ConfinementReport`] as JSON. `args` are a spec, whose layers are ignored, and the tools,
/// each with the argument that prints its version; or nothing.
pub(super) fn report(args: impl Iterator<Item = OsString>) -> Result<ExitCode, Reason> {
    let mut args = args.peekable();
    let spec = match args.peek() {
        None => ConfinementSpec::from_settings(&MediaSettings::default()),
        Some(_) => ConfinementSpec::parse(&mut args)
            .ok_or("usage: media-confine --check [--as N .. -- TOOL WORD ..]")?,
    };
    let setup = TestSetup::new().map_err(|error| failure("a folder for the check", error))?;
    let test = |layers| setup.test_layers(ConfinementSpec { layers, ..spec });
    let none = Layers::default();
    let mut report = ConfinementReport {
        landlock: test(Layers { landlock: true, ..none }),
        namespaces: test(Layers { namespaces: true, ..none }),
        seccomp: test(Layers { seccomp: true, ..none }),
        unusable: Vec::new(),
    };
    let spec = ConfinementSpec { layers: report.layers(), ..spec };
    while let Some((tool, word)) = args.next().zip(args.next()) {
        if let Err(reason) = setup.test_start(spec, &tool, word) {
            report.unusable.push(UnusableTool { tool: tool.into(), reason });
        }
    }
    println!("{}", serde_json::to_string(&report).map_err(|error| error.to_string())?);
    Ok(ExitCode::SUCCESS)
}

/// A folder like a job's, next to a file outside the job, and a listener on this machine.
struct TestSetup {
    folder: WorkFolder,
    listener: TcpListener,
    program: PathBuf,
}

impl TestSetup {
    fn new() -> io::Result<Self> {
        let here = std::env::current_dir()?;
        let folder = WorkFolder::new(&here).or_else(|_| WorkFolder::new(&std::env::temp_dir()))?;
        let at = |name| folder.path().join(name);
        for name in [OUTPUT_DIR, "outside"] {
            DirBuilder::new().mode(0o700).create(at(name))?;
            fs::set_permissions(at(name), Permissions::from_mode(0o777))?;
        }
        for name in ["in", "outside/file"] {
            fs::write(at(name), "content")?;
            fs::set_permissions(at(name), Permissions::from_mode(0o666))?;
        }
        fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        Ok(Self { folder, listener, program: std::env::current_exe()? })
    }

    /// Applies one layer in a separate process and tests it.
    fn test_layers(&self, spec: ConfinementSpec) -> LayerStatus {
        let port = self.listener.local_addr().map(|address| address.port().to_string());
        let words = port.map(|port| ["--test".to_owned(), port].into_iter().chain(spec.to_args()));
        match words.and_then(|words| self.run(words.map(OsString::from))) {
            Ok(output) => {
                let text = if output.status.success() { &output.stdout } else { &output.stderr };
                LayerStatus { holds: output.status.success(), note: first_line(text) }
            }
            Err(error) => LayerStatus { holds: false, note: error.to_string() },
        }
    }

    /// Starts a tool with the argument that makes it print its version and exit.
    fn test_start(&self, spec: ConfinementSpec, tool: &OsStr, word: OsString) -> Result<(), Reason> {
        let words = spec.to_args().into_iter().map(OsString::from);
        let output = self.run(words.chain([tool.to_owned(), word])).map_err(|error| error.to_string())?;
        if output.status.success() { Ok(()) } else { Err(first_line(&output.stderr)) }
    }

    fn run(&self, words: impl Iterator<Item = OsString>) -> io::Result<Output> {
        let output_dir = self.folder.path().join(OUTPUT_DIR);
        Command::new(&self.program).arg(CONFINEMENT_COMMAND).args(words).current_dir(output_dir).output()
    }
}

/// Returns the first line without the names of the program and the layer, which the reader knows.
fn first_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().next().unwrap_or_default();
    let known = ["media-confine: ", "Landlock: ", "namespaces: ", "seccomp: "];
    let line = known.iter().fold(line, |line, name| line.strip_prefix(name).unwrap_or(line));
    line.chars().take(200).collect()
}

/// Applies the layers of a spec and tests them. Succeeds if they hold, and prints the Landlock version if
/// there is one.
pub(super) fn test_layers(mut args: impl Iterator<Item = OsString>) -> Result<ExitCode, Reason> {
    let port = args.next().and_then(|port| port.to_str()?.parse().ok());
    let (port, spec) =
        port.zip(ConfinementSpec::parse(&mut args)).ok_or("usage: media-confine --test PORT --as N ..")?;
    // A test that fails without the layer proves nothing about it.
    File::open(OUTSIDE_FILE).map_err(|error| failure("the test itself does not work", error))?;
    connect(port).map_err(|error| failure("the test itself does not work", error))?;
    let version = apply(&spec, None)?;
    if spec.layers.landlock || spec.layers.namespaces {
        test_file_access()?;
    }
    if spec.layers.namespaces {
        expect_failure("a confined process reached this machine's network", connect(port))?;
    }
    if spec.layers.seccomp {
        expect_eperm("a confined process opened a network socket", connect(port))?;
        expect_eperm("a confined process opened a Unix socket", UnixDatagram::unbound())?;
        let namespace = unshare(CloneFlags::CLONE_NEWUSER).map_err(io::Error::from);
        expect_eperm("a confined process created a namespace", namespace)?;
    }
    if let Some(version) = version {
        println!("version {version}");
    }
    Ok(ExitCode::SUCCESS)
}

fn connect(port: u16) -> io::Result<TcpStream> {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port))
}

fn test_file_access() -> Result<(), Reason> {
    fs::read(INPUT).map_err(|error| failure("the input is not readable when confined", error))?;
    fs::write("file", "x")
        .map_err(|error| failure("the output folder is not writable when confined", error))?;
    expect_failure("a confined process read another file", File::open(OUTSIDE_FILE))?;
    expect_failure(
        "a confined process wrote to another file",
        File::options().append(true).open(OUTSIDE_FILE),
    )?;
    expect_failure("a confined process created a file outside its folder", File::create("../outside/new"))?;
    expect_failure("a confined process wrote to its input", File::options().append(true).open(INPUT))?;
    expect_failure("a confined process listed another folder", fs::read_dir("../outside"))
}

fn expect_failure<T>(message: &str, result: io::Result<T>) -> Result<(), Reason> {
    result.map_or(Ok(()), |_| Err(message.to_owned()))
}

/// Requires that a rule refused the call, rather than that it failed for another reason.
fn expect_eperm<T>(message: &str, result: io::Result<T>) -> Result<(), Reason> {
    match result {
        Err(error) if error.raw_os_error() == Some(Errno::EPERM as i32) => Ok(()),
        _ => Err(message.to_owned()),
    }
}
