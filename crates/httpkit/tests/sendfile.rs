//! Parts of files on a real socket: what arrives equals the file, however it was sent.
#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Query;
use axum::response::Response;
use axum::routing::get;
use http_body_util::BodyExt as _;
use httpkit::{FilePart, Permission, ServeSettings};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Several placeholders, but not a whole number of them.
const LEN: usize = 5 * (1 << 20) + 77;

fn data() -> Vec<u8> {
    (0..LEN as u64).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

fn file() -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&data()).unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file
}

#[derive(serde::Deserialize)]
struct Params {
    first: u64,
    end: u64,
    encoding: Option<String>,
    /// How many permission checks succeed; one is made after each megabyte.
    allowed: Option<usize>,
}

impl Params {
    fn permission(&self) -> Option<Permission> {
        let (allowed, checks) = (self.allowed?, AtomicUsize::new(0));
        let check = move || std::future::ready(Some(checks.fetch_add(1, Ordering::SeqCst) < allowed));
        Some(Permission::new(check).check_every(Duration::from_mins(1), 1 << 20))
    }
}

/// Starts a server whose readable bodies are spaces: any byte of the file must have been sent by the kernel.
async fn start(file: File, settings: ServeSettings) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let file = Arc::new(file);
    let serve = async move |Query(params): Query<Params>| {
        let len = params.end - params.first;
        let permission = params.permission();
        let mut response = Response::builder().header("content-length", len);
        if let Some(encoding) = params.encoding {
            response = response.header("content-encoding", encoding);
        }
        let mut response = response.body(Body::from(vec![b' '; usize::try_from(len).unwrap()])).unwrap();
        response.extensions_mut().insert(FilePart { file, range: params.first..params.end, permission });
        response
    };
    let app = Router::new().route("/", get(serve)).route("/quick", get(async || "quick"));
    tokio::spawn(async move { httpkit::serve(listener, app, settings, std::future::pending()).await });
    address
}

