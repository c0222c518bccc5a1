//! The migrations of this crate's tables, oldest first.

mod m20261122_01_initial;
mod m20261125_01_changes_by_time;
mod m20261125_02_reasons;
mod m20261126_01_time_zone;
mod m20261126_02_answers;
mod m20261126_03_whole_answers;
mod m20261127_01_waiting_events;
mod m20261127_02_asked_at;
mod m20261127_03_refusal;
mod m20261128_01_sources;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261122_01_initial::Step),
        Box::new(m20261126_01_time_zone::Step),
        Box::new(m20261126_02_answers::Step),
        Box::new(m20261127_01_waiting_events::Step),
        Box::new(m20261127_02_asked_at::Step),
        Box::new(m20261127_03_refusal::Step),
        Box::new(m20261128_01_sources::Step),
        Box::new(m20261125_01_changes_by_time::Step),
        Box::new(m20261125_02_reasons::Step),
        Box::new(m20261126_03_whole_answers::Step),
    ]
}
