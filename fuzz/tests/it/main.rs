//! One module per parser. Each checks that hostile input is handled, and that valid input keeps its meaning.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod boxes;
mod captions;
mod csv;
mod events;
mod playlists;
mod ranges;
mod tus_metadata;
mod webhooks;

/// Returns the input without the line end that editors add to a corpus file.
fn line(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\n").unwrap_or(bytes)
}
