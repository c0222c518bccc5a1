/** What content asks of playlists, which depend on content: the app connects the two. */
import type { PlaylistOut } from '@vitrine/api';

/** The part of playlists that an upload needs when it is complete. */
export interface PlaylistPort {
  /**
   * Adds items to the end, skipping those already in the playlist, and returns the changed playlist. Starts from `known`
   * if given, to save a read.
   */
  append: (playlistId: string, uids: readonly string[], known?: PlaylistOut) => Promise<PlaylistOut>;
  /** Returns the query key of a playlist. */
  key: (orgId: string, playlistId: string) => readonly string[];
}

let connected: PlaylistPort | null = null;

/** Sets the implementation; called once, before the first render. */
export function connectPlaylists(port: PlaylistPort): void {
  connected = port;
}

/** Returns the implementation. */
export function playlistPort(): PlaylistPort {
  if (connected === null) throw new Error('The app has not connected content and playlists.');
  return connected;
}
