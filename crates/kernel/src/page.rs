//! Keyset paging: newest first; the next page starts after the last uid of this one.

use crate::Uid;

/// Rows per page if the caller gives no limit.
pub const PAGE_DEFAULT: u64 = 20;
/// The largest page a caller may request.
pub const PAGE_MAX: u64 = 100;

/// The start and size of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyset {
    /// The uid of the last row of the previous page, if any.
    pub start_after: Option<Uid>,
    /// Number of rows, 1 to [`PAGE_MAX`].
    pub limit: u64,
}

impl Keyset {
    /// The first page, with the default number of rows.
    pub const FIRST: Self = Self { start_after: None, limit: PAGE_DEFAULT };
}
