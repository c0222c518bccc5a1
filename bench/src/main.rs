//! `vitrine-bench`: compares the server with plain references, on one machine, in one run. See the README.
//!
//! `measure` drives everything and prints the table. It starts this program as `serve` on a separate core:
//! the whole server through `server::compose`, with two reference routes behind the same layers.

mod api;
mod beats;
mod events;
mod first_paint;
mod ingest;
mod latency;
mod lists;
mod nginx;
mod people;
mod process;
mod ranges;
mod reference;
mod resumable;
mod screens;
mod seed;
mod segments;
mod server_process;
mod servers;
mod sign_in;
mod table;
mod transcode;
mod video;
mod webhooks;
mod wrk;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use process::Cores;
use table::Table;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Any error ends the run with its message.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let mut raw = std::env::args_os();
    if raw.nth(1).is_some_and(|first| first == media::CONFINEMENT_COMMAND) {
        return media::confinement_main(raw);
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args[..] {
        ["serve", folder, listen, database_url, billing] => {
            server_process::serve(Path::new(folder), listen, database_url, billing)
        }
        ["check", folder, url, org] => block_on(screens::check(Path::new(folder), url, org)),
        ["purge", folder, url, ""] => block_on(screens::purge(Path::new(folder), url)),
        ["measure", folder, ref parts @ ..] => measure(Path::new(folder), parts),
        _ => Err(
            "usage: vitrine-bench measure FOLDER [a] [b] [c] [d] [d2] [e] [f] [g] [h] [i] [j] [k] [l] [m]"
                .into(),
        ),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn block_on(task: impl Future<Output = Result<(), BoxError>>) -> Result<(), BoxError> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(task)
}

/// Measures the selected parts, or all of them.
fn measure(folder: &Path, parts: &[&str]) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let folder = folder.canonicalize()?;
    if let Some(unknown) = parts.iter().find(|part| !PARTS.contains(part)) {
        return Err(format!("unknown part {unknown}; the parts are {}", PARTS.join(", ")).into());
    }
    let mut run = Run { folder, parts, table: Table::default() };
    runtime.block_on(async {
        let big = if run.wants(&["c", "d", "h"]) { Some(ingest::BigFile::make(&run.folder)?) } else { None };
        run.on_both_cores(big.as_ref()).await?;
        if run.wants(&["a", "b", "c", "d", "d2", "e", "f"]) {
            run.on_one_core(big.as_ref()).await?;
        }
        Ok::<_, BoxError>(())
    })?;
    run.table.print();
    Ok(())
}

/// All parts.
const PARTS: [&str; 14] = ["a", "b", "c", "d", "d2", "e", "f", "g", "h", "i", "j", "k", "l", "m"];

/// One run of the benchmark.
struct Run<'a> {
    folder: PathBuf,
    parts: &'a [&'a str],
    table: Table,
}

impl Run<'_> {
    fn wants(&self, any: &[&str]) -> bool {
        self.parts.is_empty() || any.iter().any(|part| self.parts.contains(part))
    }

    /// Realistic conditions: a server that has the whole machine.
    async fn on_both_cores(&mut self, big: Option<&ingest::BigFile>) -> Result<(), BoxError> {
        let folder = self.folder.clone();
        if let Some(big) = big.filter(|_| self.wants(&["c", "h"])) {
            let server = server_process::start(&folder, "both", Cores::Both)?;
            let seed = seed::SeedData::create(&server, 1).await?;
            if self.wants(&["c"]) {
                ingest::measure(&mut self.table, &server, &seed, big, &folder).await?;
                ingest::remove_stored(&folder.join(&server.name), big)?;
            }
            if self.wants(&["h"]) {
                resumable::measure(&mut self.table, &server, &seed, big, &folder).await?;
            }
            server.stop()?;
        }
        if self.wants(&["g"]) {
            let server = server_process::start(&folder, "latency", Cores::Both)?;
            let mut seed = seed::SeedData::create(&server, 1).await?;
            seed.add_content(&server, &folder).await?;
            latency::measure(&mut self.table, &server, &seed, &folder).await?;
            server.stop()?;
        }
        if self.wants(&["i"]) {
            first_paint::measure(&mut self.table, &folder).await?;
        }
        if self.wants(&["j"]) {
            people::measure(&mut self.table, &folder).await?;
        }
        if self.wants(&["k"]) {
            let server = server_process::start_with_payment(&folder, "webhooks")?;
            webhooks::measure(&mut self.table, &server, &folder).await?;
            server.stop()?;
        }
        if self.wants(&["l"]) {
            screens::measure(&mut self.table, &folder).await?;
        }
        if self.wants(&["m"]) {
            servers::measure(&mut self.table, &folder).await?;
        }
        Ok(())
    }

    /// Comparable conditions: the server on one core and the load on the other.
    async fn on_one_core(&mut self, big: Option<&ingest::BigFile>) -> Result<(), BoxError> {
        let folder = self.folder.clone();
        let server = server_process::start(&folder, "one", Cores::Server)?;
        say("seeding: organisations, playlists, videos and viewers");
        let mut seed = seed::SeedData::create(&server, seed::ORGS).await?;
        seed.add_content(&server, &folder).await?;
        if self.wants(&["a"]) {
            lists::measure(&mut self.table, &server, &seed, &folder).await?;
        }
        if self.wants(&["b"]) {
            seed.add_viewers(&server, seed::VIEWERS).await?;
            events::measure(&mut self.table, &server, &seed, events::ON_SEED).await?;
        }
        if self.wants(&["e"]) {
            sign_in::measure(&mut self.table, &server, &seed).await?;
        }
        if let Some(big) = big.filter(|_| self.wants(&["c", "d"])) {
            let uid = if self.wants(&["c"]) {
                ingest::measure(&mut self.table, &server, &seed, big, &folder).await?
            } else {
                ingest::put_once(&server, &seed, big).await?.0
            };
            if self.wants(&["d"]) {
                ranges::measure(&mut self.table, &server, &seed, &uid, big, &folder).await?;
            }
        }
        if self.wants(&["d2"]) {
            segments::measure(&mut self.table, &server, &seed, &folder).await?;
        }
        if self.wants(&["f"]) {
            transcode::measure(&mut self.table, &server, &seed, &folder).await?;
        }
        server.stop()
    }
}

/// Prints progress.
pub fn say(text: &str) {
    println!("bench: {text}");
}
