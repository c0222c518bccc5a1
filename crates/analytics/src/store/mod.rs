//! All SQL of this crate, by topic. The organisation is part of every key and filters every read.

use kernel::Uid;

pub mod audiences;
pub mod event_items;
pub mod names;
mod numbers;
pub mod org_data;
pub mod people;
pub mod person;
pub mod person_export;
pub mod person_packs;
pub mod purge;
pub mod raw;
pub mod reports;
pub mod segments;
pub mod sql_reports;
pub mod states;
pub mod sums;
pub mod top;
pub mod total_packs;
pub mod totals;
pub mod values;
pub mod verify;
pub mod view_packs;
pub mod zone_cut;

/// Returns the stored form of an id in a primary key, whose columns cannot be null: nil if there is none.
fn nil_if_none(id: Option<impl Into<Uid>>) -> Uid {
    id.map_or(Uid::nil(), Into::into)
}

/// Reads the stored form of [`nil_if_none`].
fn none_if_nil<Id: From<Uid>>(stored: Uid) -> Option<Id> {
    (!stored.is_nil()).then(|| stored.into())
}
