//! Who may use the stand-ins: this machine, unless the operator says otherwise, and no page of another site.
//!
//! A loopback public address alone keeps nobody out: a client writes what it likes into the Host header, and a
//! server told to listen on every interface is reached from the network all the same.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::header::ORIGIN;
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

/// Refuses what a page of another site sends: its forms would move the clock or pay. Programs name no origin.
pub(crate) async fn no_other_site(State(own): State<Arc<str>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let foreign = match headers.get(ORIGIN) {
        Some(origin) => origin.as_bytes() != own.as_bytes(),
        None => headers.get("sec-fetch-site").is_some_and(|site| site.as_bytes() == b"cross-site"),
    };
    if request.method().is_safe() || !foreign {
        return next.run(request).await;
    }
    let message = "The sandbox takes forms from its own pages only.";
    Refusal(Problem::new(403, "foreign_origin", message)).into_response()
}
