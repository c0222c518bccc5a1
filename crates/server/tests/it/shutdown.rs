//! The real program as a service manager and load balancers see it: ready, alive, draining, stopped.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::{Client, StatusCode};

/// For a start and for a stop; both wait for other tests.
const TIMEOUT: Duration = Duration::from_mins(1);

pub(crate) struct TestServer {
    child: Child,
    pub(crate) url: String,
    folder: tempfile::TempDir,
}

impl TestServer {
    /// Starts the program and waits for its first line.
    pub(crate) fn start(command: &str, env: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::start_in(folder, command, env)
    }

    fn start_in(folder: tempfile::TempDir, command: &str, env: &[(&str, &str)]) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut child = Command::new(env!("CARGO_BIN_EXE_vitrine"))
            .arg(command)
            .current_dir(folder.path())
            .env("VITRINE_SANDBOX", "true")
            .env("VITRINE_LISTEN", format!("127.0.0.1:{port}"))
            .env("VITRINE_DATA_DIR", folder.path())
            .env("VITRINE_METRICS_LISTEN", "")
            .env_remove("VITRINE_TEST_POSTGRES")
            .envs(env.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "the program has ended");
        Self { child, url: format!("http://127.0.0.1:{port}"), folder }
    }

    /// Sends SIGTERM and returns when.
    pub(crate) fn terminate(&self) -> Instant {
        let signalled = Instant::now();
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        signalled
    }

    /// Waits for the end of the program, which must succeed. Returns how long it took since `signalled`.
    pub(crate) fn stopped(&mut self, signalled: Instant) -> Duration {
        while signalled.elapsed() < TIMEOUT {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return signalled.elapsed();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the program does not stop");
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The messages that the program sends to its service manager.
struct Messages(UnixDatagram);

impl Messages {
    fn at(path: &Path) -> Self {
        let socket = UnixDatagram::bind(path).unwrap();
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        Self(socket)
    }

    fn next(&self) -> String {
        let mut buffer = [0; 1024];
        let length = self.0.recv(&mut buffer).unwrap();
        String::from_utf8(buffer[..length].to_vec()).unwrap()
    }
}

#[test]
fn the_service_manager_learns_that_the_program_is_ready_alive_and_stopping() {
    for (command, status) in
        [("serve", "listening on http://127.0.0.1:"), ("worker", "running background jobs")]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let messages = Messages::at(&path);
        let env = [("NOTIFY_SOCKET", path.to_str().unwrap()), ("WATCHDOG_USEC", "400000")];
        let mut program = TestServer::start(command, &env);
        let ready = messages.next();
        assert!(ready.starts_with(&format!("READY=1\nSTATUS={status}")), "{command}: {ready}");
        for _ in 0..3 {
            assert_eq!(messages.next(), "WATCHDOG=1", "{command}");
        }
        let signalled = program.terminate();
        let stopping =
            std::iter::repeat_with(|| messages.next()).find(|message| message != "WATCHDOG=1").unwrap();
        assert_eq!(stopping, "STOPPING=1\nSTATUS=stopping\nEXTEND_TIMEOUT_USEC=20000000", "{command}");
        program.stopped(signalled);
    }
}

#[test]
fn a_service_manager_with_an_abstract_socket_is_reached_and_one_that_is_gone_does_no_harm() {
    use std::os::linux::net::SocketAddrExt as _;
    let name = format!("vitrine-test-{}", std::process::id());
    let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
    let messages = Messages(UnixDatagram::bind_addr(&address).unwrap());
    messages.0.set_read_timeout(Some(TIMEOUT)).unwrap();
    let mut program =
        TestServer::start("serve", &[("NOTIFY_SOCKET", &format!("@{name}")), ("WATCHDOG_USEC", "400000")]);
    assert!(messages.next().starts_with("READY=1\n"));
    drop(messages);
    assert!(program.child.try_wait().unwrap().is_none());
    let signalled = program.terminate();
    program.stopped(signalled);
}

/// Sends requests on a new connection each until one fails. Returns when the failed one began, and how many
/// succeeded.
async fn load(url: String) -> (Instant, usize) {
    let client = Client::builder().pool_max_idle_per_host(0).build().unwrap();
    let mut answered = 0;
    loop {
        let began = Instant::now();
        match client.get(format!("{url}/v1/config")).send().await {
            Ok(response) if response.status() == StatusCode::OK => answered += 1,
            _ => return (began, answered),
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn during_the_drain_every_request_is_served_and_the_program_is_not_ready() {
    const DRAIN: Duration = Duration::from_secs(6);
    let env = [("VITRINE_DRAIN_SECONDS", "6"), ("VITRINE_API_REQUESTS_PER_10S", "0")];
    let mut program = tokio::task::spawn_blocking(move || TestServer::start("serve", &env)).await.unwrap();
    let client = Client::new();
    let get = async |path: &str| client.get(format!("{}{path}", program.url)).send().await.unwrap();
    assert_eq!(get("/readyz").await.status(), StatusCode::OK);
    assert!(get("/v1/config").await.headers().get("connection").is_none());
    let loads: Vec<_> = (0..4).map(|_| tokio::spawn(load(program.url.clone()))).collect();

    let signalled = program.terminate();
    while get("/readyz").await.status() == StatusCode::OK {
        assert!(signalled.elapsed() < DRAIN, "still ready");
    }
    assert_eq!(get("/readyz").await.text().await.unwrap(), "not ready\nstopping\n");
    assert_eq!(get("/healthz").await.status(), StatusCode::OK);
    assert_eq!(get("/v1/config").await.headers()["connection"], "close");
    for load in loads {
        let (failed, answered) = load.await.unwrap();
        // The drain ends within the last request.
        let served = failed.duration_since(signalled) + Duration::from_secs(1);
        assert!(served > DRAIN, "refused after {served:?}");
        assert!(answered > 10, "{answered}");
    }
    tokio::task::spawn_blocking(move || program.stopped(signalled)).await.unwrap();
}

#[test]
fn a_second_signal_ends_the_drain_and_the_grace_ends_requests_that_do_not() {
    let env = [("VITRINE_DRAIN_SECONDS", "600"), ("VITRINE_GRACE_SECONDS", "1")];
    let mut program = TestServer::start("serve", &env);
    let address = program.url.strip_prefix("http://").unwrap();
    let mut unfinished = TcpStream::connect(address).unwrap();
    let head = format!("POST /v1/events HTTP/1.1\r\nHost: {address}\r\nContent-Length: 100\r\n\r\n{{");
    unfinished.write_all(head.as_bytes()).unwrap();
    program.terminate();
    let ready = || {
        let mut socket = TcpStream::connect(address).unwrap();
        let head = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        socket.write_all(head.as_bytes()).unwrap();
        let mut response = String::new();
        socket.read_to_string(&mut response).unwrap();
        response.starts_with("HTTP/1.1 200")
    };
    while ready() {}
    let signalled = program.terminate();
    let took = program.stopped(signalled);
    // The body may pause for 30 seconds, and the default of the grace is 10.
    assert!(took < Duration::from_secs(8), "{took:?}");
    assert!(!program.folder.path().join("control.sock").exists());
}
