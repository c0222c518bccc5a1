//! Who may see the stand-ins: this machine, unless the operator says otherwise.
//!
//! A loopback public address alone keeps nobody out: a client writes what it likes into the Host header, and a
//! server told to listen on every interface is reached from the network all the same.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use httpkit::Refusal;
use kernel::Problem;

/// Whether machines other than this one are let in.
#[derive(Clone, Copy)]
pub(crate) struct Open(pub(crate) bool);

/// Refuses requests from other machines, and those whose sender is not known.
pub(crate) async fn only_this_machine(State(open): State<Open>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    if open.0 || peer.is_some_and(|peer| peer.0.ip().to_canonical().is_loopback()) {
        return next.run(request).await;
    }
    let message = "The sandbox answers this machine only. VITRINE_SANDBOX_OPEN=true lets every machine in that \
                   reaches this port.";
    Refusal(Problem::new(403, "sandbox_closed", message)).into_response()
}
