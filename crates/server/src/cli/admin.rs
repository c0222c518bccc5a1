//! `vitrine admin` and `vitrine verify`, run through the control socket of a running server or in this
//! process.

use std::io::Write as _;
use std::process::ExitCode;

use db::ConnectError;
use nix::unistd::geteuid;
use tokio::sync::mpsc;

use super::{BoxError, folder};
use crate::admin::{Command, Line, user_name};
use crate::bootstrap::Bootstrap;
use crate::settings::Settings;
use crate::{compose, control};

/// Executes a command and prints its output. Fails if the command failed or found an inconsistency.
pub async fn run(settings: Settings, command: Command, json: bool) -> Result<ExitCode, BoxError> {
    let is_sqlite = settings.database_url().starts_with("sqlite:");
    if is_sqlite && let Some(mut output) = control::send_command(&settings.server.data_dir, &command).await? {
        while let Some(line) = output.next().await? {
            if let Some(code) = print(&line, json) {
                return Ok(code);
            }
        }
        return Err("the server stopped before the command was finished".into());
    }
    settings.check()?;
    folder::restrict_to_owner(&settings.server.data_dir);
    let bootstrap = Bootstrap::open(settings).await.map_err(|error| match error.downcast_ref() {
        Some(ConnectError::InUse(_)) => {
            "the database is in use by a vitrine process without a control socket in the data folder; \
             see its log or stop it first"
                .into()
        }
        _ => error,
    })?;
    let app = if command.accepts_any_storage() {
        compose::build_app_on_any_storage(&bootstrap).await?
    } else {
        compose::build_app(&bootstrap).await?
    };
    let admin = app.admin;
    let (out, mut lines) = mpsc::channel(64);
    let running = tokio::spawn(async move { admin.run(command, user_name(geteuid()), &out).await });
    let mut code = None;
    while let Some(line) = lines.recv().await {
        code = print(&line, json);
        if code.is_some() {
            break;
        }
    }
    drop(lines);
    running.await?;
    bootstrap.db.close().await;
    Ok(code.unwrap_or(ExitCode::FAILURE))
}

/// Prints a line. Returns the exit code if it was the last line or stdout is closed.
fn print(line: &Line, json: bool) -> Option<ExitCode> {
    let text = if json { serde_json::to_string(line).unwrap_or_default() } else { line.to_string() };
    let printed = match line {
        Line::Failed { .. } if !json => writeln!(std::io::stderr(), "vitrine: {text}"),
        _ => writeln!(std::io::stdout(), "{text}"),
    };
    if printed.is_err() || line.is_bad() {
        return Some(ExitCode::FAILURE);
    }
    line.is_last().then_some(ExitCode::SUCCESS)
}
