//! A way from one part to another that can be cut: nothing gets through and nothing is closed, as if a cable was pulled.

use std::io::Result;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch::{Receiver, Sender, channel};

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// Connections stay and are accepted, but what is sent waits.
    Cut,
    /// Connections are closed at once.
    Closed,
}

/// The way to a port of this machine.
pub struct Link {
    pub port: u16,
    state: Sender<State>,
}

impl Link {
    /// Opens a way to a port. It works as long as the runtime of the test.
    pub async fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (state, seen) = channel(State::Open);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, target, seen.clone()));
            }
        });
        Self { port, state }
    }

    pub fn open(&self) {
        self.state.send_replace(State::Open);
    }

    pub fn cut(&self) {
        self.state.send_replace(State::Cut);
    }

    pub fn close(&self) {
        self.state.send_replace(State::Closed);
    }
}

/// Carries a connection until one side ends, or the way is closed.
async fn carry(client: TcpStream, target: u16, mut state: Receiver<State>) {
    if !matches!(state.wait_for(|state| *state != State::Cut).await.as_deref(), Ok(State::Open)) {
        return;
    }
    let Ok(server) = TcpStream::connect(("127.0.0.1", target)).await else { return };
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    let there = pump(from_client, to_server, state.clone());
    let back = pump(from_server, to_client, state.clone());
    tokio::select! {
        _ = state.wait_for(|state| *state == State::Closed) => {}
        _ = async { tokio::join!(there, back) } => {}
    }
}

/// Carries one direction. What arrives while the way is cut waits, also the end.
async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut state: Receiver<State>) -> Result<()> {
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let read = from.read(&mut chunk).await.unwrap_or_default();
        let _ = state.wait_for(|state| *state == State::Open).await;
        if read == 0 {
            return to.shutdown().await;
        }
        to.write_all(&chunk[..read]).await?;
    }
}
