//! The control socket: lets operator commands reach a server that holds its SQLite database.
//!
//! A request is one line of JSON, a [`Command`]; the response is one line of JSON for each [`Line`]. The
//! socket is in the data folder, and only its owner and root may use it.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use nix::unistd::{Uid, geteuid};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::admin::{Admin, Command, Line, user_name};

/// Name of the socket in the data folder.
pub const SOCKET: &str = "control.sock";
/// Maximum length of a request.
const REQUEST_MAX: u64 = 64 * 1024;
/// Time limit for a request to arrive.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Lines buffered for a slow reader.
const BUFFERED_LINES: usize = 64;

/// The listening socket. Dropping it removes the file.
pub struct ControlSocket {
    listener: UnixListener,
    file: SocketFile,
}

struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.0) {
            tracing::warn!(%error, "cannot remove the control socket");
        }
    }
}

impl ControlSocket {
    /// Opens the socket in the data folder, replacing one left by a killed process.
    ///
    /// # Errors
    /// Fails if a running process is listening on it, or if it cannot be created.
    pub fn open(data_dir: &Path) -> io::Result<Self> {
        let path = data_dir.join(SOCKET);
        match StdUnixStream::connect(&path) {
            Ok(_) => return Err(io::Error::new(io::ErrorKind::AddrInUse, "another process listens on it")),
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => fs::remove_file(&path)?,
            Err(_) => {}
        }
        let listener = UnixListener::bind(&path)?;
        let file = SocketFile(path);
        fs::set_permissions(&file.0, Permissions::from_mode(0o600))?;
        Ok(Self { listener, file })
    }

    /// Serves commands until `stop`. Commands still running then are aborted.
    pub async fn serve(self, admin: Admin, stop: CancellationToken) {
        let Self { listener, file } = self;
        let admin = Arc::new(admin);
        let mut connections = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                () = stop.cancelled() => break,
                accepted = listener.accept() => accepted,
                // Removes finished tasks from the set.
                Some(_) = connections.join_next() => continue,
            };
            match accepted {
                Ok((stream, _)) => {
                    connections.spawn(handle_connection(Arc::clone(&admin), stream));
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection on the control socket");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        }
        drop(file);
        connections.shutdown().await;
    }
}

async fn handle_connection(admin: Arc<Admin>, stream: UnixStream) {
    if let Err(error) = run_command(&admin, stream).await {
        tracing::info!(%error, "a control socket command was not completed");
    }
}

async fn run_command(admin: &Admin, mut stream: UnixStream) -> io::Result<()> {
    let peer = Uid::from_raw(stream.peer_cred()?.uid());
    if peer != geteuid() && !peer.is_root() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("user {peer} may not use the control socket"),
        ));
    }
    let (read, mut write) = stream.split();
    let mut request = String::new();
    let mut reader = BufReader::new(read.take(REQUEST_MAX));
    tokio::time::timeout(REQUEST_TIMEOUT, reader.read_line(&mut request)).await??;
    let command: Command = match serde_json::from_str(&request) {
        Ok(command) => command,
        Err(error) => {
            let error = format!("the server does not know this command: {error}");
            return write_line(&mut write, &Line::Failed { error }).await;
        }
    };
    tracing::info!(command = command.name(), "control socket command");
    let (out, mut lines) = mpsc::channel(BUFFERED_LINES);
    let run = async move {
        admin.run(command, user_name(peer), &out).await;
    };
    let forward = async move {
        while let Some(line) = lines.recv().await {
            // If the client disconnects, this error drops the channel and thereby ends the command.
            write_line(&mut write, &line).await?;
        }
        Ok(())
    };
    tokio::join!(run, forward).1
}

async fn write_line(write: &mut (impl tokio::io::AsyncWrite + Unpin), line: &Line) -> io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    write.write_all(text.as_bytes()).await
}

/// Response of a running server.
pub struct CommandOutput {
    lines: Lines<BufReader<UnixStream>>,
}

impl CommandOutput {
    /// Returns the next line, or `None` if the server closed the connection.
    ///
    /// # Errors
    /// Fails if the line cannot be read.
    pub async fn next(&mut self) -> io::Result<Option<Line>> {
        match self.lines.next_line().await? {
            Some(text) => Ok(Some(serde_json::from_str(&text)?)),
            None => Ok(None),
        }
    }
}

/// Sends a command to the server running on this data folder. Returns `None` if no server is running.
///
/// # Errors
/// Fails if a server is running but cannot be reached.
pub async fn send_command(data_dir: &Path, command: &Command) -> io::Result<Option<CommandOutput>> {
    let mut stream = match UnixStream::connect(data_dir.join(SOCKET)).await {
        Ok(stream) => stream,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let mut request = serde_json::to_string(command)?;
    request.push('\n');
    stream.write_all(request.as_bytes()).await?;
    Ok(Some(CommandOutput { lines: BufReader::new(stream).lines() }))
}
