//! The accept loop on a real socket: slow headers, too many connections, a graceful stop.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use httpkit::ServeSettings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// A server with one quick and one slow route.
async fn start(settings: ServeSettings) -> (String, CancellationToken, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let app = Router::new().route("/", get(|| async { "quick" })).route(
        "/slow",
        get(|| async {
            tokio::time::sleep(Duration::from_millis(400)).await;
            "slow"
        }),
    );
    let stop = CancellationToken::new();
    let stopped = stop.clone();
    let server = tokio::spawn(async move {
        httpkit::serve(listener, app, settings, stopped.cancelled()).await.unwrap();
    });
    (address, stop, server)
}

async fn ask(address: &str, path: &str) -> String {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn a_header_that_never_ends_is_cut() {
    let settings = ServeSettings { header_timeout: Duration::from_millis(200), ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    let mut socket = TcpStream::connect(&address).await.unwrap();
    socket.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ").await.unwrap();
    let mut rest = Vec::new();
    let cut = tokio::time::timeout(Duration::from_secs(5), socket.read_to_end(&mut rest)).await;
    assert!(cut.is_ok(), "the connection is still open");
    assert!(ask(&address, "/").await.ends_with("quick"));
    stop.cancel();
    server.await.unwrap();
}

#[tokio::test]
async fn connections_over_the_limit_wait_for_their_turn() {
    let settings = ServeSettings { connections: 1, ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    let held = TcpStream::connect(&address).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let waiting = tokio::spawn({
        let address = address.clone();
        async move { ask(&address, "/").await }
    });
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert!(!waiting.is_finished(), "the second connection was served beside the first");
    drop(held);
    assert!(waiting.await.unwrap().ends_with("quick"));
    stop.cancel();
    server.await.unwrap();
}

#[tokio::test]
async fn a_stop_lets_running_requests_finish_and_takes_no_new_ones() {
    let (address, stop, server) = start(ServeSettings::default()).await;
    let running = tokio::spawn({
        let address = address.clone();
        async move { ask(&address, "/slow").await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    stop.cancel();
    assert!(running.await.unwrap().ends_with("slow"));
    server.await.unwrap();
    assert!(TcpStream::connect(&address).await.is_err());
}

#[tokio::test]
async fn a_stop_does_not_wait_for_ever() {
    let settings = ServeSettings { grace: Duration::from_millis(100), ..ServeSettings::default() };
    let (address, stop, server) = start(settings).await;
    let running = tokio::spawn(async move { ask(&address, "/slow").await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    let begun = Instant::now();
    stop.cancel();
    server.await.unwrap();
    assert!(begun.elapsed() < Duration::from_millis(350));
    running.abort();
}
