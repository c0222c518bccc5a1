//! `vitrine-bench`: the server beside plain references, on one machine, in one run; see the README beside it.
//!
//! `measure` drives everything and prints the table. It starts this same program as `serve`, on a core of its
//! own: the whole server through `server::compose`, with two reference routes behind the same layers.

mod api;
mod beats;
mod events;
mod house;
mod ingest;
mod lists;
mod nginx;
mod process;
mod ranges;
mod reference;
mod seed;
mod sign_in;
mod table;
mod wrk;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use process::Cores;
use table::Table;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Everything that can go wrong here ends the run with its sentence.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let mut raw = std::env::args_os();
    if raw.nth(1).is_some_and(|first| first == media::BOX_COMMAND) {
        return media::box_main(raw);
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args[..] {
        ["serve", folder, listen] => house::serve(Path::new(folder), listen),
        ["measure", folder, ref parts @ ..] => measure(Path::new(folder), parts),
        _ => Err("usage: vitrine-bench measure FOLDER [a] [b] [c] [d] [e]".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures the parts that are named, or all of them.
fn measure(folder: &Path, parts: &[&str]) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let folder: PathBuf = folder.canonicalize()?;
    let wanted = |part: &str| parts.is_empty() || parts.contains(&part);
    let mut table = Table::default();
    runtime.block_on(async {
        let big = if wanted("c") || wanted("d") { Some(ingest::BigFile::make(&folder)?) } else { None };
        if let Some(big) = big.as_ref().filter(|_| wanted("c")) {
            let server = house::start(&folder, "both", Cores::Both).await?;
            let town = seed::Town::found(&server, 1).await?;
            ingest::measure(&mut table, &server, &town, big, &folder).await?;
            server.stop()?;
        }
        let server = house::start(&folder, "one", Cores::Server).await?;
        say("settling in: organisations, playlists, films and viewers");
        let mut town = seed::Town::found(&server, seed::ORGS).await?;
        town.furnish(&server, &folder).await?;
        if wanted("a") {
            lists::measure(&mut table, &server, &town, &folder).await?;
        }
        if wanted("b") {
            town.populate(&server).await?;
            events::measure(&mut table, &server, &town).await?;
        }
        if wanted("e") {
            sign_in::measure(&mut table, &server, &town).await?;
        }
        if let Some(big) = &big {
            let uid = if wanted("c") {
                ingest::measure(&mut table, &server, &town, big, &folder).await?
            } else {
                ingest::put_once(&server, &town, big).await?.0
            };
            if wanted("d") {
                ranges::measure(&mut table, &server, &town, &uid, big, &folder).await?;
            }
        }
        server.stop()
    })?;
    table.print();
    Ok(())
}

/// Tells what is being done.
pub fn say(text: &str) {
    println!("bench: {text}");
}
