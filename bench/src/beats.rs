//! Simulates the players of many viewers, each on a separate connection. wrk cannot make every request unique
//! at this rate.
//!
//! A player watches a video from beginning to end, with twenty beats per request, and starts the next. All
//! requests of a video are prepared in advance; only the ids of views and events are new each time.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kernel::{Ambient, Timestamp};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::seed::{SeedData, VIDEO_SECONDS};
use crate::server_process::Server;
use crate::wrk::Run;
use crate::{BoxError, process};

/// Beats per request.
pub const EVENTS: usize = 20;
/// Seconds between beats.
const STEP: u64 = 10;
const CONNECTIONS: usize = 256;
/// Constant prefix of ids.
const ID: &str = "01999999-0000-7000-8000-";
/// Length of the part that counts up.
const COUNT: usize = 12;

/// Number of groups of players so far.
static GROUPS: AtomicU64 = AtomicU64::new(0);

/// One viewer's player.
struct Player {
    bearer: String,
    org: String,
    video: String,
    playlist: String,
}

/// All players.
pub struct Players {
    address: SocketAddr,
    /// The address in the Host header.
    host: SocketAddr,
    pid: u32,
    players: Vec<Player>,
    /// Number of ids issued.
    ids: Rc<Cell<u64>>,
    ambient: Ambient,
}

/// A request, and the positions of ids in it.
struct Request {
    bytes: Vec<u8>,
    views: Vec<usize>,
    events: Vec<usize>,
}

/// Totals of all players.
#[derive(Default)]
struct Tally {
    answers: Cell<u64>,
    bytes: Cell<u64>,
    micros: RefCell<Vec<u32>>,
}

impl Players {
    /// Creates the players. Each viewer has the same number of players, on different videos.
    pub fn of(server: &Server, seed: &SeedData) -> Self {
        Self::some(server, seed, 0..CONNECTIONS)
    }

    /// Creates some of the players, by their numbers.
    pub fn some(server: &Server, seed: &SeedData, numbers: std::ops::Range<usize>) -> Self {
        let player = |number: usize| {
            let org = &seed.orgs[number % seed.orgs.len()];
            let turn = number / seed.orgs.len();
            let (viewer, video) = (turn % org.viewers.len(), turn / org.viewers.len());
            Player {
                bearer: org.viewers[viewer].clone(),
                org: org.uid.clone(),
                video: org.videos[video % org.videos.len()].clone(),
                playlist: org.playlist.clone(),
            }
        };
        Self {
            address: server.address,
            host: server.address,
            pid: server.pid(),
            // No two groups of players have the same ids.
            ids: Rc::new(Cell::new(GROUPS.fetch_add(1, Ordering::Relaxed) << 32)),
            players: numbers.map(player).collect(),
            ambient: Ambient::system(),
        }
    }

    /// Returns the players, which now send this address as their host.
    pub fn at_host(self, host: SocketAddr) -> Self {
        Self { host, ..self }
    }

    /// Returns the number of connections.
    pub fn connections(&self) -> usize {
        self.players.len()
    }

    /// Runs all players for the given time. Fails on any response other than "all accepted".
    pub async fn run(&self, path: &str, time: Duration) -> Result<Run, BoxError> {
        let tally = Rc::new(Tally::default());
        let local = LocalSet::new();
        let mut tasks = Vec::with_capacity(self.players.len());
        let began_watching = self.ambient.now() - 1_000 * i64::try_from(VIDEO_SECONDS)? - 60_000;
        let mut ready = Vec::with_capacity(self.players.len());
        for player in &self.players {
            let video = player.requests_of_video(path, self.host, began_watching);
            ready.push((video, TcpStream::connect(self.address).await?));
        }
        let before = process::cpu(self.pid)?;
        let started = Instant::now();
        for (video, stream) in ready {
            let (tally, ids) = (Rc::clone(&tally), Rc::clone(&self.ids));
            tasks.push(local.spawn_local(watch(video, stream, ids, tally, started + time)));
        }
        local.await;
        let took = started.elapsed();
        for task in tasks {
            task.await??;
        }
        let spent = process::cpu(self.pid)?.saturating_sub(before);
        let mut micros = tally.micros.take();
        micros.sort_unstable();
        let part =
            |share: f64| micros.get((micros.len() as f64 * share) as usize).copied().map_or(0, u64::from);
        let requests = tally.answers.get().max(1);
        Ok(Run {
            requests,
            bytes: tally.bytes.get(),
            micros: u64::try_from(took.as_micros())?,
            failed: 0,
            p50: part(0.5),
            p99: part(0.99),
            cpu: spent.as_secs_f64() * 1e6 / requests as f64,
            busy: spent.as_secs_f64() / took.as_secs_f64(),
        })
    }
}

