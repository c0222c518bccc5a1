//! Keyset paging: newest first, the next page begins after the last uid of this one.

use crate::Uid;

/// Rows of a page when the caller names no limit.
pub const PAGE_DEFAULT: u64 = 20;
/// The largest page a caller may ask for.
pub const PAGE_MAX: u64 = 100;

/// Where a page begins and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyset {
    /// uid of the last row of the page before, if any.
    pub start_after: Option<Uid>,
    /// Rows wanted, 1 to [`PAGE_MAX`].
    pub limit: u64,
}

impl Keyset {
    /// The first page of the usual length.
    pub const FIRST: Self = Self { start_after: None, limit: PAGE_DEFAULT };
}
