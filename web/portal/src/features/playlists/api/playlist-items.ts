/** Items of playlists: each change applies to the latest version and is retried on a conflict. */
import { answerOf, type PlaylistIn, type PlaylistOut, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';

/** Attempts before giving up on conflicts. */
const TRIES = 5;

/** The query key of a playlist. */
export const playlistKey = (orgId: string, playlistId: string) => ['org', orgId, 'playlist', playlistId] as const;

/** Reads a playlist, bypassing the cache. */
export const readPlaylist = (id: string): Promise<PlaylistOut> =>
  answerOf(api.GET('/v1/playlists/{id}', { params: { path: { id } } }));

/** Changes fields of a playlist; with `timeModified`, only if it has not changed since. */
export const changePlaylist = (id: string, playlist: PlaylistIn): Promise<PlaylistOut> =>
  answerOf(api.PATCH('/v1/playlists/{id}', { params: { path: { id } }, body: { playlist } }));

/** Adds an item to the end unless it is already in the playlist. */
export async function appendItem(playlistId: string, uid: string): Promise<void> {
  await appendItems(playlistId, [uid]);
}

/**
 * Adds items to the end, skipping those already in the playlist, and returns the changed playlist. Starts from `known`
 * if given, to save a read; if that is outdated, the server reports a conflict.
 */
export async function appendItems(
  playlistId: string,
  uids: readonly string[],
  known?: PlaylistOut,
): Promise<PlaylistOut> {
  const add = (items: string[]) => [...items, ...uids.filter((uid) => !items.includes(uid))];
  return (await withItems(playlistId, add, known)).now;
}

/** Removes an item; returns the previous order. */
export async function takeItem(playlistId: string, uid: string): Promise<string[]> {
  return (await withItems(playlistId, (items) => items.filter((item) => item !== uid))).before;
}

/** Puts an item back at its previous position. */
export async function putBack(playlistId: string, uid: string, before: readonly string[]): Promise<void> {
  const index = before.indexOf(uid);
  if (index === -1) return;
  await withItems(playlistId, (items) => (items.includes(uid) ? items : items.toSpliced(index, 0, uid)));
}

/** Applies a change; returns the items before it and the playlist after it. */
async function withItems(playlistId: string, change: (items: string[]) => string[], known?: PlaylistOut) {
  let current = known ?? (await readPlaylist(playlistId));
  for (let tries = 1; ; tries += 1) {
    const { items, timeModified } = current;
    const next = change(items);
    if (next.length === items.length) return { before: items, now: current };
    try {
      return { before: items, now: await changePlaylist(playlistId, { items: next, timeModified }) };
    } catch (error) {
      if (statusOf(error) !== 409 || tries === TRIES) throw error;
      current = await readPlaylist(playlistId);
    }
  }
}
