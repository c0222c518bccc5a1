//! playlists
