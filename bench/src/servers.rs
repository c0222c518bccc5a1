//! (m) Events of one organisation sent to two servers, far from PostgreSQL and beside it.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use db::Db;
use sea_orm::{ConnectionTrait as _, Statement};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;

use crate::BoxError;
use crate::beats::{EVENTS, Players};
use crate::process::{Cores, spread};
use crate::seed::SeedData;
use crate::server_process::{self, Server};
use crate::table::{Row, Table};
use crate::wrk::Run;

const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_secs(4);
/// Viewers of each server, each with one player.
const VIEWERS: usize = 64;
/// How long the network takes to PostgreSQL, and back.
const ONE_WAY: Duration = Duration::from_micros(2_500);
/// Goal: the events of two servers as a multiple of those of one.
const MIN_GAIN: f64 = 1.7;
/// Goal: share of the samples in which a transaction waits for the lock of another one.
const MAX_WAITING: f64 = 0.05;
/// Time between two samples.
const SAMPLE_EVERY: Duration = Duration::from_millis(20);

/// Measures with an empty database on PostgreSQL.
pub async fn measure(table: &mut Table, folder: &Path) -> Result<(), BoxError> {
    let started = Command::new("tools/postgres").arg("start").output()?;
    let url = String::from_utf8(started.stdout)?.trim().to_owned();
    if url.is_empty() {
        return Err("PostgreSQL does not start".into());
    }
    let measured = on(table, folder, &url).await;
    Command::new("tools/postgres").args(["stop", &url]).status()?;
    measured
}

async fn on(table: &mut Table, folder: &Path, url: &str) -> Result<(), BoxError> {
    let data = folder.join("servers");
    std::fs::create_dir(&data)?;
    let server = server_process::start_on(&data, url, Cores::Both)?;
    // Both servers have the address of this one, as behind a balancer, and so accept its tokens.
    let host = server.address;
    crate::say("seeding: an organisation with viewers");
    let mut seed = SeedData::create(&server, 1).await?;
    seed.add_content(&server, folder).await?;
    seed.add_viewers(&server, 2 * VIEWERS).await?;
    server.stop()?;
    beside(table, &data, url, (&seed, host)).await?;
    far(table, &data, url, (&seed, host)).await
}

/// The data on the servers, and the address that both have for the outside.
type Seeded<'a> = (&'a SeedData, SocketAddr);

/// Two servers that share a database.
struct Pair {
    servers: [Server; 2],
    players: [Players; 2],
}

impl Pair {
    /// Starts the servers. Each viewer's player is a client of one of them.
    fn start(data: &Path, url: &str, (seed, host): Seeded<'_>) -> Result<Self, BoxError> {
        let start = || server_process::start_one_of(data, url, &format!("http://{host}"));
        let servers = [start()?, start()?];
        let of =
            |number: usize| Players::some(&servers[number], seed, number * VIEWERS..(number + 1) * VIEWERS);
        let players = [of(0).at_host(host), of(1).at_host(host)];
        Ok(Self { servers, players })
    }

    /// Runs the players of both servers and returns the events per second.
    async fn both(&self, time: Duration) -> Result<f64, BoxError> {
        let [one, other] = &self.players;
        let (one, other) = tokio::join!(one.run("/v1/events", time), other.run("/v1/events", time));
        Ok(rate(&one?) + rate(&other?))
    }

    /// Does the same for those of one server.
    async fn one(&self, time: Duration) -> Result<f64, BoxError> {
        Ok(rate(&self.players[0].run("/v1/events", time).await?))
    }

    fn stop(self) -> Result<(), BoxError> {
        self.servers.into_iter().try_for_each(Server::stop)
    }
}

fn rate(run: &Run) -> f64 {
    run.rate() * EVENTS as f64
}

/// Compares two servers with one, 5 ms from PostgreSQL.
async fn far(table: &mut Table, data: &Path, url: &str, seed: Seeded<'_>) -> Result<(), BoxError> {
    let network = Network::to(url)?;
    let pair = Pair::start(data, &network.url, seed)?;
    pair.one(Duration::from_secs(1)).await?;
    pair.both(Duration::from_secs(1)).await?;
    let (mut both, mut one) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        both.push(pair.both(TIME).await?);
        one.push(pair.one(TIME).await?);
    }
    pair.stop()?;
    let (ours, theirs) = (spread(both), spread(one));
    table.add(Row {
        what: "(m) 20 beats stored by two servers 5 ms from PostgreSQL, or one".to_owned(),
        unit: "events/s",
        ours,
        theirs,
        ratio: ours.median / theirs.median,
        by_cpu: None,
        goal: MIN_GAIN,
        notes: vec![format!("{VIEWERS} viewers of the same organisation at each server")],
    });
    Ok(())
}