async fn send(socket: &mut TcpStream, paths: &[&str]) {
    let heads: String = paths.iter().map(|path| format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")).collect();
    socket.write_all(heads.as_bytes()).await.unwrap();
}

/// Reads the body of one response.
async fn receive(socket: &mut TcpStream) -> Vec<u8> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(socket.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    socket.read_exact(&mut body).await.unwrap();
    body
}

#[tokio::test]
async fn every_range_arrives_as_it_is_in_the_file_on_one_connection() {
    let (data, address) = (data(), start(file(), ServeSettings::default()).await);
    let mut socket = TcpStream::connect(address).await.unwrap();
    for (first, end) in
        [(0, LEN), (0, 1), (LEN - 1, LEN), (1, 1 << 20), (77, (1 << 20) + 77), (4_095, (3 << 20) + 1), (9, 9)]
    {
        send(&mut socket, &[&format!("/?first={first}&end={end}")]).await;
        assert!(receive(&mut socket).await == data[first..end], "{first}..{end}");
        send(&mut socket, &["/quick"]).await;
        assert_eq!(receive(&mut socket).await, b"quick");
    }
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let (data, address) = (data(), start(file(), ServeSettings::default()).await);
    let mut socket = TcpStream::connect(address).await.unwrap();
    let paths =
        ["/?first=10&end=3000000", "/quick", "/?first=0&end=5", "/?first=1&end=9", "/?first=99&end=2000000"];
    send(&mut socket, &paths).await;
    assert!(receive(&mut socket).await == data[10..3_000_000]);
    assert_eq!(receive(&mut socket).await, b"quick");
    assert_eq!(receive(&mut socket).await, data[..5]);
    assert_eq!(receive(&mut socket).await, data[1..9]);
    assert!(receive(&mut socket).await == data[99..2_000_000]);
}

#[tokio::test]
async fn a_slow_reader_gets_the_whole_file() {
    let (data, address) = (data(), start(file(), ServeSettings::default()).await);
    let mut socket = TcpStream::connect(address).await.unwrap();
    send(&mut socket, &[&format!("/?first=0&end={LEN}")]).await;
    let mut received = Vec::new();
    while received.len() < LEN {
        let mut chunk = vec![0; 30_011];
        let read = socket.read(&mut chunk).await.unwrap();
        assert_ne!(read, 0, "after {}", received.len());
        received.extend_from_slice(&chunk[..read]);
        tokio::task::yield_now().await;
    }
    assert!(received.ends_with(&data[data.len() - 1_000_000..]));
}

#[tokio::test]
async fn a_body_that_a_layer_changed_and_one_over_http_2_are_left_unchanged() {
    let address = start(file(), ServeSettings::default()).await;
    let mut socket = TcpStream::connect(&address).await.unwrap();
    send(&mut socket, &["/?first=0&end=9&encoding=gzip"]).await;
    assert_eq!(receive(&mut socket).await, b"         ");

    let socket = TcpStream::connect(&address).await.unwrap();
    let (mut client, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(socket)).await.unwrap();
    tokio::spawn(connection);
    let uri = format!("http://{address}/?first=0&end=9");
    let response = client.send_request(http::Request::get(uri).body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.into_body().collect().await.unwrap().to_bytes().as_ref(), b"         ");
}

#[tokio::test]
async fn a_truncated_file_ends_the_response_early() {
    let (data, file) = (data(), file());
    let short = file.try_clone().unwrap();
    let address = start(file, ServeSettings::default()).await;
    short.set_len(2_000_000).unwrap();
    let mut socket = TcpStream::connect(address).await.unwrap();
    send(&mut socket, &["/?first=1500000&end=5000000"]).await;
    let mut received = Vec::new();
    // Reset or closed: either way the response ends before the announced length.
    let _ = socket.read_to_end(&mut received).await;
    let body = received
        .windows(4)
        .position(|end| end == b"\r\n\r\n")
        .map(|at| &received[at + 4..])
        .unwrap_or_default();
    assert!(body.len() <= 500_000 && data[1_500_000..].starts_with(body), "{}", body.len());
}

#[tokio::test]
async fn a_file_stops_in_the_middle_when_permission_is_lost() {
    let (data, address) = (data(), start(file(), ServeSettings::default()).await);
    let mut socket = TcpStream::connect(&address).await.unwrap();
    send(&mut socket, &[&format!("/?first=0&end={LEN}&allowed=100")]).await;
    assert!(receive(&mut socket).await == data, "the whole file is sent while it is allowed");
    for allowed in [0, 1] {
        let mut socket = TcpStream::connect(&address).await.unwrap();
        send(&mut socket, &[&format!("/?first=0&end={LEN}&allowed={allowed}")]).await;
        let mut received = Vec::new();
        let _ = socket.read_to_end(&mut received).await;
        let at = received.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4;
        assert!(data.starts_with(&received[at..]));
        // A placeholder stands for at most two megabytes.
        let most = (allowed + 1) * (2 << 20);
        assert!(received.len() - at <= most, "{} of at most {most} with {allowed}", received.len() - at);
    }
}

#[tokio::test]
async fn a_connection_may_be_idle_longer_than_a_first_request_may_take() {
    let (brief, long) = (Duration::from_millis(400), Duration::from_secs(3));
    let settings = ServeSettings { header_timeout: brief, idle_timeout: long, ..ServeSettings::default() };
    let mut socket = TcpStream::connect(start(file(), settings).await).await.unwrap();
    send(&mut socket, &["/quick"]).await;
    assert_eq!(receive(&mut socket).await, b"quick");
    tokio::time::sleep(brief * 3).await;
    send(&mut socket, &["/quick"]).await;
    assert_eq!(receive(&mut socket).await, b"quick");
    let closed = tokio::time::timeout(Duration::from_secs(20), socket.read_u8()).await;
    assert!(closed.is_ok(), "the idle connection is never closed");
}
