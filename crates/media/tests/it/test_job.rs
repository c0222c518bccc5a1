//! Runs `media-confine` alone, with layers and a tool chosen by the test, next to a folder outside the job.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use media::{ConfinementReport, Media};

use crate::settings;

/// No layer but the limits: here an attack must succeed, or it proves nothing.
pub const UNCONFINED: &str = "";

/// Content of the file outside the job.
pub const SECRET: &str = "another user's video";

/// The program that applies the confinement.
pub const MEDIA_CONFINE: &str = env!("CARGO_BIN_EXE_media-confine");

static CONFINEMENT: LazyLock<ConfinementReport> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    Media::open(settings(), dir.path()).unwrap().confinement().clone()
});

/// Each set of layers under which the product opens uploaded files, as far as this machine supports them.
pub fn sufficient_layers() -> Vec<&'static str> {
    let (files, namespaces) = (CONFINEMENT.landlock.holds, CONFINEMENT.namespaces.holds);
    let sets = [
        ("landlock,seccomp", files),
        ("namespaces,seccomp", namespaces),
        ("landlock,namespaces,seccomp", files && namespaces),
    ];
    let sets: Vec<_> = sets.into_iter().filter(|(_, holds)| *holds).map(|(names, _)| names).collect();
    assert!(
        CONFINEMENT.seccomp.holds && !sets.is_empty(),
        "this machine cannot confine tools: {:?}",
        *CONFINEMENT
    );
    sets
}

/// The layers that isolate files without the help of seccomp, as far as this machine supports them.
pub fn file_layers() -> Vec<&'static str> {
    sufficient_layers()
        .into_iter()
        .filter_map(|names| names.strip_suffix(",seccomp"))
        .filter(|n| !n.contains(','))
        .collect()
}

/// A job's folder and what is next to it: `other/secret`, which every user may read and write, and
/// `other/service.sock`, the socket of a service on this machine.
pub struct TestJob {
    pub dir: tempfile::TempDir,
    pub limits: [(&'static str, u64); 5],
    pub network: TcpListener,
    uid: u32,
    _service: UnixListener,
}

impl TestJob {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for (name, mode) in [("", 0o755), ("job", 0o755), ("job/output", 0o777), ("other", 0o777)] {
            std::fs::create_dir_all(at(name)).unwrap();
            std::fs::set_permissions(at(name), PermissionsExt::from_mode(mode)).unwrap();
        }
        for (name, text) in [("job/in", "bytes"), ("other/secret", SECRET)] {
            std::fs::write(at(name), text).unwrap();
            std::fs::set_permissions(at(name), PermissionsExt::from_mode(0o666)).unwrap();
        }
        let service = UnixListener::bind(at("other/service.sock")).unwrap();
        std::fs::set_permissions(at("other/service.sock"), PermissionsExt::from_mode(0o777)).unwrap();
        let network = TcpListener::bind("127.0.0.1:0").unwrap();
        let limits =
            [("--as", 4 << 30), ("--cpu", 60), ("--fsize", 64 << 20), ("--nproc", 512), ("--nice", 10)];
        Self { dir, limits, network, uid: 65_534, _service: service }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Changes one limit.
    pub fn limit(mut self, name: &str, value: u64) -> Self {
        self.limits.iter_mut().find(|(of, _)| *of == name).unwrap().1 = value;
        self
    }

    /// Runs tools as a user of their own: the limit counts all processes of a user, including those of other tests.
    pub fn own_user(mut self) -> Self {
        self.uid = 65_533;
        self
    }

    /// Replaces the input.
    pub fn input(&self, bytes: &[u8]) {
        std::fs::write(self.path("job/in"), bytes).unwrap();
    }

    /// Returns the command that runs this tool under these layers.
    pub fn command(&self, layers: &str, tool: &Path) -> Command {
        let mut command = Command::new(MEDIA_CONFINE);
        command.arg("media-confine").env_clear().env("LC_ALL", "C").current_dir(self.path("job/output"));
        for (name, value) in self.limits {
            command.arg(name).arg(value.to_string());
        }
        command.args(["--uid", &self.uid.to_string(), "--layers", layers, "--"]).arg(tool);
        command
    }

    pub fn run(&self, layers: &str, tool: &str, args: &[&str]) -> Output {
        self.command(layers, Path::new(tool)).args(args).output().unwrap()
    }

    /// Runs a Perl script as the tool and returns its output. The script knows the other folder as `$other`
    /// and the port of a listener as `$port`.
    pub fn perl(&self, layers: &str, script: &str) -> String {
        let tool = self.path("tool");
        let (other, port) = (self.path("other"), self.network.local_addr().unwrap().port());
        let known = format!("my ($other, $port) = ('{}', {port}); $| = 1;", other.display());
        std::fs::write(&tool, format!("#!/usr/bin/perl\nuse strict; use Socket; {known}\n{script}\n"))
            .unwrap();
        std::fs::set_permissions(&tool, PermissionsExt::from_mode(0o755)).unwrap();
        let output = self.command(layers, &tool).output().unwrap();
        let output = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&output).trim().to_owned()
    }
}

/// Runs an attack that prints `done` if it succeeds. Without confinement it must succeed, or it would prove
/// nothing; under each of these sets of layers it must fail.
pub fn assert_blocked(sets: &[&str], script: &str) {
    let output = TestJob::new().perl(UNCONFINED, script);
    assert!(output.contains("done"), "the attack fails without confinement: {script}: {output}");
    for layers in sets {
        let output = TestJob::new().perl(layers, script);
        assert!(
            !output.contains("done") && !output.contains("media-confine"),
            "under {layers}: {script}: {output}"
        );
    }
}
