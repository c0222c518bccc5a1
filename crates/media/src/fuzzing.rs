//! The private parsers and writers that `fuzz/` checks. Not part of the public API.
//!
//! A Cargo feature would keep them out of other builds, but a workspace build enables it for all crates, so
//! this crate and all that depend on it would be compiled twice.

use crate::playlist::{Segment, Variant};
use crate::{isobmff, playlist};

pub use crate::truncation::is_complete;

/// Codecs, and width and height of the video.
pub type Tracks = (Vec<String>, Option<(u16, u16)>);

/// Parses an initialization segment.
pub fn parse_init_segment(init: &[u8]) -> Option<Tracks> {
    isobmff::parse_init_segment(init).map(|init| (init.codecs, init.size))
}

/// Parses the segment lengths from a playlist that a tool wrote.
pub fn segment_lengths(text: &str, name: &str) -> Option<Vec<f64>> {
    playlist::lengths(text, name)
}

/// A rendition to be written: seconds and bytes of each segment.
#[derive(Clone, Debug)]
pub struct Rendition {
    /// Prefix of its files.
    pub name: String,
    /// Codecs, and width and height of the video.
    pub tracks: Tracks,
    /// Frames per second.
    pub rate: Option<f64>,
    /// Seconds and bytes of each segment.
    pub segments: Vec<(f64, u64)>,
}

impl Rendition {
    /// Returns the media playlist.
    pub fn playlist(&self, tag: &str) -> String {
        self.variant().playlist(tag)
    }

    fn variant(&self) -> Variant {
        let segments = self.segments.iter().map(|&(seconds, bytes)| Segment { seconds, bytes });
        Variant {
            name: self.name.clone(),
            codecs: self.tracks.0.clone(),
            size: self.tracks.1,
            rate: self.rate,
            segments: segments.collect(),
        }
    }
}

/// Returns the master playlist.
pub fn master_playlist(renditions: &[Rendition], tag: &str) -> String {
    playlist::master(&renditions.iter().map(Rendition::variant).collect::<Vec<_>>(), tag)
}
