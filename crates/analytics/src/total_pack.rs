//! The stored form of the totals of an organisation's content items, in few bytes. No async, no SQL, no HTTP.
//!
//! A version, the number of items, their ids, and of each the views, the watch time and the recent views.

use std::cmp::Reverse;

use kernel::{ContentId, Millis, Uid};

use crate::packed::{Bytes, push_number};

/// Version of the stored form.
const VERSION: u8 = 1;

/// Totals of a content item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemTotals {
    pub item: ContentId,
    pub views: i64,
    pub watch_ms: Millis,
    /// Views since the start of the recent days, of which the list of popular items is made.
    pub recent_views: i64,
}

/// Puts the most viewed first.
pub fn sort(items: &mut [ItemTotals]) {
    // Most are in order already, which this algorithm makes use of.
    items.sort_by_key(|one| Reverse((one.views, one.item)));
}

/// Returns the stored form of totals, in their order.
pub fn write(items: &[ItemTotals]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(16 + items.len() * 26);
    bytes.push(VERSION);
    push_number(&mut bytes, items.len() as i64);
    for one in items {
        bytes.extend_from_slice(one.item.as_bytes());
    }
    for one in items {
        push_number(&mut bytes, one.views);
        push_number(&mut bytes, one.watch_ms);
        push_number(&mut bytes, one.recent_views);
    }
    bytes
}

/// Reads totals. Returns `None` if the stored form is damaged.
pub fn read(data: &[u8]) -> Option<Vec<ItemTotals>> {
    let mut bytes = Bytes::new(data);
    if bytes.take()? != [VERSION] {
        return None;
    }
    let count = usize::try_from(bytes.number()?).ok()?;
    let ids = bytes.chunks::<16>(count)?;
    let mut items = Vec::with_capacity(count);
    for id in ids {
        let item = Uid::from_bytes(*id).into();
        let (views, watch_ms, recent_views) = (bytes.number()?, bytes.number()?, bytes.number()?);
        items.push(ItemTotals { item, views, watch_ms, recent_views });
    }
    bytes.is_empty().then_some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(n: i64) -> ItemTotals {
        let item = ContentId::from_u128(n.unsigned_abs().into());
        ItemTotals { item, views: n * 3, watch_ms: n * 12_345, recent_views: n }
    }

    #[test]
    fn totals_are_read_again_and_damaged_ones_are_not() {
        let items: Vec<ItemTotals> = (0..300).map(totals).collect();
        let data = write(&items);
        assert_eq!(read(&data), Some(items));
        assert_eq!(read(&write(&[])), Some(Vec::new()));
        assert_eq!(read(&data[..data.len() - 1]), None);
        assert_eq!(read(&[data.as_slice(), &[0]].concat()), None);
        assert_eq!(read(&[&[VERSION + 1], &data[1..]].concat()), None);
        assert_eq!(read(&[VERSION, 0xff, 0xff, 0xff, 0xff, 0x7f]), None, "there are not as many items");
    }

    #[test]
    fn the_most_viewed_come_first_and_later_ones_before_earlier_ones() {
        let mut items = [totals(1), totals(3), ItemTotals { views: 9, ..totals(2) }];
        sort(&mut items);
        assert_eq!(items.map(|one| one.recent_views), [3, 2, 1]);
    }
}
