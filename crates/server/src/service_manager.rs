//! Messages to the service manager that started this process: ready, alive, stopping. This is the protocol of
//! systemd's `sd_notify`: datagrams to the socket that `NOTIFY_SOCKET` names.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::Request;
use jobs::Jobs;
use tokio::time::{sleep, timeout};
use tower::ServiceExt as _;

/// The service manager. Without one, or if it expects no messages, every call does nothing.
#[derive(Clone, Default)]
pub struct ServiceManager {
    socket: Option<Arc<Socket>>,
    /// Without a ping for this long, the service manager restarts the process.
    watchdog: Option<Duration>,
}

struct Socket {
    socket: UnixDatagram,
    address: SocketAddr,
}

impl ServiceManager {
    /// Finds the service manager in the environment. A socket that cannot be used is logged and ignored.
    pub fn from_env() -> Self {
        let Some(name) = env::var_os("NOTIFY_SOCKET").filter(|name| !name.is_empty()) else {
            return Self::default();
        };
        let variable = |name| env::var(name).ok();
        let watchdog = watchdog(variable("WATCHDOG_USEC"), variable("WATCHDOG_PID"), std::process::id());
        match Socket::new(&name) {
            Ok(socket) => Self { socket: Some(Arc::new(socket)), watchdog },
            Err(error) => {
                tracing::warn!(%error, "the service manager cannot be reached");
                Self::default()
            }
        }
    }

    /// Reports that the process has started, with a text that `systemctl status` shows.
    pub fn ready(&self, status: &str) {
        self.send(&format!("READY=1\nSTATUS={status}"));
    }

    /// Reports that the process is stopping, and that this may take the given time.
    pub fn stopping(&self, within: Duration) {
        self.send(&format!("STOPPING=1\nSTATUS=stopping\nEXTEND_TIMEOUT_USEC={}", within.as_micros()));
    }

    /// Pings the watchdog as long as `is_alive` answers yes in time. Several pings fit into the time after which
    /// the process is restarted, so that one late answer does no harm. Ends only if there is no watchdog.
    pub async fn keep_alive<F: Future<Output = bool>>(&self, is_alive: impl Fn() -> F) {
        let Some(watchdog) = self.watchdog else { return };
        let pause = watchdog / 4;
        loop {
            // First, because the loops of the worker are only beginning.
            sleep(pause).await;
            if timeout(pause, is_alive()).await == Ok(true) {
                self.send("WATCHDOG=1");
            } else {
                tracing::warn!(
                    "this process does not work: the service manager restarts it if that continues"
                );
            }
        }
    }

    fn send(&self, message: &str) {
        if let Some(socket) = &self.socket
            && let Err(error) = socket.socket.send_to_addr(message.as_bytes(), &socket.address)
        {
            tracing::warn!(%error, "a message to the service manager could not be sent");
        }
    }
}

impl Socket {
    fn new(name: &OsStr) -> io::Result<Self> {
        let address = match name.as_bytes().strip_prefix(b"@") {
            Some(name) => SocketAddr::from_abstract_name(name)?,
            None => SocketAddr::from_pathname(name)?,
        };
        let socket = UnixDatagram::unbound()?;
        // A service manager that does not read must not block a thread of the server.
        socket.set_nonblocking(true)?;
        Ok(Self { socket, address })
    }
}

/// Returns the time of the watchdog if it watches the process with this id.
fn watchdog(microseconds: Option<String>, pid: Option<String>, own: u32) -> Option<Duration> {
    let is_own = pid.is_none_or(|pid| pid.parse() == Ok(own));
    let microseconds = microseconds.filter(|_| is_own)?.parse().ok()?;
    Some(Duration::from_micros(microseconds)).filter(|time| !time.is_zero())
}

/// Returns whether this process works: a request passes through all layers, and no loop of the worker is missing.
/// Database and storage do not count, because a restart does not bring them back; neither do the loops once the
/// process is stopping.
pub async fn is_alive(router: Option<Router>, jobs: &Jobs, is_stopping: bool) -> bool {
    let answers = match router {
        Some(router) => match Request::get("/healthz").body(Body::empty()) {
            Ok(request) => router.oneshot(request).await.is_ok_and(|response| response.status().is_success()),
            Err(_) => false,
        },
        None => true,
    };
    answers && (is_stopping || jobs.loops_alive())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn only_the_watchdog_of_this_process_counts() {
        let of = |time: &str, pid: Option<&str>| watchdog(Some(time.to_owned()), pid.map(str::to_owned), 7);
        let minute = Some(Duration::from_mins(1));
        assert_eq!((of("60000000", None), of("60000000", Some("7"))), (minute, minute));
        assert_eq!((of("60000000", Some("8")), of("0", None), of("soon", None)), (None, None, None));
        assert_eq!(watchdog(None, Some("7".to_owned()), 7), None);
    }

    /// Returns how many pings arrive in half a second if every check takes this answer.
    async fn pings(answer: impl AsyncFn(usize) -> bool) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let received = UnixDatagram::bind(&path).unwrap();
        received.set_nonblocking(true).unwrap();
        let socket = Some(Arc::new(Socket::new(path.as_os_str()).unwrap()));
        let manager = ServiceManager { socket, watchdog: Some(Duration::from_millis(80)) };
        let checks = AtomicUsize::new(0);
        let watching = manager.keep_alive(|| answer(checks.fetch_add(1, Ordering::SeqCst)));
        assert!(timeout(Duration::from_millis(500), watching).await.is_err(), "the watchdog ended");
        let mut buffer = [0; 64];
        std::iter::from_fn(|| received.recv(&mut buffer).ok()).count()
    }

    #[tokio::test]
    async fn a_process_that_answers_no_or_nothing_is_not_reported_as_alive() {
        assert!(pings(async |_| true).await > 5);
        assert_eq!(pings(async |_| false).await, 0);
        assert_eq!(pings(async |_| std::future::pending().await).await, 0);
        // It recovers.
        assert!(pings(async |check| check > 2).await > 2);
    }

    #[tokio::test]
    async fn without_a_watchdog_nothing_is_asked() {
        ServiceManager::default().keep_alive(|| async { panic!("asked") }).await;
    }
}
