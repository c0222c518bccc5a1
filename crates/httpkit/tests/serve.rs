//! The accept loop on a real socket: slow headers, too many connections, graceful shutdown.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use httpkit::ServeSettings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// More than the socket buffers of both ends hold.
const BIG: usize = 64 << 20;

/// Starts a server with quick, slow, large and echoing routes.
async fn start(settings: ServeSettings) -> (String, CancellationToken, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let slow = || async {
        tokio::time::sleep(Duration::from_millis(400)).await;
        "slow"
    };
    let app = Router::new()
        .route("/", get(|| async { "quick" }))
        .route("/slow", get(slow))
        .route("/never", get(never))
        .route("/big", get(|| async { vec![0_u8; BIG] }))
        .route("/echo", post(|body: String| async { body }))
        .route("/refuse", post(|| async { "no" }));
    let stop = CancellationToken::new();
    let stopped = stop.clone();
    let server = tokio::spawn(async move {
        httpkit::serve(listener, app, settings, stopped.cancelled()).await.unwrap();
    });
    (address, stop, server)
}

/// Notified when a request of the route that never answers has begun.
static NEVER_BEGUN: Notify = Notify::const_new();

async fn never() -> &'static str {
    NEVER_BEGUN.notify_one();
    std::future::pending().await
}

async fn get_body(address: &str, path: &str) -> String {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut response = String::new();
    socket.read_to_string(&mut response).await.unwrap();
    response
}

#[tokio::test]
async fn a_header_that_never_ends_is_cut_off() {
    let settings = ServeSettings { header_timeout: Duration::from_millis(200), ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    let mut socket = TcpStream::connect(&address).await.unwrap();
    socket.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ").await.unwrap();
    let mut rest = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(5), socket.read_to_end(&mut rest)).await;
    assert!(closed.is_ok(), "the connection is still open");
    assert!(get_body(&address, "/").await.ends_with("quick"));
    stop.cancel();
    server.await.unwrap();
}

