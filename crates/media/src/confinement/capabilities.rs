//! The layers of confinement that work on this machine, as reported by `media-confine`.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::spec::{ConfinementSpec, Layers};
use crate::CONFINEMENT_COMMAND;

/// Time limit of the check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(30);

/// One layer of confinement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerStatus {
    /// True if it could be applied and stopped what it should stop.
    pub holds: bool,
    /// Details, or the reason it does not hold.
    pub note: String,
}

/// A tool that does not start when confined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnusableTool {
    /// The program file.
    pub tool: PathBuf,
    /// The error of the failed start.
    pub reason: String,
}

/// The layers of confinement on this machine. Limits, a timeout and (for root) another user exist on every
/// machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfinementReport {
    /// Limits reading to programs, libraries and the input, and writing to the job's folder.
    pub landlock: LayerStatus,
    /// Does the same with a separate root file system, and hides the network and other processes.
    pub namespaces: LayerStatus,
    /// Blocks system calls that no media tool needs, above all sockets.
    pub seccomp: LayerStatus,
    /// Tools that do not start under the layers that hold.
    pub unusable: Vec<UnusableTool>,
}

impl ConfinementReport {
    /// Returns true if uploaded files may be opened under these layers: no other file and no network is
    /// reachable.
    pub fn is_sufficient(&self) -> bool {
        self.seccomp.holds && (self.landlock.holds || self.namespaces.holds)
    }

    /// Lists the layers that hold, as text.
    pub fn working_layers(&self) -> String {
        let working = self.by_name().into_iter().filter(|(_, layer)| layer.holds);
        let named: Vec<_> = working.map(|(name, layer)| with_note(name, &layer.note)).collect();
        if named.is_empty() { "none".to_owned() } else { named.join(", ") }
    }

    /// Lists the layers that do not hold with the reasons, or returns `None` if all do.
    pub fn missing_layers(&self) -> Option<String> {
        let missing = self.by_name().into_iter().filter(|(_, layer)| !layer.holds);
        let named: Vec<_> = missing.map(|(name, layer)| with_note(name, &layer.note)).collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    fn by_name(&self) -> [(&'static str, &LayerStatus); 3] {
        [("Landlock", &self.landlock), ("namespaces", &self.namespaces), ("seccomp", &self.seccomp)]
    }

    /// Returns the first of these tools that does not start when confined.
    pub(crate) fn unusable_among<'a>(
        &self,
        tools: impl IntoIterator<Item = &'a Path>,
    ) -> Option<&UnusableTool> {
        let mut tools = tools.into_iter();
        tools.find_map(|tool| self.unusable.iter().find(|unusable| unusable.tool == tool))
    }

    /// Returns the layers to apply to a tool.
    pub(crate) fn layers(&self) -> Layers {
        Layers {
            landlock: self.landlock.holds,
            namespaces: self.namespaces.holds,
            seccomp: self.seccomp.holds,
        }
    }

    /// Returns a result in which no layer holds, for this reason.
    fn unknown(reason: &str) -> Self {
        let layer = LayerStatus { holds: false, note: reason.to_owned() };
        Self { landlock: layer.clone(), namespaces: layer.clone(), seccomp: layer, unusable: Vec::new() }
    }
}

fn with_note(name: &str, note: &str) -> String {
    if note.is_empty() { name.to_owned() } else { format!("{name} ({note})") }
}

/// Runs the check in a folder of `work_dir`. Each tool is given with the argument that makes it print its
/// version and exit. Blocks for a fraction of a second.
pub(crate) fn run_check(
    confine_path: &Path,
    work_dir: &Path,
    spec: ConfinementSpec,
    tools: &[(&Path, &str)],
) -> ConfinementReport {
    let child = Command::new(confine_path)
        .args([CONFINEMENT_COMMAND, "--check"])
        .args(spec.to_args())
        .args(tools.iter().flat_map(|(tool, word)| [tool.as_os_str(), OsStr::new(word)]))
        .env_clear()
        .env("LC_ALL", "C")
        .current_dir(work_dir)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let output = child.and_then(read_output).map_err(|error| error.to_string());
    let report = output.and_then(|output| serde_json::from_slice(&output).map_err(|error| error.to_string()));
    report.unwrap_or_else(|error| {
        ConfinementReport::unknown(&format!("{} could not run the check: {error}", confine_path.display()))
    })
}

fn read_output(mut child: Child) -> io::Result<Vec<u8>> {
    let Some(mut pipe) = child.stdout.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    let (sender, receiver) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        let read = pipe.read_to_end(&mut output).map(|_| output);
        // After a timeout, nothing receives this any more.
        let _ = sender.send(read);
    });
    let output = receiver.recv_timeout(CHECK_TIMEOUT);
    if output.is_err() {
        child.kill()?;
    }
    child.wait()?;
    let output = output.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
    // The process has exited, so the pipe is closed.
    let _ = reader.join();
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(landlock: bool, namespaces: bool, seccomp: bool) -> ConfinementReport {
        let layer = |holds| LayerStatus { holds, note: if holds { String::new() } else { "no".to_owned() } };
        let (landlock, namespaces, seccomp) = (layer(landlock), layer(namespaces), layer(seccomp));
        ConfinementReport { landlock, namespaces, seccomp, unusable: Vec::new() }
    }

    #[test]
    fn both_files_and_network_must_be_confined() {
        for (landlock, namespaces, seccomp, enough) in [
            (true, true, true, true),
            (true, false, true, true),
            (false, true, true, true),
            (true, true, false, false),
            (false, false, true, false),
            (false, false, false, false),
        ] {
            assert_eq!(
                report(landlock, namespaces, seccomp).is_sufficient(),
                enough,
                "{landlock} {namespaces} {seccomp}"
            );
        }
    }

    #[test]
    fn the_report_names_working_layers_and_why_the_others_do_not_work() {
        let partial = report(true, false, true);
        assert_eq!(partial.working_layers(), "Landlock, seccomp");
        assert_eq!(partial.missing_layers().as_deref(), Some("namespaces (no)"));
        assert_eq!(report(true, true, true).missing_layers(), None);
        assert_eq!(report(false, false, false).working_layers(), "none");
    }

    #[test]
    fn no_layer_holds_if_the_check_cannot_run() {
        let limits = crate::confinement::Limits { memory: 1, cpu: 1, file: 1, threads: 1, nice: 1 };
        let spec = ConfinementSpec { limits, uid: 1, layers: Layers::default() };
        for bad_program in ["/nowhere/media-confine", "/bin/true"] {
            let report = run_check(Path::new(bad_program), Path::new("/"), spec, &[]);
            assert!(!report.is_sufficient() && report.layers() == Layers::default());
            assert!(
                report.missing_layers().is_some_and(|missing| missing.contains(bad_program)),
                "{report:?}"
            );
        }
    }
}