/// Looks how often two servers on the machine of PostgreSQL wait for each other.
async fn beside(table: &mut Table, data: &Path, url: &str, seed: Seeded<'_>) -> Result<(), BoxError> {
    let pair = Pair::start(data, url, seed)?;
    pair.both(Duration::from_secs(1)).await?;
    let db = Db::connect(url).await?;
    let (mut waiting, mut events) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (rate, share) = tokio::join!(pair.both(TIME), waiting_share(&db, TIME));
        events.push(rate?);
        waiting.push(share?);
    }
    db.close().await;
    pair.stop()?;
    let waiting = spread(waiting);
    table.add(Row {
        what: "(m) samples in which two servers wait for a lock, and goal".to_owned(),
        unit: "%",
        ours: waiting,
        theirs: spread([MAX_WAITING * 100.0]),
        ratio: MAX_WAITING * 100.0 / waiting.median.max(0.1),
        by_cpu: None,
        goal: 1.0,
        notes: vec![format!("{:.0} events/s, all processes on two cores", spread(events).median)],
    });
    Ok(())
}

/// Returns in how many percent of the samples a transaction waits for another one's lock.
async fn waiting_share(db: &Db, time: Duration) -> Result<f64, BoxError> {
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    let until = Instant::now() + time;
    let (mut samples, mut found) = (0_u32, 0_u32);
    while Instant::now() < until {
        let statement = Statement::from_string(db.read().get_database_backend(), waiting);
        let row = db.read().query_one_raw(statement).await?.ok_or("no count")?;
        let count: i64 = row.try_get_by_index(0)?;
        samples += 1;
        found += u32::from(count > 0);
        tokio::time::sleep(SAMPLE_EVERY).await;
    }
    Ok(f64::from(found) * 100.0 / f64::from(samples.max(1)))
}

/// A network between servers and PostgreSQL in which everything takes a while.
struct Network {
    /// URL of the database as seen through it.
    url: String,
}

impl Network {
    fn to(url: &str) -> Result<Self, BoxError> {
        let options: reqwest::Url = url.parse()?;
        let port = options.port().ok_or("a port is expected")?;
        let server: SocketAddr = ([127, 0, 0, 1], port).into();
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let here = listener.local_addr()?.port();
        let mut through = options;
        through.set_port(Some(here)).map_err(|()| "the port cannot be set")?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        // Another thread, because this one waits for servers to start. It ends with the run.
        std::thread::spawn(move || runtime.block_on(connect(listener, server)));
        Ok(Self { url: through.to_string() })
    }
}

/// Connects those who come to the server.
async fn connect(listener: std::net::TcpListener, server: SocketAddr) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    while let Ok((client, _)) = listener.accept().await {
        let Ok(server) = TcpStream::connect(server).await else { return };
        let _ = (client.set_nodelay(true), server.set_nodelay(true));
        let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
        tokio::spawn(carry(from_client, to_server));
        tokio::spawn(carry(from_server, to_client));
    }
}

/// Passes on what arrives, each part after the time that the way takes.
async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf) {
    let mut under_way: VecDeque<(Instant, Vec<u8>)> = VecDeque::new();
    let mut is_open = true;
    let mut buffer = vec![0; 65_536];
    while is_open || !under_way.is_empty() {
        let next = under_way.front().map_or_else(Instant::now, |(at, _)| *at);
        tokio::select! {
            biased;
            () = tokio::time::sleep_until(next), if !under_way.is_empty() => {
                let Some((_, part)) = under_way.pop_front() else { continue };
                if to.write_all(&part).await.is_err() {
                    return;
                }
            }
            read = from.read(&mut buffer), if is_open => match read {
                Ok(length) if length > 0 => under_way.push_back((Instant::now() + ONE_WAY, buffer[..length].to_vec())),
                _ => is_open = false,
            },
        }
    }
}