#[tokio::test]
async fn a_client_that_sends_nothing_or_half_a_preface_is_disconnected() {
    let settings = ServeSettings { header_timeout: Duration::from_millis(200), ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    for beginning in ["", "PRI", "PRI * HTTP/2.0", "G"] {
        let mut socket = TcpStream::connect(&address).await.unwrap();
        socket.write_all(beginning.as_bytes()).await.unwrap();
        let mut rest = Vec::new();
        let closed = tokio::time::timeout(Duration::from_secs(5), socket.read_to_end(&mut rest)).await;
        assert!(closed.is_ok(), "{beginning:?}: the connection is still open");
    }
    stop.cancel();
    server.await.unwrap();
}

#[tokio::test]
async fn a_body_that_stops_arriving_is_aborted() {
    let settings = ServeSettings { body_timeout: Duration::from_millis(200), ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    let mut socket = TcpStream::connect(&address).await.unwrap();
    let head = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{";
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(5), socket.read_to_end(&mut response)).await;
    assert!(closed.is_ok(), "the connection is still open");
    assert!(String::from_utf8_lossy(&response).starts_with("HTTP/1.1 400"));
    stop.cancel();
    server.await.unwrap();
}

#[tokio::test]
async fn a_response_that_is_not_read_is_aborted() {
    let settings = ServeSettings { write_timeout: Duration::from_millis(200), ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    let mut socket = TcpStream::connect(&address).await.unwrap();
    socket.write_all(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    tokio::time::sleep(Duration::from_millis(800)).await;
    let mut response = Vec::new();
    let read = socket.read_to_end(&mut response).await;
    assert!(read.is_err() || response.len() < BIG, "the whole response arrived: {}", response.len());
    stop.cancel();
    server.await.unwrap();
}

/// Sends a POST request and returns its response in lower case.
async fn post_to(socket: &mut TcpStream, path: &str, headers: &str, body: &[u8]) -> String {
    let head = format!("POST {path} HTTP/1.1\r\nHost: x\r\n{headers}\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    // The server may close the connection before it has all of it.
    let _ = socket.write_all(body).await;
    let mut response = String::new();
    let mut part = [0; 1024];
    loop {
        let read = socket.read(&mut part).await.unwrap();
        assert!(read > 0, "no response: {response}");
        response += &String::from_utf8_lossy(&part[..read]).to_ascii_lowercase();
        let length = response.split("content-length: ").nth(1).and_then(|rest| rest.split('\r').next());
        let body = response.split("\r\n\r\n").nth(1).map(str::len);
        if length.is_some() && length.unwrap().parse::<usize>().ok() == body {
            return response;
        }
    }
}

#[tokio::test]
async fn a_connection_stays_open_after_a_little_was_left_unread() {
    let (address, stop, server) = start(ServeSettings::default()).await;
    let mut socket = TcpStream::connect(&address).await.unwrap();
    for (path, status) in [("/refuse", 200), ("/nothing", 404), ("/echo", 200), ("/refuse", 200)] {
        let response = post_to(&mut socket, path, "Content-Length: 1000\r\n", &[b'a'; 1000]).await;
        assert!(response.starts_with(&format!("http/1.1 {status}")), "{path}: {response}");
        assert!(!response.contains("connection: close"), "{path}: {response}");
    }
    drop(socket);
    stop.cancel();
    server.await.unwrap();
}

#[tokio::test]
async fn a_response_says_that_the_connection_closes_if_much_was_left_unread() {
    let (address, stop, server) = start(ServeSettings::default()).await;
    let mut socket = TcpStream::connect(&address).await.unwrap();
    let response = post_to(&mut socket, "/refuse", "Content-Length: 300000\r\n", &[b'a'; 300_000]).await;
    assert!(response.contains("connection: close"), "{response}");
    let mut socket = TcpStream::connect(&address).await.unwrap();
    // The rest does not come in time.
    let response = post_to(&mut socket, "/refuse", "Content-Length: 10\r\n", b"a").await;
    assert!(response.contains("connection: close"), "{response}");
    let mut socket = TcpStream::connect(&address).await.unwrap();
    let waits = "Content-Length: 10\r\nExpect: 100-continue\r\n";
    let response = post_to(&mut socket, "/refuse", waits, b"").await;
    assert!(response.starts_with("http/1.1 200"), "the client was asked for the body: {response}");
    assert!(response.contains("connection: close"), "{response}");
    stop.cancel();
    server.await.unwrap();
}

#[tokio::test]
async fn one_address_cannot_take_every_connection() {
    let settings = ServeSettings { connections_per_address: 2, ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    let held = [TcpStream::connect(&address).await.unwrap(), TcpStream::connect(&address).await.unwrap()];
    tokio::time::sleep(Duration::from_millis(50)).await;
    let mut third = TcpStream::connect(&address).await.unwrap();
    let mut nothing = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(5), third.read_to_end(&mut nothing)).await;
    assert!(closed.is_ok() && nothing.is_empty());
    drop(held);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(get_body(&address, "/").await.ends_with("quick"));
    stop.cancel();
    server.await.unwrap();
}

#[tokio::test]
async fn connections_over_the_limit_wait() {
    let settings = ServeSettings { connections: 1, ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    let held = TcpStream::connect(&address).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let waiting = tokio::spawn({
        let address = address.clone();
        async move { get_body(&address, "/").await }
    });
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert!(!waiting.is_finished(), "the second connection was served at the same time as the first");
    drop(held);
    assert!(waiting.await.unwrap().ends_with("quick"));
    stop.cancel();
    server.await.unwrap();
}

#[tokio::test]
async fn a_shutdown_lets_running_requests_finish_and_accepts_no_new_ones() {
    let (address, stop, server) = start(ServeSettings::default()).await;
    let running = tokio::spawn({
        let address = address.clone();
        async move { get_body(&address, "/slow").await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    stop.cancel();
    assert!(running.await.unwrap().ends_with("slow"));
    server.await.unwrap();
    assert!(TcpStream::connect(&address).await.is_err());
}

#[tokio::test]
async fn connections_that_wait_to_be_accepted_when_the_shutdown_begins_are_served() {
    use std::io::{Read as _, Write as _};
    let (address, stop, server) = start(ServeSettings::default()).await;
    // The server cannot accept meanwhile: it shares this thread.
    let mut waiting = Vec::new();
    for _ in 0..20 {
        let mut socket = std::net::TcpStream::connect(&address).unwrap();
        socket.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        waiting.push(socket);
    }
    stop.cancel();
    server.await.unwrap();
    for mut socket in waiting {
        let mut response = String::new();
        socket.read_to_string(&mut response).unwrap();
        assert!(response.ends_with("quick"), "{response}");
    }
}

#[tokio::test]
async fn a_shutdown_does_not_wait_forever() {
    let settings = ServeSettings { grace: Duration::from_millis(100), ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    let running = tokio::spawn(async move { get_body(&address, "/never").await });
    NEVER_BEGUN.notified().await;
    stop.cancel();
    tokio::time::timeout(Duration::from_secs(10), server).await.unwrap().unwrap();
    running.abort();
}

/// Connects from 127.0.0.`number`.
async fn connect_from(number: u8, address: &str) -> TcpStream {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(format!("127.0.0.{number}:0").parse().unwrap()).unwrap();
    socket.connect(address.parse().unwrap()).await.unwrap()
}

#[tokio::test]
async fn slow_clients_from_nine_addresses_leave_a_connection_for_a_tenth() {
    let settings = ServeSettings { connections: 90, connections_per_address: 12, ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    let mut held = Vec::new();
    for number in 2..=10 {
        for _ in 0..12 {
            let mut socket = connect_from(number, &address).await;
            let head = b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{";
            // A rejected connection may already be closed.
            let _ = socket.write_all(head).await;
            held.push(socket);
        }
    }
    let response = tokio::time::timeout(Duration::from_secs(5), get_body(&address, "/")).await;
    assert!(
        response.is_ok_and(|response| response.ends_with("quick")),
        "no connection was left for the tenth address"
    );
    drop(held);
    stop.cancel();
    server.await.unwrap();
}