impl Player {
    /// Prepares the requests of one video.
    fn requests_of_video(&self, path: &str, address: SocketAddr, began: Timestamp) -> Vec<Request> {
        let beats = VIDEO_SECONDS / STEP;
        let requests = beats / EVENTS as u64;
        (0..requests).map(|number| self.request(path, address, began, number * EVENTS as u64)).collect()
    }

    fn request(&self, path: &str, address: SocketAddr, began: Timestamp, first: u64) -> Request {
        let mut body = format!(r#"{{"orgId":"{}","events":["#, self.org);
        let (mut views, mut events) = (Vec::new(), Vec::new());
        for seq in first..first + EVENTS as u64 {
            let (from, to) = (seq * STEP * 1_000, (seq + 1) * STEP * 1_000);
            let time = kernel::iso(began + i64::try_from(to).unwrap_or(0));
            let comma = if seq == first { "" } else { "," };
            let _ = write!(body, r#"{comma}{{"kind":"beat","id":"{ID}"#);
            events.push(body.len());
            let _ = write!(body, r#"000000000000","viewId":"{ID}"#);
            views.push(body.len());
            let _ = write!(
                body,
                r#"000000000000","seq":{seq},"contentId":"{}","playlistId":"{}","from":{from},"to":{to},"rate":1,"state":"playing","time":"{time}"}}"#,
                self.video, self.playlist,
            );
        }
        body.push_str("]}");
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: {}\r\nuser-agent: Mozilla/5.0 (X11; Linux \
             x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n",
            self.bearer,
            body.len()
        );
        let shifted = |offsets: Vec<usize>| offsets.into_iter().map(|offset| offset + head.len()).collect();
        Request { views: shifted(views), events: shifted(events), bytes: (head + &body).into_bytes() }
    }
}

/// Runs one connection: video after video until the time is over.
async fn watch(
    mut video: Vec<Request>,
    mut stream: TcpStream,
    ids: Rc<Cell<u64>>,
    tally: Rc<Tally>,
    until: Instant,
) -> Result<(), BoxError> {
    stream.set_nodelay(true)?;
    let mut response = Vec::with_capacity(4096);
    loop {
        let view = next_id(&ids);
        for request in &mut video {
            if Instant::now() >= until {
                return Ok(());
            }
            for offset in &request.views {
                request.bytes[*offset..*offset + COUNT].copy_from_slice(&view);
            }
            for offset in &request.events {
                request.bytes[*offset..*offset + COUNT].copy_from_slice(&next_id(&ids));
            }
            let started = Instant::now();
            stream.write_all(&request.bytes).await?;
            read_response(&mut stream, &mut response).await?;
            let took = started.elapsed();
            tally.answers.set(tally.answers.get() + 1);
            tally.bytes.set(tally.bytes.get() + response.len() as u64);
            tally.micros.borrow_mut().push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
        }
    }
}

/// Writes the last part of the next id.
fn next_id(ids: &Cell<u64>) -> [u8; COUNT] {
    let id = ids.get() + 1;
    ids.set(id);
    let mut text = [b'0'; COUNT];
    let mut rest = id;
    for digit in text.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(rest & 15) as usize];
        rest >>= 4;
    }
    text
}

/// Reads one complete response, which must say that all events were accepted.
async fn read_response(stream: &mut TcpStream, response: &mut Vec<u8>) -> Result<(), BoxError> {
    response.clear();
    loop {
        if stream.read_buf(response).await? == 0 {
            return Err("the server closed the connection".into());
        }
        let Some(end) = response.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&response[..end]);
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        let length = length.ok_or("a response without a length")?;
        if response.len() < end + 4 + length {
            continue;
        }
        let accepted = format!(r#"{{"accepted":{EVENTS},"rejected":[]}}"#);
        if head.starts_with("HTTP/1.1 202") && response[end + 4..] == *accepted.as_bytes() {
            return Ok(());
        }
        return Err(format!("not all events were accepted: {}", String::from_utf8_lossy(response)).into());
    }
}
