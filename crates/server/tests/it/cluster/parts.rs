//! The parts that a cluster depends on: PostgreSQL with a synchronous standby, `HAProxy`, nginx with the configuration
//! of deploy/. All of them listen on 127.0.0.1 and run as an unprivileged user.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, geteuid};

/// Within this time everything has started.
pub const TIMEOUT: Duration = Duration::from_mins(2);

pub fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Returns a command that runs as an unprivileged user, who owns the folder.
fn unprivileged(program: &Path, folder: &Path) -> Command {
    if !geteuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(program);
    command.env("HOME", folder).current_dir(folder);
    command
}

/// Creates a folder for an unprivileged user.
fn folder_in(root: &Path, name: &str) -> PathBuf {
    let folder = root.join(name);
    fs::create_dir(&folder).unwrap();
    if geteuid().is_root() {
        assert!(Command::new("chown").arg("nobody:nogroup").arg(&folder).status().unwrap().success());
    }
    folder
}

fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Waits until something is true.
pub fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_true() {
        assert!(began.elapsed() < TIMEOUT, "{what} takes too long");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A process that is killed at the end.
pub struct Daemon(Child);

impl Daemon {
    fn start(command: &mut Command) -> Self {
        let started = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        Self(started.unwrap_or_else(|error| panic!("{command:?} (tools/deps cluster): {error}")))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // SIGTERM first: nginx ends its workers.
        let _ = kill(Pid::from_raw(self.0.id().cast_signed()), Signal::SIGTERM);
        let _ = self.0.wait();
    }
}

/// A PostgreSQL server.
pub struct Postgres {
    bin: PathBuf,
    folder: PathBuf,
    pub port: u16,
}

impl Postgres {
    /// Creates a server that writes to the disk before it acknowledges.
    pub fn primary(root: &Path) -> Self {
        let versions = fs::read_dir("/usr/lib/postgresql").unwrap().flatten();
        let bin = versions.map(|version| version.path().join("bin")).max().unwrap();
        let server = Self { bin, folder: folder_in(root, "primary"), port: free_port() };
        let locale = ["-U", "vitrine", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8", "-D"];
        run(server.command("initdb").args(locale).arg(server.data()));
        let conf = server.data().join("postgresql.conf");
        let more = format!(
            "listen_addresses = '127.0.0.1'\nunix_socket_directories = '{}'\nmax_connections = 200\n",
            server.folder.display()
        );
        fs::write(&conf, fs::read_to_string(&conf).unwrap() + &more).unwrap();
        server.start();
        server
    }

    /// Creates a standby. From then on the primary acknowledges what both have written.
    pub fn with_standby(&self, root: &Path) -> Self {
        let folder = folder_in(root, "standby");
        let standby = Self { bin: self.bin.clone(), folder, port: free_port() };
        let port = self.port.to_string();
        let from = [
            "-h",
            "127.0.0.1",
            "-p",
            &port,
            "-U",
            "vitrine",
            "-R",
            "-X",
            "stream",
            "--checkpoint=fast",
            "-D",
        ];
        run(standby.command("pg_basebackup").args(from).arg(standby.data()));
        standby.start();
        self.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
        self.sql("SELECT pg_reload_conf()");
        wait_until("the standby", || self.sql("SELECT sync_state FROM pg_stat_replication").trim() == "sync");
        standby
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn command(&self, name: &str) -> Command {
        unprivileged(&self.bin.join(name), &self.folder)
    }

    fn ctl(&self, args: &[&str]) {
        let log = self.folder.join("log");
        let mut command = self.command("pg_ctl");
        command.arg("-D").arg(self.data()).arg("-l").arg(log).args(["-w", "-t", "60"]).args(args);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(status.success(), "{command:?}");
    }

    fn start(&self) {
        self.ctl(&["-o", &format!("-p {}", self.port), "start"]);
    }

    /// Restarts it: open connections end at once.
    pub fn restart(&self) {
        self.ctl(&["-m", "fast", "-o", &format!("-p {}", self.port), "restart"]);
    }

    /// Makes a standby the primary.
    pub fn promote(&self) {
        self.ctl(&["promote"]);
    }

    /// Kills it with SIGKILL.
    pub fn kill(&self) {
        let pid = fs::read_to_string(self.data().join("postmaster.pid")).unwrap();
        let pid = Pid::from_raw(pid.lines().next().unwrap().parse().unwrap());
        kill(pid, Signal::SIGKILL).unwrap();
    }

    /// Runs a statement, and returns what it prints.
    pub fn sql(&self, statement: &str) -> String {
        let port = self.port.to_string();
        let to = ["-h", "127.0.0.1", "-p", &port, "-U", "vitrine", "-d", "postgres", "-Atc", statement];
        run(self.command("psql").args(to))
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let mut stop = self.command("pg_ctl");
        let _ = stop.arg("-D").arg(self.data()).args(["-m", "immediate", "stop"]).output();
    }
}

/// `HAProxy` in front of the database: the primary, and the standby while the primary does not answer.
pub fn database_proxy(root: &Path, port: u16, primary: u16, standby: u16) -> Daemon {
    let servers = [("primary", primary, ""), ("standby", standby, " backup")];
    haproxy(root, "database", port, &servers)
}

/// `HAProxy` in front of the S3 server, which is away while it does not run.
pub fn storage_proxy(root: &Path, port: u16, storage: u16) -> Daemon {
    haproxy(root, "storage", port, &[("storage", storage, "")])
}

/// `HAProxy` in front of two servers, which it asks whether they are ready.
pub fn asking_balancer(root: &Path, port: u16, [first, second]: [u16; 2]) -> Daemon {
    let text = format!(
        "defaults\n  mode http\n  timeout connect 2s\n  timeout client 1h\n  timeout server 1h\n  timeout check 2s\n\
         listen ready\n  bind 127.0.0.1:{port}\n  option forwardfor\n  option httpchk\n\
         \x20 http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host vitrine.test\n\
         \x20 default-server check inter 2s fall 2 rise 1 on-marked-down shutdown-sessions\n\
         \x20 server first 127.0.0.1:{first}\n  server second 127.0.0.1:{second}\n"
    );
    run_haproxy(&folder_in(root, "ready"), port, &text)
}

fn haproxy(root: &Path, name: &str, port: u16, servers: &[(&str, u16, &str)]) -> Daemon {
    let folder = root.join(name);
    if !folder.exists() {
        folder_in(root, name);
    }
    let mut text = format!(
        "defaults\n  mode tcp\n  timeout connect 2s\n  timeout client 1h\n  timeout server 1h\n\
         listen {name}\n  bind 127.0.0.1:{port}\n\
         \x20 default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions\n"
    );
    for (server, port, role) in servers {
        writeln!(text, "  server {server} 127.0.0.1:{port}{role}").unwrap();
    }
    run_haproxy(&folder, port, &text)
}

fn run_haproxy(folder: &Path, port: u16, text: &str) -> Daemon {
    let file = folder.join("haproxy.cfg");
    fs::write(&file, text).unwrap();
    let daemon =
        Daemon::start(unprivileged(Path::new("haproxy"), folder).args(["-q", "-db", "-f"]).arg(&file));
    wait_until("HAProxy", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    daemon
}

/// nginx in front of two servers, as deploy/nginx.cluster.conf has it, but without TLS.
pub fn balancer(root: &Path, port: u16, servers: [u16; 2]) -> Daemon {
    let folder = folder_in(root, "nginx");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nginx.cluster.conf");
    let sample = fs::read_to_string(sample).unwrap();
    let (upstream, rest) = sample.split_once("\nserver {").unwrap();
    let (_, main) = rest.split_once("\nserver {").unwrap();
    let is_of_tls = |line: &&str| line.contains("ssl_") || line.contains("[::]");
    let main: Vec<&str> = main.lines().filter(|line| !is_of_tls(line)).collect();
    let site = format!("{upstream}\nserver {{{}", main.join("\n"))
        .replace("10.0.0.11:8080", &format!("127.0.0.1:{}", servers[0]))
        .replace("10.0.0.12:8080", &format!("127.0.0.1:{}", servers[1]))
        .replace("listen 443 ssl http2", &format!("listen 127.0.0.1:{port}"));
    let paths: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|kind| format!("{kind}_temp_path {}/{kind};\n", folder.display()))
        .collect();
    let text = format!(
        "daemon off;\npid {0}/pid;\nerror_log {0}/error.log;\nworker_rlimit_nofile 8192;\n\
         events {{ worker_connections 4096; }}\nhttp {{\naccess_log off;\n{paths}{site}\n}}\n",
        folder.display()
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, text).unwrap();
    let daemon = Daemon::start(
        unprivileged(Path::new("/usr/sbin/nginx"), &folder)
            .args(["-e", "error.log", "-p"])
            .arg(&folder)
            .arg("-c")
            .arg(&file),
    );
    wait_until("nginx", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());
    daemon
}
