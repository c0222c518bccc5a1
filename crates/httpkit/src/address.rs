//! The caller's network address, used for limits. Headers that a client can forge are never trusted.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::request::Parts;

use crate::ApiError;

/// Number of trusted reverse proxies in front of the server; a request extension.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrustedHops(pub usize);

/// Address that sent the request. IPv6 addresses are truncated to their /64, which is one household.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientAddress(pub IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let hops = parts.extensions.get::<TrustedHops>().copied().unwrap_or_default();
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        let forwarded = parts
            .headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(str::trim);
        Ok(Self(origin(peer, forwarded, hops)))
    }
}

/// Returns the address that the outermost trusted proxy saw, counting trusted hops from the right.
fn origin<'a>(
    peer: Option<IpAddr>,
    forwarded: impl DoubleEndedIterator<Item = &'a str>,
    hops: TrustedHops,
) -> IpAddr {
    let peer = peer.unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED));
    let claimed = match hops.0 {
        0 => None,
        n => forwarded.rev().nth(n - 1).and_then(|text| text.parse().ok()),
    };
    limit_address(claimed.unwrap_or(peer))
}

/// Returns the address used for limits: an IPv6 address without its last 64 bits, an IPv4 address unchanged.
pub(crate) fn limit_address(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(header: &str, hops: usize) -> String {
        origin("10.0.0.1".parse().ok(), header.split(',').map(str::trim), TrustedHops(hops)).to_string()
    }

    #[test]
    fn only_entries_of_trusted_proxies_count() {
        assert_eq!(from("6.6.6.6, 1.2.3.4", 0), "10.0.0.1");
        assert_eq!(from("6.6.6.6, 1.2.3.4", 1), "1.2.3.4");
        assert_eq!(from("6.6.6.6, 1.2.3.4, 9.9.9.9", 2), "1.2.3.4");
        assert_eq!(from("nonsense", 1), "10.0.0.1");
        assert_eq!(from("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::");
        assert_eq!(from("::ffff:1.2.3.4", 1), "1.2.3.4");
    }
}
