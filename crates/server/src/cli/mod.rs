//! The command line.

mod admin;
mod doctor;
mod folder;
mod serve;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use nix::sys::stat::{Mode, umask};

use crate::settings::{self, Settings};
use crate::{compose, observe};

/// Vitrine: a web portal for video and content distribution.
#[derive(Parser)]
#[command(
    name = "vitrine",
    version,
    about = "Vitrine: a web portal for video and content distribution.",
    arg_required_else_help = true
)]
struct Cli {
    /// The settings file; by default vitrine.toml in the current folder, if it is there.
    #[arg(long, env = "VITRINE_CONFIG", global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serves web, API and workers.
    Serve {
        /// Leaves the jobs to other processes (`vitrine worker`); needs PostgreSQL.
        #[arg(long)]
        no_worker: bool,
    },
    /// Works on jobs only.
    Worker,
    /// Brings the database up to date and ends.
    Migrate,
    /// Prints the OpenAPI document.
    Openapi,
    /// Says what is missing and what to do.
    Doctor,
    /// Checks the stored data; exits with 1 if it finds something, which it prints one line each.
    Verify {
        /// Reads every file as well.
        #[arg(long)]
        deep: bool,
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
    },
    /// Looks after files and jobs, also while the server runs.
    #[command(subcommand)]
    Admin(admin::AdminCommand),
    /// Prints the settings in force, secrets as stars.
    Config {
        /// Prints every setting with its default and meaning instead.
        #[arg(long)]
        example: bool,
    },
}

/// Runs the program.
pub fn main() -> ExitCode {
    // The walls around ffmpeg are put up by this program before it becomes ffmpeg; nothing else may run
    // before that.
    let mut raw = std::env::args_os();
    if raw.nth(1).is_some_and(|first| first == media::BOX_COMMAND) {
        return media::box_main(raw);
    }
    // What this program writes is for its own user: the database, its log, people's files.
    umask(Mode::from_bits_truncate(0o077));
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            // A reader that went away is no reason to panic.
            let _ = writeln!(std::io::stderr(), "vitrine: {error}");
            ExitCode::FAILURE
        }
    }
}

type Failure = Box<dyn std::error::Error>;

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        Command::Openapi => {
            println!("{}", compose::openapi_text()?);
            return Ok(ExitCode::SUCCESS);
        }
        Command::Config { example: true } => {
            print!("{}", settings::example());
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let default = PathBuf::from("vitrine.toml");
    let file = cli.config.or_else(|| default.exists().then_some(default));
    let settings = Settings::load(file.as_deref())?;
    if matches!(cli.command, Command::Config { .. }) {
        print!("{}", settings::merged(&settings));
        return Ok(ExitCode::SUCCESS);
    }
    observe::start_log(&settings.server);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        if matches!(cli.command, Command::Doctor) {
            return Ok(doctor::examine(&settings).await);
        }
        match cli.command {
            Command::Verify { deep, json } => {
                return admin::run(settings, crate::admin::Command::Verify { deep }, json).await;
            }
            Command::Admin(command) => {
                let (command, json) = command.request();
                return admin::run(settings, command, json).await;
            }
            _ => {}
        }
        settings.check()?;
        folder::close_to_others(&settings.server.data_dir);
        match cli.command {
            Command::Serve { no_worker } => serve::serve(settings, !no_worker).await?,
            Command::Worker => serve::work(settings).await?,
            _ => serve::migrate(settings).await?,
        }
        Ok(ExitCode::SUCCESS)
    })
}
