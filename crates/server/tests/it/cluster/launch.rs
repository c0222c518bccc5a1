//! The processes of the program, and how each is started.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use storage::StorageSettings;

use super::super::backup::installation::SECRET;
use super::super::crash::hide_test_settings;
use super::parts::{TIMEOUT, free_port};
use super::servers::HOST;

/// A process of the program.
pub struct Process {
    child: Child,
}

impl Process {
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, signal: Signal) {
        signal_to(self.id(), signal);
    }

    /// Kills it with SIGKILL.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops it with SIGTERM, and waits for its end without blocking other requests.
    pub async fn stop(&mut self) {
        self.signal(Signal::SIGTERM);
        let began = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < TIMEOUT, "it does not stop");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Sends a signal to a process.
pub fn signal_to(pid: u32, signal: Signal) {
    kill(Pid::from_raw(pid.cast_signed()), signal).unwrap();
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What differs for one process.
#[derive(Clone, Default)]
pub struct Differs {
    /// Command line before that of the program.
    pub before: Vec<String>,
    pub env: Vec<(&'static str, String)>,
}

impl Differs {
    /// Another setting.
    pub fn setting(name: &'static str, value: &str) -> Self {
        Self::default().and(name, value)
    }

    /// One more.
    pub fn and(mut self, name: &'static str, value: &str) -> Self {
        self.env.push((name, value.to_owned()));
        self
    }

    /// A clock that is off by some seconds, such as `+2`, and runs at the usual pace.
    pub fn clock(seconds: &str) -> Self {
        let libraries = std::fs::read_dir("/usr/lib").unwrap().flatten();
        let mut library = libraries.map(|entry| entry.path().join("faketime/libfaketimeMT.so.1"));
        let library = library.find(|path| path.exists());
        let library = library.unwrap_or_else(|| panic!("libfaketime is missing (tools/deps cluster)"));
        Self::setting("LD_PRELOAD", library.to_str().unwrap())
            .and("FAKETIME", seconds)
            .and("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .and("DONT_FAKE_MONOTONIC", "1")
    }

    /// Gives the media tools a separate disk of this size. Needs root.
    pub fn work_disk(folder: &Path, bytes: usize) -> Self {
        let mount = format!("mount -t tmpfs -o size={bytes} work {} && exec \"$0\" \"$@\"", folder.display());
        let before = ["unshare", "--mount", "sh", "-c", &mount].map(str::to_owned).to_vec();
        Self { before, ..Self::setting("VITRINE_MEDIA_WORK_DIR", folder.to_str().unwrap()) }
    }
}

/// What a process needs to start.
#[derive(Clone)]
pub struct Launch {
    pub root: PathBuf,
    pub database: String,
    pub storage: StorageSettings,
    /// The port of the mail server.
    pub mail: u16,
    pub differs: Differs,
}

impl Launch {
    pub fn command(&self, args: &[&str], port: u16) -> Command {
        let bucket = &self.storage;
        let folder = self.root.join(format!("data-{}", free_port()));
        std::fs::create_dir_all(&folder).unwrap();
        let program = env!("CARGO_BIN_EXE_vitrine").to_owned();
        let mut line = self.differs.before.iter().chain([&program]);
        let mut command = Command::new(line.next().unwrap());
        hide_test_settings(&mut command);
        command
            .args(line)
            .args(args)
            .current_dir(&folder)
            .env("VITRINE_PUBLIC_URL", format!("https://{HOST}"))
            .env("VITRINE_SECRET", SECRET)
            .env("VITRINE_BILLING", "none")
            .env("VITRINE_SMTP_URL", format!("smtp://127.0.0.1:{}", self.mail))
            .env("VITRINE_MAIL_FROM", "Vitrine <no-reply@vitrine.test>")
            .env("VITRINE_DATA_DIR", &folder)
            .env("VITRINE_DATABASE_URL", &self.database)
            .env("VITRINE_STORAGE_URL", &bucket.storage_url)
            .env("VITRINE_S3_ENDPOINT", &bucket.s3_endpoint)
            .env("VITRINE_S3_REGION", &bucket.s3_region)
            .env("VITRINE_S3_ACCESS_KEY", &bucket.s3_access_key)
            .env("VITRINE_S3_SECRET_KEY", &bucket.s3_secret_key)
            .env("VITRINE_LISTEN", format!("127.0.0.1:{port}"))
            .env("VITRINE_METRICS_LISTEN", "")
            .env("VITRINE_TRUSTED_PROXIES", "1")
            .env("VITRINE_DRAIN_SECONDS", "3")
            .env("VITRINE_API_REQUESTS_PER_10S", "0")
            .env("VITRINE_MEDIA_REQUESTS_PER_10S", "0")
            .env("VITRINE_SIGN_IN_TRIES_PER_MINUTE", "0")
            .env("VITRINE_MEDIA_RENDER_PRESET", "ultrafast")
            .env("VITRINE_LOG", "warn")
            .envs(self.differs.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    /// Starts a process and waits for its first line.
    pub fn start(&self, args: &[&str], port: u16) -> Process {
        let log = std::fs::File::options().create(true).append(true).open(self.root.join("log")).unwrap();
        let mut command = self.command(args, port);
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let log = || std::fs::read_to_string(self.root.join("log")).unwrap();
        assert!(!line.is_empty(), "{args:?} does not start: {}", log());
        Process { child }
    }
    /// Returns the same for a process that differs from the others.
    pub fn with(&self, differs: Differs) -> Self {
        Self { differs, ..self.clone() }
    }

    /// Runs a command to its end, and returns what it prints.
    pub async fn output(&self, args: &[&str]) -> Output {
        let mut command = self.command(args, 0);
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    }

    /// Runs a command that must succeed and end with these words.
    pub async fn says(&self, args: &[&str], words: &str) {
        let output = self.output(args).await;
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.ends_with(words), "{args:?}: {output:?}");
    }

    /// Runs a server and a worker that must not start, and returns the last line of each.
    pub async fn refused(mut self) -> [String; 2] {
        self.differs.before.splice(0..0, ["timeout".to_owned(), "60".to_owned()]);
        let (serve, work) = (["serve", "--no-worker"], ["worker"]);
        let outputs = [self.output(&serve).await, self.output(&work).await];
        outputs.map(|output| {
            assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{output:?}");
            String::from_utf8_lossy(&output.stderr).trim_end().lines().last().unwrap().to_owned()
        })
    }
}
