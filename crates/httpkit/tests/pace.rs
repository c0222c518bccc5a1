//! Request bodies that arrive too slowly, on a real socket.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use axum::Router;
use axum::middleware;
use axum::routing::post;
use httpkit::{BodyPace, RawBody, ServeSettings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Starts a server that echoes the body if it arrives fast enough, and connects to it.
async fn start(pace: BodyPace) -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new()
        .route("/echo", post(|RawBody(bytes): RawBody| async move { bytes }))
        .layer(middleware::from_fn(move |request, next| httpkit::pace_bodies(pace, request, next)));
    let settings = ServeSettings::default();
    tokio::spawn(async move { httpkit::serve(listener, app, settings, std::future::pending()).await });
    TcpStream::connect(address).await.unwrap()
}

async fn begin(socket: &mut TcpStream, length: usize) {
    let head = format!("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
}

/// Sends `bytes` every `pause` until the connection is closed, and returns the response.
async fn drip(socket: TcpStream, bytes: &'static [u8], pause: Duration) -> String {
    let (mut reader, mut writer) = socket.into_split();
    let dripping = tokio::spawn(async move {
        while writer.write_all(bytes).await.is_ok() {
            tokio::time::sleep(pause).await;
        }
    });
    let mut response = Vec::new();
    let closed = tokio::time::timeout(Duration::from_secs(10), reader.read_to_end(&mut response)).await;
    dripping.abort();
    assert!(closed.is_ok(), "the connection is still open");
    String::from_utf8_lossy(&response).into_owned()
}

#[tokio::test]
async fn a_byte_now_and_then_is_answered_408_and_closed() {
    let grace = Duration::from_millis(300);
    let mut socket = start(BodyPace { grace, ..BodyPace::default() }).await;
    begin(&mut socket, 900_000).await;
    let started = Instant::now();
    let response = drip(socket, b"x", Duration::from_millis(50)).await;
    assert!(started.elapsed() >= grace);
    assert!(response.starts_with("HTTP/1.1 408"), "{response}");
    assert!(
        response.contains("connection: close") && response.contains("\"code\":\"body_too_slow\""),
        "{response}"
    );
}

#[tokio::test]
async fn a_body_that_is_fast_enough_but_never_ends_is_cut_off_after_the_maximum_time() {
    let max_time = Duration::from_millis(500);
    let pace = BodyPace { max_time, grace: Duration::from_millis(200), min_bytes_per_second: 10 };
    let mut socket = start(pace).await;
    begin(&mut socket, 900_000).await;
    let started = Instant::now();
    let response = drip(socket, &[b'x'; 100], Duration::from_millis(20)).await;
    assert!(started.elapsed() >= max_time);
    assert!(response.starts_with("HTTP/1.1 408"), "{response}");
}

#[tokio::test]
async fn a_body_in_two_parts_is_accepted() {
    let mut socket = start(BodyPace { grace: Duration::from_secs(2), ..BodyPace::default() }).await;
    for _ in 0..2 {
        begin(&mut socket, 6).await;
        socket.write_all(b"abc").await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        socket.write_all(b"def").await.unwrap();
        let mut response = Vec::new();
        while !response.ends_with(b"abcdef") {
            response.push(socket.read_u8().await.unwrap());
        }
        assert!(response.starts_with(b"HTTP/1.1 200"));
    }
}
