//! Schema migrations, oldest first.

mod m20261120_01_playlists;
mod m20261120_02_folded_titles;

use db::Migration;

pub fn all() -> Vec<Migration> {
    vec![Box::new(m20261120_01_playlists::Step), Box::new(m20261120_02_folded_titles::Step)]
}
