//! Restricts the stand-ins to this machine, unless the operator allows others, and rejects forms of other
//! sites.
//!
//! A loopback public address alone protects nothing: a client can send any Host header, and a server that
//! listens on every interface is reachable from the network.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::ORIGIN;
use httpkit::ApiError;
use kernel::Problem;

/// Whether other machines are allowed.
#[derive(Clone, Copy)]
pub(crate) struct Open(pub(crate) bool);

/// Rejects requests from other machines and from unknown peers.
pub(crate) async fn only_this_machine(State(open): State<Open>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    if open.0 || peer.is_some_and(|peer| peer.0.ip().to_canonical().is_loopback()) {
        return next.run(request).await;
    }
    let message = "The sandbox answers only this machine. Set VITRINE_SANDBOX_OPEN=true to allow every machine \
                   that reaches this port.";
    ApiError(Problem::new(403, "sandbox_closed", message)).into_response()
}

/// Rejects forms sent by pages of other sites, which could move the clock or pay. Programs other than
/// browsers send no Origin header.
pub(crate) async fn no_other_site(State(own): State<Arc<str>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let foreign = match headers.get(ORIGIN) {
        Some(origin) => origin.as_bytes() != own.as_bytes(),
        None => headers.get("sec-fetch-site").is_some_and(|site| site.as_bytes() == b"cross-site"),
    };
    if request.method().is_safe() || !foreign {
        return next.run(request).await;
    }
    let message = "The sandbox accepts forms only from its own pages.";
    ApiError(Problem::new(403, "foreign_origin", message)).into_response()
}
