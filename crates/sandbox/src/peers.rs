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

/// Returns whether no other machine can be meant by this address.
pub(crate) fn is_this_machine(address: &str) -> bool {
    let url = url::Url::parse(address).ok();
    url.as_ref().and_then(url::Url::host).is_some_and(|host| match host {
        url::Host::Domain(name) => name == "localhost",
        url::Host::Ipv4(address) => address.is_loopback(),
        url::Host::Ipv6(address) => address.is_loopback(),
    })
}

/// Checks whether a sandbox may run under this public address: only one that no other machine can reach.
/// Fails with a sentence that says what to do.
pub fn check(public_url: &str) -> Result<(), String> {
    if is_this_machine(public_url) {
        return Ok(());
    }
    Err(format!(
        "VITRINE_SANDBOX=true shows every email and takes no real money, so it requires a loopback address, \
         but VITRINE_PUBLIC_URL is {public_url}. Set VITRINE_SANDBOX=false, or use http://127.0.0.1:8080."
    ))
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn the_sandbox_refuses_an_address_others_can_reach() {
        for good in ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:8080/"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "https://vitrine.example",
            "http://192.168.1.2",
            "http://localhost.example.com",
            "",
            "http://0.0.0.0",
        ] {
            assert!(check(bad).is_err_and(|why| why.contains("VITRINE_SANDBOX")), "{bad}");
        }
    }
}
