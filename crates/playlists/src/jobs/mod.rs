//! One file per job.

pub mod purge_playlists;
