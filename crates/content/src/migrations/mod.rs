//! Schema migrations, oldest first.

mod m20261120_01_content;
mod m20261120_02_folded_titles;
mod m20261120_04_renditions;
mod m20261120_05_resumable;
mod m20261120_06_codecs;
mod m20261121_07_stored_objects;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![
        Box::new(m20261120_01_content::Step),
        Box::new(m20261120_02_folded_titles::Step),
        Box::new(m20261120_04_renditions::Step),
        Box::new(m20261120_05_resumable::Step),
        Box::new(m20261120_06_codecs::Step),
        Box::new(m20261121_07_stored_objects::Step),
    ]
}
