//! The command line.

mod admin;
mod admin_args;
mod backup;
mod demo;
mod doctor;
mod folder;
mod restore;
mod serve;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use nix::sys::stat::{Mode, umask};

use crate::metrics::DASHBOARDS;
use crate::settings::{self, Settings};
use crate::{compose, observe, traces, version};

/// Vitrine: a web portal for video and content distribution.
#[derive(Parser)]
#[command(
    name = "vitrine",
    version = version::TEXT.as_str(),
    about = "Vitrine: a web portal for video and content distribution.",
    arg_required_else_help = true
)]
struct Cli {
    /// Settings file. Defaults to vitrine.toml in the current folder, if it exists.
    #[arg(long, env = "VITRINE_CONFIG", global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the web apps and the API, and run background jobs.
    Serve {
        /// Leave jobs to other processes (`vitrine worker`). Needs PostgreSQL.
        #[arg(long)]
        no_worker: bool,
    },
    /// Run background jobs only.
    Worker,
    /// Migrate the database and exit.
    Migrate,
    /// Print the OpenAPI document.
    Openapi,
    /// Print a dashboard for Grafana.
    Grafana {
        /// Which of them.
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(DASHBOARDS.iter().map(|one| one.name)))]
        dashboard: String,
    },
    /// Check the installation and say how to fix what is missing.
    Doctor {
        /// Print one JSON object per line.
        #[arg(long)]
        json: bool,
    },
    /// Fill a new sandbox with organizations, media, people and their viewing.
    Demo {
        /// The same seed gives the same numbers.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How much to create.
        #[arg(long, value_enum, default_value_t)]
        size: demo::DemoSize,
    },
    /// Check the stored data. Prints one line per finding and exits with 1 if there are any.
    Verify {
        /// Also read every file.
        #[arg(long)]
        deep: bool,
        /// Repair what is safe to repair: totals, what is derived, references to what is gone, stuck processing.
        #[arg(long)]
        repair: bool,
        /// Print one JSON object per line.
        #[arg(long)]
        json: bool,
    },
    /// Save all rows and files, also while the server is running.
    Backup(backup::BackupCommand),
    /// Restore a backup into an empty database and an empty storage, on any engine and kind of storage.
    Restore(restore::RestoreCommand),
    /// Manage files, jobs, emails, people, organisations and content, also while the server is running.
    Admin(admin_args::AdminArgs),
    /// Print the effective settings, with secrets masked.
    Config {
        /// Print every setting with its default and meaning instead.
        #[arg(long)]
        example: bool,
    },
}

/// Runs the program.
pub fn main() -> ExitCode {
    // This program sets up the confinement of ffmpeg and then becomes ffmpeg. Nothing else may run before
    // that.
    let mut raw = std::env::args_os();
    if raw.nth(1).is_some_and(|first| first == media::CONFINEMENT_COMMAND) {
        return media::confinement_main(raw);
    }
    // Files are private to this user: the database, the log, uploaded content.
    umask(Mode::from_bits_truncate(0o077));
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            // A closed stderr must not cause a panic.
            let _ = writeln!(std::io::stderr(), "vitrine: {error}");
            ExitCode::FAILURE
        }
    }
}

pub(crate) type BoxError = Box<dyn std::error::Error>;

/// Prints a line to stdout, ignoring a closed pipe.
fn print_line(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn print_dashboard(name: &str) -> Result<(), BoxError> {
    let found = DASHBOARDS.iter().find(|one| one.name == name).ok_or("unknown dashboard")?;
    println!("{}", serde_json::to_string_pretty(&found.json())?);
    Ok(())
}

fn run(cli: Cli) -> Result<ExitCode, BoxError> {
    match cli.command {
        Command::Openapi => {
            println!("{}", compose::openapi_text()?);
            return Ok(ExitCode::SUCCESS);
        }
        Command::Grafana { dashboard } => {
            print_dashboard(&dashboard)?;
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
    let mut settings = Settings::load(file.as_deref())?;
    if matches!(cli.command, Command::Config { .. }) {
        print!("{}", settings::merged(&settings));
        return Ok(ExitCode::SUCCESS);
    }
    if let Command::Demo { size, .. } = cli.command {
        demo::prepare(&mut settings, size)?;
    }
    traces::check(&settings.server.otlp_endpoint, settings.server.otlp_percent)?;
    observe::start_log(&settings.server)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(async {
        match cli.command {
            Command::Doctor { json } => return Ok(Box::pin(doctor::run(&settings, json)).await),
            Command::Verify { deep, repair, json } => {
                return admin::run(settings, crate::admin::Command::Verify { deep, repair }, json).await;
            }
            Command::Backup(command) => return Box::pin(backup::run(settings, command)).await,
            Command::Restore(command) => return Box::pin(restore::restore(settings, command)).await,
            Command::Admin(command) => {
                let (command, json) = command.request()?;
                return admin::run(settings, command, json).await;
            }
            _ => {}
        }
        settings.check()?;
        folder::check_access(&settings.server.data_dir)?;
        folder::restrict_to_owner(&settings.server.data_dir);
        match cli.command {
            Command::Serve { no_worker } => serve::serve(settings, !no_worker).await?,
            Command::Worker => serve::work(settings).await?,
            Command::Demo { seed, size } => demo::demo(settings, seed, size).await?,
            _ => serve::migrate(settings).await?,
        }
        Ok(ExitCode::SUCCESS)
    });
    traces::flush();
    outcome
}
