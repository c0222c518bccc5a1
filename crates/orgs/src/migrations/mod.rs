//! The migrations of this crate's tables, oldest first.

mod m20261122_01_initial;
mod m20261123_01_invites;
mod m20261123_02_audit;
mod m20261124_01_people;
mod m20261124_02_images;
mod m20261124_03_time_zone;
mod m20261125_01_open_invites;
mod m20261125_02_joined;
mod m20261126_01_suspension;
mod m20261127_01_full_report;
mod m20261128_01_deletion;
mod m20261129_01_removal_announced;
mod m20261130_01_admin_entries;
mod m20261130_02_removals;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261122_01_initial::Step),
        Box::new(m20261123_01_invites::Step),
        Box::new(m20261123_02_audit::Step),
        Box::new(m20261124_01_people::Step),
        Box::new(m20261124_02_images::Step),
        Box::new(m20261124_03_time_zone::Step),
        Box::new(m20261125_01_open_invites::Step),
        Box::new(m20261126_01_suspension::Step),
        Box::new(m20261127_01_full_report::Step),
        Box::new(m20261128_01_deletion::Step),
        Box::new(m20261129_01_removal_announced::Step),
        Box::new(m20261125_02_joined::Step),
        Box::new(m20261130_01_admin_entries::Step),
        Box::new(m20261130_02_removals::Step),
    ]
}
