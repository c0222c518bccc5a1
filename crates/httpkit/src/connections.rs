//! Counts open connections by client address, so that a few addresses cannot take all of them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::address::limit_address;

/// Connections per address once half of all connections are in use: a browser opens six.
const WHEN_BUSY: usize = 8;
/// Connections per address once seven eighths of all connections are in use.
const WHEN_NEARLY_FULL: usize = 2;

/// Returns how many connections one address may hold: `limit`, and fewer as fewer connections are free. This
/// reserves the last ones for addresses that hold few; it takes hundreds of addresses to lock out a new one.
fn share(limit: usize, free: usize, total: usize) -> usize {
    if free > total / 2 {
        limit
    } else if free > total / 8 {
        limit.min(WHEN_BUSY)
    } else {
        limit.min(WHEN_NEARLY_FULL)
    }
}

/// Number of open connections by address.
#[derive(Clone, Default)]
pub(crate) struct ConnectionLimiter(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// Guard that counts one connection until it is dropped.
pub(crate) struct CountedConnection {
    limiter: ConnectionLimiter,
    address: IpAddr,
}

impl ConnectionLimiter {
    /// Counts a connection of this address, or returns `None` if the address already holds its share of
    /// `total`. `free` is the number of unused connections. A `limit` of 0 admits everything.
    pub(crate) fn admit(
        &self,
        address: IpAddr,
        limit: usize,
        free: usize,
        total: usize,
    ) -> Option<CountedConnection> {
        let address = limit_address(address);
        let mut counts = self.0.lock();
        let held = counts.get(&address).copied().unwrap_or_default();
        if limit > 0 && held >= share(limit, free, total) {
            return None;
        }
        counts.insert(address, held + 1);
        metrics::gauge!("vitrine_connections").increment(1);
        Some(CountedConnection { limiter: self.clone(), address })
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        metrics::gauge!("vitrine_connections").decrement(1);
        let mut counts = self.limiter.0.lock();
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many connections each of `addresses` gets if they open as many as they can, one after
    /// another.
    fn taken(total: usize, limit: usize, addresses: u32) -> Vec<usize> {
        let limiter = ConnectionLimiter::default();
        let mut held = Vec::new();
        let mut counts = Vec::new();
        for number in 0..addresses {
            let before = held.len();
            while held.len() < total
                && let Some(one) = limiter.admit(IpAddr::V4(number.into()), limit, total - held.len(), total)
            {
                held.push(one);
            }
            counts.push(held.len() - before);
        }
        counts
    }

    #[test]
    fn greedy_addresses_leave_connections_for_others() {
        assert_eq!(taken(4096, 512, 1), [512], "a single address gets the configured limit");
        let counts = taken(4096, 512, 400);
        assert!(counts.iter().all(|count| *count >= 2), "{counts:?}");
        assert!(counts.iter().sum::<usize>() < 4096, "{counts:?}");
    }

    #[test]
    fn a_limit_of_zero_admits_everything() {
        assert_eq!(taken(100, 0, 1), [100]);
    }

    #[test]
    fn an_ipv6_network_of_64_bits_counts_as_one_address() {
        let limiter = ConnectionLimiter::default();
        let first = limiter.admit("2001:db8:1:2::1".parse().unwrap(), 1, 100, 100);
        assert!(first.is_some());
        assert!(limiter.admit("2001:db8:1:2:ffff::9".parse().unwrap(), 1, 100, 100).is_none());
        assert!(limiter.admit("2001:db8:1:3::1".parse().unwrap(), 1, 100, 100).is_some());
        drop(first);
        assert!(limiter.admit("2001:db8:1:2::2".parse().unwrap(), 1, 100, 100).is_some());
    }
}
